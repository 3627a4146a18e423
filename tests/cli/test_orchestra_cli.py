"""`paige orchestra` as a person and a program use it."""

import json
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from paige.guard.state.evidence_files import Evidence, write_evidence
from paige.guard.state.tree import tree_hash
from tests import nursery
from tests.live import PAIGE, environment
from tests.orchestra.repositories import merges, new_repository, run_git

LIST = """# Calculator

- Add two numbers
  - `add(1, 2)` gives 3
- Subtract two numbers
"""
# A coding CLI that does what it is told: it writes a file, or runs the tests past Paige's hook.
CLI = """#!{python}
import json, os, pathlib, subprocess, sys
if "--version" in sys.argv:
    print("2.1.325 (Claude Code)")
    sys.exit(0)
prompt = sys.stdin.read()
argv = sys.argv
agent = argv[argv.index("--agent") + 1]
settings = json.loads(pathlib.Path(argv[argv.index("--settings") + 1]).read_text())
feature = json.loads(pathlib.Path(".claude/progress/session-state.json").read_text())["feature"]
said = "no idea"
if agent == "coding-agent":
    pathlib.Path(feature.lower() + ".py").write_text("x = 1\\n")
    said = "IMPLEMENTATION COMPLETE - Feature " + feature + " ready for testing"
if agent == "tester-agent":
    handler = settings["hooks"]["PostToolUse"][0]["hooks"][0]
    body = {{"session_id": argv[argv.index("--session-id") + 1], "cwd": os.getcwd(),
             "hook_event_name": "PostToolUse", "tool_name": "Bash",
             "tool_input": {{"command": "pytest -q"}}, "tool_use_id": "t1",
             "tool_response": {{"stdout": "3 passed in 0.01s\\n", "stderr": ""}}}}
    subprocess.run([handler["command"], *handler["args"]], input=json.dumps(body).encode(),
                   check=True, stdout=subprocess.DEVNULL)
    said = "PASSED " + feature
print(json.dumps({{"type": "result", "result": said}}))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "app")


def orchestra(
    project: Path, *words: str, given: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Type `paige orchestra …` in a project."""
    return nursery.run(
        [PAIGE, "orchestra", *words],
        cwd=project,
        env=environment(project.parent / "home", **variables),
        input=given,
        text=True,
        timeout=120,
    )


