"""Agents that play a part: they write files in their worktree, and hooks see what they run."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.guard.fast.place import Caller
from paige.hooks.fast import respond
from paige.models.calls import Models
from paige.models.local import LocalProvider, Registry
from paige.orchestra.running.parts import Notice, Orchestra
from paige.orchestra.running.runners import RunResult, Task

PASSED = "....                                        [100%]\n4 passed in 0.12s\n"
FAILED = "F...                                        [100%]\n1 failed, 3 passed in 0.12s\n"
Part = Callable[["Player", Task], str | RunResult]


def fire(task: Task, data: Path, event: str, **more: object) -> None:
    """Send one event of the host to Paige's hook, as the CLI in the worktree would."""
    body = {
        "session_id": task.session,
        "cwd": str(task.folder),
        "permission_mode": "default",
        "hook_event_name": event,
        **more,
    }
    caller = Caller(str(data), task.role, str(task.folder), False)
    respond("claude-code", event, json.dumps(body).encode(), caller)


def run_tests(task: Task, data: Path, printed: str = PASSED) -> None:
    """Let the hook see a run of the tests in the worktree."""
    about: dict[str, object] = {"tool_input": {"command": "pytest -q"}, "tool_use_id": "call-1"}
    if "failed" in printed:
        error = f"Exit code 1\n{printed}"
        fire(task, data, "PostToolUseFailure", tool_name="Bash", error=error, **about)
        return
    answer = {"stdout": printed, "stderr": "", "interrupted": False}
    fire(task, data, "PostToolUse", tool_name="Bash", tool_response=answer, **about)


def code(player: "Player", task: Task) -> str:
    """Write the file of the feature."""
    name = task.feature.lower().replace("-", "_")
    (task.folder / f"{name}.py").write_text(f"NAME = {task.feature!r}\n", encoding="utf-8")
    return f"IMPLEMENTATION COMPLETE - Feature {task.feature} ready for testing\n\nFiles: {name}.py"


def validate(player: "Player", task: Task) -> str:
    """Run the tests and say that they passed."""
    run_tests(task, player.data)
    return f"Checks: all ran\n\nPASSED {task.feature}"


def plan(player: "Player", task: Task) -> str:
    """Break the goal down into two features."""
    features = [
        {"id": f"F{n}", "title": f"Part {n}", "description": f"Write f{n}.py", "acceptance": []}
        for n in (1, 2)
    ]
    return f"Setup: none\n\n```json\n{json.dumps({'features': features})}\n```\n"


def lead(player: "Player", task: Task) -> str:
    """Say in which order the section is built."""
    return "Order: as listed.\n\nDecisions:\n- keep it small"


PARTS: Mapping[str, Part] = {
    "initializer-agent": plan,
    "section-leader": lead,
    "coding-agent": code,
    "tester-agent": validate,
}


@dataclass(slots=True)
class Player:
    """A runner whose agents play the parts they are given."""

    data: Path
    parts: Mapping[str, Part] = field(default_factory=lambda: PARTS)
    name: str = "scripted"
    tasks: list[Task] = field(default_factory=list)

    async def run(self, task: Task) -> RunResult:
        """Play the part of the task's agent."""
        self.tasks.append(task)
        said = self.parts[task.agent](self, task)
        return (
            said
            if isinstance(said, RunResult)
            else RunResult(status="ended", text=said, source="script")
        )

    def of(self, agent: str) -> list[Task]:
        """The tasks an agent was given."""
        return [task for task in self.tasks if task.agent == agent]


def local_models(db: Any = None) -> Models:
    """Models without a model."""
    registry = Registry()
    return Models(LocalProvider(registry), LocalProvider(registry), db)


def orchestra_of(root: Path, player: Player, **changes: Any) -> Orchestra:
    """An orchestra in a project, without a model."""
    values: dict[str, Any] = {
        "root": root,
        "data": player.data,
        "runner": player,
        "models": local_models(),
        "actor": Actor(),
        "now": system_clock,
        "randomness": os.urandom,
        "instructions": lambda agent: f"You are {agent}.",
    }
    return Orchestra(**{**values, **changes})


def write_list(root: Path, *features: dict[str, object]) -> None:
    """Give a project a list of features."""
    path = root / ".claude" / "progress" / "feature-list.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"features": list(features)}, indent=2), encoding="utf-8")


def listed(root: Path) -> dict[str, dict[str, Any]]:
    """The features of a project by id."""
    text = (root / ".claude" / "progress" / "feature-list.json").read_text("utf-8")
    return {each["id"]: each for each in json.loads(text)["features"]}


def collected() -> tuple[list[Notice], Callable[[Notice], None]]:
    """A list, and what fills it with what is told."""
    told: list[Notice] = []
    return told, told.append
