"""Shared plumbing: databases of both kinds, a fixed moment, Hypothesis profiles."""

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from paige.base.settings import Settings
from paige.store.engine import Database, open_database, open_sqlite
from paige.store.migrate import migrate
from tests import cheap_hashes, ready_tables
from tests.depth import examples
from tests.postgres import database_url, execute, temp_database, temp_postgres

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ENGINES = ("sqlite", "postgresql")
TEMPLATE = "paige_template"

# A fixture that lasts longer than one example is fine: such tests make their own rows.
_SHARED = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture]}
settings.register_profile("local", max_examples=examples(60), **_SHARED)
settings.register_profile("ci", settings.get_profile("local"), derandomize=True, database=None)
# What is imported for the tests is kept compiled, whatever this machine says: that takes as long as
# collecting them does.
_WRITES_NOTHING, sys.dont_write_bytecode = sys.dont_write_bytecode, False
settings.load_profile("ci" if os.environ.get("CI") else "local")
ready_tables.copy_for_new_ones()
cheap_hashes.use()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test marked `db` runs on both engines; any other test with a database runs on SQLite."""
    if "db_engine" in metafunc.fixturenames:
        both = metafunc.definition.get_closest_marker("db") is not None
        # Of no wider scope: pytest would tear the tests of a file apart to put engines together.
        metafunc.parametrize("db_engine", ENGINES if both else ENGINES[:1], scope="function")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first: at the end of a parallel run, short ones fill what is left."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


def pytest_collection_finish() -> None:
    """Everything that is imported by now stays: nobody needs to look through it for garbage."""
    sys.dont_write_bytecode = _WRITES_NOTHING
    gc.collect()
    gc.freeze()
    # Tests build much that goes soon and by itself: it need not be looked through as often.
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run where Paige runs."""
    return "asyncio"


@pytest.fixture
def empty_settings(
    db_engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Settings]:
    """Settings of a database that nobody has migrated yet."""
    if db_engine == "sqlite":
        yield _settings(tmp_path)
    else:
        server = request.getfixturevalue("postgres_server")
        with temp_database(server, template="template0") as url:
            yield _settings(tmp_path, url)


@pytest.fixture
def db_settings(
    db_engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Settings]:
    """Settings of a migrated database: for tests that open it in several processes."""
    if db_engine == "sqlite":
        chosen = _settings(tmp_path)
        chosen.data_dir.mkdir()
        shutil.copy(request.getfixturevalue("sqlite_template"), chosen.data_dir / "paige.db")
        yield chosen
    else:
        server = request.getfixturevalue("postgres_server")
        with temp_database(server, template=TEMPLATE) as url:
            yield _settings(tmp_path, url)


@pytest.fixture
def db(db_settings: Settings) -> Iterator[Database]:
    """A migrated database; on both engines when the test is marked `db`."""
    with closing(open_database(db_settings)) as database:
        yield database


@pytest.fixture
def sqlite_db(tmp_path: Path, sqlite_template: Path) -> Iterator[Database]:
    """A migrated SQLite database, whatever the marks of the test."""
    path = tmp_path / "sqlite" / "paige.db"
    path.parent.mkdir()
    shutil.copy(sqlite_template, path)
    with closing(open_sqlite(path)) as database:
        yield database


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file to copy: much quicker than migrating for every test."""
    path = tmp_path_factory.mktemp("template") / "paige.db"
    with closing(open_sqlite(path)) as database:
        migrate(database)
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server whose database `TEMPLATE` is migrated."""
    with temp_postgres() as server:
        execute(server, f"CREATE DATABASE {TEMPLATE}")
        with closing(
            open_database(_settings(Path("/"), database_url(server, TEMPLATE)))
        ) as database:
            migrate(database)
        yield server


def _settings(folder: Path, url: str = "") -> Settings:
    return Settings(cwd=folder, given_data_dir=folder / "data", database_url=url)
