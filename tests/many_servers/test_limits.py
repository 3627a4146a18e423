"""Every limit of a server says what it is, and when to come again."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from sqlalchemy import create_engine
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from paige.app import run_limits
from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.base.settings import Settings
from paige.doors.frame.web import hub
from paige.doors.frame.web.limits import BusyCheck
from paige.doors.site.factory import Site
from paige.store.engine import Database, open_database
from paige.store.ephemeral import MOST_WAITING, EphemeralChannel, EphemeralMessage
from tests.conftest import NOON, TEMPLATE
from tests.fakes.served_model import ServedModel, served_model
from tests.plan.planning import WORKSPACE, write_files
from tests.postgres import temp_database
from tests.server.plan_window import open_gate, teacher_in, yes
from tests.server.test_plan_runs import with_model

BASE = "http://127.0.0.1:3000"
HEADERS = {"host": "127.0.0.1:3000"}


class Runs:
    """Somebody's runs, as many as a test says."""

    def __init__(self, going_on: int) -> None:
        self.going_on = going_on

    def stop_here(self, run: str, actor: Actor) -> None:
        """Nothing to stop."""


@pytest.mark.parametrize(
    ("mine", "others", "says"),
    [
        (0, 0, ""),
        (run_limits.MOST_OF_ONE - 1, 0, ""),
        (run_limits.MOST_OF_ONE, 0, "the most for one person"),
        (1, run_limits.MOST_RUNS - 2, ""),
        (1, run_limits.MOST_RUNS - 1, "the most it works on"),
    ],
)
def test_runs_begin_up_to_the_limit_of_a_person_and_of_a_server(
    mine: int, others: int, says: str
) -> None:
    engine = create_engine("sqlite://")
    own, all_others = Runs(mine), Runs(others)
    run_limits.join(engine, own)
    run_limits.join(engine, all_others)
    if not says:
        run_limits.check_room(engine, own)
        return
    with pytest.raises(Unavailable, match=says) as refused:
        run_limits.check_room(engine, own)
    assert refused.value.hint


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


def test_a_run_too_many_is_answered_with_when_to_come_again(
    tmp_path: Path, model: ServedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_limits, "MOST_OF_ONE", 1)
    model.keeps_silent()
    settings = Settings(
        cwd=tmp_path,
        given_data_dir=tmp_path / "data",
        given_workspace=write_files(tmp_path / "workspace", WORKSPACE),
        environ={"HOME": str(tmp_path)},
        **with_model(model),
    )
    with (
        open_app(settings, strict=False, now=lambda: NOON) as app,
        TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as client,
        teacher_in(client) as teacher,
    ):
        begun = teacher.ask("loops for 3B")
        gate = open_gate(teacher.until(begun["run"], "waiting"))
        teacher.answer(gate, yes(gate["interaction"]))
        assert model.asked.wait(30)  # from now on it goes on and does not end
        body = {"command": "create-lesson", "input": "loops for 3B"}
        refused = client.post("/api/plan/runs", json=body)
        stopped = client.post(f"/api/plan/runs/{begun['run']}/stop")
        allowed = client.post("/api/plan/runs", json=body)
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) > 0
    assert "1 of your runs go on already" in refused.json()["error"]["message"]
    assert refused.json()["error"]["hint"]
    assert (stopped.status_code, allowed.status_code) == (200, 200)


def test_a_window_too_many_is_told_to_come_back_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "MOST_WINDOWS", 2)
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    with (
        open_app(settings, strict=False, now=lambda: NOON) as app,
        TestClient(Site(app).asgi, base_url=BASE) as client,
        ExitStack() as stack,
    ):
        address = "ws://127.0.0.1:3000/ws"
        for _ in range(2):
            stack.enter_context(client.websocket_connect(address))
        third = stack.enter_context(client.websocket_connect(address))
        with pytest.raises(WebSocketDisconnect) as closed:
            third.receive_text()
    assert closed.value.code == 1013
    assert "2 windows are open at this server already" in closed.value.reason


# --- Requests that wait ---------------------------------------------------------------------------


class Queue(Database):
    """A database where so many wait."""

    kind = "postgresql"

    def __init__(self, waiting: int) -> None:
        self._many = waiting

    @property
    def waiting(self) -> int:
        """How many wait."""
        return self._many


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("waiting", "path", "status"),
    [(9, "/api/setup", 200), (10, "/api/setup", 503), (10, "/health/ready", 200)],
)
async def test_requests_are_turned_away_while_too_many_wait(
    waiting: int, path: str, status: int
) -> None:
    check = BusyCheck(_answer, Queue(waiting), most=10)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    scope = {"type": "http", "path": path, "method": "GET", "headers": []}
    await check(scope, receive, send)
    assert sent[0]["status"] == status
    if status == 503:
        assert dict(sent[0]["headers"])[b"retry-after"] == b"5"
        assert b"10 requests wait for the database of this server already" in sent[1]["body"]


@pytest.mark.anyio
async def test_a_socket_is_told_to_come_back_while_too_many_wait() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nothing is read")

    await BusyCheck(_answer, Queue(10), most=10)(
        {"type": "websocket", "path": "/ws"}, receive, send
    )
    assert [each["type"] for each in sent] == ["websocket.accept", "websocket.close"]
    assert sent[1]["code"] == 1013
    assert len(sent[1]["reason"].encode()) <= 123


@pytest.mark.anyio
async def test_a_database_says_how_many_wait_for_it(postgres_server: str, tmp_path: Path) -> None:
    with temp_database(postgres_server, template=TEMPLATE) as url:
        settings = Settings(cwd=tmp_path, given_data_dir=tmp_path, database_url=url)
        with closing(open_database(settings)) as database:
            assert database.waiting == 0
            held, release = anyio.Event(), anyio.Event()

            def hold(_: object) -> None:
                anyio.from_thread.run_sync(held.set)
                anyio.from_thread.run(release.wait)

            async with anyio.create_task_group() as tasks:
                for _ in range(6):
                    tasks.start_soon(database.write, hold)
                await held.wait()
                await anyio.wait_all_tasks_blocked()
                assert database.waiting == 2  # four have a connection
                release.set()


# --- Queues ---------------------------------------------------------------------------------------


def test_passing_messages_that_cannot_be_sent_do_not_pile_up(sqlite_db: Database) -> None:
    passing = EphemeralChannel(sqlite_db, "me", wanted=True)
    for n in range(MOST_WAITING + 10):
        passing.send(EphemeralMessage("t", {"n": n}, Actor()))
    assert passing.waiting == MOST_WAITING
