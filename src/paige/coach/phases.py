"""Moving a phase on: the row, the action and the event are one transaction."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.errors import NotFound
from paige.coach import queries
from paige.coach.action_queries import insert_actions
from paige.coach.actions import ActionType
from paige.coach.ids import Ids, random_ids
from paige.coach.messages import CoachingPhaseUpdate
from paige.coach.records import Action, PhaseRow, PhaseStatus
from paige.store.engine import Database
from paige.store.messages import publish

# What is logged when a phase gets a status; going back to `pending` is nobody's progress.
ACTIONS: dict[PhaseStatus, ActionType] = {"active": "phase_started", "complete": "phase_completed"}


@dataclass(frozen=True, slots=True)
class PhaseChange:
    """A phase by its number in the session's plan, and the status it is to have."""

    number: int
    status: PhaseStatus


@dataclass(frozen=True, slots=True)
class PhaseUpdate:
    """A phase as it is now; nothing was written unless it `changed`."""

    phase: PhaseRow
    changed: bool
    actions: tuple[Action, ...] = ()


async def update_phase(
    database: Database,
    actor: Actor,
    session_id: str,
    change: PhaseChange,
    *,
    now: datetime,
    ids: Ids = random_ids,
) -> PhaseUpdate:
    """Give a phase another status. Raises: NotFound naming the phases there are."""
    return await database.write(_update, actor, session_id, change, now=now, ids=ids)


def with_status(phase: PhaseRow, status: PhaseStatus, now: datetime) -> PhaseRow:
    """The phase with another status and the times that go with it."""
    match status:
        case "pending":
            return replace(phase, status=status, started_at=None, completed_at=None)
        case "active":
            return replace(phase, status=status, started_at=now, completed_at=None)
        case "complete":
            return replace(phase, status=status, completed_at=now)


def _update(
    connection: Connection,
    actor: Actor,
    session_id: str,
    change: PhaseChange,
    *,
    now: datetime,
    ids: Ids,
) -> PhaseUpdate:
    phase = _find(connection, actor, session_id, change.number)
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
