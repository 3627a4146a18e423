"""Documents in a table: the same promises as a folder, for any number of servers.

Every version is a row and stays; deleting is a version too. Whoever writes names the version they
saw, and the next number is given out once, so of two writers exactly one wins. The change and the
message that tells of it are one transaction. A person's area belongs to them; a shared one belongs
to their tenant. Nothing here may run on the event loop.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import copy
from pathlib import PurePosixPath
from typing import ClassVar

import anyio
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, NotFound, Refused, Unavailable
from paige.store import document_queries as queries
from paige.store.bus import LOOK_SECONDS, Bus
from paige.store.document_queries import Area, Entry, Version
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

WAITING = 1000  # changes that may wait for whoever watches
LONGEST_NAME = 255  # bytes: what a folder takes, so that every document can be exported


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
            return sorted(queries.live_paths(connection, self.actor, self.area, start))

    def read(self, path: str) -> Document:
        """One document. Raises: NotFound."""
        key = _key(path)
        with self._reading() as connection:
            found = queries.newest_version(connection, self.actor, self.area, key)
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
            return queries.all_versions(connection, self.actor, self.area, key)

    def is_new(self) -> bool:
        """Whether nothing was ever written here."""
        with self._reading() as connection:
            return not queries.has_versions(connection, self.actor, self.area)

    def begin(self, texts: Mapping[str, str]) -> bool:
        """Fill a new area with first documents, all or none; false when it is not new."""
        at, me = self._now(), self.actor.person
        with self._writing() as connection:
            if queries.has_versions(connection, self.actor, self.area):
                return False
            for path, text in sorted(texts.items()):
                document_bytes(path, text)
                version = Version(_key(path), 1, version_of(text), text, False, at, me)
                if not queries.insert_version(connection, self.actor, self.area, version):
                    return False  # someone else begins it at this moment, with the same
        return True

    def listed(self) -> list[Entry]:
        """Every document with its version and size, sorted, without its text."""
        with self._reading() as connection:
            return sorted(queries.entries(connection, self.actor, self.area))

    def newest(self) -> dict[str, str]:
        """The version of every document that ever was here; empty for a deleted one."""
        with self._reading() as connection:
            return queries.newest_hashes(connection, self.actor, self.area)

    def known(self) -> dict[str, set[str]]:
        """Every version that each document ever had."""
        with self._reading() as connection:
            return queries.known_hashes(connection, self.actor, self.area)

    async def watch(self) -> AsyncIterator[set[str]]:
        """The paths that changed, in batches, until cancelled."""
        seq = await self._database.read(queries.newest_change, self.actor)
        while True:
            changes = await self._database.read(
                queries.changes_after, self.actor, DocumentChanged.topic, seq, WAITING
            )
            if changes:
                seq = changes[-1][0]
                if paths := _paths_in(self.area, [payload for _, payload in changes]):
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
        found = queries.newest_version(connection, self.actor, self.area, key)
        now = NEW if found is None or found.deleted else found.hash
        if now != base:
            raise changed_meanwhile(path)
        return found

    def _check_place(self, connection: Connection, path: str, key: str) -> None:
        """A name is a document or a folder, as on a disk: otherwise it could not be exported."""
        parents = [each.as_posix() for each in PurePosixPath(key).parents][:-1]
        if queries.is_folder(connection, self.actor, self.area, key):
            raise Unavailable(f"`{path}` could not be written: it is a folder")
        if queries.any_live(connection, self.actor, self.area, parents):
            raise Unavailable(f"`{path}` could not be written: a part of its path is a document")

    def _add(
        self, connection: Connection, path: str, before: Version | None, version: Version
    ) -> None:
        number = 1 if before is None else before.number + 1
        row = version._replace(number=number, written_by=self.actor.person)
        if not queries.insert_version(connection, self.actor, self.area, row):
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


def _paths_in(area: Area, payloads: Sequence[dict[str, str]]) -> set[str]:
    return {each["path"] for each in payloads if each["area"] == area.name}
