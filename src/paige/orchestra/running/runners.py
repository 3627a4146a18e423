"""Who carries out a task: a runner takes one task and gives back what came of it.

A runner never decides whether the work is good and never writes the state of the orchestra. What it
prints is captured in a folder of its own, and the result is kept there too, so that a conductor
that was killed finds what had already ended.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

from paige.base.files import write_atomic
from paige.guard.state.files import Damaged, read_object

Status = Literal["ended", "timeout", "failed"]
RUNS = ".claude/progress/runs"
DONE = "done.json"
TASK = "task.json"
MOST_TEXT = 200_000
_NUMBER = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One piece of work for one agent.

    `key` names it for ever: the same key is the same work. `instructions` is the body of the
    agent's file, `prompt` what it is to do now. `folder` is where it works, `out` the folder for
    its output.
    """

    key: str
    number: int
    agent: str
    role: str
    feature: str
    prompt: str
    instructions: str = ""
    folder: Path
    out: Path
    session: str
    timeout_s: float = 1800.0
    again: bool = False  # an earlier process was killed while this very task ran


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What came of a task: how it ended, and the agent's last words.

    `failed` says in `problem` why the agent could not work at all.
    """

    status: Status
    text: str = ""
    exit_code: int | None = None
    seconds: float = 0.0
    problem: str = ""
    source: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Runner(Protocol):
    """Whatever can let an agent work on a task."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    async def run(self, task: Task) -> RunResult:
        """Let the agent work until it ends or its time is up; nothing of it is left running."""
        ...


def run_folder(root: Path, number: int) -> Path:
    """The folder for the output of a run."""
    return root / RUNS / str(number)


def next_number(root: Path) -> int:
    """The number of the next run."""
    try:
        names = [each.name for each in (root / RUNS).iterdir()]
    except OSError:
        return 1
    return max((int(name) for name in names if _NUMBER.fullmatch(name)), default=0) + 1


def keep_task(task: Task) -> None:
    """Write down what is about to run. Raises: Refused, Unavailable."""
    body = {**asdict(task), "folder": str(task.folder), "out": str(task.out)}
    write_atomic(task.out / TASK, json.dumps(body, indent=2, ensure_ascii=False) + "\n")


def keep_done(out: Path, done: RunResult) -> None:
    """Write down what came of a run. Raises: Refused, Unavailable."""
    body = {**asdict(done), "text": done.text[-MOST_TEXT:], "meta": dict(done.meta)}
    write_atomic(out / DONE, json.dumps(body, indent=2, ensure_ascii=False) + "\n")


def read_done(out: Path) -> RunResult | None:
    """What came of an earlier run; nothing when it did not end or cannot be read."""
    try:
        given = read_object(out / DONE)
    except Damaged:
        return None
    if given is None or given.get("status") not in get_args(Status):
        return None
    known = {name: given[name] for name in RunResult.__dataclass_fields__ if name in given}
    try:
        return RunResult(**known)
    except TypeError:
        return None
