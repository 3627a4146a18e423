from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from paige.base.settings import Settings
from paige.store.checks import checks
from paige.store.engine import Database, open_database
from paige.store.migrate import head_revision
from tests.postgres import free_port
from tests.store.running import write


def test_a_database_that_does_not_exist_is_fine_and_not_created(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    (answer,) = checks(settings)
    assert (answer.status, answer.name) == ("ok", "database")
    assert not (tmp_path / "data").exists()


@pytest.mark.db
def test_a_whole_database_is_ok(db: Database, db_settings: Settings) -> None:
    (answer,) = checks(db_settings)
    assert answer.status == "ok"
    assert answer.message == f"`{db.location}` is whole, schema {head_revision()}"


@pytest.mark.db
def test_an_empty_database_is_filled_at_the_next_start(empty_settings: Settings) -> None:
    with closing(open_database(empty_settings)) as database:
        write(database, Connection.execute, text("SELECT 1"))
    (answer,) = checks(empty_settings)
    # An empty SQLite file may be one that lost everything; an empty PostgreSQL is a new one.
    told = ("ok", "upgraded") if empty_settings.database_url else ("warn", "is empty")
    assert (answer.status, told[1] in answer.message) == (told[0], True)
    assert "the next start" in answer.message


@pytest.mark.db
def test_a_newer_database_fails_with_a_way_out(db: Database, db_settings: Settings) -> None:
    write(db, Connection.execute, text("UPDATE alembic_version SET version_num = '9999'"))
    (answer,) = checks(db_settings)
    assert answer.status == "fail"
    assert "newer Paige" in answer.message
    assert answer.fix


def test_a_file_that_is_no_database_fails_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "paige.db").write_text("Dear diary")
    (answer,) = checks(Settings(cwd=tmp_path, given_data_dir=tmp_path))
    assert answer.status == "fail"
    assert answer.fix


def test_a_damaged_page_fails(db: Database, db_settings: Settings) -> None:
    def fill(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE big (x TEXT PRIMARY KEY)"))
        many = [{"x": f"{number:0200}"} for number in range(500)]
        connection.execute(text("INSERT INTO big VALUES (:x)"), many)

    write(db, fill)
    db.close()
    path = Path(db.location)
    content = bytearray(path.read_bytes())
    content[-40_000:-20_000] = b"\xff" * 20_000
    path.write_bytes(content)
    (answer,) = checks(db_settings)
    assert answer.status == "fail"
    assert "is damaged" in answer.message


def test_a_server_that_does_not_answer_fails(tmp_path: Path) -> None:
    url = f"postgresql://me@127.0.0.1:{free_port()}/paige"
    (answer,) = checks(Settings(cwd=tmp_path, database_url=url))
    assert (answer.status, answer.fix) == ("fail", "Is the server running?")


def test_no_home_fails_and_names_the_variable(tmp_path: Path) -> None:
    (answer,) = checks(Settings(cwd=tmp_path))
    assert answer.status == "fail"
    assert "`DATA_DIR`" in answer.message
