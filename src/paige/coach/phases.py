"""Phases: made of a plan, moved on, and what was needed in one.

Rows, actions and events are written in one transaction.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.errors import NotFound
from paige.base.wire import wire
from paige.coach import queries
from paige.coach.log.action_log import ActionType
from paige.coach.log.queries import insert_actions
from paige.coach.message_parts import HintLevel, PhaseInfo
from paige.coach.messages import CoachingPhaseUpdate, CoachingPlanReady
from paige.coach.model import CoachedPlan, PlanText
from paige.coach.records import (
    Action,
    Ids,
    PhaseHint,
    PhaseRow,
    PhaseStatus,
    PlanRow,
    ProgressEvent,
    random_ids,
)
from paige.store.messages import publish

if TYPE_CHECKING:
    from paige.coach.answers import CoachedPhase

ProgressKind = Literal["hint_used", "hint_escalated", "review_requested", "review_passed"]
HINT_LEVELS = ("none", "file", "region", "line")  # how much is given away, least first


def add_progress(
    connection: Connection, actor: Actor, session_id: str, event_in: Callable[[str], ProgressEvent]
) -> None:
    """Store an event in the phase that is active; without one nothing is stored."""
    phase = queries.active_phase(connection, actor, session_id)
    if phase is not None:
        queries.insert_progress(connection, actor, event_in(phase.id))


def is_more(level: HintLevel, before: HintLevel | None) -> bool:
    """Whether a hint level gives away more than another; a level nobody knows does not."""
    if isinstance(level, int) and isinstance(before, int):
        return level > before
    if level not in HINT_LEVELS:
        return False
    known = before if before in HINT_LEVELS else HINT_LEVELS[0]
    return HINT_LEVELS.index(level) > HINT_LEVELS.index(known)


# What is logged when a phase gets a status; going back to `pending` is nobody's progress.
ACTIONS: dict[PhaseStatus, ActionType] = {"active": "phase_started", "complete": "phase_completed"}


@wire
class PhaseChange:
    """A phase by its number in the session's plan, and the status it is to have."""

    phase: Annotated[int, Field(ge=1)]
    """Number of the phase in the plan, from 1."""
    status: PhaseStatus


@dataclass(frozen=True, slots=True)
class PhaseUpdate:
    """A phase as it is now; nothing was written unless it `changed`."""

    phase: PhaseRow
    changed: bool
    actions: tuple[Action, ...] = ()


def with_status(phase: PhaseRow, status: PhaseStatus, now: datetime) -> PhaseRow:
    """The phase with another status and the times that go with it."""
    match status:
        case "pending":
            return replace(phase, status=status, started_at=None, completed_at=None)
        case "active":
            return replace(phase, status=status, started_at=now, completed_at=None)
        case "complete":
            return replace(phase, status=status, completed_at=now)


def update_phase(
    connection: Connection,
    actor: Actor,
    session_id: str,
    change: PhaseChange,
    *,
    now: datetime,
    ids: Ids = random_ids,
) -> PhaseUpdate:
    """Give a phase another status. Raises: NotFound naming the phases there are."""
    phase = _find(connection, actor, session_id, change.phase)
    if phase.status == change.status:
        return PhaseUpdate(phase, changed=False)
    moved = with_status(phase, change.status, now)
    queries.set_phase_status(connection, actor, moved)
    actions = _actions(session_id, moved, now, ids)
    insert_actions(connection, actor, actions)
    update = CoachingPhaseUpdate(
        phase=moved.number,
        status=moved.status,
        description=moved.description,
        id=moved.id,
        title=moved.title,
        hint_level=moved.hint_level,
    )
    publish(connection, actor, update, now=now)
    return PhaseUpdate(moved, changed=True, actions=tuple(actions))


def _find(connection: Connection, actor: Actor, session_id: str, number: int) -> PhaseRow:
    plan = queries.latest_plan(connection, actor, session_id)
    if plan is None:
        raise NotFound(
            f"There is no phase {number}: this session has no plan",
            hint="The coaching pipeline makes one from a plan's text.",
        )
    found = queries.find_phase(connection, actor, plan.id, number, lock=True)
    if found is None:
        numbers = [str(each.number) for each in queries.phases_of(connection, actor, plan.id)]
        there = f"The phases are {', '.join(numbers)}." if numbers else "The plan has no phases."
        raise NotFound(f"There is no phase {number}", hint=there)
    return found


def _actions(session_id: str, phase: PhaseRow, now: datetime, ids: Ids) -> list[Action]:
    action_type = ACTIONS.get(phase.status)
    if action_type is None:
        return []
    data = {"phaseId": phase.id, "phaseNumber": phase.number, "title": phase.title}
    return [Action(ids(now), session_id, action_type, data, now)]


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan with its phases as they are stored, and the actions that were written."""

    plan: PlanRow
    phases: tuple[PhaseRow, ...]
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class PlanSource:
    """What was asked, and what became of it."""

    text: PlanText
    coached: CoachedPlan


def store_plan(
    connection: Connection,
    actor: Actor,
    session_id: str,
    made: PlanSource,
    *,
    now: datetime,
    ids: Ids = random_ids,
) -> StoredPlan:
    """Store a plan as the one the session follows from now on."""
    coached = made.coached
    plan = PlanRow(
        id=ids(now),
        session_id=session_id,
        raw_plan_text=made.text.plan_text,
        created_at=now,
        memory_connection=coached.memory_connection,
        estimated_difficulty=coached.estimated_difficulty,
    )
    phases = tuple(_row(phase, plan.id, ids(now)) for phase in coached.phases)
    data = {"planId": plan.id, "phaseCount": len(phases)}
    action = Action(ids(now), session_id, "coaching_pipeline", data, now)
    hints = [
        hint
        for row, phase in zip(phases, coached.phases, strict=True)
        for hint in _hints(row.id, phase, now, ids)
    ]
    queries.insert_plan(connection, actor, plan)
    queries.insert_phases(connection, actor, phases)
    queries.insert_hints(connection, actor, hints)
    insert_actions(connection, actor, [action])
    ready = CoachingPlanReady(
        plan_id=plan.id,
        phases=[PhaseInfo.model_validate(phase) for phase in phases],
        memory_connection=plan.memory_connection,
        estimated_difficulty=plan.estimated_difficulty or "",
    )
    publish(connection, actor, ready, now=now)
    return StoredPlan(plan, phases, (action,))


def _row(phase: "CoachedPhase", plan_id: str, id: str) -> PhaseRow:
    return PhaseRow(
        id=id,
        plan_id=plan_id,
        number=phase.number,
        title=phase.title,
        description=phase.description,
        hint_level=phase.hint_level,
        expected_files=tuple(phase.expected_files),
    )


def _hints(phase_id: str, phase: "CoachedPhase", now: datetime, ids: Ids) -> Iterator[PhaseHint]:
    for file in phase.hints.file_hints:
        yield PhaseHint(ids(now), phase_id, "file", file.path, file.style)
    for line in phase.hints.line_hints:
        shown = line.decoration
        lines = (shown.style, shown.start, shown.end, shown.hover_text)
        yield PhaseHint(ids(now), phase_id, "line", line.path, *lines)
