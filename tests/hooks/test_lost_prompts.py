"""What a person said is in the spool before anything slow begins: no hook that dies takes it along.

Each prompt is brought by a process of its own whose slow path is killed, is too late, fails, or has
nothing to add, and each arrives in memory once.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing

import pytest

from paige.base.clock import system_clock
from paige.guard.fast.place import Place
from paige.guard.phases import read_phases
from paige.guard.spool_drain import hook_settings, spool_of
from paige.memory.memory import Memory
from paige.store.engine import open_database
from tests.hooks.conftest import Home
from tests.hooks.process import HOOK, environment

WRITERS, EACH = 4, 40
# A host starts one hook after another; a fork costs less than a start and dies as well.
HOST = """
import json, os, signal, sys
from paige.base.events import AddContext
from paige.guard.hook_event import NOTHING, Outcome
from paige.hooks import fast, faults

writer, each, data, cwd = sys.argv[1:]
fast.SECONDS = 0.05
fast._prepare = lambda: None

def fail():
    raise RuntimeError("the memory is locked")

def speak():
    return Outcome(None, "memory", "what is known")

ENDS = (lambda: os.kill(os.getpid(), signal.SIGKILL), signal.pause, fail, lambda: NOTHING, speak)
for number in range(int(each)):
    fast.decide_with_packages = lambda heard, place: ENDS[number % len(ENDS)]()
    body = {"session_id": "s-1", "cwd": cwd, "hook_event_name": "UserPromptSubmit",
            "prompt": f"Prompt {number} of writer {writer}"}
    there, here = os.pipe()
    os.write(here, json.dumps(body).encode())
    os.close(here)
    child = os.fork()
    if child == 0:
        os.dup2(there, 0)
        sys.stdin = open(0)
        os._exit(fast.run("claude-code", "UserPromptSubmit", data))
    os.close(there)
    os.waitpid(child, 0)
"""


def _drained(home: Home) -> list[str]:
    """The prompts in memory, after all of the spool was taken in."""
    place = Place(str(home.project), str(home.project), str(home.folder), str(home.data), False)
    settings = hook_settings(place)
    with (
        closing(open_database(settings)) as database,
        closing(Memory(settings=settings, database=database, now=system_clock)) as memory,
    ):
        spool = spool_of(memory, settings, read_phases(place))
        while spool.drain(system_clock).more:
            pass
        return [event.text for event in memory.all_events() if event.type == "turn"]


def test_every_prompt_of_four_hosts_arrives_once_however_its_hook_ends(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(home.folder))
    for name in ("XDG_CONFIG_HOME", "AI_MEMORY_PATH", "DATABASE_URL", "CHROMADB_URL"):
        monkeypatch.delenv(name, raising=False)
    hosts = [
        subprocess.Popen(
            [sys.executable, "-c", HOST, str(writer), str(EACH), str(home.data), str(home.project)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for writer in range(WRITERS)
    ]
    assert [host.wait(60) for host in hosts] == [0] * WRITERS

    found = Counter(_drained(home))

    said = {
        f"Prompt {number} of writer {writer}" for writer in range(WRITERS) for number in range(EACH)
    }
    assert found == Counter(said)


def test_a_hook_that_is_killed_while_its_slow_path_waits_has_kept_the_words(home: Home) -> None:
    os.mkfifo(home.data / "paige.toml")  # whoever opens it waits for a writer
    (home.project / ".ai" / "memory").mkdir(parents=True)
    body = {
        "session_id": "s-1",
        "cwd": str(home.project),
        "hook_event_name": "UserPromptSubmit",
        "prompt": "Where do we keep the keys?",
    }
    process = subprocess.Popen(
        [*HOOK, "claude-code", "UserPromptSubmit"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(home.folder),
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(body).encode())
    process.stdin.close()

    until = time.monotonic() + 30
    while not home.spooled() and process.poll() is None and time.monotonic() < until:
        os.sched_yield()
    process.kill()
    process.wait(30)

    assert "Where do we keep the keys?" in home.spooled()
