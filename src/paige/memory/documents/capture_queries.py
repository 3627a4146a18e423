"""SQL of proposals to remember something: those that nobody has decided about."""

from sqlalchemy import Connection, and_, exists, select

from paige.base.actor import Actor
from paige.memory.documents.records import EventRow
from paige.memory.tables import MEMORY_EVENTS

DECIDED = ("capture_confirmed", "capture_edited", "capture_dismissed")


def undecided(
    connection: Connection, actor: Actor, *, only: str | None = None, limit: int = 200
) -> list[EventRow]:
    """A person's proposals without a decision, newest first; `only` is the id of one.

    A decision repeats run, path and text of its proposal, so that is what joins them. What no run
    proposed, such as the figures of a worksheet, has no run in both.
    """
    made, decided = MEMORY_EVENTS.alias("made"), MEMORY_EVENTS.alias("decided")
    judged = exists().where(
        and_(
            decided.c.tenant == made.c.tenant,
            decided.c.teacher_id == made.c.teacher_id,
            decided.c.trace_id.is_not_distinct_from(made.c.trace_id),
            decided.c.path == made.c.path,
            decided.c.proposed_text == made.c.proposed_text,
            decided.c.event_type.in_(DECIDED),
        )
    )
    query = select(*(made.c[name] for name in EventRow.__dataclass_fields__)).where(
        made.c.tenant == actor.tenant,
        made.c.teacher_id == actor.person,
        made.c.event_type == "capture_proposed",
        ~judged,
    )
    if only is not None:
        query = query.where(made.c.id == only)
    rows = connection.execute(query.order_by(made.c.created_at.desc(), made.c.id).limit(limit))
    return [EventRow(**row._mapping) for row in rows]
