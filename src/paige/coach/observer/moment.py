"""One moment as the observer sees it: what a model is told, and what the rules look at."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach import queries
from paige.coach.action_queries import last_action, recent_actions
from paige.coach.observer.places import clean_path
from paige.coach.observer.reading import NOVICE, PATH_KEYS
from paige.coach.observer.rules import is_idle, quiet_for
from paige.coach.observer.state import ObserverState
from paige.coach.observer.trace import Act, Aim, Trace, in_order
from paige.coach.records import Action, PhaseRow
from paige.learner.queries import assessments
from paige.learner.stages import Stage

TOLD = 20  # actions that a model is told
LOOKED_AT = 300  # actions that the rules look at
NEVER = "never"


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database knows of a session at this moment; actions newest first."""

    phase: PhaseRow | None
    actions: Sequence[Action]
    last_save: Action | None
    stage: Stage


@dataclass(frozen=True, slots=True)
class Moment:
    """What is judged: the same moment for a model and for the rules."""

    context: dict[str, Any]
    trace: Trace


def read_stored(connection: Connection, actor: Actor, session_id: str) -> Stored:
    """What the database knows of a session."""
    return Stored(
        queries.active_phase(connection, actor, session_id),
        recent_actions(connection, actor, session_id, limit=LOOKED_AT),
        last_action(connection, actor, session_id, "file_save"),
        current_stage(connection, actor),
    )


def current_stage(connection: Connection, actor: Actor) -> Stage:
    """The stage that was judged last, in whatever skill; a novice when none was."""
    found = assessments(connection, actor)
    newest = max(found, key=lambda each: each.assessed_at, default=None)
    return newest.stage if newest else NOVICE


def moment_of(stored: Stored, state: ObserverState, typing: Iterable[Act], now: datetime) -> Moment:
    """Put together what is stored, what is remembered, and what was typed."""
    acts = in_order((*(act_of(action) for action in stored.actions), *typing))
    trace = Trace(_aim(stored.phase), acts, now, stored.stage)
    return Moment(context_of(stored, state, now), trace)


def context_of(stored: Stored, state: ObserverState, now: datetime) -> dict[str, Any]:
    """The snapshot a model is given; its names are those of the prompt."""
    save, nudge = stored.last_save, state.last_nudge
    return {
        "current_phase": _phase(stored.phase),
        "recent_actions": [_told(action, now) for action in stored.actions[:TOLD]],
        "time_since_last_save": quiet_for(now - save.created_at) if save else NEVER,
        "time_since_last_nudge": quiet_for(now - nudge) if nudge else NEVER,
        "dreyfus_stage": stored.stage,
        "user_idle": is_idle(state, now),
    }


def act_of(action: Action) -> Act:
    """A logged action as the rules see it."""
    data = action.data or {}
    path = next((data[key] for key in PATH_KEYS if isinstance(data.get(key), str)), None)
    named = clean_path(path) if path else None
    return Act(action.action_type, action.created_at, named, data)


def _told(action: Action, now: datetime) -> dict[str, str]:
    act = act_of(action)
    told = {"type": act.type, "ago": f"{quiet_for(now - act.at)} ago"}
    return {**told, "path": act.path} if act.path else told


def _phase(phase: PhaseRow | None) -> dict[str, Any] | None:
    if phase is None:
        return None
    return {
        "number": phase.number,
        "title": phase.title,
        "description": phase.description,
        "expected_files": list(phase.expected_files),
    }


def _aim(phase: PhaseRow | None) -> Aim | None:
    if phase is None:
        return None
    expected = tuple(clean_path(path) for path in phase.expected_files)
    return Aim(phase.number, phase.title, phase.description, expected)
