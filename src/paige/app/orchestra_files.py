"""Where the orchestra of a project stands, and features by rules: files alone, no database.

`paige orchestra next` is asked by hooks and scripts, so this loads no model and no memory.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paige.base.clock import Clock
from paige.base.errors import BadInput
from paige.base.settings import Settings
from paige.guard.state.evidence_files import machine_key
from paige.guard.state.features import Feature, read_session
from paige.guard.state.files import Damaged
from paige.guard.state.next_step import Next, next_step
from paige.orchestra.running.goal import add_features, is_list, split_goal
from paige.orchestra.running.journal import read_lines
from paige.orchestra.running.project_files import (
    LOG,
    holder_of,
    progress,
    read_list,
    read_state,
)

RULES = "local"
LIST = "list"
_MOST_LOGGED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class OrchestraStatus:
    """Where an orchestra stands, read from its files alone."""

    root: Path
    goal: str = ""
    phase: str = ""
    feature: str | None = None
    attempt: int = 0
    features: tuple[Feature, ...] = ()
    next: Next
    conductor: int | None = None
    problem: str = ""
    log: tuple[dict[str, Any], ...] = field(default=())

    def dump(self) -> dict[str, Any]:
        """The standing as JSON."""
        return {
            "project": str(self.root),
            "goal": self.goal,
            "state": self.phase,
            "feature": self.feature,
            "attempt": self.attempt,
            "features": [each.dump() for each in self.features],
            "next": self.next.dump(),
            "conductor": self.conductor,
            "problem": self.problem,
            "log": list(self.log),
        }


@dataclass(frozen=True, slots=True)
class FeaturePlan:
    """Features that were planned, and who planned them: `list`, `local`, or a runner."""

    source: str
    features: tuple[Feature, ...]


def project_root(settings: Settings) -> Path:
    """The project an orchestra plays in."""
    return (settings.project_dir or settings.cwd).resolve()


def standing(settings: Settings) -> OrchestraStatus:
    """Where the orchestra of a project stands; what cannot be read is said in it."""
    root = project_root(settings)
    listed = read_list(root)
    session, state, problem = None, None, ""
    try:
        session = read_session(root)
        if session is not None:
            kept = read_state(root, machine_key(settings.data_dir))
            state, problem = kept.state, kept.problem
    except Damaged as error:
        problem = error.sentence()
    if isinstance(listed, Damaged):
        problem = listed.sentence()
    holder = holder_of(root)
    return OrchestraStatus(
        root=root,
        goal=state.goal if state else "",
        phase=state.phase if state else (session.state if session else ""),
        feature=session.feature if session else None,
        attempt=session.attempt if session else 0,
        features=() if listed is None or isinstance(listed, Damaged) else listed,
        next=next_step(listed, session),
        conductor=holder.pid if holder else None,
        problem=problem,
        log=tuple(read_lines(progress(root) / LOG)[-_MOST_LOGGED:]),
    )


def next_of(settings: Settings) -> Next:
    """What comes next in a project. Raises: Damaged when the state of the session is broken."""
    root = project_root(settings)
    return next_step(read_list(root), read_session(root))


def plan_by_rules(settings: Settings, goal: str, now: Clock) -> FeaturePlan:
    """Features as a person listed them.

    Raises: BadInput when the goal is no list, Damaged, Conflict.
    """
    root = project_root(settings)
    listed = read_list(root)
    if isinstance(listed, Damaged):
        raise listed
    items = split_goal(goal, [each.id for each in listed or ()])
    if not items:
        raise BadInput(
            "Breaking a goal down needs a model, and this one is not written as a list",
            hint="Write what is to be built as a list, one feature a line beginning with `- `, or "
            "set `ANTHROPIC_API_KEY`, or name a coding CLI with `--runner`.",
        )
    add_features(root, settings.data_dir, goal, items, now=now, randomness=os.urandom)
    return FeaturePlan(LIST if is_list(goal) else RULES, planned_features(root))


def planned_features(root: Path) -> tuple[Feature, ...]:
    """The features of a project; none when the list cannot be read."""
    found = read_list(root)
    return () if found is None or isinstance(found, Damaged) else found
