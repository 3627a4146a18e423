"""SQL of research data: the runs of every teacher in a span of time."""

from datetime import datetime

from sqlalchemy import Connection, select

from paige.agent.records import RunRow, SessionRow
from paige.agent.tables import RUNS, SESSIONS
from paige.base.actor import Actor
from paige.plan.session_queries import DOOR

_RUN = [RUNS.c[name] for name in RunRow.__dataclass_fields__]
_SESSION = [SESSIONS.c[name] for name in SessionRow.__dataclass_fields__]


def runs_between(
    connection: Connection,
    actor: Actor,
    *,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[RunRow]:
    """The runs of all persons of a tenant that began in a span of time, oldest first."""
    query = (
        select(*_RUN)
        .join(SESSIONS, (SESSIONS.c.tenant == RUNS.c.tenant) & (SESSIONS.c.id == RUNS.c.session_id))
        .where(RUNS.c.tenant == actor.tenant, SESSIONS.c.door == DOOR)
    )
    if since is not None:
        query = query.where(RUNS.c.created_at >= since)
    if until is not None:
        query = query.where(RUNS.c.created_at < until)
    rows = connection.execute(query.order_by(RUNS.c.created_at, RUNS.c.id))
    return [RunRow(*row) for row in rows]


def session_of(connection: Connection, actor: Actor, session: str) -> SessionRow:
    """The session of a run, whoever it belongs to."""
    query = select(*_SESSION).where(SESSIONS.c.tenant == actor.tenant, SESSIONS.c.id == session)
    return SessionRow(*connection.execute(query).one())
