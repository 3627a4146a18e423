"""Counts what five acts of people pass: `python -m tools.walks` prints modules and functions.

A server, and a hook, run with a profiler that notes which functions of Paige are called between
two signals. Every act is done once before it is counted, so what a first time needs is left out.
With `--write` the figures go to `docs/walks.json`, from which the docs draw their picture.
"""

import argparse
import json
import os
import posix
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import httpx2

from tests import live
from tests.plan.planning import WORKSPACE, write_files
from tests.server.plan_window import Teacher
from tests.server.study_window import Learner
from tests.server.windows import Window, window

ROOT = Path(__file__).resolve().parents[1]
NOTED = "WALKS_NOTED"
FIGURES = ROOT / "docs" / "walks.json"
Json = dict[str, Any]


def main() -> None:
    """Take all five walks."""
    parser = argparse.ArgumentParser(prog="python -m tools.walks", description=__doc__)
    parser.add_argument("--write", choices=("before", "after"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        figures = walks(Path(place))
    for name, passed in figures.items():
        print(f"{name}: {passed['modules']} modules, {passed['functions']} functions")
    if given.write:
        told = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
        FIGURES.write_text(json.dumps({**told, given.write: figures}, indent=1) + "\n")


def walks(folder: Path) -> Json:
    """What each walk passes, on a fresh home."""
    noted = folder / "noted.json"
    project = folder / "project"
    write_files(folder / "workspace", WORKSPACE)
    write_files(project, {"cart.py": "def total(prices):\n    return 0\n"})
    settings = {
        "DATA_DIR": str(folder / ".paige"),
        "PROJECT_DIR": str(project),
        "PAIGE_WORKSPACE": str(folder / "workspace"),
        "PAIGE_TEACHING_DIR": str(folder / "teaching"),
        "AI_MEMORY_PATH": str(folder / "memory"),
        "PAIGE_PROVIDER": "local",
        NOTED: str(noted),
        "PYTHONPATH": str(ROOT),
    }
    program = (sys.executable, str(Path(__file__).resolve()))
    with live.live_paige(folder, program=program, fresh=True, **settings) as paige:
        threading.Thread(target=list, args=(paige.process.stdout,), daemon=True).start()

        def count(act: Callable[[], object]) -> Json:
            act()
            with told_of(paige.process, noted):
                act()
            return json.loads(noted.read_text())

        with httpx2.Client(base_url=paige.url, timeout=60) as http, window(paige.ws) as opened:
            return {
                "study answer": count(study(http, folder)),
                "memory search": count(lambda: http.get("/api/memory/search?query=release")),
                "plan message to first question": count(plan(Teacher(http, opened))),
                "coach save": count(coach(opened)),
                "denied hook": hook(folder, project, settings, noted),
            }


@contextmanager
def told_of(process: "subprocess.Popen[str]", noted: Path) -> Iterator[None]:
    """Note what the server passes in between."""
    noted.unlink(missing_ok=True)
    process.send_signal(signal.SIGUSR1)
    wait_for(lambda: noted.exists() and noted.read_text() == "begun")
    yield
    process.send_signal(signal.SIGUSR2)
    wait_for(lambda: noted.read_text().endswith("}"))


def wait_for(holds: Callable[[], bool]) -> None:
    """Look until something holds."""
    for _ in range(2_000):
        if holds():
            return
        threading.Event().wait(0.01)
    raise TimeoutError("the profiled server does not answer")


def study(http: Any, folder: Path) -> Callable[[], object]:  # noqa: ANN401 - any HTTP client
    """A learner answers a card of a course that came with Paige."""
    http.post("/api/study/courses", json={"name": "malay", "template": "bahasa-melayu"})
    learner = Learner(http, folder / "teaching", "malay")
    learner.start(prefer="flashcard")
    while learner.step["expects"] == "go_on":
        learner.act()

    return lambda: learner.act(text="I am not sure.")


def plan(teacher: Teacher) -> Callable[[], object]:
    """A teacher asks for a lesson and is asked something."""
    return lambda: teacher.until(teacher.ask("loops for 3B")["run"], "waiting")


def coach(opened: Window) -> Callable[[], object]:
    """A developer saves a file."""

    def save() -> object:
        opened.send("file:save", {"path": "cart.py", "content": "def total(p):\n    return 1\n"})
        return opened.settle()

    return save


def hook(folder: Path, project: Path, settings: dict[str, str], noted: Path) -> Json:
    """A coding agent is refused a command."""
    event = {
        "session_id": "s1", "cwd": str(project), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "rm -rf /"},
    }  # fmt: skip
    command = [sys.executable, __file__, "--hook", "claude-code", "PreToolUse"]

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, input=json.dumps(event), text=True, capture_output=True, cwd=project,
            check=False, env=live.environment(folder, **settings),
        )  # fmt: skip

    run()
    assert "deny" in run().stdout
    return json.loads(noted.read_text())


class Noted:
    """Which functions were called, in all threads."""

    def __init__(self) -> None:
        self.called: set[CodeType] = set()
        self.on = False

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Take a call down."""
        if self.on and event == "call":
            self.called.add(frame.f_code)

    def begin(self, *_: object) -> None:
        """Count from here."""
        self.called.clear()
        self.on = True
        Path(os.environ[NOTED]).write_text("begun")

    def end(self, *_: object) -> None:
        """Count no more, and write down what was passed."""
        self.on = False
        source = f"{ROOT / 'src' / 'paige'}{os.sep}"
        passed = {
            (code.co_filename.removeprefix(source), code.co_qualname)
            for code in self.called
            if code.co_filename.startswith(source) and not code.co_name.startswith("<")
        }
        rooms = Counter(module.partition(os.sep)[0] for module in {module for module, _ in passed})
        told = {"modules": rooms.total(), "functions": len(passed), "rooms": rooms}
        Path(os.environ[NOTED]).write_text(json.dumps(told))


def inside() -> None:
    """Be the profiled process: a command of Paige, or its hook."""
    noted = Noted()
    threading.setprofile(noted.note)
    sys.setprofile(noted.note)
    if sys.argv[1] == "--hook":
        leave, noted_exit = posix._exit, noted.end

        def end(code: int) -> None:
            noted_exit()
            leave(code)

        posix._exit = end
        del sys.argv[1]
        noted.begin()
        runpy.run_path(str(ROOT / "src" / "paige" / "hooks" / "entry.py"), run_name="__main__")
    signal.signal(signal.SIGUSR1, noted.begin)
    signal.signal(signal.SIGUSR2, noted.end)
    from paige.__main__ import main as paige  # noqa: PLC0415 - only in the profiled process

    paige()


if __name__ == "__main__":
    inside() if NOTED in os.environ else main()
