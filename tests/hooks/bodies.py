"""Makes event bodies: what hosts send, and what they might send once something is wrong."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from paige.base import events
from paige.guard.adapters import claude_code, codex, copilot, gemini
from paige.guard.hook_event import Outcome

HOSTS = {"claude-code": claude_code, "codex": codex, "gemini": gemini, "copilot": copilot}
GATES = ("pre_tool", "permission_request")
# One event in so many is no gate: those take the slow path, which takes time.
OTHERS_EVERY = 12
DANGEROUS = (
    "rm -rf /",
    "rm -rf ~",
    "sudo rm -rf / --no-preserve-root",
    "cd /tmp && rm -rf /",
    "git push --force origin main",
    "mkfs.ext4 /dev/sda1",
    "bash -c 'rm -rf /'",
)
EVERYDAY = (
    "ls -la", "git status --short", "pytest -q tests", "cat README.md | head", "echo $HOME",
    "npm test", "python -m unittest", "grep -rn TODO src", "cd src && make", "curl example.org",
    "docker ps", "for f in *.py; do wc -l $f; done", "git commit -m 'a message'", "", " ", "\x00",
    "echo `date`", "x" * 12_000, "((((", "cat <<EOF\nhello\nEOF", "é ü 漢字", "\u202erm", "a\rb",
)  # fmt: skip
SHELLS = ("Bash", "bash", "run_shell_command", "shell", "local_shell", "exec_command")
FILES = ("Write", "Edit", "write_file", "replace", "create", "apply_patch", "NotebookEdit")
READERS = ("Read", "read_file", "view", "Grep", "mcp__files__read", "mcp_paige_note", "Agent")
PATHS = (
    "src/a.py", "/etc/passwd", "~/.claude/settings.json", ".claude/settings.json", "../../x",
    "/w/app/app.log", "a\x00b", "", "/" + "a/" * 300, ".paige/guard/guard-0.bin", "漢字.md",
)  # fmt: skip
TEXTS = ("hello", "", "password = 'hunter2hunter2'", "AKIAIOSFODNN7EXAMPLE", "x" * 5000, "\ud800")
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, "", "x", "\u0000", [], {}, [[]], {"a": {"b": []}},
    "PreToolUse", "\ud800\udc00\ud800", ["rm", "-rf", "/"], float("inf"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sent:
    """One body. `event` stands on the command line; `dangerous` must not run unasked."""

    cli: str
    event: str
    raw: bytes
    role: str = ""
    dangerous: bool = False


def bodies(seed: int, count: int, cwd: str) -> Iterator[Sent]:
    """So many bodies, the same ones for the same seed."""
    random = Random(seed)
    for _ in range(count):
        yield _one(random, cwd)


def outcome(random: Random) -> Outcome:
    """Any outcome a gate could have."""
    reason = random.choice(("because", "", "漢字 \ud800", "x" * 3000))
    decision = random.choice(
        (
            None, events.Allow(), events.Deny(reason), events.Ask(reason), events.Modify({"a": 1}),
            events.AddContext("read"), events.KeepWorking(reason), events.Abort("rule", reason),
        )
    )  # fmt: skip
    return Outcome(decision, "rule", random.choice(("", "context")), random.choice(("", "notice")))


def _one(random: Random, cwd: str) -> Sent:
    cli = random.choice(list(HOSTS))
    role = random.choice(("conductor", "tester", "?")) if random.random() < 0.003 else ""
    if role:
        cwd = f"{cwd}-with-roles"  # they leave their state there, which makes every event slow
    names = HOSTS[cli].EVENTS
    gates = [name for name, meaning in names.items() if meaning in GATES]
    gate = random.randrange(OTHERS_EVERY) > 0
    event = random.choice(gates if gate else [name for name in names if name not in gates])
    made = _common(random, cli, event, cwd)
    dangerous = False
    if gate or "ool" in event:
        dangerous = _about_a_tool(random, cli, made) and gate
    else:
        made |= {"prompt": random.choice(TEXTS), "stop_hook_active": random.random() < 0.5}
    if random.random() < 0.6:
        return Sent(cli, event, _dumped(made), role, dangerous)
    return Sent(cli, event, _spoilt(random, made), role)


def _common(random: Random, cli: str, event: str, cwd: str) -> dict[str, Any]:
    if cli == "copilot" and event[0].islower():
        return {"sessionId": f"c-{random.randrange(9)}", "timestamp": 1, "cwd": cwd}
    made: dict[str, Any] = {"session_id": f"s-{random.randrange(9)}", "cwd": cwd}
    made |= {"hook_event_name": event, "transcript_path": "/t.jsonl"}
    if cli in ("claude-code", "codex"):
        modes = ("default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "new")
        made["permission_mode"] = random.choice(modes)
    if random.random() < 0.1:
        made |= {"agent_id": "a-1", "agent_type": random.choice(("Explore", "tester", "x:y"))}
    return made


def _about_a_tool(random: Random, cli: str, made: dict[str, Any]) -> bool:
    """Put a tool and its input in; whether that is dangerous."""
    dangerous = False
    kind = random.random()
    if kind < 0.6:
        tool = random.choice(SHELLS)
        dangerous = random.random() < 0.3
        command: Any = random.choice(DANGEROUS if dangerous else EVERYDAY)
        given: Any = {"command": command, "description": "x"}
    elif kind < 0.85:
        tool = random.choice(FILES)
        given = {"file_path": random.choice(PATHS), "content": random.choice(TEXTS)}
        if tool == "apply_patch":
            given = {"command": f"*** Begin Patch\n*** Add File: {given['file_path']}\n+x\n"}
    else:
        tool = random.choice(READERS)
        given = {"file_path": random.choice(PATHS), "pattern": "x"}
    if cli == "copilot" and "sessionId" in made:
        made |= {"toolName": tool, "toolArgs": random.choice((given, json.dumps(given)))}
    else:
        made |= {"tool_name": tool, "tool_input": given, "tool_use_id": "call-1"}
    if random.random() < 0.2:
        made |= {"tool_response": random.choice(ODD), "error": random.choice(ODD)}
    return dangerous


def _spoilt(random: Random, made: dict[str, Any]) -> bytes:
    """A body with something wrong in it."""
    way = random.randrange(6)
    if way == 0:
        made.pop(random.choice(list(made)))
    elif way == 1:
        made[random.choice(list(made))] = random.choice(ODD)
    elif way == 2:
        made[f"new_{random.randrange(99)}"] = random.choice(ODD)
    elif way == 3:
        nested: Any = "x"
        for _ in range(random.choice((5, 50, 400))):
            nested = {"a": nested} if random.random() < 0.5 else [nested]
        made[random.choice(list(made))] = nested
    raw = _dumped(made)
    if way == 4:
        return raw[: random.randrange(len(raw))]
    if way == 5:
        at = random.randrange(len(raw))
        return raw[:at] + random.randbytes(random.randrange(1, 4)) + raw[at + 1 :]
    return raw


def _dumped(made: dict[str, Any]) -> bytes:
    return json.dumps(made).encode()
