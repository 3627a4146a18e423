"""Learned guards over HTTP: stages, trials, moving with a reason, patterns, metrics."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from paige.app.application import App
from paige.app.guards import create_from
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.server import learned_project
from tests.server.learned_project import claim_guard, command_guard, opened

BASE = "http://127.0.0.1:3000"
ID = "tested-needs-evidence"


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


def act(client: TestClient, act: str, id: str = ID, **body: Any) -> Any:
    answer = client.post(f"/api/guards/{id}/{act}", json=body or None)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_without_guards_the_list_says_where_they_would_lie(client: TestClient) -> None:
    found = client.get("/api/guards").json()

    assert found["guards"] == []
    assert found["problems"] == []
    assert found["promote"] == "person"
    assert found["folder"].endswith("my-project/.ai/guards")


def test_every_guard_stands_in_its_stage_with_its_history(client: TestClient, app: App) -> None:
    learned_project.add_guards(app)

    found = {each["id"]: each for each in client.get("/api/guards").json()["guards"]}

    assert {id: each["standing"] for id, each in found.items()} == {
        "no-drop-database": "proposed",
        ID: "shadow",
        "no-force-push": "production",
        "no-history-rewrite": "rolled_back",
    }
    stages = [each["stage"] for each in found["no-history-rewrite"]["history"]]
    assert stages == ["proposed", "shadow", "production", "rolled_back"]
    assert [each["forced"] for each in found["no-force-push"]["history"]] == [False, False, True]
    assert found[ID]["matcher"]["paths"] == [learned_project.LIST]
    assert '"tested": true' in found[ID]["must"][0]["text"]
    assert found[ID]["trial"]["probed"] >= 1000


def test_a_guard_goes_from_trial_to_shadow_to_production_and_back_each_with_a_reason(
    client: TestClient, app: App
) -> None:
    create_from(app, guard=claim_guard(), why="It repeats.", by="test")

    tried = act(client, "try")
    shadow = act(client, "shadow", why="It looks right.")
    early = client.post(f"/api/guards/{ID}/promote", json={"why": "Now."})
    live = act(client, "promote", why="I know it is right.", force=True)
    back = act(client, "rollback", why="It was in the way.")

    assert tried["trial"]["sound"] is True
    assert len(tried["trial"]["answers"]) == 8
    assert (tried["standing"], shadow["standing"]) == ("proposed", "shadow")
    assert early.status_code == 403
    assert early.json()["error"]["hint"]
    assert live["standing"] == "production"
    assert live["history"][-1]["by"] == "person (web)"
    assert live["history"][-1]["forced"] is True
    assert back["standing"] == "rolled_back"
    assert back["history"][-1]["why"] == "It was in the way."


def test_no_force_gets_a_guard_past_harmless_actions(
    client: TestClient, app: App, tmp_path: Path
) -> None:
    create_from(app, guard=claim_guard(), why="It repeats.", by="test")
    wide = command_guard("no-status", "No.", "git", "status")
    path = tmp_path / "my-project" / ".ai" / "guards" / "no-status.json"
    wide["must_not"] = []
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(wide), encoding="utf-8")

    tried = act(client, "try", id="no-status")
    answer = client.post("/api/guards/no-status/promote", json={"why": "Now.", "force": True})

    assert tried["trial"]["sound"] is False
    assert tried["trial"]["benignHits"][0]["text"].startswith("git status")
    assert answer.status_code == 403
    assert "harmless" in answer.json()["error"]["message"]


@pytest.mark.parametrize("act", ["shadow", "promote", "rollback"])
@pytest.mark.parametrize("why", ["", "   "])
def test_a_step_without_a_reason_is_refused(client: TestClient, act: str, why: str) -> None:
    assert client.post(f"/api/guards/{ID}/{act}", json={"why": why}).status_code == 400


def test_a_guard_that_is_not_there_is_said_in_words(client: TestClient) -> None:
    answer = client.post("/api/guards/nobody/rollback", json={"why": "So."})

    assert answer.status_code == 404
    assert "nobody" in answer.json()["error"]["message"]


def test_a_file_that_cannot_be_read_is_named_and_hides_no_other(
    client: TestClient, app: App, tmp_path: Path
) -> None:
    learned_project.add_guards(app)
    (tmp_path / "my-project" / ".ai" / "guards" / "broken.json").write_text("{", encoding="utf-8")

    found = client.get("/api/guards").json()

    assert len(found["guards"]) == 4
    [problem] = found["problems"]
    assert "broken.json" in problem


def test_patterns_and_the_report_come_with_numbers(client: TestClient, app: App) -> None:
    learned_project.add_traces(app, NOON)

    found = client.get("/api/guards/lessons").json()

    patterns = {each["action"]: each for each in found["patterns"]}
    assert patterns["mark-tested"]["sessions"] >= 4
    assert 0 < patterns["mark-tested"]["weight"] <= patterns["mark-tested"]["count"]
    assert len(found["report"]) == 5
    assert {each["verdict"] for each in found["report"]} <= {"ok", "warning", "unknown"}
    assert len(found["proposals"]) <= 3


def test_metrics_are_compared_at_the_first_guard_that_blocked(client: TestClient, app: App) -> None:
    learned_project.add_traces(app, NOON)
    learned_project.add_guards(app)

    found = client.get("/api/guards/metrics").json()

    assert len(found["metrics"]) == 5
    assert found["sessionsBefore"] > 0
    units = {each["name"]: each["unit"] for each in found["metrics"]}
    assert units["Rule compliance"] == "share"
