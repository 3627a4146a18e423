"""The table of documents, made from the log: catching up with it, adding to it.

Whoever calls `catch_up` or `store` holds the lock of the documents. The table can be dropped at any
time; it is made again from the first event on.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import NAMESPACE_OID, uuid5

from sqlalchemy import Connection

from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import BadInput
from paige.memory.documents import queries
from paige.memory.documents.records import Cursor, DocumentPath, EventRow, FileRow, Use, read_path
from paige.memory.event import Draft, Event, load_event
from paige.memory.log.log_access import KeptLog
from paige.store.documents import NEW, version_of
from paige.store.engine import Database

FILE_WRITTEN = "file_written"
STEP = 1000
"""After so many events of other kinds the cursor is moved, so that nobody reads them again."""


class LogEvents:
    """A log as documents see it; `append` is the way in that checks what may be kept.

    A text is refused, for example, when it names pupils.
    """

    def __init__(self, log: KeptLog, append: Callable[[Draft], Event]) -> None:
        self.name = os.path.realpath(log.path)
        self.last_seq = log.last_seq
        self._log = log
        self._append = append

    def append(self, draft: Draft, /) -> Event:
        """Store an event. Raises: Refused."""
        return self._append(draft)

    def written(self, after: int) -> Iterable[Event]:
        """The `file_written` events after a number; others are not even made into events."""
        for line in self._log.read_parsed(after):
            if line.get("type") == FILE_WRITTEN:
                yield load_event(line)

    def id_at(self, seq: int) -> str | None:
        """The id of the event with a number."""
        line = next(self._log.read_parsed(seq - 1, limit=1), None)
        return line["id"] if line is not None and line["seq"] == seq else None


@dataclass(frozen=True, slots=True)
class Change:
    """A text that is to be stored; `None` deletes.

    `written` is the writer's own text, where the one that is stored was merged.
    """

    text: str | None
    base: str
    use: Use
    written: str | None = None


class Projection:
    """The documents of everyone who uses one log."""

    def __init__(self, database: Database, log: LogEvents) -> None:
        self._database = database
        self._log = log
        self._checked: dict[str, int] = {}  # by tenant: the log has nothing new up to here

    def find(self, actor: Actor, path: str) -> FileRow | None:
        """A document as the table has it."""
        with self._database.of(actor).transaction(write=False) as connection:
            return queries.find_file(connection, actor, path)

    def is_fresh(self, actor: Actor) -> bool:
        """Whether the log has had nothing new since this process last looked."""
        return self._checked.get(actor.tenant) == self._log.last_seq()

    def catch_up(self, actor: Actor) -> None:
        """Apply what the log has and the table has not."""
        last = self._log.last_seq()
        with self._database.of(actor).transaction(write=False) as connection:
            cursor = queries.get_cursor(connection, actor)
        checked = self._checked.get(actor.tenant)
        if checked == last and cursor.seq <= last:
            return
        other = not self._follows(cursor, last)
        after = 0 if other else max(cursor.seq, checked or 0)
        events = [
            event
            for event in (self._log.written(after) if after < last else ())
            if _tenant(event) == actor.tenant
        ]
        last = max([last, *(event.seq for event in events)])
        if events or other or last - cursor.seq >= STEP:
            self._apply(actor, events, last, anew=other)
        self._checked[actor.tenant] = last

    def _follows(self, cursor: Cursor, last: int) -> bool:
        """Whether the table was made from this log, as far as it says."""
        if cursor.log != self._log.name or cursor.seq > last:
            return False
        return cursor.seq == 0 or self._log.id_at(cursor.seq) == cursor.event_id

    def _apply(self, actor: Actor, events: list[Event], last: int, *, anew: bool) -> None:
        known = self._log.id_at(last) or ""
        with self._database.of_tenant(actor.tenant).transaction(write=True) as connection:
            if anew:
                queries.clear_documents(connection, actor)
            for event in events:
                apply_event(connection, event)
            queries.set_cursor(connection, actor, Cursor(self._log.name, last, known))

    def clear(self, actor: Actor) -> None:
        """Drop the table; the next `catch_up` makes it again."""
        with self._database.of_tenant(actor.tenant).transaction(write=True) as connection:
            queries.clear_documents(connection, actor)
        self._checked.pop(actor.tenant, None)

    def store(self, actor: Actor, place: DocumentPath, change: Change) -> FileRow | None:
        """Write an event and apply it. Raises: Refused."""
        text, use = change.text, change.use
        before = self.last_write(actor, place.path)
        payload: dict[str, object] = {
            "path": place.path,
            "base": change.base,
            "version": NEW if text is None else version_of(text),
            "by": use.by,
            # Makes every write another one: somebody may write A, B and A again in one second.
            "after": 0 if before is None else before.seq,
        }
        optional = {
            "class_id": place.class_id or None,
            "deleted": True if text is None else None,
            "written": change.written,
            "tenant": None if actor.tenant == LOCAL_TENANT else actor.tenant,
        }
        payload |= {name: value for name, value in optional.items() if value is not None}
        self._log.append(
            Draft(
                type=FILE_WRITTEN,
                scope=place.scope,
                owner=actor.person,
                session=use.provenance.session_id,
                text=text or "",
                payload=payload,
                provenance=use.provenance,
                id=None if use.key is None else identity(actor, use.key),
            )
        )
        self.catch_up(actor)
        return self.find(actor, place.path)

    def text_of(self, actor: Actor, path: str, version: str) -> str | None:
        """An earlier text, from the log; `None` when it was forgotten or never there."""
        with self._database.of(actor).transaction(write=False) as connection:
            seq = queries.seq_of_version(connection, actor, path, version)
        if seq is None:
            return None
        event = next(iter(self._log.written(seq - 1)), None)
        if event is None or event.seq != seq or version_of(event.text) != version:
            return None
        return event.text

    def last_write(self, actor: Actor, path: str) -> EventRow | None:
        """The last thing written about a document; a deletion has an empty version."""
        with self._database.of(actor).transaction(write=False) as connection:
            return next(iter(queries.writes_of(connection, actor, path, limit=1)), None)


def identity(actor: Actor, key: str) -> str:
    """The id of what a key stands for: the same whenever it is asked for."""
    return str(uuid5(NAMESPACE_OID, f"{actor.tenant}\n{actor.person}\n{key}"))


def apply_event(connection: Connection, event: Event) -> None:
    """Bring one `file_written` event into the table; applied again, it changes nothing."""
    try:
        place = read_path(str(event.payload.get("path", "")))
    except BadInput:  # forgotten, or from a version that knows other paths
        return
    actor = Actor(_tenant(event), event.owner)
    before = queries.find_file(connection, actor, place.path)
    deleted = bool(event.payload.get("deleted"))
    row = FileRow(
        id=before.id if before else event.id,
        teacher_id=event.owner,
        scope=place.scope,
        class_id=place.class_id,
        path=place.path,
        content=event.text,
        version=version_of(event.text),
        seq=event.seq,
        written_by=str(event.payload.get("by", "")),
        created_at=before.created_at if before else event.at,
        updated_at=event.at,
    )
    written = EventRow(
        id=event.id,
        event_type="write",
        scope=place.scope,
        class_id=place.class_id,
        path=place.path,
        created_at=event.at,
        trace_id=event.provenance.trace_id,
        session_id=event.provenance.session_id,
        memory_file_id=row.id,
        version=NEW if deleted else row.version,
        seq=event.seq,
    )
    if before is not None and before.seq >= event.seq:
        return
    if deleted:
        queries.drop_file(connection, actor, place.path)
    else:
        queries.put_file(connection, actor, row)
    queries.insert_event(connection, actor, written)


def _tenant(event: Event) -> str:
    return str(event.payload.get("tenant", LOCAL_TENANT))
