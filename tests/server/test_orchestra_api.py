"""The orchestra over HTTP: the board, its runs and its handoffs, from the project's files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from paige.app.application import App
from paige.doors.frame.schemas import adapter_of
from paige.doors.orchestra.operations import OrchestraHandoff, handoff_of
from paige.doors.site.factory import Site
from paige.guard.state.features import Feature, write_features
from paige.orchestra.handoffs import Entry
from tests.conftest import NOON
from tests.server import learned_project
from tests.server.learned_project import opened

BASE = "http://127.0.0.1:3000"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """An application for an empty project."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with opened(tmp_path, NOON) as found:
        yield found


@pytest.fixture
def client(app: App) -> Iterator[TestClient]:
    """A site over that application."""
    with TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as found:
        yield found


def board(client: TestClient) -> Any:
    answer = client.get("/api/orchestra")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_project_without_an_orchestra_has_an_empty_board(client: TestClient) -> None:
    found = board(client)

    assert (found["begun"], found["running"], found["features"]) == (False, False, [])
    assert found["next"] is None
    assert client.get("/api/orchestra/handoffs").json() == {"handoffs": [], "total": 0}


def test_every_feature_stands_where_the_machine_has_it(client: TestClient, app: App) -> None:
    learned_project.add_orchestra(app, NOON)

    found = board(client)

    states = {each["id"]: each["state"] for each in found["features"]}
    assert states == {
        "BOOK-1": "closed", "BOOK-2": "closed", "BOOK-3": "coding", "BOOK-4": "testing",
        "BOOK-5": "pending", "BOOK-6": "pending", "BOOK-7": "blocked",
    }  # fmt: skip
    in_hand = next(each for each in found["features"] if each["id"] == "BOOK-3")
    assert (in_hand["attempts"], in_hand["agent"]) == (2, "coding-agent")
    assert in_hand["step"]
    given_up = next(each for each in found["features"] if each["id"] == "BOOK-7")
    assert "tests" in given_up["reason"]
    assert found["goal"] == learned_project.GOAL


def test_runs_are_told_with_what_they_returned_and_what_the_judge_said(
    client: TestClient, app: App
) -> None:
    learned_project.add_orchestra(app, NOON)

    found = board(client)

    newest, vetoed, *_ = found["runs"]
    assert newest["ended"] is None
    assert (vetoed["feature"], vetoed["attempt"]) == ("BOOK-3", 1)
    assert "Everything is written" in vetoed["returned"]
    assert found["vetoes"] == {"judged": 2, "vetoed": 1}


def test_handoffs_come_newest_first_with_the_order_they_are_about(
    client: TestClient, app: App
) -> None:
    learned_project.add_orchestra(app, NOON)

    found = client.get("/api/orchestra/handoffs", params={"feature": "BOOK-7"}).json()
    newest = client.get("/api/orchestra/handoffs", params={"limit": 3}).json()

    [refused] = found["handoffs"]
    assert (refused["event"], refused["task"]) == ("refused", "validate_feature")
    assert "src/card.py" in refused["said"]
    assert refused["precondition"]
    assert refused["timeoutS"] > 0
    assert newest["total"] == 12
    assert len(newest["handoffs"]) == 3


def test_a_query_that_means_nothing_there_is_refused(client: TestClient) -> None:
    answer = client.get("/api/orchestra/handoffs", params={"strange": 1})

    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "strange")


def test_without_a_machine_the_list_of_features_makes_the_board(
    client: TestClient, tmp_path: Path
) -> None:
    features = (
        Feature("A", "One", status="completed", tested=True),
        Feature("B", "Two", status="completed"),
        Feature("C", "Three", status="in_progress", retries=1),
        Feature("D", "Four"),
    )
    write_features(tmp_path / "my-project", features)

    found = board(client)

    states = [(each["id"], each["state"]) for each in found["features"]]
    # Nobody has seen the tests of A: it goes to the tester, whatever the list says.
    assert states == [("A", "testing"), ("B", "testing"), ("C", "coding"), ("D", "pending")]
    assert found["next"]["sentence"]


def test_a_state_that_paige_did_not_write_closes_nothing_on_the_board(
    client: TestClient, app: App, tmp_path: Path
) -> None:
    learned_project.add_orchestra(app, NOON)
    path = tmp_path / "my-project" / ".claude" / "progress" / "session-state.json"
    kept = json.loads(path.read_text(encoding="utf-8"))
    kept["machine"]["items"][4] = {**kept["machine"]["items"][0], "id": "BOOK-5"}
    path.write_text(json.dumps(kept), encoding="utf-8")

    found = board(client)

    assert "closed" not in {each["state"] for each in found["features"]}
    assert "not written by Paige" in found["waits"]


def test_a_list_that_cannot_be_read_is_said_on_the_board(
    client: TestClient, tmp_path: Path
) -> None:
    path = tmp_path / "my-project" / ".claude" / "progress" / "feature-list.json"
    path.write_text("{", encoding="utf-8")

    found = board(client)

    assert "feature-list.json" in found["waits"]
    assert found["next"]["action"] == "ask_person"


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
JSON = st.recursive(VALUES, lambda each: st.lists(each) | st.dictionaries(st.text(), each))


@given(st.dictionaries(st.sampled_from(("context", "agent", "precondition", "timeout_s")), JSON))
def test_a_line_of_any_values_can_be_sent(command: dict[str, Any]) -> None:
    entry = Entry(key="k", event="sent", at="2026-03-01T09:00:00Z", about=command)

    made = handoff_of(entry, command)

    assert made is not None
    adapter_of(OrchestraHandoff).dump_json(made)
