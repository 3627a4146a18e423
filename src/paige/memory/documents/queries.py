"""SQL of memory documents, of the audit of their use, and of cursors."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    and_,
    delete,
    exists,
    insert,
    select,
    update,
)

from paige.base.actor import Actor
from paige.memory.documents.records import Cursor, EventRow, FileRow
from paige.memory.tables import MEMORY_CURSORS, MEMORY_EVENTS, MEMORY_FILES

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


DOCUMENTS = "documents"
"""The name of this projection among the cursors."""


def _columns(table: Table, row: type[Any]) -> list[Column[Any]]:
    return [table.c[name] for name in row.__dataclass_fields__]


def _own(table: Table, actor: Actor) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """What belongs to a person; nobody sees anything else."""
    return table.c.tenant == actor.tenant, table.c.teacher_id == actor.person


def list_files(
    connection: Connection, actor: Actor, *, class_id: str | None = None
) -> list[FileRow]:
    """A person's documents by path; those of one class, or with `''` those of none."""
    query = select(*_columns(MEMORY_FILES, FileRow)).where(*_own(MEMORY_FILES, actor))
    if class_id is not None:
        query = query.where(MEMORY_FILES.c.class_id == class_id)
    rows = connection.execute(query.order_by(MEMORY_FILES.c.path))
    return sorted((FileRow(*row) for row in rows), key=lambda row: row.path)


def find_file(connection: Connection, actor: Actor, path: str) -> FileRow | None:
    """One document of a person."""
    query = select(*_columns(MEMORY_FILES, FileRow)).where(
        *_own(MEMORY_FILES, actor), MEMORY_FILES.c.path == path
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else FileRow(*row)


def put_file(connection: Connection, actor: Actor, row: FileRow) -> None:
    """Store a document as it is now."""
    values = asdict(row)
    own = (*_own(MEMORY_FILES, actor), MEMORY_FILES.c.path == row.path)
    changed = {name: values[name] for name in values if name not in ("id", "created_at")}
    if connection.execute(update(MEMORY_FILES).where(*own).values(changed)).rowcount == 0:
        connection.execute(insert(MEMORY_FILES).values(tenant=actor.tenant, **values))


def drop_file(connection: Connection, actor: Actor, path: str) -> None:
    """Remove a document that was deleted; the log still has it."""
    own = (*_own(MEMORY_FILES, actor), MEMORY_FILES.c.path == path)
    connection.execute(delete(MEMORY_FILES).where(*own))


def insert_event(connection: Connection, actor: Actor, row: EventRow) -> bool:
    """Note what happened, once: `False` when it was noted before."""
    if find_event(connection, actor, row.id) is not None:
        return False
    values = {"tenant": actor.tenant, "teacher_id": actor.person, **asdict(row)}
    connection.execute(insert(MEMORY_EVENTS).values(values))
    return True


def find_event(connection: Connection, actor: Actor, identity: str) -> EventRow | None:
    """What was noted under an id."""
    query = select(*_columns(MEMORY_EVENTS, EventRow)).where(
        *_own(MEMORY_EVENTS, actor), MEMORY_EVENTS.c.id == identity
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else EventRow(**row._mapping)


def writes_of(
    connection: Connection, actor: Actor, path: str, *, limit: int = 100
) -> list[EventRow]:
    """What was written to a document, newest first."""
    query = (
        select(*_columns(MEMORY_EVENTS, EventRow))
        .where(
            *_own(MEMORY_EVENTS, actor),
            MEMORY_EVENTS.c.path == path,
            MEMORY_EVENTS.c.event_type == "write",
        )
        .order_by(MEMORY_EVENTS.c.seq.desc())
        .limit(limit)
    )
    return [EventRow(**row._mapping) for row in connection.execute(query)]


def seq_of_version(connection: Connection, actor: Actor, path: str, version: str) -> int | None:
    """Where the log has a version of a document, the latest time it was written."""
    query = (
        select(MEMORY_EVENTS.c.seq)
        .where(
            *_own(MEMORY_EVENTS, actor),
            MEMORY_EVENTS.c.path == path,
            MEMORY_EVENTS.c.event_type == "write",
            MEMORY_EVENTS.c.version == version,
        )
        .order_by(MEMORY_EVENTS.c.seq.desc())
        .limit(1)
    )
    return connection.execute(query).scalar_one_or_none()


def events_of(
    connection: Connection, actor: Actor, *, trace: str | None = None, session: str | None = None
) -> list[EventRow]:
    """What happened in a run or in a session, in order."""
    query = select(*_columns(MEMORY_EVENTS, EventRow)).where(*_own(MEMORY_EVENTS, actor))
    if trace is not None:
        query = query.where(MEMORY_EVENTS.c.trace_id == trace)
    if session is not None:
        query = query.where(MEMORY_EVENTS.c.session_id == session)
    rows = connection.execute(query.order_by(MEMORY_EVENTS.c.created_at, MEMORY_EVENTS.c.id))
    return [EventRow(**row._mapping) for row in rows]


def last_seen(connection: Connection, actor: Actor, trace: str, path: str) -> str | None:
    """The newest version of a document that a run has read."""
    query = (
        select(MEMORY_EVENTS.c.version)
        .where(
            *_own(MEMORY_EVENTS, actor),
            MEMORY_EVENTS.c.trace_id == trace,
            MEMORY_EVENTS.c.path == path,
            MEMORY_EVENTS.c.event_type == "read",
        )
        .order_by(MEMORY_EVENTS.c.seq.desc())
        .limit(1)
    )
    return connection.execute(query).scalar_one_or_none()


def get_cursor(connection: Connection, actor: Actor) -> Cursor:
    """How far the documents have read the log; nothing at first."""
    query = select(*_columns(MEMORY_CURSORS, Cursor)).where(*_cursor(actor))
    row = connection.execute(query).one_or_none()
    return Cursor("", 0, "") if row is None else Cursor(*row)


def set_cursor(connection: Connection, actor: Actor, cursor: Cursor) -> None:
    """Note how far the documents have read the log."""
    values = asdict(cursor)
    query = update(MEMORY_CURSORS).where(*_cursor(actor)).values(values)
    if connection.execute(query).rowcount == 0:
        own = {"tenant": actor.tenant, "projection": DOCUMENTS}
        connection.execute(insert(MEMORY_CURSORS).values(**own, **values))


def clear_documents(connection: Connection, actor: Actor) -> None:
    """Drop everything that is made from the log again: documents, writes, the cursor."""
    written = MEMORY_EVENTS.c.event_type == "write"
    connection.execute(delete(MEMORY_FILES).where(MEMORY_FILES.c.tenant == actor.tenant))
    connection.execute(delete(MEMORY_EVENTS).where(MEMORY_EVENTS.c.tenant == actor.tenant, written))
    connection.execute(delete(MEMORY_CURSORS).where(*_cursor(actor)))


def _cursor(actor: Actor) -> Sequence[ColumnElement[bool]]:
    return MEMORY_CURSORS.c.tenant == actor.tenant, MEMORY_CURSORS.c.projection == DOCUMENTS
