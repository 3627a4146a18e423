"""`paige coach`: sessions from the command line, with and without a server beside it."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.coach import queries
from paige.coach.records import PhaseRow, PlanRow
from paige.store.engine import open_sqlite
from paige.store.migrate import migrate
from tests.live import live_paige, run_paige
from tests.store.running import write

ME = Actor()


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project in its own home."""
    (tmp_path / "issues.json").write_text(
        json.dumps([{"number": 5, "title": "Prices are wrong", "body": "By a cent"}])
    )
    return tmp_path


def coach(folder: Path, *arguments: str, code: int = 0, **extra: str) -> str:
    """Run a command; what it printed, words after data."""
    done = run_paige(folder, "coach", *arguments, **extra)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def data(folder: Path, *arguments: str) -> Any:
    done = run_paige(folder, "coach", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def add_plan(folder: Path, session: str) -> None:
    """Give a session a plan with three phases."""
    with closing(open_sqlite(folder / ".paige" / "paige.db")) as database:
        migrate(database)
        write(database, _add_plan, session)


def _add_plan(connection: Any, session: str) -> None:
    queries.insert_plan(connection, ME, PlanRow("p1", session, "text", system_clock()))
    titles = ["Find the handler", "Write a test", "Fix it"]
    rows = [
        PhaseRow(f"ph{n}", "p1", n, title, "…", hint_level="file")
        for n, title in enumerate(titles, 1)
    ]
    queries.insert_phases(connection, ME, rows)


def test_a_session_is_started_shown_and_ended(shop: Path) -> None:
    assert "No session is active here" in coach(shop, "status")
    started = data(shop, "start", "--issue", "5")
    shown = coach(shop, "status")
    ended = coach(shop, "end")

    assert (started["issue_number"], started["issue_title"]) == (5, "Prices are wrong")
    assert (started["status"], started["abandoned"]) == ("active", [])
    assert started["project"] == str(shop.resolve())
    assert f"{started['session']}  active for 0 minutes  #5 Prices are wrong" in shown
    assert "Completed the session after 0 minutes." in ended
    after = data(shop, "status")
    assert after["session"] is None
    assert after["earlier"][0]["status"] == "completed"


@pytest.mark.parametrize(
    ("arguments", "number", "title"),
    [
        ((), None, None),
        (("--issue", "99"), 99, "Issue 99"),
        (("--title", "Tidy up"), None, "Tidy up"),
        (("--issue", "5", "--title", "Mine"), 5, "Mine"),
    ],
)
def test_a_session_is_about_what_was_said(
    shop: Path, arguments: tuple[str, ...], number: int | None, title: str | None
) -> None:
    started = data(shop, "start", *arguments)
    assert (started["issue_number"], started["issue_title"]) == (number, title)


def test_starting_again_leaves_the_first_session_which_can_be_resumed(shop: Path) -> None:
    first = data(shop, "start", "--issue", "5")["session"]
    second = run_paige(shop, "coach", "start")
    assert f"`{first}` is abandoned" in second.stderr
    assert second.stdout.strip() != first

    resumed = data(shop, "resume")

    assert resumed["session"] == first
    assert resumed["abandoned"] == [second.stdout.strip()]
    assert data(shop, "status")["session"]["session"] == first
    assert data(shop, "resume", second.stdout.strip())["session"] == second.stdout.strip()


def test_phases_are_listed_and_moved_on(shop: Path) -> None:
    session = data(shop, "start")["session"]
    assert "has no plan yet" in coach(shop, "phases")
    add_plan(shop, session)

    lines = coach(shop, "phases", "--set", "2", "active").splitlines()
    listed = data(shop, "phases")

    assert lines[:3] == [
        "1  pending   hints: file    Find the handler",
        "2  active    hints: file    Write a test",
        "3  pending   hints: file    Fix it",
    ]
    assert [each["status"] for each in listed] == ["pending", "active", "pending"]
    assert listed[1]["started_at"] is not None
    coach(shop, "phases", "--set", "2", "complete")
    assert "1 of 3 phases complete" in coach(shop, "end")


def test_a_phase_that_is_not_there_is_answered_with_those_that_are(shop: Path) -> None:
    add_plan(shop, data(shop, "start")["session"])
    said = coach(shop, "phases", "--set", "9", "active", code=1)
    assert "There is no phase 9" in said
    assert "The phases are 1, 2, 3." in said
    assert "Usage" in coach(shop, "phases", "--set", "1", "finished", code=2)


@pytest.mark.parametrize("command", ["phases", "end"])
def test_what_needs_a_session_says_that_there_is_none(shop: Path, command: str) -> None:
    said = coach(shop, command, code=1)
    assert "No active session" in said
    assert "`paige coach start`" in said


def test_what_cannot_be_resumed_is_said(shop: Path) -> None:
    assert "no session to go on with" in coach(shop, "resume", code=1)
    assert "`nothing`" in coach(shop, "resume", "nothing", code=1)
    session = data(shop, "start")["session"]
    coach(shop, "end")
    assert "is completed and cannot go on" in coach(shop, "resume", session, code=1)


def test_sessions_belong_to_the_project_that_is_named(shop: Path) -> None:
    other = shop / "other"
    other.mkdir()
    here = data(shop, "start")["session"]
    there = run_paige(shop, "coach", "start", PROJECT_DIR=str(other)).stdout.strip()
    assert data(shop, "status")["session"]["session"] == here
    shown = coach(shop, "status", PROJECT_DIR=str(other))
    assert there in shown
    assert here not in shown


def test_the_dashboard_counts_what_was_done(shop: Path) -> None:
    data(shop, "start", "--issue", "5")
    coach(shop, "end")
    open_session = data(shop, "start")["session"]

    shown = coach(shop, "dashboard", "--period", "7d").splitlines()
    found = data(shop, "dashboard")

    assert shown[0] == "sessions completed  1"
    assert shown[2] == "issues worked on    1"
    assert f"session   {open_session}  no issue" in shown
    assert found["stats"]["sessions_completed"] == 1
    assert found["in_progress_sessions"][0]["id"] == open_session


def test_a_running_server_hears_what_the_command_line_did(shop: Path) -> None:
    hello = {"version": "1", "platform": "test", "windowSize": {"width": 1, "height": 1}}
    with live_paige(shop) as live, connect(live.ws) as socket:
        socket.send(json.dumps({"type": "connection:hello", "payload": hello}))
        started = data(shop, "start", "--issue", "5")
        heard = _frame(socket, "session:started")
        coach(shop, "end")
        completed = _frame(socket, "session:completed")

    assert heard["payload"]["sessionId"] == started["session"]
    assert heard["payload"]["issueContext"]["title"] == "Prices are wrong"
    assert heard["durable"] is True
    assert completed["payload"]["sessionId"] == started["session"]


def _frame(socket: Any, kind: str) -> dict[str, Any]:
    for _ in range(100):
        frame = json.loads(socket.recv(timeout=20))
        if frame["type"] == kind:
            return frame
    raise AssertionError(f"`{kind}` never came")
