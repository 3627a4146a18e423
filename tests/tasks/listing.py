"""The list of tasks, as it stands in the tests and as it stands in the documentation."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.docs.pages import ROOT
from tests.tasks import test_coach_tasks, test_guard_tasks, test_plan_tasks, test_study_tasks
from tests.tasks.people import Task

PAGE = ROOT / "docs" / "reference" / "forty-tasks.md"
DOORS: Mapping[str, ModuleType] = {
    "Plan": test_plan_tasks,
    "Study": test_study_tasks,
    "Coach": test_coach_tasks,
    "Guard": test_guard_tasks,
}
HEAD = """\
# Forty tasks of newcomers

<!-- Written by `python -m tests.tasks.report` from a run; edits are lost. -->

What somebody who is new to Paige tries in the first days, ten tasks a door, with the wrong
turns that people take: a typo, a wrong file, no key, a wrong key, the wrong folder, the same thing
twice. Each is a test that acts from outside: commands in a terminal, clicks in a real browser,
tools through the official MCP client, and real coding CLIs with a scripted model. No key is needed.

A step is a command, an answer, a click, a file that was written, or a call of a tool; wrong turns
count too. Seconds are those of one run on one machine. `python -m tests.tasks.report` runs them all
and writes this page again.
"""
COLUMNS = """\
| no. | goal | way | what proves it | steps | seconds | result |
|---|---|---|---|---|---|---|"""
_ROW = re.compile(r"^\| (?P<number>\d+) \| (?P<rest>.*) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Listed:
    """A task with its door and the name of its test."""

    door: str
    test: str
    task: Task


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task in a run."""

    result: str
    steps: int
    seconds: float


def all_tasks() -> list[Listed]:
    """Every task of the tests, door by door, in the order of the files."""
    return [
        Listed(door, name, value.task)
        for door, module in DOORS.items()
        for name, value in vars(module).items()
        if name.startswith("test_") and hasattr(value, "task")
    ]


def page_of(outcomes: Mapping[str, Outcome]) -> str:
    """The page of the documentation for a run."""
    tasks = all_tasks()
    passed = sum(outcomes[each.test].result == "passed" for each in tasks)
    parts = [HEAD, f"{passed} of {len(tasks)} passed.\n"]
    for door in DOORS:
        rows = [
            _row(number, each, outcomes[each.test])
            for number, each in enumerate(tasks, 1)
            if each.door == door
        ]
        parts.append("\n".join([f"## {door}\n", COLUMNS, *rows]) + "\n")
    return "\n".join(parts)


def _row(number: int, listed: Listed, outcome: Outcome) -> str:
    task = listed.task
    measured = f"{outcome.steps} | {outcome.seconds:.1f} | {outcome.result}"
    return f"| {number} | {task.goal} | {task.way} | {task.proof} | {measured} |"


def rows_of(page: Path) -> list[list[str]]:
    """The cells of every row of the page: goal, way, proof, steps, seconds, result."""
    text = page.read_text(encoding="utf-8")
    return [match["rest"].split(" | ") for match in _ROW.finditer(text)]
