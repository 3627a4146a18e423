"""Leases and turns that servers share go by the clock of the database."""

from datetime import datetime, timedelta
from pathlib import Path

import anyio
import pytest
from sqlalchemy import Connection, delete

from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.coach.observer.loop import observes_alone
from paige.doors.site.many_servers import ClusterJobs, Job, TurnTaken, do_once
from paige.store.engine import Database
from paige.store.leases import (
    Holder,
    Lease,
    hold_lease,
    insert_lease,
    still_holds,
    take_lease,
    take_turn,
)
from paige.store.queries import append_event, latest_event, shared_moment
from paige.store.tables import LEASES
from tests.conftest import NOON, TEMPLATE
from tests.postgres import temp_database
from tests.processes import OPEN_DATABASE, database_arguments, run_python
from tests.store.running import read, write

ME = Actor()
CENTURY = timedelta(days=36_500)
OTHER = Holder("another-host", 1, "1")
TURN_OF_A_DEAD_PROCESS = (
    OPEN_DATABASE
    + """
from datetime import datetime
from paige.store.leases import take_turn
with database.transaction(write=True) as connection:
    now = datetime.fromisoformat(sys.argv[3])
    print(take_turn(connection, Actor(), "job", now=now, seconds=3600), flush=True)
"""
)


def held_by_another(database: Database, seconds: float) -> None:
    now = write(database, shared_moment, NOON)
    lease = Lease("run", OTHER, 1, now + timedelta(seconds=seconds))
    assert write(database, insert_lease, ME, lease)


@pytest.mark.db
@pytest.mark.parametrize("skew", [-CENTURY, CENTURY])
def test_a_wrong_clock_neither_robs_nor_starves_a_lease(db: Database, skew: timedelta) -> None:
    held_by_another(db, 60)
    taken = write(db, hold_lease, ME, "run", now=NOON + skew, seconds=30)
    if db.kind == "postgresql":
        assert taken is None
    else:  # there the moment that is given counts: it is the one clock there is
        assert (taken is not None) == (skew > timedelta())


@pytest.mark.db
@pytest.mark.parametrize("skew", [-CENTURY, CENTURY])
def test_a_lease_that_ran_out_is_free_for_a_server_with_a_wrong_clock(
    db: Database, skew: timedelta
) -> None:
    held_by_another(db, -1)
    taken = write(db, hold_lease, ME, "run", now=NOON + skew, seconds=30)
    if db.kind == "postgresql":
        assert taken is not None
        left = taken.until - write(db, shared_moment, NOON)
        assert timedelta(0) < left <= timedelta(seconds=30)


@pytest.mark.db
def test_a_turn_comes_once_in_its_time_whoever_asks(db: Database) -> None:
    def turn(now: datetime) -> int | None:
        return write(db, take_turn, ME, "job", now=now, seconds=3600)

    first = turn(NOON)
    again = [turn(NOON) for _ in range(3)]
    assert (first, again) == (1, [None, None, None])
    if db.kind == "postgresql":
        assert turn(NOON + CENTURY) is None
        assert turn(NOON - CENTURY) is None
    else:
        assert turn(NOON + timedelta(seconds=3600)) == 2
        assert turn(NOON + timedelta(seconds=3601)) is None


@pytest.mark.db
def test_the_end_of_a_process_does_not_bring_the_next_turn_earlier(
    db: Database, db_settings: Settings
) -> None:
    arguments = (*database_arguments(db_settings), NOON)
    assert run_python(TURN_OF_A_DEAD_PROCESS, *arguments) == "1"
    assert write(db, take_turn, ME, "job", now=NOON, seconds=3600) is None


@pytest.mark.db
def test_a_late_holder_sees_that_its_lease_is_not_its_own_any_more(db: Database) -> None:
    mine = write(db, take_lease, ME, "run", now=NOON, seconds=60)
    assert mine is not None
    assert write(db, still_holds, ME, mine)

    def robbed(connection: Connection) -> None:
        connection.execute(delete(LEASES))
        insert_lease(connection, ME, mine._replace(holder=OTHER, fence=mine.fence + 1))

    write(db, robbed)
    assert not write(db, still_holds, ME, mine)


# --- Jobs -----------------------------------------------------------------------------------------


def counting(connection: Connection, now: datetime) -> int:
    return append_event(connection, ME, "job", {}, now=now)


def failing(connection: Connection, now: datetime) -> int:
    counting(connection, now)
    raise PaigeError("It does not work")


@pytest.mark.anyio
async def test_of_servers_with_different_clocks_one_does_a_job(
    postgres_server: str, tmp_path: Path
) -> None:
    job = Job("count", 3600, counting)
    with temp_database(postgres_server, template=TEMPLATE) as url:
        settings = Settings(cwd=tmp_path, given_data_dir=tmp_path, database_url=url)
        with (
            open_app(settings, strict=False, now=lambda: NOON) as one,
            open_app(settings, strict=False, now=lambda: NOON + CENTURY) as ahead,
            open_app(settings, strict=False, now=lambda: NOON - CENTURY) as behind,
        ):
            did: list[TurnTaken | None] = []

            async def ask(once: ClusterJobs) -> None:
                did.append(await once.ask(job))

            for _ in range(3):
                async with anyio.create_task_group() as tasks:
                    for app in (one, ahead, behind):
                        tasks.start_soon(ask, ClusterJobs(app, [job]))
            assert [each for each in did if each is not None] == [TurnTaken(1, 1)]
            assert await one.database.system.read(latest_event) == 1


@pytest.mark.db
def test_a_job_that_fails_has_not_had_its_turn(db: Database) -> None:
    with pytest.raises(PaigeError):
        write(db, do_once, Job("count", 3600, failing), now=NOON)
    assert read(db, latest_event) == 0
    assert write(db, do_once, Job("count", 3600, counting), now=NOON) == TurnTaken(1, 1)


# --- The observer ---------------------------------------------------------------------------------


@pytest.mark.db
@pytest.mark.anyio
async def test_a_session_is_observed_by_one_server(db: Database) -> None:
    now = write(db, shared_moment, NOON)
    other = Lease("observer/s1", OTHER, 1, now + timedelta(seconds=60))
    write(db, insert_lease, ME, other)
    alone = await observes_alone(db, lambda: NOON, ME, "s1")
    assert alone == (db.kind == "sqlite")  # there is one server
    assert await observes_alone(db, lambda: NOON, ME, "s2")
    assert await observes_alone(db, lambda: NOON, ME, "s2")
