"""Runs that are to go on are taken over once, by a server that has room, and never for ever."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, insert, update
from starlette.testclient import TestClient

from paige.agent.journal import Batch
from paige.agent.run_lease import LeaseLost, write_fenced
from paige.agent.tables import RUNS, RunRow
from paige.app.application import App, open_app
from paige.app.run_takeover import MOST_TIMES, RunTakeover, is_free
from paige.app.run_takeover_queries import (
    PREFIX,
    drop_ended_wishes,
    is_wished,
    waiting_runs,
    wish,
)
from paige.base.actor import Actor
from paige.base.platform import UNKNOWN, process_start
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from paige.store.engine import Database
from paige.store.leases import (
    NOBODY,
    Holder,
    Lease,
    find_lease,
    insert_lease,
    replace_lease,
    this_process,
)
from paige.store.queries import shared_moment
from tests.conftest import NOON, TEMPLATE
from tests.plan.planning import WORKSPACE, write_files
from tests.postgres import temp_database
from tests.server.plan_window import open_gate, teacher_in, yes
from tests.store.running import read, write

ME = Actor()
BASE = "http://127.0.0.1:3000"
SECOND = timedelta(seconds=1)


@given(left=st.integers(-2, 2), host=st.sampled_from(["here", "there"]), mine=st.booleans())
def test_a_run_is_free_when_nobody_who_lives_holds_it(left: int, host: str, mine: bool) -> None:
    here = Holder("here", 1, process_start(1) or UNKNOWN)
    holder = here if mine else Holder(host, 1, "another start")
    lease = Lease("run/r", holder, 1, NOON + left * SECOND)
    gone = host == "here" and process_start(1) not in (holder.started, UNKNOWN)
    assert is_free(lease, here, NOON) == (mine or left <= 0 or gone)
    assert is_free(None, here, NOON)
    assert is_free(lease._replace(holder=NOBODY), here, NOON)


# --- Taking over ----------------------------------------------------------------------------------


class Runs:
    """The runs of a person at a server, which only notes what it is told."""

    def __init__(self, *, has_room: bool = True) -> None:
        self.has_room = has_room
        self.taken: list[str] = []
        self.given_up: list[tuple[str, int]] = []

    def works_on(self, run: str) -> bool:
        """Whether it was taken over here."""
        return run in self.taken

    def take_over(self, run: str) -> None:
        """Take a run over."""
        self.taken.append(run)

    async def give_up(self, run: str, times: int) -> None:
        """Leave a run alone."""
        self.given_up.append((run, times))


@pytest.fixture
def apps(postgres_server: str, tmp_path: Path) -> Iterator[list[App]]:
    """Two servers with one PostgreSQL, one of them with a clock that is a century ahead."""
    with temp_database(postgres_server, template=TEMPLATE) as url, ExitStack() as stack:
        settings = Settings(cwd=tmp_path, given_data_dir=tmp_path, database_url=url)
        moments = (NOON, NOON + timedelta(days=36_500))
        yield [
            stack.enter_context(open_app(settings, strict=False, now=lambda now=now: now))
            for now in moments
        ]


def going_on(app: App, runs: Runs) -> RunTakeover:
    async def open_runs(actor: Actor) -> Any:
        return runs

    return RunTakeover(app, open_runs)


def store_run(database: Database, run: str, person: str = "me") -> None:
    """A run in the middle, with somebody who wants it to go on."""
    row = RunRow(
        id=run,
        person=person,
        session_id="s",
        number=1,
        format=1,
        header={},
        prompt="p",
        state="running",
        source="local",
        created_at=NOON,
        updated_at=NOON,
    )

    def store(connection: Connection) -> None:
        connection.execute(insert(RUNS), {"tenant": "local", **asdict(row)})
        wish(connection, ME, run)

    write(database, store)


@pytest.mark.anyio
async def test_of_many_servers_one_takes_a_run_over(apps: list[App]) -> None:
    for n in range(5):
        store_run(apps[0].database, f"r{n}")
    runs = [Runs(), Runs()]
    for _ in range(3):
        async with anyio.create_task_group() as tasks:
            for app, each in zip(apps, runs, strict=True):
                tasks.start_soon(going_on(app, each).look)
    taken = runs[0].taken + runs[1].taken
    assert sorted(taken) == [f"r{n}" for n in range(5)]


@pytest.mark.anyio
async def test_a_run_that_another_host_works_on_is_left_until_its_lease_ran_out(
    apps: list[App],
) -> None:
    database = apps[0].database
    store_run(database, "r1")
    now = write(database, shared_moment, NOON)
    lease = Lease("run/r1", Holder("another-host", 1, "1"), 1, now + 3600 * SECOND)
    assert write(database, insert_lease, ME, lease)
    runs = Runs()
    assert [await going_on(app, runs).look() for app in apps] == [0, 0]
    write(database, replace_lease, ME, lease._replace(until=now))
    assert [await going_on(app, runs).look() for app in apps] == [1, 0]


@pytest.mark.anyio
async def test_a_full_server_leaves_a_run_to_one_that_has_room(apps: list[App]) -> None:
    store_run(apps[0].database, "r1")
    full, free = Runs(has_room=False), Runs()
    assert await going_on(apps[0], full).look() == 0
    assert await going_on(apps[1], free).look() == 1
    assert (full.taken, free.taken) == ([], ["r1"])


@pytest.mark.anyio
async def test_a_run_that_ends_every_server_is_left_to_a_person(apps: list[App]) -> None:
    database = apps[0].database
    store_run(database, "r1")
    claimed = write(database, find_lease, ME, PREFIX + "r1")
    assert claimed is not None
    write(database, replace_lease, ME, claimed._replace(fence=MOST_TIMES))
    runs = Runs()
    assert await going_on(apps[0], runs).look() == 0
    assert (runs.taken, runs.given_up) == ([], [("r1", MOST_TIMES)])


def test_wishes_of_runs_that_ended_or_are_gone_are_forgotten(apps: list[App]) -> None:
    database = apps[0].database
    for run in ("r1", "r2"):
        store_run(database, run)
    write(database, wish, ME, "nobody-knows")
    ended = update(RUNS).where(RUNS.c.id == "r1").values(state="ended")
    write(database, lambda connection: connection.execute(ended))
    assert write(database, drop_ended_wishes) == 2
    assert [each.run for each in read(database, waiting_runs, NOON).waiting] == ["r2"]


def test_a_late_server_cannot_write_into_the_journal_of_the_next(apps: list[App]) -> None:
    database = apps[0].database
    here = Lease("run/r1", this_process(), 1, NOON)
    write(database, insert_lease, ME, here)
    write(database, write_fenced, ME, here, Batch(), now=NOON)
    write(database, replace_lease, ME, here._replace(fence=2))
    with pytest.raises(LeaseLost):
        write(database, write_fenced, ME, here, Batch(), now=NOON)


# --- What is wished -------------------------------------------------------------------------------


@pytest.mark.db
def test_a_run_is_to_go_on_while_it_works_and_not_while_it_asks_or_when_it_ended(
    db_settings: Settings, tmp_path: Path
) -> None:
    workspace = write_files(tmp_path / "workspace", WORKSPACE)
    settings = replace(db_settings, given_workspace=workspace, environ={"HOME": str(tmp_path)})
    with (
        open_app(settings, strict=False, now=lambda: NOON) as app,
        TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as client,
        teacher_in(client) as teacher,
    ):
        begun = teacher.ask("loops for 3B")
        gate = open_gate(teacher.until(begun["run"], "waiting"))
        asking = read(app.database, is_wished, ME, begun["run"])
        assert teacher.answer(gate, yes(gate["interaction"])).status_code == 200
        ended = teacher.finish(begun["run"])
        after = read(app.database, is_wished, ME, begun["run"])
    assert ended["status"] == "success"
    assert (asking, after) == (False, False)
