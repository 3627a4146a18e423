"""SQL of what is told about the whole installation: the server's own work, over all tenants."""

from typing import NamedTuple

from sqlalchemy import Connection, and_, func, select

from paige.agent.tables import GATES, RUNS
from paige.memory.tables import MEMORY_LOG_HEADS
from paige.store.queries import latest_event

STATES = ("running", "waiting")


class Installation(NamedTuple):
    """Figures that are the same on every server."""

    latest_event: int
    runs: dict[str, int]
    gates_waiting: int


def installation(connection: Connection) -> Installation:
    """How many runs have not ended, how many questions wait, and where the event stream is."""
    counted = connection.execute(
        select(RUNS.c.state, func.count()).where(RUNS.c.state.in_(STATES)).group_by(RUNS.c.state)
    )
    runs: dict[str, int] = {**dict.fromkeys(STATES, 0), **{row[0]: row[1] for row in counted}}
    waiting = (
        select(func.count())
        .select_from(GATES)
        .join(RUNS, and_(RUNS.c.tenant == GATES.c.tenant, RUNS.c.id == GATES.c.run_id))
        .where(GATES.c.answered_at.is_(None), RUNS.c.state != "ended")
    )
    return Installation(latest_event(connection), runs, connection.scalar(waiting) or 0)


def memory_log_answers(connection: Connection) -> None:
    """Read a little of the table that the memory log is kept in."""
    connection.execute(select(MEMORY_LOG_HEADS.c.seq).limit(1)).all()
