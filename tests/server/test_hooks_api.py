"""HTTP hooks: who may post, what is answered, and that nothing opens a gate."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from paige.app.accounts.passcode import hash_passcode
from paige.doors.guard import hooks_api
from paige.hooks import fast
from tests.server.conftest import Open


def event(tmp_path: Path, command: str = "rm -rf /", name: str = "PreToolUse") -> dict[str, object]:
    return {
        "hook_event_name": name,
        "session_id": "s-1",
        "cwd": str(tmp_path),
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }


def decision(answer: dict[str, dict[str, str]]) -> str:
    return answer["hookSpecificOutput"]["permissionDecision"]


def test_a_dangerous_command_is_denied_and_a_harmless_one_passes_in_silence(
    client: TestClient, tmp_path: Path
) -> None:
    denied = client.post("/hooks/claude-code", json=event(tmp_path))
    passed = client.post("/hooks/claude-code", json=event(tmp_path, "git status"))

    assert denied.status_code == 200
    assert denied.headers["content-type"] == "application/json"
    assert decision(denied.json()) == "deny"
    assert (passed.status_code, passed.content) == (200, b"")


def test_every_event_leaves_a_line_in_the_spool(client: TestClient, tmp_path: Path) -> None:
    client.post("/hooks/claude-code", json=event(tmp_path))

    (spool,) = (tmp_path / "data" / "spool").glob("claude-code-*.jsonl")
    line = json.loads(spool.read_text())
    assert (line["event"], line["decision"]) == ("pre_tool", "deny")


def test_rules_are_read_once_and_again_when_a_file_of_theirs_changes(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = tmp_path / "config" / "ai" / "guard" / "rules"
    rules.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    before = client.post("/hooks/claude-code", json=event(tmp_path, "deploy now"))
    (rules / "house.toml").write_text(
        'family = "deploying"\ncommands = ["deploy"]\n\n[[rule]]\nid = "never"\n'
        'decision = "deny"\nloses = "What people use."\ninstead = "Let the pipeline do it."\n'
        'must = ["deploy now"]\nmust_not = ["ls"]\n'
    )

    after = client.post("/hooks/claude-code", json=event(tmp_path, "deploy now"))

    assert before.content == b""
    assert decision(after.json()) == "deny"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"a": 1}'])
def test_what_cannot_be_read_is_refused_in_the_body(client: TestClient, content: bytes) -> None:
    named = client.post("/hooks/claude-code?event=PreToolUse", content=content)
    unnamed = client.post("/hooks/claude-code", content=content)

    assert decision(named.json()) == "deny"
    assert unnamed.status_code == 200
    assert unnamed.json()["decision"] == "block"


@pytest.mark.parametrize("content", [b"", b"{"])
def test_another_event_that_cannot_be_read_lets_the_host_go_on(
    client: TestClient, content: bytes, tmp_path: Path
) -> None:
    answer = client.post("/hooks/claude-code?event=Stop", content=content)

    assert (answer.status_code, answer.content) == (200, b"")
    spooled = "".join(path.read_text() for path in tmp_path.glob("data/spool/*"))
    assert '"fault"' in spooled


def test_a_body_that_is_too_long_is_refused(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (fast, hooks_api):
        monkeypatch.setattr(module, "MAX_INPUT", 1000)

    answer = client.post("/hooks/claude-code", json=event(tmp_path, "echo " + "x" * 2000))

    assert decision(answer.json()) == "deny"


def test_a_gate_that_takes_too_long_is_refused(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks_api, "SECONDS", 0.0)

    answer = client.post("/hooks/claude-code?event=PreToolUse", json=event(tmp_path))

    assert decision(answer.json()) == "deny"
    assert "too long" in answer.text


def test_a_decision_that_fails_is_refused(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise RuntimeError("no rules today")

    monkeypatch.setattr(fast, "decide_quickly", failing)

    answer = client.post("/hooks/claude-code", json=event(tmp_path))

    assert decision(answer.json()) == "deny"
    assert "no rules today" in answer.text


def test_the_role_of_the_caller_travels_in_a_header(client: TestClient, tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".claude" / "progress").mkdir(parents=True)
    sent = {
        "hook_event_name": "PreToolUse",
        "session_id": "s-2",
        "cwd": str(project),
        "tool_name": "Write",
        "tool_input": {"file_path": str(project / "src" / "a.py"), "content": "x"},
    }

    bound = client.post("/hooks/claude-code", json=sent, headers={"X-Paige-Role": "conductor"})

    assert decision(bound.json()) == "deny"


def test_hooks_of_unknown_programs_and_other_methods_are_not_there(client: TestClient) -> None:
    assert client.post("/hooks/emacs", json={}).status_code == 404
    assert client.get("/hooks/claude-code").status_code in (404, 405)


def test_foreign_pages_and_names_may_not_post(client: TestClient, tmp_path: Path) -> None:
    foreign = client.post(
        "/hooks/claude-code", json=event(tmp_path), headers={"Origin": "https://evil.example"}
    )
    rebound = client.post(
        "/hooks/claude-code", json=event(tmp_path), headers={"Host": "evil.example"}
    )

    assert foreign.status_code == 403
    assert rebound.status_code == 421


def test_with_a_passcode_a_hook_needs_it_too(open_site: Open, tmp_path: Path) -> None:
    client = open_site(passcode=hash_passcode("open sesame"))

    without = client.post("/hooks/claude-code", json=event(tmp_path))
    bearer = {"Authorization": "Bearer open sesame"}
    signed = client.post("/hooks/claude-code", json=event(tmp_path), headers=bearer)

    assert without.status_code == 401
    assert decision(signed.json()) == "deny"


def test_what_is_traced_and_recorded_follows_the_settings(
    open_site: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    environ = {"PAIGE_RECORD_HOOKS": str(tmp_path / "cases")}
    client = open_site(trace_hooks=True, environ=environ)
    with caplog.at_level("INFO", logger="paige.doors.guard.hooks_api"):
        client.post("/hooks/claude-code", json=event(tmp_path))

    assert "deny by" in caplog.text
    assert (tmp_path / "cases" / "claude-code" / "PreToolUse" / "stdin.json").exists()
