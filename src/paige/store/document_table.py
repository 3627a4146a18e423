"""Documents in a table: the same promises as a folder, for any number of servers.

Every version is a row and stays; deleting is a version too. Whoever writes names the version they
saw, and the next number is given out once, so of two writers exactly one wins. The change and the
message that tells of it are one transaction. A person's area belongs to them; a shared one belongs
to their tenant. Nothing here may run on the event loop.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager
from copy import copy
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, ClassVar, NamedTuple

import anyio
from sqlalchemy import Connection, LargeBinary, Select, bindparam, cast, func, select, text

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, NotFound, Refused, Unavailable
from paige.store.bus import LOOK_SECONDS, Bus
from paige.store.documents import (
    NEW,
    Document,
    changed_meanwhile,
    document_bytes,
    document_path,
    version_of,
)
from paige.store.engine import Database
from paige.store.messages import Message, publish
from paige.store.queries import latest_event
from paige.store.tables import DOCUMENTS, EVENTS
from paige.store.types import UtcTime

WAITING = 1000  # changes that may wait for whoever watches
LONGEST_NAME = 255  # bytes: what a folder takes, so that every document can be exported


_INSERT = text("""
INSERT INTO documents
    (tenant, area, path, number, hash, text, deleted, at, person, written_by)
VALUES
    (:tenant, :area, :path, :number, :hash, :text, :deleted, :at, :person, :written_by)
