"""Fires events through the configuration a host would read, and reads the answers.

Nothing is done by it: a hook only judges. One call that nobody minds must pass and one that would
destroy the machine must be refused, so that neither a dead hook nor one that refuses all goes by.
"""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

from paige.guard.install.commands import argv_of
from paige.guard.install.manifests import manifest

HARMLESS, DEADLY = "ls", "rm -rf /"
_SHELLS = {"claude-code": "Bash", "codex": "Bash", "gemini": "run_shell_command", "copilot": "bash"}
_SECONDS = 10


def gate_event(cli: str) -> str:
    """The event a host sends before a tool runs."""
    return next(name for name, event in manifest(cli).events.items() if event.means == "pre_tool")


def body_of(cli: str, command: str, cwd: str) -> dict[str, object]:
    """What a host would send before it runs a command."""
    if cli == "copilot":
        given = {"toolName": _SHELLS[cli], "toolArgs": {"command": command}}
        return {"sessionId": "paige-doctor", "timestamp": 0, "cwd": cwd, **given}
    return {
        "session_id": "paige-doctor",
        "transcript_path": "",
        "cwd": cwd,
        "hook_event_name": gate_event(cli),
        "permission_mode": "default",
        "tool_name": _SHELLS[cli],
        "tool_input": {"command": command},
    }


def missing_program(handler: object) -> str:
    """The file a hook needs that is not there; empty when all are."""
    argv = argv_of(handler)
    needed = [argv[0], *(each for each in argv[1:] if each.endswith("entry.py"))] if argv else []
    return next((each for each in needed if not Path(each).is_file()), "")


def fire(handler: object, body: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """What a hook answers, as the host would start it. Raises: OSError, SubprocessError."""
    given = handler if isinstance(handler, dict) else {}
    line = given.get("bash") or given.get("command")
    plain = isinstance(given.get("args"), list)
    done = subprocess.run(
        argv_of(handler) if plain else str(line),
        shell=not plain,
        env={key: environ[key] for key in ("HOME", "PATH", "SYSTEMROOT") if key in environ},
        input=json.dumps(body),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode not in (0, 2):
        raise subprocess.CalledProcessError(done.returncode, line or "", done.stdout, done.stderr)
    return done.stdout if done.returncode == 0 else '{"decision": "deny"}'


def refuses(answer: str) -> bool:
    """Whether an answer says no. Raises: ValueError when it is no answer."""
    said = json.loads(answer) if answer.strip() else {}
    own = said.get("hookSpecificOutput", {})
    words = (said.get("decision"), said.get("permissionDecision"), own.get("permissionDecision"))
    return "deny" in words
