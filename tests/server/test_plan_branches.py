"""Asking again and otherwise: a request branches off, and nothing that was said is lost."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from paige.app.application import open_app
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.fakes.served_model import KEY, served_model
from tests.plan.planning import WORKSPACE, lesson_text, write_files
from tests.server.plan_window import Json, Teacher, open_gate, teacher_in, yes

MILLISECOND = timedelta(milliseconds=1)
BASE = "http://127.0.0.1:3000"
REFUSED = "Book me a flight"
OpenSite = Callable[..., Any]


@pytest.fixture
def open_site(tmp_path: Path) -> OpenSite:
    """A function that opens a site over the same data; blocks end it."""
    workspace = write_files(tmp_path / "workspace", WORKSPACE)
    ticks = itertools.count()

    @contextmanager
    def opener(**settings: Any) -> Iterator[TestClient]:
        chosen = Settings(
            cwd=tmp_path,
            given_data_dir=tmp_path / "data",
            given_workspace=workspace,
            environ={"HOME": str(tmp_path)},
            **settings,
        )
        with (
            open_app(chosen, strict=False, now=lambda: NOON + MILLISECOND * next(ticks)) as app,
            TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as client,
        ):
            yield client

    return opener


@pytest.fixture
def teacher(open_site: OpenSite) -> Iterator[Teacher]:
    """A teacher whose lessons are composed without a model."""
    with open_site() as client, teacher_in(client) as opened:
        yield opened


def branch(teacher: Teacher, run: str, input: str | None = None) -> Json:
    """Ask something else where a run began."""
    answer = teacher.http.post(f"/api/plan/runs/{run}/branch", json={"input": input})
    assert answer.status_code == 200, answer.text
    return answer.json()


def prompts(teacher: Teacher, session: str) -> list[str]:
    """What was asked in a session."""
    return [run["prompt"] for run in teacher.get(f"/sessions/{session}")["runs"]]


def refused(teacher: Teacher, prompt: str, **more: Any) -> Json:
    """A request that ends at once."""
    begun = teacher.ask(prompt, **more)
    teacher.until(begun["run"], "ended")
    return begun


def test_a_changed_request_is_a_session_of_its_own_and_outlives_the_server(
    open_site: OpenSite,
) -> None:
    with open_site() as client, teacher_in(client) as teacher, teacher_in(client) as other:
        first = refused(teacher, REFUSED)
        second = refused(teacher, "Book me a flight to Rome", session=first["session"])
        third = refused(teacher, "Book me a flight to Oslo", session=first["session"])
        made = branch(teacher, second["run"], "Book me a flight to Cairo")
        other.until(made["run"], "ended")  # every window hears of it
        again = branch(teacher, first["run"])
        teacher.until(again["run"], "ended")

    with open_site() as client, teacher_in(client) as teacher:
        assert prompts(teacher, first["session"]) == [
            REFUSED,
            "Book me a flight to Rome",
            "Book me a flight to Oslo",
        ]
        assert prompts(teacher, made["session"]) == [REFUSED, "Book me a flight to Cairo"]
        assert prompts(teacher, again["session"]) == [REFUSED]
        seen = teacher.get(f"/sessions/{made['session']}")
        assert seen["branches"] == {
            first["run"]: [first, again],
            made["run"]: [second, made],
        }
        assert [run["session"] for run in seen["runs"]] == [first["session"], made["session"]]
        assert seen["session"]["branchOf"] == {"id": first["session"], "title": REFUSED}
        assert seen["session"]["title"] == "Book me a flight to Cairo"
        # A branch goes on like any session, and can be branched again.
        more = refused(teacher, "Book me a flight to Delhi", session=made["session"])
        assert prompts(teacher, made["session"]) == [
            REFUSED,
            "Book me a flight to Cairo",
            "Book me a flight to Delhi",
        ]
        deeper = branch(teacher, more["run"], "Book me a flight to Lima")
        assert prompts(teacher, deeper["session"]) == [
            REFUSED,
            "Book me a flight to Cairo",
            "Book me a flight to Lima",
        ]
        assert third["run"] not in str(teacher.get(f"/sessions/{deeper['session']}"))
        found = teacher.get("/sessions", query="cairo")["sessions"]
        assert [each["id"] for each in found] == [made["session"]]  # where it was said, once


def test_a_run_that_asks_stays_open_beside_its_branch(teacher: Teacher) -> None:
    begun = teacher.ask("loops for 3B")
    gate = open_gate(teacher.until(begun["run"], "waiting"))

    made = branch(teacher, begun["run"], "Selection with if for 1B")
    asked = open_gate(teacher.until(made["run"], "waiting"))

    # The class is the one that the new words name.
    assert asked["interaction"]["title"] == "What I know about 1B"
    assert teacher.get(f"/sessions/{made['session']}")["session"]["classId"] == "1B"
    assert open_gate(teacher.run(begun["session"], begun["run"])) == gate
    assert teacher.get("")["waiting"] == 2
    assert teacher.answer(gate, yes(gate["interaction"])).status_code == 200


def test_who_asks_again_keeps_the_class_that_was_chosen(teacher: Teacher) -> None:
    begun = teacher.ask("something about loops", classId="1B")
    teacher.until(begun["run"], "waiting")

    made = branch(teacher, begun["run"], "something about variables")

    asked = open_gate(teacher.until(made["run"], "waiting"))
    assert asked["interaction"]["title"] == "What I know about 1B"


def test_a_model_reads_what_was_said_before_the_branch_and_nothing_after(
    open_site: OpenSite,
) -> None:
    with served_model() as model:
        model.says(lesson_text())
        asking = {"anthropic_api_key": KEY, "base_url": model.url, "fallback": "none"}
        with open_site(**asking) as client, teacher_in(client) as teacher:
            first = teacher.ask("loops for 3B", "update-memory")
            teacher.finish(first["run"])
            second = teacher.ask("pairs for 3B", "update-memory", session=first["session"])
            teacher.finish(second["run"])
            made = branch(teacher, second["run"], "groups for 3B")
            teacher.finish(made["run"])

        asked = [request.body["messages"] for request in model.requests]
    words = str(asked[-1])
    assert "loops for 3B" in words
    assert "groups for 3B" in words
    assert "pairs for 3B" not in words


def test_what_cannot_be_branched_says_why_and_leaves_nothing(
    teacher: Teacher, open_site: OpenSite
) -> None:
    begun = refused(teacher, REFUSED)
    before = teacher.get("/sessions")

    wrong = [
        teacher.http.post("/api/plan/runs/nobody/branch", json={}),
        teacher.http.post(f"/api/plan/runs/{begun['run']}/branch", json={"input": "  \n"}),
        teacher.http.post(f"/api/plan/runs/{begun['run']}/branch", json={"input": ""}),
        teacher.http.post(f"/api/plan/runs/{begun['run']}/branch", json={"input": "x" * 100_001}),
        teacher.http.get(f"/api/plan/sessions/{begun['session']}", params={"from": -1}),
        teacher.http.get(f"/api/plan/sessions/{begun['session']}", params={"limit": 0}),
    ]

    assert [answer.status_code for answer in wrong] == [404, 400, 400, 400, 400, 400]
    assert teacher.get("/sessions") == before
