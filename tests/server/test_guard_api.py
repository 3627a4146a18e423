"""The Guard over HTTP: decisions from the spool, rules, explaining a command, installing."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

import paige
from paige.app.application import App, open_app
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from paige.guard.decision_log import GuardLog, entry_of, keep
from tests.conftest import NOON

BASE = "http://127.0.0.1:3000"
ENTRY = Path(paige.__file__).parent / "hooks" / "entry.py"
FORCE = "git push --force origin main"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a project in it."""
    (tmp_path / "project").mkdir()
    return tmp_path


@pytest.fixture
def app(home: Path) -> Iterator[App]:
    """An application for that project."""
    settings = Settings(
        cwd=home,
        given_data_dir=home / "data",
        project_dir=home / "project",
        environ={"HOME": str(home), "PATH": os.defpath},
    )
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


@pytest.fixture
def client(app: App) -> Iterator[TestClient]:
    """A site over that application."""
    with TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as opened:
        yield opened


def line(number: int, **more: object) -> str:
    at = NOON - timedelta(minutes=number)
    said: dict[str, object] = {
        "id": f"id{number}",
        "at": at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        "cli": "claude-code",
        "session": "s1",
        "event": "pre_tool",
        "host_event": "PreToolUse",
        "cwd": "/home/u/project",
        "mode": "default",
        "agent": None,
        "agent_type": None,
        "decision": "none",
        "rule": "git.reading",
        "tool": "Bash",
        "input": {"command": "git status"},
    }
    return json.dumps({**said, **more}) + "\n"


def denied(number: int, command: str = FORCE, **more: object) -> str:
    given = {"decision": "deny", "rule": "git.push-force", "input": {"command": command}}
    reason = "Commits would be lost. Instead: git push --force-with-lease"
    return line(number, **given, reason=reason, **more)


def spool(home: Path, *lines: str, name: str = "claude-code-s1.jsonl") -> Path:
    path = home / "data" / "spool" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(lines)
    return path


def ids(client: TestClient, **params: str) -> list[str]:
    answer = client.get("/api/guard/decisions", params=params)
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()["decisions"]]


def error_of(answer: Any) -> str:
    return answer.json()["error"]["message"]


# --- decisions ------------------------------------------------------------------------------------


def test_without_any_hook_there_is_nothing_and_everything_answers(client: TestClient) -> None:
    overview = client.get("/api/guard").json()

    assert overview["clis"] == {}
    assert len(overview["days"]) == 30
    assert overview["days"][-1]["day"] == NOON.astimezone().date().isoformat()
    assert ids(client) == []


def test_a_hook_that_runs_is_seen_at_the_next_look(client: TestClient, home: Path) -> None:
    body = {
        "session_id": "real",
        "cwd": str(home / "project"),
        "hook_event_name": "PreToolUse",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": "git reset --hard HEAD~3"},
    }
    assert ids(client) == []

    program = [sys.executable, "-I", "-S", str(ENTRY), "claude-code", "PreToolUse"]
    done = subprocess.run(
        [*program, "--data", str(home / "data")],
        input=json.dumps(body),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={"HOME": str(home), "PATH": os.defpath},
    )

    assert '"deny"' in done.stdout
    [found] = client.get("/api/guard/decisions").json()["decisions"]
    assert (found["verdict"], found["decision"], found["rule"]) == (
        "denied",
        "deny",
        "git.reset-hard",
    )
    assert found["subject"] == "git reset --hard HEAD~3"
    assert found["isCommand"]
    assert (found["cli"], found["session"], found["tool"]) == ("claude-code", "real", "Bash")
    assert found["instead"]
    assert "Instead" not in found["reason"]


def test_decisions_come_newest_first_and_are_narrowed_by_everything_at_once(
    client: TestClient, home: Path
) -> None:
    spool(home, denied(3), line(2), line(1, event="post_tool", rule=""))
    ask = {"decision": "ask", "rule": "make.run", "reason": "Runs what the project says."}
    spool(home, line(0, cli="codex", session="t", **ask), name="codex-t.jsonl")

    assert ids(client) == ["id0", "id2", "id3"]  # what is only observed is left out
    assert ids(client, event="any") == ["id0", "id1", "id2", "id3"]
    assert ids(client, event="post_tool") == ["id1"]
    assert ids(client, verdict="denied") == ["id3"]
    assert ids(client, verdict="asked", cli="codex") == ["id0"]
    assert ids(client, session="s1") == ["id2", "id3"]
    assert ids(client, rule="git.push-force") == ["id3"]
    assert ids(client, query="FORCE main") == ["id3"]
    assert ids(client, query="force main", cli="codex") == []
    answer = client.get("/api/guard/decisions", params={"limit": 1}).json()
    assert (len(answer["decisions"]), answer["total"]) == (1, 3)


