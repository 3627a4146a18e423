import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, text

from paige.base.errors import BadInput, PaigeError, Refused, Unavailable
from paige.base.settings import Settings
from paige.store import engine
from paige.store.engine import Database, open_database, open_sqlite
from paige.store.queries import events_after, latest_event
from paige.store.tables import EVENTS
from tests.conftest import NOON
from tests.postgres import free_port
from tests.processes import line, obeying_permissions, python, run_python
from tests.store.running import read, write

HOLD_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
input()
"""
OPEN_AND_WRITE = """
import sys
from pathlib import Path
from paige.base.errors import PaigeError
from paige.store.engine import open_sqlite
from sqlalchemy import text
try:
    with open_sqlite(Path(sys.argv[1])).transaction(write=True) as connection:
        connection.execute(text("DELETE FROM events"))
except PaigeError as error:
    print(type(error).__name__, error.message)
"""
WRITE_TOO_MUCH = """
import resource, sys
from pathlib import Path
from paige.base.errors import PaigeError
from paige.store.engine import open_sqlite
from sqlalchemy import text
size = Path(sys.argv[1]).stat().st_size + 50_000
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
try:
    with open_sqlite(Path(sys.argv[1])).transaction(write=True) as connection:
        connection.execute(text("CREATE TABLE big (x)"))
        connection.execute(text("INSERT INTO big VALUES (zeroblob(3000000))"))
except PaigeError as error:
    print(type(error).__name__, error.message)
"""


def rows(count: int, size: int = 1000) -> list[dict]:
    return [
        {"seq": n, "topic": "t", "payload": {"x": "y" * size}, "at": NOON}
        for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("content", [b"Dear diary,\n", b"SQLite format 2\x00" + bytes(100), b"x"])
def test_a_file_that_is_not_a_database_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "paige.db"
    path.write_bytes(content)
    with pytest.raises(Unavailable, match="is not a SQLite file") as caught:
        open_sqlite(path)
    assert str(path) in caught.value.message
    assert caught.value.hint
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_with_a_torn_header_is_damaged_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "paige.db"
    content = engine.SQLITE_HEADER + b"\xff" * 5000
    path.write_bytes(content)
    with closing(open_sqlite(path)) as database, pytest.raises(Unavailable, match="is damaged"):
        write(database, latest_event)
    assert path.read_bytes() == content


def test_a_damaged_page_is_told_as_damage(sqlite_db: Database) -> None:
    write(sqlite_db, Connection.execute, insert(EVENTS), rows(100))
    sqlite_db.close()
    path = Path(sqlite_db.location)
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(Unavailable, match="is damaged") as caught:
        read(sqlite_db, events_after, 0)
    assert "backup" in (caught.value.hint or "")


def test_a_database_locked_by_another_process_is_unavailable_and_unchanged(
    sqlite_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.1)
    path = Path(sqlite_db.location)
    with python(HOLD_LOCK, path) as other, closing(open_sqlite(path)) as database:
        assert line(other) == "held"
        with pytest.raises(Unavailable, match="is locked by another program"):
            write(database, Connection.execute, insert(EVENTS), rows(1))
        assert read(database, latest_event) == 0


def test_a_file_that_may_not_be_written_is_refused_by_name(sqlite_db: Database) -> None:
    path = Path(sqlite_db.location)
    sqlite_db.close()
    path.chmod(0o444)
    said = run_python(OPEN_AND_WRITE, path, prefix=obeying_permissions())
    assert said == f"Refused `{path}` cannot be opened: Permission denied"


def test_a_folder_that_may_not_be_written_is_refused_by_name(sqlite_db: Database) -> None:
    path = Path(sqlite_db.location)
    sqlite_db.close()
    path.parent.chmod(0o555)
    said = run_python(OPEN_AND_WRITE, path, prefix=obeying_permissions())
    path.parent.chmod(0o755)
    assert said == f"Refused The database `{path}` may not be written"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PaigeError, match=f"`{tmp_path / 'file'}` could not be written"):
        open_sqlite(tmp_path / "file" / "paige.db")


def test_a_folder_in_the_place_of_the_database_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "paige.db").mkdir()
    with pytest.raises(Refused, match=r"paige\.db` cannot be opened"):
        open_sqlite(tmp_path / "paige.db")


def test_a_full_disk_is_told_and_nothing_is_changed(sqlite_db: Database) -> None:
    def too_much(connection: Connection) -> None:
        # The same answer of SQLite as on a full disk, without needing one.
        connection.execute(text("PRAGMA max_page_count = 20"))
        connection.execute(insert(EVENTS), rows(200))

    with pytest.raises(Unavailable, match="is full; nothing was changed"):
        write(sqlite_db, too_much)
    assert read(sqlite_db, latest_event) == 0


def test_a_disk_that_takes_no_more_is_not_taken_for_a_damaged_database(
    sqlite_db: Database,
) -> None:
    path = Path(sqlite_db.location)
    sqlite_db.close()
    said = run_python(WRITE_TOO_MUCH, path)
    assert said.startswith(f"Unavailable The disk of `{path}`")
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        names = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert ("big",) not in names


def test_a_server_that_does_not_answer_is_unavailable_and_its_password_not_shown(
    tmp_path: Path,
) -> None:
    url = f"postgresql://me:hidden@127.0.0.1:{free_port()}/paige"
    database = open_database(Settings(cwd=tmp_path, database_url=url))
    with pytest.raises(Unavailable, match="does not answer") as caught:
        read(database, latest_event)
    assert "127.0.0.1" in caught.value.message
    assert "hidden" not in f"{caught.value.message} {database.location}"


@pytest.mark.parametrize("url", ["mysql://me:hidden@h/d", "hidden", "sqlite:///x.db"])
def test_an_address_that_is_not_postgresql_is_bad_input(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadInput, match="`DATABASE_URL`") as caught:
        open_database(Settings(cwd=tmp_path, database_url=url))
    assert "hidden" not in caught.value.message
    assert "postgresql://" in (caught.value.hint or "")
