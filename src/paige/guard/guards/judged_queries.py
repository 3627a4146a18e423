"""SQL of the history of guards: what was refused, corrected or let pass, as the graph has it."""

from sqlalchemy import select

from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import Trace
from paige.guard.tables import DECISIONS

MOST_TRACES = 20_000
TYPES = ("violation", "correction", "approval")
_COLUMNS = ("id", "project", "at", "type", "agent", "session", "event", "tool", "rule", "meta")


def judged_traces(graph: ContextGraph, *, most: int = MOST_TRACES) -> tuple[Trace, ...]:
    """The newest traces that say what became of an action, the oldest first."""
    asked = (
        select(*(DECISIONS.c[name] for name in _COLUMNS))
        .where(DECISIONS.c.tenant == graph.actor.tenant, DECISIONS.c.type.in_(TYPES))
        .order_by(DECISIONS.c.at.desc(), DECISIONS.c.id.desc())
        .limit(most)
    )
    with graph.db.of(graph.actor).transaction(write=False) as connection:
        rows = [dict(row._mapping) for row in connection.execute(asked)]
    return tuple(Trace(**row) for row in reversed(rows))