def test_the_overview_counts_days_sessions_and_faults(client: TestClient, home: Path) -> None:
    spool(home, denied(2), denied(3), line(4), denied(3 * 24 * 60), denied(90 * 24 * 60))
    fault = {"event": "fault", "reason": "no object", "session": "unknown", "tool": ""}
    spool(home, line(1, **fault), name="claude-code-unknown.jsonl")

    overview = client.get("/api/guard").json()

    assert overview["counts"] == {
        "denied": 3,
        "asked": 0,
        "changed": 0,
        "passed": 1,
        "fault": 1,
    }
    by_day = {each["day"]: each["counts"]["denied"] for each in overview["days"]}
    assert [by_day[day] for day in sorted(by_day)][-4:] == [1, 0, 0, 2]
    [_, session] = overview["sessions"]
    assert (session["session"], session["decided"], session["denied"]) == ("s1", 4, 3)
    assert overview["rules"] == ["git.push-force", "git.reading"]
    assert overview["complete"]


def test_a_file_that_would_be_written_is_named_and_its_text_is_not(
    client: TestClient, home: Path
) -> None:
    given = {"file_path": "/home/u/project/.env", "content": "PASSWORD=hunter2hunter2"}
    spool(home, line(0, tool="Write", input=given, decision="deny", rule="secrets-in-writes"))

    answer = client.get("/api/guard/decisions")

    assert answer.json()["decisions"][0]["subject"] == "/home/u/project/.env"
    assert "hunter2" not in answer.text


def test_secrets_in_commands_are_left_out(client: TestClient, home: Path) -> None:
    command = "curl -H 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz' https://example.com"
    spool(home, denied(0, command))

    answer = client.get("/api/guard/decisions")

    assert "abcdefghijklmnop" not in answer.text
    assert "[bearer token]" in answer.text


def test_what_doctor_tries_is_no_decision(client: TestClient, home: Path) -> None:
    spool(home, denied(0, session="paige-doctor"), name="claude-code-paige-doctor.jsonl")

    assert ids(client, event="any") == []


def test_one_decision_has_an_address_and_one_that_is_not_there_is_named(
    client: TestClient, home: Path
) -> None:
    spool(home, denied(0))

    assert client.get("/api/guard/decisions/id0").json()["subject"] == FORCE
    missing = client.get("/api/guard/decisions/nope")
    assert missing.status_code == 404
    assert "`nope`" in error_of(missing)


def test_an_unknown_filter_is_refused_with_its_name(client: TestClient) -> None:
    answer = client.get("/api/guard/decisions", params={"verdict": "maybe"})

    assert answer.status_code == 400
    assert "verdict" in error_of(answer)


# --- following the spool --------------------------------------------------------------------------


def test_half_a_line_waits_until_it_is_whole(home: Path) -> None:
    log = GuardLog(home / "data")
    whole = denied(0)
    path = spool(home, whole[:40])
    assert log.read() == ()

    spool(home, whole[40:], denied(1))

    assert [each.id for each in log.read()] == ["id0", "id1"]
    path.unlink()
    assert [each.id for each in log.read()] == ["id0", "id1"]  # what was seen stays


def test_lines_that_are_taken_away_and_written_again_count_once(home: Path) -> None:
    log = GuardLog(home / "data")
    path = spool(home, denied(0), denied(1))
    log.read()
    path.unlink()
    spool(home, denied(1), denied(2))

    assert [each.id for each in log.read()] == ["id0", "id1", "id2"]


def test_only_the_newest_are_kept_and_that_is_said(home: Path) -> None:
    log = GuardLog(home / "data", kept=3)
    spool(home, *(denied(number) for number in range(10)))

    assert [each.id for each in log.read()] == ["id0", "id1", "id2"]
    assert not log.complete


def test_links_and_other_files_in_the_spool_are_left_alone(home: Path) -> None:
    secret = home / "secret.jsonl"
    secret.write_text(denied(0), encoding="utf-8")
    spool(home, denied(1))
    (home / "data" / "spool" / "link.jsonl").symlink_to(secret)
    (home / "data" / "spool" / "folder.jsonl").mkdir()
    (home / "data" / "spool" / "notes.txt").write_text(denied(2), encoding="utf-8")

    assert [each.id for each in GuardLog(home / "data").read()] == ["id1"]


