"""Events sent from inside of what a hook started, and waiting for what goes on after an answer."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from threading import Event
from typing import TypeVar

from tests.guard.gate_project import ENTRY, Project

T = TypeVar("T")
_LOOKS = 1_200
_PAUSE = 0.05


def until(look: Callable[[], T]) -> T:
    """What a process that nobody waits for has brought about; the last look when it never does."""
    pause = Event()
    found = look()
    for _ in range(_LOOKS):
        if found:
            break
        pause.wait(_PAUSE)
        found = look()
    return found


def fire_inside(project: Project, event: str, **more: object) -> bytes:
    """Send an event as a CLI would that a hook itself has started; what is printed."""
    body = {"session_id": "s", "cwd": str(project.root), "hook_event_name": event, **more}
    home = str(project.data.parent / "home")
    inside = {"HOME": home, "PATH": os.environ["PATH"], "PAIGE_IN_HOOK": "1"}
    done = subprocess.run(
        [sys.executable, "-I", "-S", ENTRY, "claude-code", event, "--data", str(project.data)],
        input=json.dumps(body).encode(),
        capture_output=True,
        timeout=60,
        check=True,
        env={**inside, "PAIGE_HOOK_DEPTH": "1", "PAIGE_HOOK_RUN": "r1"},
    )
    return done.stdout
