"""What a hook costs a coding agent: a fresh process for every tool call.

Measured is what a person waits for most often: a plain command before it runs, with the compiled
rules in place, against an interpreter that does nothing at all.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.harness import Benchmark, Pair
from paige.guard.compiler import write_rules
from paige.guard.fast.place import place_of
from paige.hooks import fast
from paige.hooks.bundle import keep_bundle

PLAIN = "git status --short"


def hook_event(command: str, cwd: Path) -> bytes:
    """What Claude Code sends before it runs a command."""
    event = {
        "session_id": "6f0c1c1e-2d7e-4c1f-9d5e-0a1b2c3d4e5f",
        "transcript_path": "/home/u/.claude/projects/-w-app/6f0c1c1e.jsonl",
        "cwd": str(cwd),
        "prompt_id": "p-1",
        "permission_mode": "default",
        "effort": {"level": "high"},
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "Look at the working tree"},
        "tool_use_id": "toolu_01A",
    }
    return json.dumps(event).encode()


@contextmanager
def hook_pair(command: str) -> Iterator[Pair]:
    """The hook on a command, and a bare interpreter, both as fresh processes."""
    entry = Path(fast.__file__).with_name("entry.py")
    isolated = [sys.executable, "-I", "-S"]
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        project = home / "project"
        (project / ".git").mkdir(parents=True)
        write_rules(place_of(str(project), str(home / ".paige")))
        keep_bundle()
        event = hook_event(command, project)
        environ = {"HOME": name, "PATH": os.environ["PATH"]}
        hook = [*isolated, str(entry), "claude-code", "PreToolUse"]
        bare = [*isolated, "-c", "pass"]
        yield Pair(lambda: _timed(hook, event, environ), lambda: _timed(bare, event, environ))


def _timed(command: list[str], stdin: bytes, environ: dict[str, str]) -> float:
    """Milliseconds of one fresh process, which must end well."""
    start = time.perf_counter()
    subprocess.run(
        command, input=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
        env=environ,
    )  # fmt: skip
    return (time.perf_counter() - start) * 1000


@contextmanager
def _plain() -> Iterator[Pair]:
    with hook_pair(PLAIN) as pair:
        yield pair


BENCHMARKS = (Benchmark("hook-plain", "ms", "lower", _plain, promise=1.6, turns=50, warm_up=3),)