def test_what_is_kept_when_the_spool_is_emptied_is_still_shown_and_counts_once(
    client: TestClient, home: Path
) -> None:
    key = "Authorization: Bearer abcdefghijklmnopqrstuvwxyz"
    write = {"file_path": "a.py", "content": "x = 1"}
    lines = [
        denied(0, f"curl -H '{key}' https://example.com"),
        line(1, tool="Write", input=write),
        line(2, event="post_tool", rule=""),
    ]
    path = spool(home, *lines)
    before = client.get("/api/guard/decisions").json()

    kept = keep(home / "data", [json.loads(each) for each in lines])

    assert kept == 2  # what was only observed is not kept
    text = (home / "data" / "guard" / "decisions.jsonl").read_text(encoding="utf-8")
    assert "abcdefghijklmnop" not in text
    assert "x = 1" not in text
    assert client.get("/api/guard/decisions").json() == before
    path.rename(path.with_name(f"{path.name}.1.draining"))
    assert client.get("/api/guard/decisions").json() == before
    [remains] = path.parent.iterdir()
    remains.unlink()
    fresh = GuardLog(home / "data").read()
    assert [(each.id, each.verdict) for each in fresh] == [("id0", "denied"), ("id1", "passed")]
    assert fresh[1].subject == "a.py"


def test_the_log_of_decisions_does_not_grow_for_ever(home: Path) -> None:
    for number in range(6):
        keep(home / "data", [json.loads(denied(number))], most=500)

    files = sorted((home / "data" / "guard").iterdir())
    assert [each.name for each in files] == ["decisions-older.jsonl", "decisions.jsonl"]
    assert sum(each.stat().st_size for each in files) < 4 * 500
    assert GuardLog(home / "data").read()[0].id in {"id0", "id1", "id2", "id3", "id4"}


def test_a_log_that_cannot_be_written_stops_nobody(home: Path) -> None:
    (home / "data").mkdir()
    (home / "data" / "guard").write_text("in the way", encoding="utf-8")

    assert keep(home / "data", [json.loads(denied(0))]) == 0


@given(st.binary(max_size=300))
def test_no_line_breaks_the_reader(data: bytes) -> None:
    entry_of(data)


VALUES = st.none() | st.booleans() | st.integers() | st.text(max_size=20)
JSON = st.recursive(VALUES, lambda each: st.lists(each) | st.dictionaries(st.text(), each))


@given(
    st.dictionaries(
        st.sampled_from(("at", "event", "decision", "rule", "reason", "tool", "input", "prompt")),
        JSON,
    )
)
def test_an_entry_of_any_values_can_be_sent(said: dict[str, object]) -> None:
    entry = entry_of(json.dumps({"at": "2026-03-01T09:00:00Z", "id": "x", **said}).encode())

    if entry is not None:
        f"{entry.subject}{entry.reason}{entry.rule}{entry.tool}".encode()
        assert entry.verdict


# --- rules and explaining -------------------------------------------------------------------------


def test_every_rule_is_listed_with_examples_and_how_often_it_decided(
    client: TestClient, home: Path
) -> None:
    gone = {"decision": "deny", "rule": "git.reset-hard"}
    spool(home, line(0, **gone), line(1, **gone), line(2, decision="deny", rule="self-protection"))

    book = client.get("/api/guard/rules").json()

    rules = {rule["name"]: rule for family in book["families"] for rule in family["rules"]}
    reset = rules["git.reset-hard"]
    assert (reset["decision"], reset["hits"]["count"], reset["hits"]["denied"]) == ("deny", 2, 2)
    assert "git reset --hard" in reset["must"]
    assert reset["mustNot"]
    assert [each["rule"] for each in book["others"]] == ["self-protection"]
    assert book["problems"] == []
    assert {"shell", "writes"} <= {gate["name"] for gate in book["gates"]}
    assert all(gate["about"] for gate in book["gates"])
    assert {family["layer"] for family in book["families"]} == {"shipped"}


def test_a_rule_of_the_project_holds_there_and_one_that_is_broken_is_named(
    client: TestClient, home: Path
) -> None:
    folder = home / "project" / ".ai" / "guard" / "rules"
    folder.mkdir(parents=True)
    (home / "project" / ".git").mkdir()
    (folder / "own.toml").write_text(
        'family = "own"\ncommands = ["launch"]\n[[rule]]\nid = "moon"\ndecision = "deny"\n'
        'loses = "The rocket."\nmust = ["launch"]\nmust_not = ["land"]\n',
        encoding="utf-8",
    )
    (folder / "bad.toml").write_text("family = [", encoding="utf-8")

    book = client.get("/api/guard/rules").json()
    judged = client.post("/api/guard/explain", json={"command": "launch"}).json()

    [own] = [family for family in book["families"] if family["name"] == "own"]
    assert own["layer"] == "project"
    assert any("bad.toml" in problem["path"] for problem in book["problems"])
    assert (judged["decision"], judged["rule"]) == ("deny", "own.moon")


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("git status", "allow"),
        ("git add . && sudo git reset --hard", "deny"),
        ("nobody-knows-this --now", "pass"),
        ("$(nobody-knows-this) --now", "ask"),
    ],
)
def test_a_command_is_explained_as_a_hook_would_decide(
    client: TestClient, command: str, decision: str
) -> None:
    judged = client.post("/api/guard/explain", json={"command": command}).json()

    assert judged["decision"] == decision
    order = ("allow", "pass", "ask", "deny")
    assert max((step["decision"] for step in judged["steps"]), key=order.index) == decision
    assert judged["cwd"].endswith("/project")


