"""A server's process with a secret in its environment: prints what each kind of run can see of it.

Started as a program by `test_environment.py`, so that the secret is where the kernel shows it.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import anyio

from paige.agent.builtin_tools import run_bash
from paige.base.environment import CODING_CLIS, passed_on
from paige.coach.inquiry.kata_runs import run_kata
from paige.coach.terminals import shell_environment
from paige.exercise.grading import grade
from paige.guard.completion.recursion import for_judge
from paige.guard.install.targets import version_of
from paige.orchestra.running.git import git
from paige.sandbox.isolation import shell_argv
from paige.sandbox.runner import run
from paige.sandbox.terminal import open_terminal
from paige.sandbox.values import Isolation, Job
from paige.study.courses.values import ReplCase
from paige.study.delivery.judge import mark_entry
from paige.study.values import Question

NOW = datetime(2026, 2, 22, 14, 30, tzinfo=UTC)
WAYS: tuple[Isolation, ...] = ("bubblewrap", "namespaces", "limits")
# What code can see: its own variables, and those of every process it can find.
LOOK = """
import glob, os
def look():
    seen = str(dict(os.environ))
    for path in [f"/proc/{os.getppid()}/environ", *glob.glob("/proc/*/environ")]:
        try: seen += open(path).read()
        except OSError: pass
    words = ("PLANTED", "planted-value")
    return [word for word in words if word in seen] or "nothing"
"""


def sandboxed(isolation: Isolation) -> str:
    """A plain run."""
    files = {"main.py": f"{LOOK}\nprint(look())".encode()}
    return run(Job(argv=(sys.executable, "main.py"), files=files), isolation=isolation).stdout


def graded(isolation: Isolation) -> str:
    """An exercise whose code shows what it sees in a failing test."""
    with tempfile.TemporaryDirectory() as name:
        test = "from exercise import look\n\ndef test_it():\n    assert look() == 'all'\n"
        Path(name, "exercise.py").write_text(LOOK)
        Path(name, "test_exercise.py").write_text(test)
        return str(grade(Path(name), now=NOW, isolation=isolation).tests)


def entered(isolation: Isolation) -> str:
    """An entry at a prompt."""
    case = ReplCase(starter="", prints="all")
    question = Question(id="q", kind="code", prompt="Look", cases=(case,))
    return str(mark_entry(question, f"{LOOK}\nprint(look())", isolation))


def kata() -> str:
    """A kata."""
    return str(run_kata(LOOK, ["assert look() == 'all'"], now=NOW))


def bash() -> str:
    """The shell of an agent."""
    return anyio.run(run_bash, "env", Path.cwd())


def terminal(*, isolated: bool) -> str:
    """The terminal in the window."""
    with tempfile.TemporaryDirectory() as name:
        environ = shell_environment(os.environ)
        argv = ["/bin/sh", "-c", "env; echo nothing more"]
        if isolated:
            argv = shell_argv(argv, Path(name), environ, hidden=Path(name, "data"))
        opened = open_terminal(argv, Path(name), environ)
        shown = b""
        while part := opened.read():
            shown += part
        opened.close()
        return shown.decode()


def git_alias() -> str:
    """A command of the project that Git runs."""
    return git(Path.cwd(), "-c", "alias.look=!env", "look").out


def host_version() -> str:
    """A coding CLI that is asked for its version."""
    with tempfile.TemporaryDirectory() as name:
        program = Path(name, "claude")
        program.write_text(f"#!/bin/sh\nenv > {name}/seen\necho 1.0.0\n")
        program.chmod(0o755)
        version_of("claude-code", {**os.environ, "PATH": f"{name}:{os.environ['PATH']}"})
        return Path(name, "seen").read_text()


RUNNERS: dict[str, Callable[[], str]] = {
    **{f"run, {way}": (lambda way=way: sandboxed(way)) for way in WAYS},
    **{f"exercise, {way}": (lambda way=way: graded(way)) for way in WAYS},
    **{f"entry, {way}": (lambda way=way: entered(way)) for way in WAYS},
    "kata": kata,
    "agent's shell": bash,
    "terminal": lambda: terminal(isolated=False),
    "isolated terminal": lambda: terminal(isolated=True),
    "git": git_alias,
    "version of a host": host_version,
    "orchestra's shell": lambda: str(passed_on(os.environ)),
    "judge": lambda: str(
        {
            name: value
            for name, value in for_judge(os.environ, "r").items()
            if not name.startswith(CODING_CLIS["claude-code"])
        }
    ),
}


if __name__ == "__main__":
    sys.stdout.write(json.dumps({name: look() for name, look in RUNNERS.items()}) + "\n")
