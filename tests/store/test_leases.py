import os
import socket
from datetime import timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from paige.base.actor import Actor
from paige.base.platform import UNKNOWN, process_start
from paige.base.settings import Settings
from paige.store.engine import Database
from paige.store.leases import (
    Holder,
    Lease,
    find_lease,
    give_back,
    insert_lease,
    may_take,
    replace_lease,
    take_lease,
    this_process,
)
from tests.conftest import NOON
from tests.processes import OPEN_DATABASE, database_arguments, line, python, tell
from tests.store.running import write

ME = Actor()
TAKE_WHEN_TOLD = (
    OPEN_DATABASE
    + """
from datetime import datetime
from paige.store.leases import take_lease
print("ready", flush=True)
input()
with database.transaction(write=True) as connection:
    now = datetime.fromisoformat(sys.argv[3])
    lease = take_lease(connection, Actor(), "run", now=now, seconds=60)
print(lease.fence if lease else "taken", flush=True)
input()
"""
)
HOSTS, PIDS, STARTS = st.sampled_from("ab"), st.integers(1, 2), st.sampled_from(["1", "2", UNKNOWN])
HOLDERS = st.builds(Holder, HOSTS, PIDS, STARTS)
RUNNING = st.none() | STARTS
SECONDS = st.integers(-2, 2)


def take(database: Database, name: str = "run", *, later: int = 0, actor: Actor = ME):
    now = NOON + timedelta(seconds=later)
    return write(database, take_lease, actor, name, now=now, seconds=60)


def hold(database: Database, holder: Holder, *, fence: int = 1, seconds: int = 60) -> Lease:
    lease = Lease("run", holder, fence, NOON + timedelta(seconds=seconds))
    assert write(database, insert_lease, ME, lease)
    return lease


@given(holder=HOLDERS, asker=HOLDERS, left=SECONDS, running=RUNNING)
def test_who_may_take_a_lease(holder: Holder, asker: Holder, left: int, running) -> None:
    lease = Lease("run", holder, 1, NOON + timedelta(seconds=left))
    answer = may_take(lease, asker, now=NOON, running=running)
    over, mine = left <= 0, holder == asker
    gone = running is None or (running != UNKNOWN and running != holder.started)
    assert answer == (over or mine or (holder.host == asker.host and gone))


@given(holder=HOLDERS, asker=HOLDERS, running=RUNNING)
def test_a_lease_of_another_host_ends_only_by_time(holder: Holder, asker: Holder, running) -> None:
    assume(holder.host != asker.host)
    lease = Lease("run", holder, 1, NOON + timedelta(seconds=1))
    assert not may_take(lease, asker, now=NOON, running=running)
    assert may_take(lease, asker, now=lease.until, running=running)


def test_this_process_is_told_apart_by_host_id_and_start() -> None:
    mine = this_process()
    assert mine == Holder(socket.gethostname(), os.getpid(), str(process_start(os.getpid())))


@pytest.mark.db
def test_a_free_lease_is_taken_and_remembered(db: Database) -> None:
    lease = take(db)
    assert lease == Lease("run", this_process(), 1, NOON + timedelta(seconds=60))
    assert write(db, find_lease, ME, "run") == lease
    assert take(db, "another run").fence == 1


@pytest.mark.db
def test_the_holder_renews_its_lease_with_the_same_fence(db: Database) -> None:
    first, second = take(db), take(db, later=30)
    assert second.fence == first.fence
    assert second.until == first.until + timedelta(seconds=30)
    assert write(db, find_lease, ME, "run") == second


@pytest.mark.db
def test_a_living_process_keeps_its_lease_until_it_runs_out(
    db: Database, db_settings: Settings
) -> None:
    with python(TAKE_WHEN_TOLD, *database_arguments(db_settings), NOON) as other:
        assert line(other) == "ready"
        tell(other)
        assert line(other) == "1"
        assert take(db, later=59) is None
        late = take(db, later=60)
        assert late is not None
        assert late.fence == 2


@pytest.mark.db
def test_a_killed_process_loses_its_lease_at_once(db: Database, db_settings: Settings) -> None:
    with python(TAKE_WHEN_TOLD, *database_arguments(db_settings), NOON) as other:
        assert line(other) == "ready"
        tell(other)
        assert line(other) == "1"
        other.kill()
        other.wait(10)
        mine = take(db)
    assert mine is not None
    assert (mine.fence, mine.holder) == (2, this_process())


@pytest.mark.db
def test_a_reused_process_id_is_not_the_old_holder(db: Database) -> None:
    mine = this_process()
    hold(db, mine._replace(started="an earlier start"), fence=7)
    lease = take(db)
    assert lease is not None
    assert lease.fence == 8


@pytest.mark.db
def test_a_holder_on_another_host_loses_its_lease_only_by_time(db: Database) -> None:
    # No process with this id runs here, but that says nothing about another host.
    hold(db, Holder("another-host", 2**22 + 1, "1"), fence=3)
    assert take(db, later=59) is None
    late = take(db, later=60)
    assert late is not None
    assert late.fence == 4


@pytest.mark.db
def test_of_two_processes_that_ask_at_once_one_wins(db: Database, db_settings: Settings) -> None:
    arguments = (*database_arguments(db_settings), NOON)
    with python(TAKE_WHEN_TOLD, *arguments) as one, python(TAKE_WHEN_TOLD, *arguments) as other:
        assert [line(one), line(other)] == ["ready", "ready"]
        tell(one)
        tell(other)
        assert sorted([line(one), line(other)]) == ["1", "taken"]


@pytest.mark.db
def test_a_lease_given_back_is_free_and_its_fence_goes_on(db: Database) -> None:
    first = take(db)
    assert write(db, give_back, ME, first) is True
    second = take(db)
    assert second is not None
    assert second.fence == first.fence + 1


@pytest.mark.db
def test_a_lease_given_back_is_free_for_another_host_at_once(db: Database) -> None:
    hold(db, Holder("another-host", 1, "1"), seconds=3600)
    lease = write(db, find_lease, ME, "run")
    assert take(db) is None
    assert write(db, give_back, ME, lease) is True
    assert take(db) is not None


@pytest.mark.db
def test_a_late_holder_cannot_give_back_the_lease_of_the_next(db: Database) -> None:
    first = take(db)
    assert write(db, give_back, ME, first) is True
    assert write(db, give_back, ME, first) is False
    second = take(db)
    assert write(db, give_back, ME, first) is False
    assert write(db, find_lease, ME, "run") == second


@pytest.mark.db
def test_leases_of_tenants_are_apart(db: Database) -> None:
    mine, theirs = take(db), take(db, actor=Actor("school"))
    assert mine is not None
    assert theirs is not None
    moved = mine._replace(fence=5)
    write(db, replace_lease, ME, moved)
    assert write(db, find_lease, ME, "run") == moved
    assert write(db, find_lease, Actor("school"), "run") == theirs
    assert write(db, find_lease, Actor("nobody"), "run") is None
