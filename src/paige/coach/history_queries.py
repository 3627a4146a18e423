"""SQL of what a person's work shows over time: counts of a period, phases, the help they took."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, case, distinct, extract, func, select

from paige.agent.tables import SESSIONS
from paige.base.actor import Actor
from paige.coach.queries import DOOR
from paige.coach.tables import PHASES, PLANS, PROGRESS_EVENTS
from paige.learner.tables import KNOWLEDGE_GAPS
from paige.models.tables import API_CALL_LOG

MOST_PHASES = 500
HELP = ("hint_used", "hint_escalated")


@dataclass(frozen=True, slots=True)
class PhaseDone:
    """A phase of some session: how far it came, and how often help was asked for.

    `hint_level` is how finely its plan pointed unasked.
    """

    session_id: str
    status: str
    hint_level: str
    expected_files: tuple[str, ...]
    started_at: datetime
    hints: int


def phases_done(connection: Connection, actor: Actor) -> list[PhaseDone]:
    """The newest phases of a person that were begun, oldest first."""
    helps = func.count(case((PROGRESS_EVENTS.c.event_type.in_(HELP), 1)))
    query = (
        select(
            PLANS.c.session_id,
            PHASES.c.status,
            PHASES.c.hint_level,
            PHASES.c.expected_files,
            PHASES.c.started_at,
            helps,
        )
        .join(PLANS, PLANS.c.id == PHASES.c.plan_id)
        .join(PROGRESS_EVENTS, PROGRESS_EVENTS.c.phase_id == PHASES.c.id, isouter=True)
        .where(
            PHASES.c.tenant == actor.tenant,
            PHASES.c.person == actor.person,
            PHASES.c.started_at.is_not(None),
        )
        .group_by(PHASES.c.id, PLANS.c.session_id)
        .order_by(PHASES.c.started_at.desc(), PHASES.c.id.desc())
        .limit(MOST_PHASES)
    )
    rows = [
        PhaseDone(session, status, level, tuple(files or ()), started, hints)
        for session, status, level, files, started, hints in connection.execute(query)
    ]
    return rows[::-1]


class SessionCounts(NamedTuple):
    """Completed sessions and their minutes, and how many issues were begun."""

    completed: int
    minutes: float
    issues: int


class GapCounts(NamedTuple):
    """Gaps that were met, and how many of them are closed."""

    identified: int
    addressed: int


def count_sessions(connection: Connection, actor: Actor, since: datetime | None) -> SessionCounts:
    """Sessions that were completed, and issues that were worked on."""
    table = SESSIONS.c
    completed = table.status == "completed"
    begun = table.issue_number.is_not(None)
    if since is not None:
        completed = and_(completed, table.ended_at >= since)
        begun = and_(begun, table.started_at >= since)
    minutes = func.sum(case((completed, _minutes(connection))))
    query = select(
        func.count(case((completed, 1))),
        func.coalesce(minutes, 0),
        func.count(distinct(case((begun, table.issue_number)))),
    ).where(table.tenant == actor.tenant, table.person == actor.person, table.door == DOOR)
    row = connection.execute(query).one()
    return SessionCounts(row[0], float(row[1]), row[2])


def count_gaps(connection: Connection, actor: Actor, since: datetime | None) -> GapCounts:
    """Gaps that were met."""
    table = KNOWLEDGE_GAPS.c
    wanted = [table.tenant == actor.tenant, table.person == actor.person]
    if since is not None:
        wanted.append(table.last_encountered_at >= since)
    query = select(func.count(), func.count(case((table.addressed, 1)))).where(*wanted)
    return GapCounts(*connection.execute(query).one())


def count_hints(connection: Connection, actor: Actor, since: datetime | None) -> int:
    """Hints that were used in sessions that began in the period."""
    query = (
        select(func.count())
        .select_from(PROGRESS_EVENTS)
        .join(PHASES, PHASES.c.id == PROGRESS_EVENTS.c.phase_id)
        .join(PLANS, PLANS.c.id == PHASES.c.plan_id)
        .join(SESSIONS, SESSIONS.c.id == PLANS.c.session_id)
        .where(
            PROGRESS_EVENTS.c.tenant == actor.tenant,
            PROGRESS_EVENTS.c.person == actor.person,
            PROGRESS_EVENTS.c.event_type == "hint_used",
        )
    )
    if since is not None:
        query = query.where(SESSIONS.c.started_at >= since)
    return connection.scalar(query) or 0


def api_cost(connection: Connection, actor: Actor, since: datetime | None) -> float:
    """What a person's model calls cost in dollars, as far as prices are known."""
    table = API_CALL_LOG.c
    wanted = [table.tenant == actor.tenant, table.person == actor.person]
    if since is not None:
        wanted.append(table.created_at >= since)
    return float(connection.scalar(select(func.sum(table.cost_estimate)).where(*wanted)) or 0.0)


def _minutes(connection: Connection) -> ColumnElement[Any]:
    """How long a session took."""
    table = SESSIONS.c
    if connection.dialect.name == "postgresql":
        return (extract("epoch", table.ended_at) - extract("epoch", table.started_at)) / 60
    return (func.julianday(table.ended_at) - func.julianday(table.started_at)) * (24 * 60)
