"""SQL of the report: what was looked up, and what attempts and reflections left behind."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, case, func, select

from paige.base.actor import Actor
from paige.guard.tables import DECISIONS

MOST_ROWS = 5000


class Retrievals(NamedTuple):
    """How many traces were stored, and how many of them somebody looked up."""

    stored: int
    retrieved: int


class Note(NamedTuple):
    """One trace an agent or the orchestra wrote down about its work."""

    at: datetime
    action: str
    feature: str
    session: str
    what_happened: str
    what_was_correct: str
    why: str
    rule: str
    files: Sequence[str]
    meta: dict[str, Any]


def count_retrievals(
    connection: Connection, actor: Actor, project: str | None, since: datetime, until: datetime
) -> Retrievals:
    """The traces between two moments, and those of them that were looked up."""
    looked_up = case((DECISIONS.c.retrieved > 0, 1), else_=0)
    query = select(func.count(), func.coalesce(func.sum(looked_up), 0)).where(
        *_wanted(actor, project, since), DECISIONS.c.at < until
    )
    stored, retrieved = connection.execute(query).one()
    return Retrievals(int(stored), int(retrieved))


def notes_of(
    connection: Connection,
    actor: Actor,
    project: str | None,
    since: datetime,
    actions: Sequence[str],
) -> list[Note]:
    """The newest traces with one of some actions, the oldest first."""
    columns = [DECISIONS.c[name] for name in Note._fields]
    query = (
        select(*columns)
        .where(
            *_wanted(actor, project, since),
            DECISIONS.c.type == "decision",
            DECISIONS.c.action.in_(actions),
        )
        .order_by(DECISIONS.c.at.desc(), DECISIONS.c.id.desc())
        .limit(MOST_ROWS)
    )
    return [Note(*row) for row in reversed(connection.execute(query).all())]


def _wanted(actor: Actor, project: str | None, since: datetime) -> list[ColumnElement[bool]]:
    wanted = [DECISIONS.c.tenant == actor.tenant, DECISIONS.c.at >= since]
    return wanted if project is None else [*wanted, DECISIONS.c.project == project]
