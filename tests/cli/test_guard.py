"""`paige guard`, as people and programs use it."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.live import run_paige


def guard(
    folder: Path, *arguments: str, stdin: str = "", **extra: str
) -> subprocess.CompletedProcess[str]:
    return run_paige(folder, "guard", *arguments, stdin=stdin, **extra)


def answers(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("command", "code", "decision"),
    [
        ("ls -la", 0, "allow"),
        ("git reset --hard", 3, "deny"),
        ("rm notes.txt", 4, "ask"),
        ("npm install x", 5, "pass"),
    ],
)
def test_the_exit_code_says_what_was_decided(
    tmp_path: Path, command: str, code: int, decision: str
) -> None:
    done = guard(tmp_path, "check", "--command", command)
    assert (done.returncode, done.stdout.split()[0]) == (code, decision)
    assert ("Instead:" in done.stderr) == (decision == "deny")


def test_batches_are_answered_in_order_and_a_bad_line_is_named(tmp_path: Path) -> None:
    lines = [
        {"command": "git status", "cwd": str(tmp_path)},
        {"command": "rm -rf ~"},
        {"command": "Remove-Item -Recurse x", "tool": "PowerShell"},
        {"command": 5},
        {"command": "x=$(rm -rf /); echo $x"},
    ]
    stdin = "".join(json.dumps(each) + "\n" for each in lines)
    done = guard(tmp_path, "check", "--jsonl", stdin=stdin)
    first, second, third, bad, last = answers(done)
    assert [each["decision"] for each in (first, second, third, last)] == [
        "allow",
        "deny",
        "deny",
        "deny",
    ]
    assert set(first) == {"command", "decision", "rule", "reason", "commands"}
    assert first["commands"] == [["git", "status"]]
    assert bad["error"]["line"] == 4
    assert done.returncode == 2


def test_a_file_of_a_project_loosens_only_what_the_person_trusts(tmp_path: Path) -> None:
    rules = tmp_path / ".ai" / "guard" / "rules"
    rules.mkdir(parents=True)
    mine = rules / "mine.toml"
    mine.write_text(
        'commands = ["deployer"]\n[[rule]]\nid = "looking"\ndecision = "allow"\nsub = "status"\n'
        '[[rule]]\nid = "deploying"\ndecision = "deny"\nsub = "now"\nreason = "No."\n'
    )

    def decided(command: str) -> str:
        return answers(guard(tmp_path, "check", "--json", "--command", command))[0]["decision"]

    assert decided("deployer now") == "deny"
    assert decided("deployer status") == "pass"
    listed = guard(tmp_path, "list", "deployer")
    assert (listed.returncode, "paige guard trust" in listed.stderr) == (1, True)

    refused = guard(tmp_path, "trust", str(mine), CLAUDECODE="1")
    assert (refused.returncode, "An agent may not" in refused.stderr) == (3, True)
    assert decided("deployer status") == "pass"

    assert guard(tmp_path, "trust", str(mine)).returncode == 0
    assert decided("deployer status") == "allow"
    assert str(mine) in guard(tmp_path, "trust").stdout
    assert guard(tmp_path, "trust", str(mine), "--revoke").returncode == 0
    assert decided("deployer status") == "pass"


def test_an_explanation_shows_the_parse_and_the_rules(tmp_path: Path) -> None:
    done = guard(tmp_path, "explain", "timeout 5 bash -c 'git reset --hard'")
    assert "through timeout > bash" in done.stdout
    assert "deny  git.reset-hard" in done.stdout
    [said] = answers(guard(tmp_path, "explain", "--json", "ls && rm -rf /"))
    assert [step["words"][0] for step in said["steps"]] == ["ls", "rm"]


def test_the_list_has_every_rule_and_its_examples_hold(tmp_path: Path) -> None:
    done = guard(tmp_path, "list", "--check")
    assert done.returncode == 0, done.stderr
    assert "every example holds" in done.stderr
    some = answers(guard(tmp_path, "list", "git", "--json"))
    assert {each["rule"].partition(".")[0] for each in some} == {"git"}


def test_a_family_that_is_not_there_and_a_missing_command_are_told(tmp_path: Path) -> None:
    assert guard(tmp_path, "list", "nothing-such").returncode != 0
    done = guard(tmp_path, "check")
    assert done.returncode != 0
    assert "There is no command to judge" in done.stderr