ON CONFLICT (tenant, area, path, number) DO NOTHING
""").bindparams(bindparam("at", type_=UtcTime))


class Area(NamedTuple):
    """What belongs together, as a folder does: its name, and whose it is (`None`: the tenant's)."""

    name: str
    person: str | None


class Version(NamedTuple):
    """One version of a document; the text of a deletion is empty."""

    path: str
    number: int
    hash: str
    text: str
    deleted: bool
    at: datetime
    written_by: str


class Entry(NamedTuple):
    """A document in a list: its version and how many bytes it has."""

    path: str
    version: str
    size: int


class DocumentChanged(Message):
    """A document in a table has another version; it is gone when the version is empty."""

    topic: ClassVar[str] = "document:changed"
    area: str
    path: str
    version: str


Tells = Callable[[str, bool], Message | None]
"""What is told of a change, by the path and whether the document is gone."""


class TableDocuments:
    """Documents of one area, kept in the database."""

    def __init__(
        self,
        database: Database,
        actor: Actor,
        area: str,
        *,
        now: Clock,
        shared: bool = False,
        bus: Bus | None = None,
    ) -> None:
        """With a running `bus` nobody has to look for changes again and again."""
        self.actor = actor
        self.area = Area(area, None) if shared else Area(f"{actor.person}/{area}", actor.person)
        self._database = database.of(actor)
        self._now = now
        self._bus = bus
        self._tells: Tells | None = None

    def telling(self, tells: Tells) -> "TableDocuments":
        """The same documents; every change is also told as a message of the caller's own."""
        told = copy(self)
        told._tells = tells
        return told

    def paths(self, below: str = "") -> list[str]:
        """Every document below a folder, sorted."""
        start = document_path(below).as_posix() if below else ""
        with self._reading() as connection:
            return sorted(live_paths(connection, self.actor, self.area, start))

    def read(self, path: str) -> Document:
        """One document. Raises: NotFound."""
        key = _key(path)
        with self._reading() as connection:
            found = newest_version(connection, self.actor, self.area, key)
        if found is None or found.deleted:
            raise NotFound(f"There is no document `{path}`")
        return Document(path, found.text, found.hash)

    def write(self, path: str, text: str, *, base: str) -> Document:
        """Store a text made from version `base`. Raises: Conflict when it has changed since."""
        document_bytes(path, text)
        key = _key(path)
        if "\0" in text:
            raise BadInput(
                f"`{path}` would hold the character 0, which the database does not take",
                hint="Leave it out: it is no part of a text.",
            )
        document = Document(path, text, version_of(text))
        with self._writing() as connection:
            before = self._expect(connection, path, key, base)
            if before is None or before.deleted:
                self._check_place(connection, path, key)
            elif before.hash == document.version:
                return document
            version = Version(key, 0, document.version, text, False, self._now(), "")
            self._add(connection, path, before, version)
        return document

    def delete(self, path: str, *, base: str) -> None:
        """Remove a document of version `base`. Raises: Conflict when it has changed since."""
        key = _key(path)
        with self._writing() as connection:
            before = self._expect(connection, path, key, base)
            if before is None or before.deleted:
                self._check_place(connection, path, key)
                raise NotFound(f"There is no document `{path}`")
            self._add(connection, path, before, Version(key, 0, NEW, "", True, self._now(), ""))

    def history(self, path: str) -> list[Version]:
        """Every version of a document, the oldest first, deletions too."""
        key = _key(path)
        with self._reading() as connection:
            query = _versions(self.actor, self.area, key).order_by(DOCUMENTS.c.number)
            return [Version(*row) for row in connection.execute(query)]

    def is_new(self) -> bool:
        """Whether nothing was ever written here."""
        with self._reading() as connection:
            return not has_versions(connection, self.actor, self.area)

    def begin(self, texts: Mapping[str, str]) -> bool:
        """Fill a new area with first documents, all or none; false when it is not new."""
        at, me = self._now(), self.actor.person
        with self._writing() as connection:
            if has_versions(connection, self.actor, self.area):
                return False
            for path, text in sorted(texts.items()):
                document_bytes(path, text)
                version = Version(_key(path), 1, version_of(text), text, False, at, me)
                if not insert_version(connection, self.actor, self.area, version):
                    return False  # someone else begins it at this moment, with the same
        return True

    def listed(self) -> list[Entry]:
        """Every document with its version and size, sorted, without its text."""
        with self._reading() as connection:
            octets = func.octet_length(DOCUMENTS.c.text)
            if connection.dialect.name == "sqlite":
                octets = func.length(cast(DOCUMENTS.c.text, LargeBinary))
            query = _newest(self.actor, self.area, "").where(DOCUMENTS.c.deleted.is_(False))
            rows = connection.execute(query.add_columns(octets))
            return sorted(Entry(row[0], row[1], row[3]) for row in rows)

    def newest(self) -> dict[str, str]:
        """The version of every document that ever was here; empty for a deleted one."""
        with self._reading() as connection:
            found = connection.execute(_newest(self.actor, self.area, ""))
            return {row.path: "" if row.deleted else row.hash for row in found}

    def known(self) -> dict[str, set[str]]:
        """Every version that each document ever had."""
        query = select(DOCUMENTS.c.path, DOCUMENTS.c.hash).where(
            DOCUMENTS.c.tenant == self.actor.tenant,
            DOCUMENTS.c.area == self.area.name,
            DOCUMENTS.c.deleted.is_(False),
        )
        with self._reading() as connection:
            found = connection.execute(query).all()
        known: dict[str, set[str]] = {}
        for path, version in found:
            known.setdefault(path, set()).add(version)
        return known

    async def watch(self) -> AsyncIterator[set[str]]:
        """The paths that changed, in batches, until cancelled."""
        seq = await self._database.read(latest_event)
        while True:
            changes = await self._database.read(
                changes_after, self.actor, DocumentChanged.topic, seq, WAITING
            )
            if changes:
                seq = changes[-1][0]
                mine = self.area.name
                if paths := {each["path"] for _, each in changes if each["area"] == mine}:
                    yield paths
            else:
                await self._something_happens()

    async def _something_happens(self) -> None:
        """Wait for an event of any kind, or for a moment where nobody tells."""
        if self._bus is None:
            await anyio.sleep(LOOK_SECONDS)
            return
        # A look now and then covers what came between the last look and this subscription.
        with self._bus.subscribe(WAITING) as events, anyio.move_on_after(LOOK_SECONDS * 20):
            async for event in events:
                if event.topic == DocumentChanged.topic and event.tenant == self.actor.tenant:
                    return

    def _expect(self, connection: Connection, path: str, key: str, base: str) -> Version | None:
        found = newest_version(connection, self.actor, self.area, key)
        now = NEW if found is None or found.deleted else found.hash
        if now != base:
            raise changed_meanwhile(path)
        return found

    def _check_place(self, connection: Connection, path: str, key: str) -> None:
        """A name is a document or a folder, as on a disk: otherwise it could not be exported."""
        parents = [each.as_posix() for each in PurePosixPath(key).parents][:-1]
        if live_paths(connection, self.actor, self.area, key):
            raise Unavailable(f"`{path}` could not be written: it is a folder")
        found = [newest_version(connection, self.actor, self.area, each) for each in parents]
        if any(each is not None and not each.deleted for each in found):
            raise Unavailable(f"`{path}` could not be written: a part of its path is a document")

    def _add(
        self, connection: Connection, path: str, before: Version | None, version: Version
    ) -> None:
        number = 1 if before is None else before.number + 1
        row = version._replace(number=number, written_by=self.actor.person)
        if not insert_version(connection, self.actor, self.area, row):
            raise changed_meanwhile(path)
        told = DocumentChanged(area=self.area.name, path=version.path, version=version.hash)
        everyone = self.area.person is None
        publish(connection, self.actor, told, now=version.at, everyone=everyone)
        own = None if self._tells is None else self._tells(version.path, version.deleted)
        if own is not None:
            publish(connection, self.actor, own, now=version.at, everyone=everyone)

    def _reading(self) -> AbstractContextManager[Connection]:
        return self._database.transaction(write=False)

    def _writing(self) -> AbstractContextManager[Connection]:
        return self._database.transaction(write=True, durable=True)


def _key(path: str) -> str:
    parts = document_path(path)
    if any(len(part.encode()) > LONGEST_NAME for part in parts.parts):
        raise Refused(f"`{path}` has a name of more than {LONGEST_NAME} bytes")
    return parts.as_posix()


def insert_version(connection: Connection, actor: Actor, area: Area, version: Version) -> bool:
    """Store a version; false when there is one of that number already."""
    row = {"tenant": actor.tenant, "area": area.name, "person": area.person}
    return connection.execute(_INSERT, {**row, **version._asdict()}).rowcount == 1


def newest_version(connection: Connection, actor: Actor, area: Area, path: str) -> Version | None:
    """The newest version of a document, deleted or not."""
    query = _versions(actor, area, path).order_by(DOCUMENTS.c.number.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else Version(*row)


def has_versions(connection: Connection, actor: Actor, area: Area) -> bool:
    """Whether anything was ever written in an area."""
    query = select(DOCUMENTS.c.path).where(
        DOCUMENTS.c.tenant == actor.tenant, DOCUMENTS.c.area == area.name
    )
    return connection.scalar(query.limit(1)) is not None


def live_paths(connection: Connection, actor: Actor, area: Area, below: str = "") -> list[str]:
    """The paths of all documents that are there, below a folder."""
    newest = _newest(actor, area, below).subquery()
    query = select(newest.c.path).where(newest.c.deleted.is_(False))
    return list(connection.scalars(query))


def changes_after(
    connection: Connection, actor: Actor, topic: str, seq: int, limit: int
) -> list[tuple[int, dict[str, str]]]:
    """What an actor may hear of a topic after a place in the event stream."""
    query = (
        select(EVENTS.c.seq, EVENTS.c.payload)
        .where(
            EVENTS.c.tenant == actor.tenant,
            EVENTS.c.topic == topic,
            EVENTS.c.seq > seq,
            EVENTS.c.person.is_(None) | (EVENTS.c.person == actor.person),
        )
        .order_by(EVENTS.c.seq)
        .limit(limit)
    )
    return [(row.seq, row.payload) for row in connection.execute(query)]


def _versions(actor: Actor, area: Area, path: str) -> Select[Any]:
    return select(*(DOCUMENTS.c[name] for name in Version._fields)).where(
        DOCUMENTS.c.tenant == actor.tenant,
        DOCUMENTS.c.area == area.name,
        DOCUMENTS.c.path == path,
    )


def _newest(actor: Actor, area: Area, below: str) -> Select[Any, Any, Any]:
    """The newest version of every document below a folder; `below` itself is not one of them."""
    mine = [DOCUMENTS.c.tenant == actor.tenant, DOCUMENTS.c.area == area.name]
    if below:
        # Not LIKE: its wild cards may be in a path, and SQLite compares it without case.
        mine.append(func.substr(DOCUMENTS.c.path, 1, len(below) + 1) == f"{below}/")
    numbers = (
        select(DOCUMENTS.c.path, func.max(DOCUMENTS.c.number).label("number"))
        .where(*mine)
        .group_by(DOCUMENTS.c.path)
        .subquery()
    )
    return (
        select(DOCUMENTS.c.path, DOCUMENTS.c.hash, DOCUMENTS.c.deleted)
        .join(
            numbers,
            (DOCUMENTS.c.path == numbers.c.path) & (DOCUMENTS.c.number == numbers.c.number),
        )
        .where(*mine)
    )
