"""The task list of a session."""

from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, Field

from paige.agent.context import RunContext, Task
from paige.agent.tools import Tool, ToolScope, TryAgain


class TaskChange(BaseModel):
    """A new task (without an id), or a change of a known one."""

    id: str | None = None
    title: str | None = Field(default=None, min_length=1)
    status: Literal["pending", "in_progress", "done"] | None = None


class UpdateTasks(BaseModel):
    """Changes, in order."""

    changes: list[TaskChange] = Field(min_length=1)


def change_tasks(tasks: tuple[Task, ...], changes: list[TaskChange]) -> tuple[Task, ...]:
    """The list after some changes. Raises: TryAgain."""
    known = {task.id: task for task in tasks}
    for change in changes:
        if change.id is None:
            if change.title is None:
                raise TryAgain("A new task needs a title.")
            identity = str(len(known) + 1)
            known[identity] = Task(identity, change.title, change.status or "pending")
        elif change.id in known:
            task = known[change.id]
            known[change.id] = replace(
                task, title=change.title or task.title, status=change.status or task.status
            )
        else:
            raise TryAgain(f"There is no task `{change.id}`. There are: {', '.join(known)}.")
    return tuple(known.values())


def render_tasks(tasks: tuple[Task, ...]) -> str:
    """The list as an agent reads it."""
    signs = {"pending": " ", "in_progress": "~", "done": "x"}
    return "\n".join(f"{task.id}. [{signs[task.status]}] {task.title}" for task in tasks)


async def update_tasks(scope: ToolScope, params: UpdateTasks) -> str:
    """Show the list as it is after the changes; the context is changed by `fold`."""
    return render_tasks(change_tasks(scope.context.task_progress, params.changes))


def _fold(context: RunContext, params: UpdateTasks) -> RunContext:
    changed = change_tasks(context.task_progress, params.changes)
    return replace(context, task_progress=changed)


TASK_TOOLS = (
    Tool(
        "update_tasks",
        "Add, change or complete tasks of this session's list.",
        UpdateTasks,
        "pure",
        update_tasks,
        fold=_fold,
    ),
)