def test_explaining_names_every_command_and_the_rule_that_decided(client: TestClient) -> None:
    asked = {"command": "git add . && sudo git reset --hard"}
    judged = client.post("/api/guard/explain", json=asked).json()

    assert ["git", "reset", "--hard"] in [step["words"] for step in judged["steps"]]
    [step] = [step for step in judged["steps"] if step["rule"] == judged["rule"]]
    assert step["family"] == "git"
    assert step["considered"] > 10
    assert judged["instead"] == "git stash push -u"


def test_explaining_writes_nothing_down(client: TestClient, home: Path) -> None:
    client.post("/api/guard/explain", json={"command": "rm -rf /"})

    assert ids(client, event="any") == []
    assert not (home / "data" / "spool").exists()


@pytest.mark.parametrize("asked", [{"command": " "}, {"command": "ls", "cwd": "here"}, {}])
def test_what_cannot_be_judged_is_refused_with_words(
    client: TestClient, asked: dict[str, str]
) -> None:
    answer = client.post("/api/guard/explain", json=asked)

    assert answer.status_code == 400
    assert error_of(answer)


# --- coding agents --------------------------------------------------------------------------------


def host_of(client: TestClient, cli: str = "claude-code") -> dict[str, Any]:
    [host] = [each for each in client.get("/api/guard/hosts").json()["hosts"] if each["cli"] == cli]
    return host


def plan(client: TestClient, action: str, level: str = "user") -> dict[str, Any]:
    asked = {"action": action, "level": level}
    answer = client.post("/api/guard/hosts/claude-code/plan", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def carry_out(client: TestClient, planned: dict[str, Any]) -> Any:
    asked = {name: planned[name] for name in ("action", "level", "digest")}
    return client.post("/api/guard/hosts/claude-code", json=asked)


def test_a_plan_shows_every_file_and_writes_none(client: TestClient, home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model": "opus"\n}\n', encoding="utf-8")

    planned = plan(client, "install")

    [change] = [each for each in planned["changes"] if each["path"] == str(settings)]
    assert change["kind"] == "changed"
    assert '+    "PreToolUse"' in change["diff"]
    assert settings.read_text(encoding="utf-8") == '{\n  "model": "opus"\n}\n'
    assert host_of(client)["levels"] == []


def test_installing_guards_and_uninstalling_leaves_the_files_as_they_were(
    client: TestClient, home: Path
) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    before = '{\n  "model": "opus"\n}\n'
    settings.write_text(before, encoding="utf-8")

    done = carry_out(client, plan(client, "install"))

    assert done.status_code == 200, done.text
    assert str(settings) in done.json()["paths"]
    host = host_of(client)
    assert host["levels"] == ["user"]
    assert [check["status"] for check in host["checks"]] == ["ok"]
    assert plan(client, "install")["changes"] == []

    assert carry_out(client, plan(client, "uninstall")).status_code == 200
    assert settings.read_text(encoding="utf-8") == before
    assert host_of(client)["levels"] == []
    assert ids(client, event="any") == []  # doctor tried the hooks; nobody wanted anything


def test_a_plan_that_no_longer_fits_is_refused_and_nothing_is_written(
    client: TestClient, home: Path
) -> None:
    planned = plan(client, "install", "project")
    settings = home / "project" / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "mine"}', encoding="utf-8")

    answer = carry_out(client, planned)

    assert answer.status_code == 409
    assert "nothing was written" in error_of(answer)
    assert settings.read_text(encoding="utf-8") == '{"model": "mine"}'


def test_settings_that_cannot_be_read_stop_the_plan_with_their_place(
    client: TestClient, home: Path
) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model" "opus"\n}\n', encoding="utf-8")

    answer = client.post("/api/guard/hosts/claude-code/plan", json={"action": "install"})

    assert answer.status_code == 400
    assert "settings.json` line 2" in error_of(answer)


def test_an_unknown_cli_is_refused(client: TestClient) -> None:
    answer = client.post("/api/guard/hosts/emacs/plan", json={"action": "install"})

    assert answer.status_code == 400


def test_secrets_of_the_settings_are_not_in_a_plan(client: TestClient, home: Path) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"env": {"API_KEY": "abcdefgh12345678"}}\n', encoding="utf-8")

    answer = client.post("/api/guard/hosts/claude-code/plan", json={"action": "install"})

    assert "abcdefgh12345678" not in answer.text
