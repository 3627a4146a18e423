from pathlib import Path

import anyio
import pytest
from anyio.lowlevel import checkpoint
from anyio.streams.memory import MemoryObjectReceiveStream
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.store.bus import Bus
from paige.store.engine import Database, open_database
from paige.store.queries import StoredEvent, append_event, events_after
from tests.conftest import NOON, TEMPLATE
from tests.postgres import execute, temp_database
from tests.processes import OPEN_DATABASE, database_arguments, python, tell
from tests.store.running import write

ME = Actor()
NEVER = 3600.0  # the bus then hears only what this process commits
ADD_WHEN_TOLD = (
    OPEN_DATABASE
    + """
from paige.base.clock import system_clock
from paige.store.queries import append_event
input()
for n in range(3):
    with database.transaction(write=True) as connection:
        append_event(connection, Actor(), "other", {}, now=system_clock())
database.close()
"""
)


def add(connection: Connection, topic: str = "test") -> int:
    return append_event(connection, ME, topic, {}, now=NOON)


async def numbers(stream: MemoryObjectReceiveStream[StoredEvent], count: int) -> list[int]:
    with anyio.fail_after(10):
        return [(await stream.receive()).seq for _ in range(count)]


@pytest.mark.db
@pytest.mark.anyio
async def test_every_subscriber_hears_every_event_once_and_in_order(db: Database) -> None:
    async with Bus(db, look_seconds=NEVER).running() as bus:
        with bus.subscribe(100) as one, bus.subscribe(100) as other:
            async with anyio.create_task_group() as tasks:
                for _ in range(20):
                    tasks.start_soon(db.write, add)
            assert await numbers(one, 20) == list(range(1, 21))
            assert await numbers(other, 20) == list(range(1, 21))
            await db.write(add)
            assert await numbers(one, 1) == [21]


@pytest.mark.db
@pytest.mark.anyio
async def test_a_subscriber_hears_only_what_comes_after_the_start(db: Database) -> None:
    await db.write(add)
    async with Bus(db, look_seconds=NEVER).running() as bus:
        assert bus.seq == 1
        with bus.subscribe(10) as stream:
            await db.write(add)
            assert await numbers(stream, 1) == [2]
            assert stream.statistics().current_buffer_used == 0


@pytest.mark.db
@pytest.mark.anyio
async def test_events_of_another_process_are_noticed(db: Database, db_settings: Settings) -> None:
    with python(ADD_WHEN_TOLD, *database_arguments(db_settings)) as other:
        async with Bus(db, look_seconds=0.02).running() as bus:
            with bus.subscribe(10) as stream:
                tell(other)
                assert await numbers(stream, 3) == [1, 2, 3]


@pytest.mark.anyio
async def test_a_slow_subscriber_is_dropped_and_can_ask_for_what_it_missed(
    sqlite_db: Database,
) -> None:
    def add_four(connection: Connection) -> None:
        for _ in range(4):
            add(connection)

    async with Bus(sqlite_db, look_seconds=NEVER).running() as bus:
        with bus.subscribe(2) as slow, bus.subscribe(10) as quick:
            await sqlite_db.write(add_four)
            assert await numbers(quick, 4) == [1, 2, 3, 4]
            assert await numbers(slow, 2) == [1, 2]
            with pytest.raises(anyio.EndOfStream):
                await slow.receive()
            missed = await sqlite_db.read(events_after, 2)
            assert [event.seq for event in missed] == [3, 4]
            await sqlite_db.write(add)
            assert await numbers(quick, 1) == [5]


@pytest.mark.anyio
async def test_a_subscriber_that_hangs_up_does_not_disturb_the_others(
    sqlite_db: Database,
) -> None:
    async with Bus(sqlite_db, look_seconds=NEVER).running() as bus:
        with bus.subscribe(10) as gone, bus.subscribe(10) as other:
            gone.close()
            await sqlite_db.write(add)
            await sqlite_db.write(add)
            assert await numbers(other, 2) == [1, 2]


@pytest.mark.anyio
async def test_more_events_than_a_batch_all_arrive(sqlite_db: Database) -> None:
    def add_many(connection: Connection) -> None:
        for _ in range(1100):
            add(connection)

    async with Bus(sqlite_db, look_seconds=NEVER).running() as bus:
        with bus.subscribe(2000) as stream:
            await sqlite_db.write(add_many)
            assert await numbers(stream, 1100) == list(range(1, 1101))


@pytest.mark.anyio
async def test_streams_end_when_the_bus_stops(sqlite_db: Database) -> None:
    async with Bus(sqlite_db, look_seconds=NEVER).running() as bus:
        subscription = bus.subscribe(10)
        stream = subscription.__enter__()
    with pytest.raises(anyio.EndOfStream):
        await stream.receive()
    subscription.__exit__(None, None, None)


@pytest.mark.anyio
async def test_a_server_that_is_away_for_a_while_does_not_end_the_bus(
    postgres_server: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with temp_database(postgres_server, template=TEMPLATE) as url:
        name = url.rpartition("/")[2]
        close = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        database = open_database(Settings(cwd=tmp_path, database_url=url))
        async with Bus(database, look_seconds=0.02).running() as bus:
            with bus.subscribe(10) as stream:
                execute(postgres_server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
                execute(postgres_server, close)
                with anyio.fail_after(10):
                    while "does not answer" not in caplog.text:
                        await checkpoint()
                execute(postgres_server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
                write(database, add)
                assert await numbers(stream, 1) == [1]
        database.close()
