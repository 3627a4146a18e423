"""Bringing a document and its file together: what people changed is taken in, then it is shown.

A file that says what was last rendered there is nobody's edit, however old it is. Anything else is
one, and is merged with what the document became meanwhile. A file that is gone, or empty, is a wish
to forget only if nobody is writing the document now and nobody wrote it since it was shown.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from paige.base.actor import Actor
from paige.base.errors import BadInput, Refused
from paige.memory.documents.document_files import Aside, MemoryFolder, drop
from paige.memory.documents.projection import Change, Projection
from paige.memory.documents.records import DocumentPath, FileRow, Use
from paige.memory.documents.three_way_merge import Side, distance, merge
from paige.store.documents import NEW, version_of

DISK = Use(by="disk")
ROUNDS = 10


@dataclass(frozen=True, slots=True)
class SyncProblem:
    """A file in the workspace that was not taken in, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class FileSync:
    """The files of whoever has a workspace. Whoever syncs holds the lock of the documents."""

    projection: Projection
    rendering: Callable[[Actor], MemoryFolder | None]
    check: Callable[[str, str], str]  # raises BadInput for a text that cannot be a document
    refused: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)

    def files(self, actor: Actor) -> list[str]:
        """The files that may be documents."""
        rendering = self.rendering(actor)
        return [] if rendering is None else rendering.paths()

    def agrees(self, actor: Actor, place: DocumentPath, row: FileRow | None) -> bool:
        """Whether the file says what the document says, seen without the lock."""
        rendering = self.rendering(actor)
        if rendering is None:
            return True
        try:
            shown = rendering.read(place.path)
        except (Refused, BadInput):
            return False
        return shown == (row.content if row else None) and not rendering.asides(place.path)

    def sync(
        self, actor: Actor, place: DocumentPath, *, writing: bool = False
    ) -> tuple[FileRow | None, SyncProblem | None]:
        """The document after what people did to its file, and what could not be taken in."""
        rendering = self.rendering(actor)
        row = self.projection.find(actor, place.path)
        if rendering is None:
            return row, None
        work = _Work(self, rendering, actor, place, writing)
        try:
            work.look_aside(row)
            for _ in range(ROUNDS):
                if work.round(self.projection.find(actor, place.path)):
                    break
        except (Refused, BadInput) as error:
            problem = SyncProblem(place.path, error.message)
            return self.projection.find(actor, place.path), problem
        return self.projection.find(actor, place.path), None

    def remove_unknown(self, actor: Actor, path: str) -> None:
        """Remove a file that shows a document of which the log knows nothing any more."""
        rendering = self.rendering(actor)
        if rendering is None or self.projection.find(actor, path) is not None:
            return
        rendering.put(path, None)
        rendering.note(path, NEW)

    def forget_asides(self, actor: Actor) -> None:
        """Drop copies of earlier texts."""
        rendering = self.rendering(actor)
        if rendering is not None:
            rendering.drop_asides()


@dataclass(slots=True)
class _Work:
    """One document and its file, brought together in rounds until they agree."""

    syncing: FileSync
    rendering: MemoryFolder
    actor: Actor
    place: DocumentPath
    writing: bool

    def round(self, row: FileRow | None) -> bool:
        """Do what is next; whether nothing is left to do."""
        path = self.place.path
        found = self.rendering.read(path)
        renders = self.rendering.renders(path)
        last = renders[0].version if renders else None
        if found is None:
            return self._gone(row, last)
        version = version_of(found)
        if row is not None and version == row.version:
            if last != version:
                self.rendering.note(path, version)
            return True
        restored = self.writing and not found and row is not None
        if restored or (version == last and (row is not None or self._was_deleted())):
            self._put(None if row is None else row.content)
        else:
            self._edited(row, version)
        return False

    def look_aside(self, row: FileRow | None) -> None:
        """Take in what an editor wrote into a file after it was set aside; drop the others."""
        for aside in self.rendering.asides(self.place.path):
            if not aside.text:
                continue  # an editor is about to write into it
            if version_of(aside.text) != aside.base and not self._take_aside(row, aside):
                continue
            drop(aside.place)
            row = self.syncing.projection.find(self.actor, self.place.path)

    def _take_aside(self, row: FileRow | None, aside: Aside) -> bool:
        bases = [aside.base, *self.rendering.bases(self.place.path, aside)]
        try:
            self._take_in(row, self.rendering.settled_aside(aside), bases)
        except (Refused, BadInput):
            # A person must see what was not taken in.
            self.rendering.bring_back(self.place.path, aside)
            return False
        return True

    def _put(self, text: str | None) -> None:
        """Replace the file; what somebody saved in the same moment is taken in."""
        put_aside = self.rendering.put(self.place.path, text)
        if (
            put_aside is not None
            and put_aside.text
            and version_of(put_aside.text) != put_aside.base
        ):
            row = self.syncing.projection.find(self.actor, self.place.path)
            if self._take_aside(row, put_aside):
                drop(put_aside.place)

    def _gone(self, row: FileRow | None, last: str | None) -> bool:
        path = self.place.path
        if row is None:
            self.rendering.note(path, NEW)
            return True
        if self.writing or last != row.version:
            self._put(row.content)
            return False
        if self.rendering.settled(path) is not None:
            return False
        self.syncing.projection.store(self.actor, self.place, Change(None, row.version, DISK))
        self.rendering.note(path, NEW)
        return True

    def _edited(self, row: FileRow | None, version: str) -> None:
        key = (self.actor.tenant, self.actor.person, self.place.path)
        before, reason = self.syncing.refused.get(key, ("", ""))
        if before == version:
            raise Refused(reason)
        text = self.rendering.settled(self.place.path)
        if text is None or version_of(text) != version:
            return
        try:
            self._take_in(row, text, self.rendering.bases(self.place.path))
        except (Refused, BadInput) as error:
            # Kept, so that it is not offered again with every access.
            self.syncing.refused[key] = (version, error.message)
            raise
        self.syncing.refused.pop(key, None)
        self.rendering.note(self.place.path, version)

    def _take_in(self, row: FileRow | None, text: str, bases: list[str]) -> None:
        self.syncing.check(self.place.path, text)
        store, base = self.syncing.projection.store, bases[0] if bases else NEW
        if row is None:
            store(self.actor, self.place, Change(text, base, DISK))
            return
        base, old = self._base(text, bases)
        merged = merge(old, Side(row.content, row.written_by), Side(text, DISK.by))
        if merged.text == row.content:
            return
        own = None if merged.text == text else text
        store(self.actor, self.place, Change(merged.text, base, DISK, own))

    def _base(self, text: str, versions: list[str]) -> tuple[str, str | None]:
        """The version a text was most likely made from, and that version's text."""
        texts = {
            version: known
            for version in versions
            if (known := self.syncing.projection.text_of(self.actor, self.place.path, version))
            is not None
        }
        if not texts:
            return NEW, None
        best = min(texts, key=lambda version: distance(texts[version], text))
        return best, texts[best]

    def _was_deleted(self) -> bool:
        """Whether the log says so; otherwise it may be a log that never knew the document."""
        last = self.syncing.projection.last_write(self.actor, self.place.path)
        return last is not None and last.version == NEW
