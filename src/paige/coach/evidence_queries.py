"""SQL of what a person's sessions show over time: phases, and the help that was needed in them."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, case, func, select

from paige.base.actor import Actor
from paige.coach.tables import PHASES, PLANS, PROGRESS_EVENTS

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
