"""The copy of a SQLite file before its schema changes."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from paige.base.errors import Unavailable
from paige.base.settings import Settings
from paige.store.engine import Database, open_database
from paige.store.migrate import (
    copy_before_upgrade,
    copy_path,
    current_revision,
    head_revision,
    migrate,
    remove_copies,
)
from tests.store.dump_schema import SCHEMAS
from tests.store.running import read, write

OLDER = "0009"


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Database]:
    """A database of an older Paige, opened by this one."""
    path = tmp_path / "paige.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((SCHEMAS / f"{OLDER}.sql").read_text(encoding="utf-8"))
    with closing(open_database(Settings(cwd=tmp_path, given_data_dir=tmp_path))) as database:
        yield database


def revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]


def test_an_upgrade_leaves_a_copy_with_what_was_written_last(old: Database) -> None:
    write(old, Connection.execute, text("CREATE TABLE mine (x TEXT)"))
    write(old, Connection.execute, text("INSERT INTO mine VALUES ('still in the log')"))

    migrate(old)

    copy = copy_path(Path(old.location), OLDER)
    assert revision(copy) == OLDER
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT x FROM mine").fetchall() == [("still in the log",)]


def test_a_new_database_and_a_current_one_leave_no_copy(tmp_path: Path) -> None:
    with closing(open_database(Settings(cwd=tmp_path, given_data_dir=tmp_path))) as database:
        migrate(database)
        migrate(database)
    assert list(tmp_path.glob("*before*")) == []


def test_without_room_for_the_copy_nothing_is_upgraded(
    old: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path, copy: Path) -> None:
        copy.write_bytes(b"half")
        raise Unavailable("The disk is full: no backup was written")

    monkeypatch.setattr("paige.store.migrate.copy_sqlite", full)

    with pytest.raises(Unavailable, match="disk is full"):
        migrate(old)

    assert read(old, current_revision) == OLDER
    assert [path.name for path in Path(old.location).parent.glob("*before*")] == []
    monkeypatch.undo()
    assert migrate(old).now == head_revision()


def test_a_later_copy_of_the_same_schema_takes_the_place_of_the_first(old: Database) -> None:
    path = Path(old.location)
    copy_before_upgrade(path, OLDER)
    write(old, Connection.execute, text("CREATE TABLE later (x TEXT)"))

    copy = copy_before_upgrade(path, OLDER)

    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM later").fetchone() == (0,)
    assert len(list(path.parent.glob("*before*"))) == 1


def test_removing_copies_leaves_what_a_restore_kept(old: Database) -> None:
    path = Path(old.location)
    copy_before_upgrade(path, OLDER)
    kept = path.with_name("paige.db.before-20260302T120000Z")
    kept.touch()

    remove_copies(path)

    assert list(path.parent.glob("*before*")) == [kept]
