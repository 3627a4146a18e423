import re
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from paige.base.errors import Conflict, PaigeError
from paige.base.settings import Settings
from paige.store.engine import Database, open_database
from paige.store.migrate import (
    MIGRATIONS,
    MigrationResult,
    current_revision,
    head_revision,
    migrate,
    upgrade,
)
from paige.store.tables import METADATA
from tests.processes import OPEN_DATABASE, database_arguments, line, python, tell
from tests.store.dump_schema import SCHEMAS, declare_all_tables, fill, statements_of
from tests.store.running import read, write

VERSIONS = sorted(path.name for path in (MIGRATIONS / "versions").glob("*.py"))
DUMPS = sorted(path.stem for path in SCHEMAS.glob("*.sql"))
MIGRATE = (
    OPEN_DATABASE
    + """
from paige.store.migrate import migrate
import alembic.command
print("ready", flush=True)
input()
print(*migrate(database), flush=True)
database.close()
"""
)


@contextmanager
def opened(settings: Settings):
    with closing(open_database(settings)) as database:
        yield database


def differences(connection: Connection) -> list:
    declare_all_tables()
    options = {"compare_type": True, "compare_server_default": True, "include_object": is_ours}
    return compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)


def is_ours(_: object, name: str | None, kind: str, *__: object) -> bool:
    """Full-text indexes are made by `create_index`, so they are not declared as tables."""
    made = (kind == "table" and "_fts" in (name or "")) or (kind, name) == ("column", "search")
    return not made and not (kind == "index" and (name or "").endswith("_search"))


@pytest.mark.db
def test_a_fresh_database_has_exactly_the_declared_schema(empty_settings: Settings) -> None:
    with opened(empty_settings) as database:
        assert migrate(database) == MigrationResult(None, head_revision())
        assert read(database, differences) == []
        assert read(database, current_revision) == head_revision()


@pytest.mark.db
def test_migrating_again_changes_nothing(db: Database) -> None:
    assert migrate(db) == MigrationResult(head_revision(), head_revision())


def test_every_table_has_a_tenant_that_is_never_empty() -> None:
    declare_all_tables()
    assert len(METADATA.tables) >= 2
    for name, table in METADATA.tables.items():
        assert "tenant" in table.columns, f"`{name}` has no tenant"
        assert not table.columns["tenant"].nullable, f"the tenant of `{name}` may be empty"
        assert table.columns["tenant"].server_default is not None


@pytest.mark.db
def test_in_a_real_database_every_row_without_a_tenant_is_local(db: Database) -> None:
    def tenants(connection: Connection) -> dict[str, str]:
        tables = [name for name in inspect(connection).get_table_names() if name in METADATA.tables]
        columns = {name: inspect(connection).get_columns(name) for name in tables}
        return {
            name: str(column["default"])
            for name, each in columns.items()
            for column in each
            if column["name"] == "tenant" and not column["nullable"]
        }

    found = read(db, tenants)
    assert found.keys() == METADATA.tables.keys()
    assert all(default.startswith("'local'") for default in found.values())


def test_revisions_are_numbered_without_gaps_and_named() -> None:
    numbers = [name[:4] for name in VERSIONS]
    assert numbers == [f"{n:04}" for n in range(1, len(VERSIONS) + 1)]
    for name, before in zip(VERSIONS, [None, *numbers], strict=False):
        assert re.fullmatch(r"[0-9]{4}_[a-z][a-z0-9_]*\.py", name), name
        source = (MIGRATIONS / "versions" / name).read_text()
        assert f'revision = "{name[:4]}"' in source
        expected = f'"{before}"' if before else "None"
        assert f"down_revision = {expected}" in source


@pytest.mark.db
def test_a_newer_schema_is_refused_and_left_as_it_is(db: Database) -> None:
    write(db, Connection.execute, text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Conflict, match="newer Paige") as caught:
        migrate(db)
    assert "9999" in caught.value.message
    assert caught.value.hint
    assert read(db, current_revision) == "9999"


