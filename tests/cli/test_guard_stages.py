"""`paige guard guards`, `replay`, `shadow`, `promote`, `rollback` and `override`."""

import json
import subprocess
from pathlib import Path

import pytest

from paige.guard.guards.parser import dump_guard
from paige.guard.guards.values import LearnedMatcher
from tests.guard.guard_values import force_push
from tests.live import run_paige


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one guard somebody wrote."""
    root = tmp_path / "app"
    (root / ".git").mkdir(parents=True)
    write(root, dump_guard(force_push()))
    return root


def write(root: Path, guard: dict[str, object]) -> None:
    path = root / ".ai" / "guards" / f"{guard['id']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(guard), encoding="utf-8")


def guard(root: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return run_paige(root, "guard", *arguments, **extra)


def test_a_guard_is_listed_tried_forced_and_taken_back(project: Path) -> None:
    assert "proposed" in guard(project, "guards").stdout
    tried = guard(project, "replay", "no-force-push")
    assert (tried.returncode, "0 of 1334" in tried.stdout) == (0, True)
    early = guard(project, "promote", "no-force-push", "--why", "now")
    assert early.returncode != 0
    assert "shadow" in early.stderr
    done = guard(project, "promote", "no-force-push", "--force", "--why", "in a hurry")
    assert "production" in done.stdout
    shown = json.loads(guard(project, "guards", "no-force-push", "--json").stdout)
    assert [each["forced"] for each in shown["steps"]] == [False, True, True]
    assert shown["steps"][-1]["why"] == "in a hurry"
    assert "rolled_back" in guard(project, "rollback", "no-force-push", "--why", "no").stdout


def test_a_guard_that_stops_harmless_actions_cannot_be_forced(project: Path) -> None:
    wide = force_push(id="wide", matcher=LearnedMatcher(command=("git", "push")), must_not=())
    write(project, dump_guard(wide))
    tried = guard(project, "replay", "wide")
    assert tried.returncode == 1
    assert "git push -u origin" in tried.stdout
    for name in ("shadow", "promote"):
        done = guard(project, name, "wide", "--force", "--why", "I insist")
        assert done.returncode != 0
        assert "harmless" in done.stderr


@pytest.mark.parametrize("variable", ["CLAUDECODE", "AGENT_ROLE"])
def test_an_agent_is_refused_whatever_started_it(project: Path, variable: str) -> None:
    value = "musician" if variable == "AGENT_ROLE" else "1"
    for name in ("promote", "override"):
        done = guard(project, name, "no-force-push", "--why", "please", **{variable: value})
        assert done.returncode != 0
        assert "agent" in done.stderr
    assert "proposed" in guard(project, "guards", **{variable: value}).stdout


def test_a_broken_file_is_named(project: Path) -> None:
    (project / ".ai" / "guards" / "torn.json").write_text("{", encoding="utf-8")
    done = guard(project, "guards")
    assert done.returncode == 1
    assert "torn.json" in done.stderr
    assert "no-force-push" in done.stdout
    assert guard(project, "replay", "nothing-such").returncode != 0
    assert guard(project, "promote", "no-force-push").returncode != 0
