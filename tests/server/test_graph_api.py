"""The context graph over HTTP: traces by level, what led to one, what came of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from paige.app.application import App
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.server import learned_project
from tests.server.learned_project import CORRECTED, MARKED, SKIPPED, opened

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


def get(client: TestClient, path: str, **params: Any) -> Any:
    answer = client.get(f"/api/graph{path}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_an_empty_graph_says_that_there_is_nothing(client: TestClient) -> None:
    assert get(client, "")["total"] == 0
    assert get(client, "/traces") == {
        "traces": [], "total": 0, "level": "summary", "tokens": 0, "leftOff": 0,
    }  # fmt: skip


def test_traces_are_counted_and_narrowed_by_what_they_are_about(
    client: TestClient, app: App
) -> None:
    learned_project.add_traces(app, NOON)

    overview = get(client, "")
    found = get(client, "/traces", type="violation", agent="coding-agent", rule="git.push-force")

    assert overview["types"]["violation"] == 10
    assert {each["name"] for each in overview["agents"]} == {"coding-agent", "tester-agent"}
    assert found["total"] == 4
    assert {each["rule"] for each in found["traces"]} == {"git.push-force"}


def test_words_find_the_traces_that_mean_the_same(client: TestClient, app: App) -> None:
    learned_project.add_traces(app, NOON)

    found = get(client, "/traces", query="lost commits of a forced push", limit=3)

    assert {each["rule"] for each in found["traces"]} == {"git.push-force"}
    assert found["traces"][0]["event"]["whatHappened"]


def test_each_level_tells_more_and_a_budget_keeps_it_small(client: TestClient, app: App) -> None:
    learned_project.add_traces(app, NOON)

    brief = get(client, "/traces", level="metadata", budget=True)
    whole = get(client, f"/traces/{MARKED}")

    assert brief["tokens"] <= 500
    assert brief["traces"][0]["event"]["whatHappened"] == ""
    assert whole["context"] == {"agent": "coding-agent", "feature": "BOOK-3", "task": ""}
    assert whole["files"] == [learned_project.LIST]


def test_around_a_trace_stand_what_led_to_it_and_what_came_of_it(
    client: TestClient, app: App
) -> None:
    learned_project.add_traces(app, NOON)

    around = get(client, f"/traces/{MARKED}/around")

    at = {node["id"]: node["distance"] for node in around["nodes"]}
    assert at[MARKED] == 0
    assert at[SKIPPED] == -1
    assert at[CORRECTED] == 1
    assert at["coding-agent"] == -1
    assert at["block-tested-true"] == -1
    keys = {node["key"] for node in around["nodes"]}
    assert around["edges"]
    assert all({edge["source"], edge["target"]} <= keys for edge in around["edges"])
    assert {
        "source": f"decision:{CORRECTED}", "relation": "corrected", "target": f"decision:{MARKED}",
    } in around["edges"]  # fmt: skip


def test_a_neighbourhood_that_is_too_large_is_cut_and_says_so(client: TestClient, app: App) -> None:
    learned_project.add_traces(app, NOON)
    learned_project.add_neighbours(app, NOON, 60)

    around = get(client, f"/traces/{SKIPPED}/around", most=20)

    assert len(around["nodes"]) == 20
    assert around["nodes"][0]["id"] == SKIPPED
    assert around["leftOut"] >= 40


@pytest.mark.parametrize("path", ["/traces/trace-nowhere", "/traces/trace-nowhere/around"])
def test_a_trace_that_is_not_there_is_said_in_words(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/graph{path}")

    assert answer.status_code == 404
    assert "trace-nowhere" in answer.json()["error"]["message"]


@pytest.mark.parametrize("params", [{"type": "rumour"}, {"limit": 501}, {"depth": "deep"}])
def test_a_question_that_cannot_be_answered_is_refused(
    client: TestClient, params: dict[str, Any]
) -> None:
    assert client.get("/api/graph/traces", params=params).status_code == 400
