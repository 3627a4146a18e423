"""Memory documents: markdown that a teacher, a web page and agents write, each without asking.

The truth is the log: every text that was written is a `file_written` event. The table of documents
is made from it, and the files of the workspace are a rendering that people may edit. Whatever they
changed there is taken in before anything is written over it.

Writers name the version they saw. When it is not the newest any more, the two texts are merged: no
text is lost, and where both changed the same lines both stay, with the names of the writers.

One lock, held by one writer at a time whatever the process, keeps the order: catch up with the log,
take in the file, write the event, show it.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, Conflict, NotFound
from paige.base.files import make_private, write_error
from paige.base.ids import new_id
from paige.base.platform import locked
from paige.base.wire import storable
from paige.memory.documents import queries
from paige.memory.documents.document_files import MemoryFolder
from paige.memory.documents.file_sync import FileSync, SyncProblem
from paige.memory.documents.projection import Change, LogEvents, Projection, identity
from paige.memory.documents.records import (
    DocumentPath,
    EventRow,
    FileRow,
    Use,
    line_count,
    read_path,
)
from paige.memory.documents.three_way_merge import MergedText, Side, merge
from paige.store.documents import NEW, DirectoryDocuments
from paige.store.engine import Database
from paige.store.leases import alone

MAX_BYTES = 512 * 2**10
WEB = Use()
Make = Callable[[FileRow | None], tuple[MergedText, str]]
"""From the document as it is to the text it shall have, and the version that was made from."""


@dataclass(frozen=True, slots=True)
class WriteResult:
    """A document after a write, and how it came to its text; `base` is what that was made from."""

    document: FileRow
    base: str = NEW
    changed: bool = True
    merged: bool = False
    conflicts: int = 0

    @property
    def lines(self) -> int:
        """How long it is now."""
        return line_count(self.document.content)


class MemoryDocuments:
    """The documents of everyone who uses a log; a workspace shows those of its owner."""

    def __init__(
        self,
        database: Database,
        log: LogEvents,
        *,
        lock: Path,
        rendering: Callable[[Actor], MemoryFolder | None],
        now: Clock,
        randomness: Callable[[int], bytes],
    ) -> None:
        make_private(lock.parent)
        self._database = database
        self._lock = lock
        self._name = log.name
        self._now = now
        self._randomness = randomness
        self._projection = Projection(database, log)
        self._syncing = FileSync(self._projection, rendering, check_text)

    def files(self, actor: Actor, *, class_id: str | None = None) -> list[FileRow]:
        """A person's documents by path; those of one class, or with `''` those of none."""
        with self._locked():
            self._sync_all(actor)
        with self._database.of(actor).transaction(write=False) as connection:
            return queries.list_files(connection, actor, class_id=class_id)

    def find(self, actor: Actor, path: str) -> FileRow | None:
        """One document, or `None`. Raises: BadInput for what cannot be a path."""
        place = read_path(path)
        if self._projection.is_fresh(actor):
            row = self._projection.find(actor, place.path)
            if self._syncing.agrees(actor, place, row):
                return row
        with self._locked():
            self._projection.catch_up(actor)
            return self._syncing.sync(actor, place)[0]

    def read(self, actor: Actor, path: str, *, use: Use | None = None) -> FileRow:
        """One document; with `use` it is noted who read it. Raises: NotFound, BadInput."""
        row = self.find(actor, path)
        if row is None:
            raise NotFound(f"There is no memory document `{read_path(path).path}`")
        if use is not None:
            self.note_read(actor, row, use)
        return row

    def write(
        self, actor: Actor, path: str, text: str, *, base: str, use: Use = WEB
    ) -> WriteResult:
        """Store a text made from version `base`, or from nothing with `""`.

        A base that is not the newest any more is merged. Raises: Refused when the text may not be
        kept, BadInput.
        """
        place, text = read_path(path), check_text(path, text)

        def make(row: FileRow | None) -> tuple[MergedText, str]:
            if row is None or row.version == base:
                return MergedText(text), base
            old = "" if base == NEW else self._projection.text_of(actor, place.path, base)
            return merge(old, Side(row.content, row.written_by), Side(text, use.by)), base

        return self._write(actor, place, make, use, text)

    def append(self, actor: Actor, path: str, text: str, *, use: Use = WEB) -> WriteResult:
        """Add lines to the end of a document, which is made when it is missing. Raises: Refused."""
        place, text = read_path(path), check_text(path, text)
        added = text if text.endswith("\n") else f"{text}\n"

        def make(row: FileRow | None) -> tuple[MergedText, str]:
            before = row.content if row else ""
            gap = "" if not before or before.endswith("\n") else "\n"
            return MergedText(f"{before}{gap}{added}"), row.version if row else NEW

        return self._write(actor, place, make, use)

    def repeated(self, actor: Actor, path: str, use: Use) -> WriteResult | None:
        """What came of a write with this key, if it was done before."""
        with self._locked():
            self._projection.catch_up(actor)
            return self._done(actor, read_path(path), use)

    def delete(self, actor: Actor, path: str, *, base: str, use: Use = WEB) -> None:
        """Remove a document of version `base`; the log keeps its texts.

        Raises: NotFound, Conflict when it has changed since.
        """
        place = read_path(path)
        with self._locked():
            self._projection.catch_up(actor)
            row, _ = self._syncing.sync(actor, place, writing=True)
            if row is None:
                raise NotFound(f"There is no memory document `{place.path}`")
            if row.version != base:
                raise Conflict(
                    f"`{place.path}` was changed by someone else meanwhile",
                    hint="Read it again before you delete it.",
                )
            self._projection.store(actor, place, Change(None, base, use))
            self._syncing.sync(actor, place, writing=True)

    def history(self, actor: Actor, path: str, *, limit: int = 100) -> list[EventRow]:
        """What was written to a document, newest first; a deletion has an empty version."""
        place = read_path(path)
        with self._locked():
            self._projection.catch_up(actor)
        with self._database.of(actor).transaction(write=False) as connection:
            return queries.writes_of(connection, actor, place.path, limit=limit)

    def text_of(self, actor: Actor, path: str, version: str) -> str | None:
        """An earlier text, from the log; `None` when it was forgotten or never there."""
        return self._projection.text_of(actor, read_path(path).path, version)

    def check(self, actor: Actor) -> list[SyncProblem]:
        """Take in whatever people changed in the files, and say which could not be."""
        with self._locked():
            self._syncing.refused.clear()
            return self._sync_all(actor)

    def rebuild(self, actor: Actor, *, forgotten: Collection[str] = ()) -> list[SyncProblem]:
        """Make the documents again from the log, after taking in the files.

        Also to be called when texts were forgotten, with the documents they were in: no copy of
        them stays. A file of which nothing is known any more would be taken for a new one.
        """
        with self._locked():
            problems = self._sync_all(actor)
            self._projection.clear(actor)
            self._projection.catch_up(actor)
            for path in forgotten:
                self._syncing.remove_unknown(actor, path)
            self._syncing.forget_asides(actor)
            self._sync_all(actor)
            self._syncing.forget_asides(actor)
            return problems

    def _write(
        self, actor: Actor, place: DocumentPath, make: Make, use: Use, own: str | None = None
    ) -> WriteResult:
        with self._locked():
            self._projection.catch_up(actor)
            if done := self._done(actor, place, use):
                return done
            row, _ = self._syncing.sync(actor, place, writing=True)
            result, base = make(row)
            if row is not None and result.text == row.content:
                return WriteResult(row, base, changed=False)
            check_text(place.path, result.text)
            merged = own is not None and result.text != own
            change = Change(result.text, base, use, own if merged else None)
            self._projection.store(actor, place, change)
            stored, _ = self._syncing.sync(actor, place, writing=True)
            assert stored is not None, "a text was stored, so there is a document"
            return WriteResult(stored, base, merged=merged, conflicts=result.conflicts)

    def _done(self, actor: Actor, place: DocumentPath, use: Use) -> WriteResult | None:
        """What came of a write that was done before and is now repeated."""
        if use.key is None:
            return None
        with self._database.of(actor).transaction(write=False) as connection:
            known = queries.find_event(connection, actor, identity(actor, use.key))
            row = queries.find_file(connection, actor, place.path)
        return WriteResult(row) if known is not None and row is not None else None

    def _sync_all(self, actor: Actor) -> list[SyncProblem]:
        self._projection.catch_up(actor)
        with self._database.of(actor).transaction(write=False) as connection:
            known = {row.path: row for row in queries.list_files(connection, actor)}
        problems: list[SyncProblem] = []
        for path in sorted({*known, *self._syncing.files(actor)}):
            try:
                place = read_path(path)
                if place.path != path:
                    raise BadInput(f"`{path}` must be named `{place.path}`")
            except BadInput as error:
                problems.append(SyncProblem(path, error.message))
                continue
            if self._syncing.agrees(actor, place, known.get(path)):
                continue
            _, problem = self._syncing.sync(actor, place)
            if problem is not None:
                problems.append(problem)
        return problems

    def note_read(self, actor: Actor, row: FileRow, use: Use) -> None:
        """Note that somebody knows a version of a document."""
        now = self._now()
        key = None if use.key is None else identity(actor, f"{use.key}:read:{row.path}")
        event = EventRow(
            id=key or new_id(now, self._randomness(10)),
            event_type="read",
            scope=row.scope,
            class_id=row.class_id,
            path=row.path,
            created_at=now,
            trace_id=use.provenance.trace_id,
            session_id=use.provenance.session_id,
            memory_file_id=row.id,
            version=row.version,
            seq=row.seq,
        )
        with self._database.of(actor).transaction(write=True) as connection:
            queries.insert_event(connection, actor, event)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            lock = locked(self._lock)
            lock.__enter__()
        except OSError as error:
            raise write_error(self._lock, error) from error
        try:
            # The file keeps out processes of this machine, the database those of others.
            with alone(self._database, f"memory documents {self._name}"):
                yield
        finally:
            lock.__exit__(None, None, None)


def rendered_for(
    owner: Actor, workspace: DirectoryDocuments
) -> Callable[[Actor], MemoryFolder | None]:
    """The files of one workspace belong to its owner; other people's documents have none."""
    rendering = MemoryFolder(workspace)

    def find(actor: Actor) -> MemoryFolder | None:
        own = (actor.tenant, actor.person) == (owner.tenant, owner.person)
        return rendering if own else None

    return find


def check_text(path: str, text: str) -> str:
    """A text that can be a document. Raises: BadInput."""
    if storable(text) != text:
        raise BadInput(f"`{path}` would hold characters that nobody can keep")
    if len(text.encode()) > MAX_BYTES:
        raise BadInput(
            f"`{path}` would have more than {MAX_BYTES // 1024} KiB",
            hint="Move some of it to a topic file.",
        )
    return text