def answer(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def with_cli(folder: Path) -> dict[str, str]:
    """A program `claude` on the path."""
    programs = folder / "bin"
    programs.mkdir()
    program = programs / "claude"
    program.write_text(CLI.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{programs}:/usr/bin:/bin"}


def test_a_list_becomes_features_without_a_model_and_next_says_who_begins(project: Path) -> None:
    assert answer(orchestra(project, "next", "--json")) == {
        "state": "session_start",
        "action": "spawn",
        "agent": "initializer-agent",
        "feature": None,
    }
    planned = answer(orchestra(project, "init", "--from", "-", "--json", given=LIST))
    assert planned["source"] == "list"
    first, second = planned["features"]
    assert (first["id"], first["title"]) == ("F1", "Add two numbers")
    assert first["acceptance"] == ["`add(1, 2)` gives 3"]
    assert second["status"] == "pending"
    following = answer(orchestra(project, "next", "--json"))
    assert (following["agent"], following["feature"]) == ("coding-agent", "F1")
    assert "coding-agent" in orchestra(project, "next").stdout
    shown = orchestra(project, "status")
    assert shown.returncode == 0
    assert "Add two numbers" in shown.stdout
    standing = answer(orchestra(project, "status", "--json"))
    assert [each["id"] for each in standing["features"]] == ["F1", "F2"]
    assert standing["conductor"] is None


def test_lines_are_taken_as_features_by_rules_which_say_so(project: Path) -> None:
    goal = "Add two numbers\nSubtract two numbers\nShow the result on a page"
    done = orchestra(project, "init", goal, "--json")
    assert answer(done)["source"] == "local"
    assert len(answer(done)["features"]) == 3


def test_a_goal_in_prose_needs_a_model_or_a_list(project: Path) -> None:
    done = orchestra(project, "init", "Build a shop. It should be fast.")
    assert done.returncode == 2
    assert "needs a model" in done.stderr
    assert "- " in done.stderr
    assert not (project / ".claude").exists()
    assert orchestra(project, "init").returncode == 2


def test_without_a_model_run_says_what_is_needed(project: Path) -> None:
    orchestra(project, "init", "--from", "-", given=LIST)
    done = orchestra(project, "run", "--json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "needs a model" in done.stderr
    assert "--runner claude-code" in done.stderr
    unknown = orchestra(project, "run", "--runner", "cursor")
    assert unknown.returncode != 0
    assert "no runner `cursor`" in unknown.stderr
    missing = orchestra(project, "run", "--runner", "codex", PATH="/usr/bin:/bin")
    assert missing.returncode == 1
    assert "`codex`" in missing.stderr


def test_a_coding_cli_builds_tests_and_merges_everything(tmp_path: Path, project: Path) -> None:
    variables = with_cli(tmp_path)
    orchestra(project, "init", "--from", "-", given=LIST)
    first = orchestra(
        project, "run", "--runner", "claude-code", "--most", "1", "--json", **variables
    )
    report = answer(first)
    assert first.returncode == 0, first.stderr
    assert (report["closed"], report["open"]) == (["F1"], ["F2"])
    assert "coding-agent" in first.stderr  # lines where nobody watches a terminal
    second = orchestra(project, "run", "--runner", "claude-code", **variables)
    assert second.returncode == 0, second.stderr
    assert "Closed: F1, F2" in second.stdout
    assert merges(project) == ["F1: Add two numbers", "F2: Subtract two numbers"]
    assert (project / "f1.py").exists()
    assert answer(orchestra(project, "next", "--json"))["action"] == "end_session"
    listed = orchestra(project, "handoff", "list", "--json")
    events = [json.loads(line)["event"] for line in listed.stdout.splitlines()]
    assert events == ["sent", "received", "returned"] * 4
    assert run_git(project, "status", "--porcelain") == ""


def test_a_project_with_changes_or_without_git_is_told_before_anything_starts(
    tmp_path: Path, project: Path
) -> None:
    variables = with_cli(tmp_path)
    orchestra(project, "init", "--from", "-", given=LIST)
    (project / "calc.py").write_text("typed\n")
    dirty = orchestra(project, "run", "--runner", "claude-code", **variables)
    assert dirty.returncode == 1
    assert "`calc.py`" in dirty.stderr
    bare = tmp_path / "bare"
    bare.mkdir()
    orchestra(bare, "init", "--from", "-", given=LIST)
    without = orchestra(bare, "run", "--runner", "claude-code", **variables)
    assert without.returncode == 2
    assert "git init" in without.stderr


def test_a_handoff_is_looked_at_and_logged_once(tmp_path: Path, project: Path) -> None:
    orchestra(project, "init", "--from", "-", given=LIST)
    given = {
        "command": {
            "agent": "coding-agent",
            "task": "implement_feature",
            "context": {"feature_id": "F1", "files_changed": [], "previous_state": "session_start"},
            "success_criteria": {"tests_pass": True, "coverage_min": 80},
            "next_agent": "main",
        }
    }
    first = answer(orchestra(project, "handoff", "-", "--json", given=json.dumps(given)))
    assert (first["good"], first["new"]) == (True, True)
    again = answer(orchestra(project, "handoff", "-", "--json", given=json.dumps(given)))
    assert (again["good"], again["new"]) == (True, False)
    given["command"]["context"]["feature_id"] = "F9"  # type: ignore[index]
    wrong = orchestra(project, "handoff", "-", given=json.dumps(given))
    assert wrong.returncode == 1
    assert "There is no feature `F9`" in wrong.stdout
    assert orchestra(project, "handoff", "-", given="{").returncode == 2


def test_a_handoff_comes_back_when_what_it_asks_for_afterwards_is_so(
    tmp_path: Path, project: Path
) -> None:
    orchestra(project, "init", "--from", "-", given=LIST)
    data = tmp_path / "data"
    hand = partial(orchestra, project, "handoff", DATA_DIR=str(data))
    command: dict[str, Any] = {
        "agent": "coding-agent",
        "task": "implement_feature",
        "context": {"feature_id": "F1", "files_changed": [], "previous_state": "session_start"},
        "success_criteria": {"tests_pass": True},
        "next_agent": "main",
        "postcondition": {"says": "Tests ran with the files as they are.", "evidence": True},
    }
    given = json.dumps({"command": command})
    assert hand("-", given=given).returncode == 0
    early = hand("-", "--returned", given=given)
    assert early.returncode == 1
    assert "postcondition.evidence: No run of tests stands for `F1`" in early.stdout

    at = "2026-03-02T12:00:00Z"
    run = Evidence(("pytest", "-q"), str(project), 0, 3, tree_hash(project), at, "t1")
    write_evidence(project, data, run)
    done = answer(hand("-", "--returned", "--json", given=given))
    assert (done["good"], done["new"]) == (True, True)
    assert "was there already" in hand("-", "--returned", given=given).stderr
    listed = hand("list", "--json").stdout.splitlines()
    assert [json.loads(line)["event"] for line in listed] == ["sent", "received", "returned"]


def test_a_handoff_may_ask_for_a_run_of_tests_before_it_begins(
    tmp_path: Path, project: Path
) -> None:
    orchestra(project, "init", "--from", "-", given=LIST)
    data = tmp_path / "data"
    hand = partial(orchestra, project, "handoff", DATA_DIR=str(data))
    command = {
        "agent": "coding-agent",
        "task": "implement_feature",
        "context": {"feature_id": "F1", "files_changed": [], "previous_state": "session_start"},
        "success_criteria": {"tests_pass": True},
        "next_agent": "main",
        "precondition": {"says": "Tests ran with the files as they are.", "evidence": True},
    }
    given = json.dumps({"command": command})
    assert "precondition.evidence" in hand("-", given=given).stdout
    unknown = hand("-", "--returned", given=given)
    assert unknown.returncode != 0
    assert "Log it before the work begins" in unknown.stderr

    at = "2026-03-02T12:00:00Z"
    run = Evidence(("pytest", "-q"), str(project), 0, 3, tree_hash(project), at, "t1")
    write_evidence(project, data, run)
    assert hand("-", given=given).returncode == 0
