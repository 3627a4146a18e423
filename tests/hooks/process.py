"""Starts the hook as a host does, and reads what it was told by the host's own rules."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from paige.hooks import fast

ENTRY = str(Path(fast.__file__).with_name("entry.py"))
HOOK = [sys.executable, "-I", "-S", ENTRY]
SCHEMAS = Path(__file__).parent / "schemas"
# Every gate of every host, as its name stands on the command line.
GATES = (
    ("claude-code", "PreToolUse"),
    ("claude-code", "PermissionRequest"),
    ("codex", "PreToolUse"),
    ("codex", "PermissionRequest"),
    ("gemini", "BeforeTool"),
    ("copilot", "preToolUse"),
    ("copilot", "permissionRequest"),
)
OTHERS = (
    ("claude-code", "Stop"),
    ("claude-code", "UserPromptSubmit"),
    ("codex", "Stop"),
    ("gemini", "AfterAgent"),
    ("copilot", "agentStop"),
)
SHELLS = {"gemini": "run_shell_command", "copilot": "bash"}


def body(cli: str, event: str, cwd: str | Path, command: str = "rm -rf /", **more: object) -> bytes:
    """What a host sends before its shell tool runs a command."""
    tool = SHELLS.get(cli, "Bash")
    given: dict[str, object] = {"command": command}
    if cli == "copilot":
        made = {"sessionId": "c-1", "cwd": str(cwd), "toolName": tool, "toolArgs": given}
    else:
        made = {
            "session_id": "s-1",
            "cwd": str(cwd),
            "hook_event_name": event,
            "tool_name": tool,
            "tool_input": given,
        }
    return json.dumps({**made, **more}).encode()


def fire(
    data: bytes, *arguments: str, env: Mapping[str, str] | None = None, **more: Any
) -> "subprocess.CompletedProcess[bytes]":
    """Run the hook to its end."""
    return subprocess.run(
        [*HOOK, *arguments],
        input=data,
        capture_output=True,
        timeout=60,
        check=False,
        env=None if env is None else dict(env),
        **more,
    )


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The variables of a person whose home is a folder."""
    return {"HOME": str(folder), "PATH": os.environ["PATH"], **more}


def refuses(cli: str, event: str, done: "subprocess.CompletedProcess[bytes]") -> bool:
    """Whether the host does not run the tool without asking a person."""
    stdout = done.stdout.decode()
    assert not list(faults(cli, event, stdout, done.returncode, done.stderr.decode()))
    return denies(stdout, done.returncode)


def denies(stdout: str, code: int) -> bool:
    """Whether an answer refuses, or asks the person."""
    if code:
        return code == 2
    said = json.loads(stdout) if stdout else {}
    own = said.get("hookSpecificOutput", {})
    behavior = said.get("behavior") or (own.get("decision") or {}).get("behavior")
    words = (said.get("decision"), said.get("permissionDecision"), own.get("permissionDecision"))
    return behavior == "deny" or any(word in ("deny", "block", "ask") for word in words)


def faults(cli: str, event: str, stdout: str, code: int, stderr: str) -> Iterator[str]:
    """What a host would not understand of an answer."""
    if code not in (0, 2):
        yield f"exit code {code}"
    if code and (stdout or not stderr.strip()):
        yield "an exit code of 2 needs a reason on stderr and nothing on stdout"
    if not code and cli == "gemini" and not stdout:
        yield "Gemini reads stderr where nothing is printed"
    if stdout:
        validator = schema(cli, event)
        if validator is not None:
            yield from (error.message for error in validator.iter_errors(json.loads(stdout)))


@cache
def schema(cli: str, event: str) -> Draft202012Validator | None:
    """The schema of an answer to an event; nothing for events the host does not have."""
    known = json.loads((SCHEMAS / f"{cli}.json").read_text())["$defs"]
    if event not in known:
        return None
    # The two spellings of Copilot share a schema; following references each time takes long.
    same = known[event].get("$ref", f"#/$defs/{event}").rpartition("/")[2]
    return Draft202012Validator(known[same])