@pytest.mark.db
def test_a_migration_that_fails_half_way_leaves_nothing_behind(empty_settings: Settings) -> None:
    def tables(connection: Connection) -> list[str]:
        return inspect(connection).get_table_names()

    with opened(empty_settings) as database:
        # The first revision makes `events`, then `leases`, which stands in its way here.
        write(database, Connection.execute, text("CREATE TABLE leases (x INTEGER)"))
        with pytest.raises(PaigeError, match="leases"):
            migrate(database)
        assert read(database, tables) == ["leases"]


@pytest.mark.db
def test_processes_that_migrate_at_once_all_succeed(empty_settings: Settings) -> None:
    arguments = database_arguments(empty_settings)
    with python(MIGRATE, *arguments) as one, python(MIGRATE, *arguments) as other:
        assert [line(one), line(other)] == ["ready", "ready"]
        tell(one)
        tell(other)
        answers = {line(one), line(other)}
    head = head_revision()
    assert f"None {head}" in answers
    assert answers <= {f"None {head}", f"{head} {head}"}
    with opened(empty_settings) as database:
        assert read(database, differences) == []


def test_the_newest_revision_has_a_dump() -> None:
    assert head_revision() in DUMPS, "Run `python -m tests.store.dump_schema`, and keep its file."


def test_the_newest_dump_is_what_the_newest_revision_makes(sqlite_db: Database) -> None:
    fill(sqlite_db)
    sqlite_db.close()
    landed = (SCHEMAS / f"{head_revision()}.sql").read_text(encoding="utf-8")
    assert "\n".join(statements_of(Path(sqlite_db.location))) + "\n" == landed


@pytest.mark.db
@pytest.mark.parametrize("landed", DUMPS)
def test_every_landed_schema_is_migrated_with_its_rows(
    empty_settings: Settings, landed: str
) -> None:
    old_rows = load(landed)
    assert old_rows
    with opened(empty_settings) as database:
        restore(database, landed, old_rows)
        assert migrate(database) == MigrationResult(landed, head_revision())
        assert read(database, differences) == []
        for table, (_, rows) in old_rows.items():
            # A revision may drop a table, then its number is told here with the reason.
            count = read(database, Connection.scalar, text(f"SELECT count(*) FROM {table}"))
            assert count == len(rows), table


def load(landed: str) -> dict[str, tuple[list[str], list[tuple]]]:
    """Columns and rows of every ordinary table of a dump."""
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.executescript((SCHEMAS / f"{landed}.sql").read_text(encoding="utf-8"))
        tables = [row[1] for row in memory.execute("PRAGMA table_list") if row[2] == "table"]
        ours = [name for name in tables if not name.startswith(("sqlite_", "alembic_"))]
        found = {}
        for name in ours:
            # SQLite keeps true and false as numbers; PostgreSQL does not take a number for them.
            kinds = [row[2] for row in memory.execute(f"PRAGMA table_info({name})")]
            rows = memory.execute(f"SELECT * FROM {name}")
            columns = [column[0] for column in rows.description]
            found[name] = (columns, [_typed(row, kinds) for row in rows])
    return found


def _typed(row: tuple, kinds: list[str]) -> tuple:
    return tuple(
        bool(value) if kind == "BOOLEAN" else value for value, kind in zip(row, kinds, strict=True)
    )


def restore(database: Database, landed: str, rows: dict) -> None:
    """Make the old database: on SQLite from the dump itself, else by its own revisions."""
    if database.kind == "sqlite":
        script = (SCHEMAS / f"{landed}.sql").read_text(encoding="utf-8")
        with closing(sqlite3.connect(database.location)) as connection:
            connection.executescript(script)
        return
    upgrade(database, landed)
    with database.transaction(write=True) as connection:
        # Rows may point to rows of a table further down; such rules are checked at the end.
        connection.execute(text("SET session_replication_role = replica"))
        for table, (columns, values) in rows.items():
            names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"
            connection.exec_driver_sql(statement, values)
