"""The server says how it is."""

import json
from pathlib import Path

from starlette.testclient import TestClient

from paige import __version__
from tests.live import live_paige


def test_health_answers_ok_and_the_seconds_it_lives(client: TestClient) -> None:
    answer = client.get("/health")

    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    assert answer.json()["uptime"] >= 0


def test_ready_names_its_dependencies(client: TestClient) -> None:
    assert client.get("/health/ready").json() == {
        "status": "ok",
        "dependencies": {"database": "ok", "events": "ok"},
    }


def test_setup_tells_what_is_set_up_without_secrets(open_site) -> None:
    client = open_site(anthropic_api_key="sk-ant-" + "x" * 30, passcode="")
    answer = client.get("/api/setup")

    setup = answer.json()
    assert setup["version"] == __version__
    assert (setup["provider"]["name"], setup["provider"]["ready"]) == ("anthropic", True)
    assert setup["provider"]["message"].startswith("`anthropic` is set: haiku `")
    assert setup["database"]["engine"] == "sqlite"
    assert [door["id"] for door in setup["doors"]] == ["plan", "study", "coach", "guard"]
    assert {check["name"] for check in setup["checks"]} >= {"python", "data folder", "database"}
    assert "sk-ant" not in answer.text


def test_the_api_describes_itself(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]

    assert {"/setup", "/session"} <= set(paths)


def test_unknown_api_address_is_404_in_our_form(client: TestClient) -> None:
    answer = client.get("/api/nowhere")

    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_wrong_method_keeps_its_status(client: TestClient) -> None:
    assert client.put("/api/setup").status_code == 405


def test_the_log_is_json_lines_when_asked(tmp_path: Path) -> None:
    with live_paige(tmp_path, PAIGE_LOG_FORMAT="json") as paige:
        code, output = paige.stop()

    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    assert code == 0
    assert "Stopping on SIGTERM" in [line["message"] for line in lines]
    assert all(line["level"] and line["at"].endswith("Z") for line in lines)
