"""The hook's process: what it loads, and that it never allows for lack of rules."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from paige.hooks import fast

ENTRY = str(Path(fast.__file__).with_name("entry.py"))
HOOK = [sys.executable, "-I", "-S", ENTRY]
LIGHT = [sys.executable, "-I", "-S", "-c"]


def fire(data: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*HOOK, *arguments], input=data, capture_output=True, timeout=30, check=False
    )


def test_the_fast_path_loads_nothing_but_itself_and_built_in_modules() -> None:
    folder = str(Path(fast.__file__).parents[2])
    before = "import sys; before = set(sys.modules); "
    load = (
        f"sys.path.insert(0, {folder!r}); import paige.hooks.fast; "
        "[paige.hooks.fast._adapter(cli) for cli in paige.hooks.fast.CLIS]; "
    )
    show = "print(sorted(set(sys.modules) - before))"
    printed = subprocess.run(
        [*LIGHT, before + load + show], capture_output=True, text=True, check=True
    ).stdout

    foreign = {name for name in eval(printed) if not name.startswith("paige")}
    rooms = {".".join(name.split(".")[:2]) for name in eval(printed)} - foreign
    assert foreign <= {"_json"}
    assert rooms == {"paige", "paige.base", "paige.guard", "paige.hooks"}


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest"])
@pytest.mark.parametrize("cut", [1, 20, 40])
def test_a_gate_whose_body_is_torn_denies_in_the_words_of_the_host(event: str, cut: int) -> None:
    body = {"hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": "ls"}}
    done = fire(json.dumps(body).encode()[:-cut], "claude-code")
    said = json.loads(done.stdout)["hookSpecificOutput"]

    assert done.returncode == 0
    assert said["hookEventName"] == event
    assert "deny" in json.dumps(said)


@pytest.mark.parametrize("event", ["SessionStart", "Stop", "PostToolUse", "UserPromptSubmit"])
def test_without_rules_every_other_event_lets_the_host_go_on(event: str) -> None:
    done = fire(json.dumps({"hook_event_name": event}).encode(), "claude-code")

    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a": 1}',
        b'{"hook_event_name": "PreToo',
    ],
)
def test_what_cannot_be_read_is_denied(data: bytes) -> None:
    assert fire(data, "claude-code").returncode == 2


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe"])
def test_what_cannot_be_read_at_a_known_gate_is_denied(data: bytes) -> None:
    done = fire(data, "gemini", "BeforeTool")

    assert json.loads(done.stdout)["decision"] == "deny"


def test_an_unknown_cli_is_a_usage_error() -> None:
    done = fire(b"{}", "emacs")

    assert done.returncode == 2
    assert b"name the CLI" in done.stderr
