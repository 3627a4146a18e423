"""The practice of a learning cycle: tasks from easy to hard, with answers and a time."""

import re
from collections.abc import Sequence

from paige.plan.local.topics import Step, Task

START, CORE, STRETCH = "Start", "Core", "Stretch"
_MINUTES = re.compile(r"^About (\d{1,3}) minutes\b")
_TASK = re.compile(r"^\d{1,2}\. ")


def practice_minutes(cycle_minutes: int) -> int:
    """About half of a cycle is practice."""
    return max(4, cycle_minutes * 9 // 20)


def practice_text(step: Step, minutes: int, how: str) -> str:
    """The practice of a step: how long, how, and every task with its answer."""
    return join_practice(f"About {minutes} minutes. {how}", labelled_tasks(step))


def labelled_tasks(step: Step) -> list[str]:
    """Every task of a step with its level."""
    levels: Sequence[tuple[str, Sequence[Task]]] = (
        (START, step.support),
        (CORE, step.core),
        (STRETCH, step.stretch),
    )
    return [task_line(name, task) for name, tasks in levels for task in tasks]


def task_line(level: str, task: Task) -> str:
    """One task as a line of a list."""
    return f"**{level}**: {task.task} *(Answer: {task.answer})*"


def join_practice(head: str, tasks: Sequence[str]) -> str:
    """A practice from its first lines and its tasks."""
    numbered = [f"{number}. {task}" for number, task in enumerate(tasks, 1)]
    return "\n".join([head, "", *numbered]).strip("\n")


def split_practice(text: str) -> tuple[str, list[str]]:
    """The first lines of a practice, and its tasks; a task may have further lines."""
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if _TASK.match(line)), len(lines))
    tasks: list[str] = []
    for line in lines[first:]:
        if _TASK.match(line):
            tasks.append(_TASK.sub("", line, count=1))
        elif tasks:
            tasks[-1] += f"\n{line}"
    return "\n".join(lines[:first]).strip("\n"), [task.rstrip() for task in tasks]


def with_minutes(text: str, minutes: int) -> str:
    """The practice with another time at its beginning."""
    if _MINUTES.match(text):
        return _MINUTES.sub(f"About {minutes} minutes", text, count=1)
    return f"About {minutes} minutes.\n\n{text}"


def minutes_in(text: str) -> int | None:
    """The time that a practice names."""
    found = _MINUTES.match(text)
    return int(found[1]) if found else None
