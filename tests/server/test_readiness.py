"""`/health/ready`: what the server depends on, each asked for a moment, never where it is."""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from starlette.testclient import TestClient

from paige.app.application import open_app
from paige.base.errors import Unavailable
from paige.base.settings import Settings
from paige.doors.frame.web import readiness
from paige.doors.frame.web.readiness import (
    MOST_BEHIND,
    STILL_SECONDS,
    Look,
    Readiness,
    log_state,
    stream_state,
)
from paige.doors.site.factory import Site
from tests.chroma import Chroma
from tests.conftest import NOON
from tests.live import live_paige
from tests.postgres import temp_postgres
from tests.server.test_metrics import read, value

pytestmark = pytest.mark.anyio
PATH = "/health/ready"


@contextmanager
def site(folder: Path, **settings: Any) -> Iterator[tuple[Site, TestClient]]:
    """A site in this process."""
    values = {"environ": {"HOME": str(folder)}, **settings}
    chosen = Settings(cwd=folder, given_data_dir=folder / "data", **values)
    with open_app(chosen, strict=False, now=lambda: NOON) as app:
        made = Site(app)
        with TestClient(made.asgi, base_url="http://127.0.0.1:3000") as client:
            yield made, client


def test_everything_is_named_and_ready(tmp_path: Path) -> None:
    with site(tmp_path) as (_, client):
        answer = client.get(PATH)

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ok",
        "dependencies": {"database": "ok", "events": "ok", "memory": "ok"},
    }


def test_one_that_is_not_ready_makes_the_server_not_ready(tmp_path: Path) -> None:
    with site(tmp_path) as (made, client):
        made.watching.add_check("queue", lambda: "nobody works")
        answer = client.get(PATH)

    assert answer.status_code == 503
    assert answer.json()["status"] == "unavailable"
    assert answer.json()["dependencies"]["queue"] == "nobody works"
    assert answer.json()["dependencies"]["database"] == "ok"


def _raises() -> str:
    raise ValueError("a fault at http://secret.test")


def _is_away() -> str:
    raise Unavailable("`http://secret.test` is away")


@pytest.mark.parametrize("ask", [_raises, _is_away])
def test_one_that_fails_says_no_more_than_that(tmp_path: Path, ask: Any) -> None:
    with site(tmp_path) as (made, client):
        made.watching.add_check("queue", ask)
        answer = client.get(PATH)
        health = client.get("/health")

    assert answer.json()["dependencies"]["queue"] == "unavailable"
    assert "secret.test" not in answer.text
    assert health.status_code == 200


def test_one_that_hangs_is_asked_once_and_never_waited_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "READY_SECONDS", 0.05)
    go_on, asked = threading.Event(), []

    def hang() -> str:
        asked.append(1)
        go_on.wait(60)
        return ""

    with site(tmp_path) as (made, client):
        made.watching.add_check("queue", hang)
        answers = [client.get(PATH) for _ in range(5)]
        go_on.set()

    assert {each.json()["dependencies"]["queue"] for each in answers} == {"unavailable"}
    assert len(asked) == 1


async def test_those_who_ask_together_get_the_same_answer() -> None:
    begun, go_on = threading.Event(), threading.Event()
    asked: list[int] = []

    def ask() -> int:
        asked.append(1)
        begun.set()
        assert go_on.wait(30)
        return len(asked)

    look, answers = Look(ask), []

    async def want() -> None:
        answers.append(await look.answer(tasks, seconds=30))

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(want)
        await anyio.to_thread.run_sync(begun.wait)
        go_on.set()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(want)

    assert answers == [1, 1, 1, 1, 2]


def test_a_database_that_is_gone_is_told_without_where_it_was_and_the_rest_still_answers(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        with temp_postgres() as server:
            given = server.replace("postgres@", "postgres:hushhush@")
            paige = stack.enter_context(live_paige(tmp_path, DATABASE_URL=given))
            client = stack.enter_context(httpx2.Client(base_url=paige.url, timeout=30))
            before = client.get(PATH)
            assert value(client, "database_up") == 1
            assert value(client, "info", database="postgresql") == 1
            assert value(client, "database_connections", state="idle") >= 1
        after = client.get(PATH)
        health = client.get("/health")
        metrics = client.get("/metrics").text
        _, output = paige.stop()

    measured = read(metrics)
    assert measured["paige_database_up"].samples[0].value == 0
    assert measured["paige_runs"].samples == []
    assert "postgresql://" not in metrics
    assert health.status_code == 200

    assert before.status_code == 200, before.text
    assert set(before.json()["dependencies"]) == {"database", "events", "memory", "queue"}
    assert after.status_code == 503
    assert after.json()["dependencies"]["database"] == "unavailable"
    assert after.json()["dependencies"]["events"] == "unavailable"
    assert "127.0.0.1" not in after.text
    assert "hushhush" not in after.text + output


def test_chroma_is_named_when_it_is_set_and_asked_each_time(tmp_path: Path) -> None:
    chroma = Chroma(tmp_path / "chroma")
    with site(tmp_path, chromadb_url=chroma.url) as (_, client):
        before = client.get(PATH)
        chroma.start()
        try:
            ready = client.get(PATH)
        finally:
            chroma.stop()

    assert (before.status_code, ready.status_code) == (503, 200)
    assert before.json()["dependencies"]["chroma"] == "unavailable"
    assert ready.json()["dependencies"]["chroma"] == "ok"
    assert str(chroma.port) not in before.text


@pytest.mark.parametrize(
    ("behind", "stood", "state"),
    [
        (0, 1000.0, "ok"),
        (-3, 1000.0, "ok"),
        (1, STILL_SECONDS, "ok"),
        (1, STILL_SECONDS + 1, "stands still"),
        (MOST_BEHIND, 0.0, "ok"),
        (MOST_BEHIND + 1, 0.0, f"{MOST_BEHIND + 1} events behind"),
    ],
)
def test_a_stream_is_late_when_much_waits_or_nothing_moves(
    behind: int, stood: float, state: str
) -> None:
    assert stream_state(behind, stood=stood) == state


def test_a_stream_that_does_not_move_is_noticed(tmp_path: Path) -> None:
    now = [100.0]
    chosen = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    with open_app(chosen, strict=False, now=lambda: NOON) as app:
        looking = Readiness(app, monotonic=lambda: now[0])
        states = [looking._stream_state(0)]
        app.bus.seq = 4
        for latest, moment in ((5, 101.0), (6, 110.0), (6, 117.0)):
            now[0] = moment
            states.append(looking._stream_state(latest))
        app.bus.seq = 6
        states.append(looking._stream_state(6))

    assert states == ["ok", "ok", "ok", "stands still", "ok"]


def test_a_memory_log_that_cannot_be_read_or_written_is_not_ready(tmp_path: Path) -> None:
    log = tmp_path / "deep" / "er" / "events.jsonl"
    assert log_state(log) == ""
    log.parent.mkdir(parents=True)
    log.write_text("{}\n")
    assert log_state(log) == ""
    with pytest.raises(OSError, match="directory"):
        log_state(tmp_path / "deep")
    if os.geteuid() != 0:  # root may do anything
        log.chmod(0o400)
        assert log_state(log) == "cannot be written"
