import threading
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from sqlalchemy import Connection, insert, text

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.store import engine
from paige.store.engine import Database, open_database
from paige.store.queries import append_event, latest_event
from paige.store.tables import LEASES
from tests.conftest import NOON
from tests.processes import OPEN_DATABASE, database_arguments, run_python
from tests.store.running import read, write

ME = Actor()
ADD_ONE = (
    OPEN_DATABASE
    + """
from paige.base.clock import system_clock
from paige.store.queries import append_event
with database.transaction(write=True) as connection:
    print(append_event(connection, Actor(), "test", {}, now=system_clock()))
database.close()
"""
)


def add(connection: Connection, topic: str = "test") -> int:
    return append_event(connection, ME, topic, {}, now=NOON)


def test_sqlite_writes_ahead_and_keeps_foreign_keys(sqlite_db: Database) -> None:
    with sqlite_db.transaction(write=False) as connection:
        pragmas = ("journal_mode", "foreign_keys", "synchronous")
        answers = [connection.scalar(text(f"PRAGMA {pragma}")) for pragma in pragmas]
    assert answers == ["wal", 1, 1]


def test_a_new_database_and_its_folder_are_for_their_owner_only(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "a" / "b")
    with closing(open_database(settings)) as database:
        assert database.location == str(tmp_path / "a" / "b" / "paige.db")
        with database.transaction(write=False) as connection:
            assert connection.scalar(text("SELECT 1")) == 1
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a" / "b" / "paige.db").stat().st_mode & 0o777 == 0o600


def test_opening_a_second_time_leaves_the_first_its_locks(
    db: Database, db_settings: Settings
) -> None:
    """Doctor does so in a server; the next program must not take the database for unused."""
    write(db, add)
    open_database(db_settings).close()
    run_python(ADD_ONE, *database_arguments(db_settings))
    write(db, add)
    assert run_python(ADD_ONE, *database_arguments(db_settings)) == "4"
    assert Path(f"{db.location}-wal").exists()


@pytest.mark.db
def test_a_read_sees_one_snapshot_however_long_it_lasts(db: Database) -> None:
    with db.transaction(write=False) as reading:
        before = latest_event(reading)
        write(db, add)
        during = latest_event(reading)
    assert (before, during, read(db, latest_event)) == (0, 0, 1)


@pytest.mark.db
def test_a_read_sees_what_another_process_committed_before_it(
    db: Database, db_settings: Settings
) -> None:
    assert run_python(ADD_ONE, *database_arguments(db_settings)) == "1"
    assert read(db, latest_event) == 1


@pytest.mark.anyio
async def test_on_sqlite_writes_of_one_process_queue_instead_of_meeting_a_lock(
    sqlite_db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0)  # whoever meets a lock fails at once

    def add_many(connection: Connection) -> None:
        for _ in range(50):
            add(connection)

    with closing(engine.open_sqlite(Path(sqlite_db.location))) as database, anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(database.write, add_many)
        assert await database.read(latest_event) == 1000


@pytest.mark.anyio
async def test_on_sqlite_reads_go_on_during_a_write(sqlite_db: Database) -> None:
    started, may_end = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        add(connection)
        started.set()
        assert may_end.wait(10)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(sqlite_db.write, slow)
            await anyio.to_thread.run_sync(started.wait)
            assert await sqlite_db.read(latest_event) == 0
            may_end.set()
    assert await sqlite_db.read(latest_event) == 1


@pytest.mark.db
@pytest.mark.anyio
async def test_an_error_undoes_the_whole_write_and_is_passed_on(db: Database) -> None:
    heard: list[str] = []
    db.on_commit(lambda: heard.append("committed"))

    def half(connection: Connection) -> None:
        add(connection)
        raise KeyError("half way")

    with pytest.raises(KeyError, match="half way"):
        await db.write(half)
    assert await db.read(latest_event) == 0
    assert heard == []


@pytest.mark.db
@pytest.mark.anyio
async def test_a_write_is_committed_when_it_returns_and_then_listeners_hear(db: Database) -> None:
    seen: list[int] = []

    db.on_commit(lambda: seen.append(read(db, latest_event)))
    assert await db.write(add, "hello") == 1
    assert seen == [1]


@pytest.mark.db
@pytest.mark.anyio
async def test_reading_does_not_wake_listeners(db: Database) -> None:
    heard: list[str] = []
    db.on_commit(lambda: heard.append("committed"))
    assert await db.read(latest_event) == 0
    assert heard == []


@pytest.mark.db
def test_a_broken_rule_of_the_schema_is_told_even_if_the_data_sounds_like_trouble(
    db: Database,
) -> None:
    lease = {"name": "the disk is full, readonly, locked", "host": "h", "pid": 1, "started": "s"}
    row = {**lease, "fence": 1, "until": NOON}
    with pytest.raises(PaigeError, match="The database refused") as caught:
        write(db, Connection.execute, insert(LEASES), [row, row])
    assert type(caught.value) is PaigeError


@pytest.mark.anyio
async def test_what_a_person_decided_is_synced_to_the_disk_at_once(sqlite_db: Database) -> None:
    def level(connection: Connection) -> object:
        return connection.execute(text("PRAGMA synchronous")).scalar()

    levels = [
        await sqlite_db.write(level),
        await sqlite_db.write_durably(level),
        await sqlite_db.write(level),
    ]

    assert levels == [1, 2, 1]  # NORMAL, FULL, NORMAL
