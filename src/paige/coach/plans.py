"""Storing a plan that was made into phases: everything of it, its action and its event at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach import queries
from paige.coach.action_queries import insert_actions
from paige.coach.ids import Ids, random_ids
from paige.coach.message_parts import PhaseInfo
from paige.coach.messages import CoachingPlanReady
from paige.coach.model import CoachedPlan, PlannedPhase, PlanText
from paige.coach.records import Action, PhaseHint, PhaseRow, PlanRow
from paige.store.engine import Database
from paige.store.messages import publish


@dataclass(frozen=True, slots=True)
class StoredPlan:
    """A plan with its phases as they are stored, and the actions that were written."""

    plan: PlanRow
    phases: tuple[PhaseRow, ...]
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """What was asked, and what became of it."""

    text: PlanText
    coached: CoachedPlan


async def store_plan(
    database: Database,
    actor: Actor,
    session_id: str,
    made: Made,
    *,
    now: datetime,
    ids: Ids = random_ids,
) -> StoredPlan:
    """Store a plan as the one the session follows from now on."""
    plan = PlanRow(
        id=ids(now),
        session_id=session_id,
        raw_plan_text=made.text.plan_text,
        created_at=now,
        memory_connection=made.coached.memory_connection,
        estimated_difficulty=made.coached.estimated_difficulty,
    )
    phases = tuple(_row(phase, plan.id, ids(now)) for phase in made.coached.phases)
    data = {"planId": plan.id, "phaseCount": len(phases)}
    action = Action(ids(now), session_id, "coaching_pipeline", data, now)
    hints = [
        hint
        for row, phase in zip(phases, made.coached.phases, strict=True)
        for hint in _hints(row.id, phase, now, ids)
    ]
    stored = StoredPlan(plan, phases, (action,))
    await database.write(_store, actor, stored, hints, now=now)
    return stored


def _store(
    connection: Connection,
    actor: Actor,
    stored: StoredPlan,
    hints: list[PhaseHint],
    *,
    now: datetime,
) -> None:
    queries.insert_plan(connection, actor, stored.plan)
    queries.insert_phases(connection, actor, stored.phases)
    queries.insert_hints(connection, actor, hints)
    insert_actions(connection, actor, stored.actions)
    ready = CoachingPlanReady(
        plan_id=stored.plan.id,
        phases=[PhaseInfo.model_validate(phase) for phase in stored.phases],
        memory_connection=stored.plan.memory_connection,
        estimated_difficulty=stored.plan.estimated_difficulty or "",
    )
    publish(connection, actor, ready, now=now)


def _row(phase: PlannedPhase, plan_id: str, id: str) -> PhaseRow:
    return PhaseRow(
        id=id,
        plan_id=plan_id,
        number=phase.number,
        title=phase.title,
        description=phase.description,
        hint_level=phase.hint_level,
        expected_files=phase.expected_files,
    )


def _hints(phase_id: str, phase: PlannedPhase, now: datetime, ids: Ids) -> Iterator[PhaseHint]:
    for file in phase.file_hints:
        yield PhaseHint(ids(now), phase_id, "file", file.path, file.style)
    for line in phase.line_hints:
        yield PhaseHint(
            id=ids(now),
            phase_id=phase_id,
            type="line",
            path=line.path,
            style=line.style,
            start_line=line.start,
            end_line=line.end,
            hover_text=line.hover_text,
        )
