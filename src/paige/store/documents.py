"""Files that people and Paige both edit: list, read, write if nobody else did, watch.

A version is a hash of the text, so an edit made in any editor counts. `write` names the version it
was based on and is refused when the file has another one by now: nothing is overwritten unseen.
Rooms never open these files themselves.
"""

import hashlib
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from paige.base.errors import BadInput, Conflict, NotFound, Refused
from paige.base.files import make_private, write_atomic, write_error
from paige.base.platform import locked

NEW = ""
"""The version of a document that does not exist yet."""
MAX_BYTES = 8 * 2**20


@dataclass(frozen=True, slots=True)
class Document:
    """One document as it was read or written."""

    path: str
    text: str
    version: str


class Documents(Protocol):
    """What a room may do with documents, wherever they are kept."""

    def paths(self, below: str = "") -> list[str]:
        """Every document below a folder, sorted."""
        ...

    def read(self, path: str) -> Document:
        """One document. Raises: NotFound."""
        ...

    def write(self, path: str, text: str, *, base: str) -> Document:
        """Store a text made from version `base`. Raises: Conflict when it has changed since."""
        ...

    def delete(self, path: str, *, base: str) -> None:
        """Remove a document of version `base`. Raises: Conflict when it has changed since."""
        ...

    def watch(self) -> AsyncIterator[set[str]]:
        """The paths that changed, in batches, until cancelled."""
        ...


def version_of(text: str) -> str:
    """The version of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class DirectoryDocuments:
    """Documents in a folder of this machine."""

    def __init__(self, root: Path) -> None:
        make_private(root)
        self.root = root.resolve()

    def paths(self, below: str = "") -> list[str]:
        """Every document below a folder, sorted; hidden files are not documents."""
        start = self._place(below) if below else self.root
        found: list[str] = []
        self._collect(str(start), "" if start == self.root else f"{below}/", found)
        return sorted(found)

    def _collect(self, folder: str, above: str, found: list[str]) -> None:
        try:
            entries = list(os.scandir(folder))
        except OSError:  # not there, not a folder, or not ours to read
            return
        for entry in entries:
            if entry.name.startswith(".") or _strange(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                self._collect(entry.path, f"{above}{entry.name}/", found)
            elif not entry.is_symlink() or (not _leads_to_folder(entry) and self._holds(entry)):
                found.append(f"{above}{entry.name}")

    def read(self, path: str) -> Document:
        """One document. Raises: NotFound, BadInput when it is not text."""
        place = self._place(path)
        try:
            data = place.read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise NotFound(f"There is no document `{path}`") from error
        except OSError as error:
            raise Refused(f"`{path}` cannot be read: {error.strerror}") from error
        return _document(path, data)

    def write(self, path: str, text: str, *, base: str) -> Document:
        """Store a text made from version `base`. Raises: Conflict when it has changed since."""
        data = document_bytes(path, text)
        place = self._place(path)
        with self._lock():
            self._expect(path, base)
            write_atomic(place, data)
        return Document(path, text, version_of(text))

    def delete(self, path: str, *, base: str) -> None:
        """Remove a document of version `base`. Raises: Conflict when it has changed since."""
        place = self._place(path)
        with self._lock():
            self._expect(path, base)
            try:
                place.unlink()
            except FileNotFoundError as error:
                raise NotFound(f"There is no document `{path}`") from error
            except OSError as error:
                raise write_error(place, error) from error

    async def watch(self) -> AsyncIterator[set[str]]:
        """The paths that changed, in batches, until cancelled."""
        from watchfiles import awatch  # noqa: PLC0415 - starts a native watcher; few callers watch

        # Whoever cancels waits for the native watcher to look up, so it does that often.
        async for changes in awatch(self.root, step=20, debounce=100, rust_timeout=200):
            paths = {Path(name).relative_to(self.root) for _, name in changes}
            shown = {path.as_posix() for path in paths if not _hidden(path)}
            if shown:
                yield shown

    @contextmanager
    def _lock(self) -> Iterator[None]:
        try:
            with locked(self.root / ".lock"):
                yield
        except OSError as error:
            raise write_error(self.root, error) from error

    def _holds(self, place: Path | os.DirEntry[str]) -> bool:
        """Whether a path stays in the folder, wherever its links lead."""
        # Not Path.resolve: that fails on links that lead in a circle.
        return Path(os.path.realpath(place)).is_relative_to(self.root)

    def _expect(self, path: str, base: str) -> None:
        try:
            now = self.read(path).version
        except NotFound:
            now = NEW
        if now != base:
            raise changed_meanwhile(path)

    def _place(self, path: str) -> Path:
        parts = document_path(path)
        place = self.root / parts
        if _has_link(self.root, parts) and not self._holds(place):
            raise Refused(f"`{path}` leads out of the folder")
        return place


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a circle of links
        return False


def _has_link(root: Path, parts: PurePosixPath) -> bool:
    """Whether a part of a path below `root` is a link: only those can lead out."""
    place = str(root)
    for part in parts.parts:
        place = os.path.join(place, part)
        if os.path.islink(place):
            return True
    return False


def document_path(path: str) -> PurePosixPath:
    """A path as documents are named by it. Raises: Refused when it leads out or is hidden."""
    parts = PurePosixPath(path)
    outside = parts.is_absolute() or ".." in parts.parts or not parts.parts
    if outside or _strange(path):
        shown = path.encode(errors="replace").decode()
        raise Refused(f"`{shown}` is not a path inside the folder")
    if _hidden(parts):
        raise Refused(f"`{path}` is hidden, so it is not a document")
    return parts


def document_bytes(path: str, text: str) -> bytes:
    """A text as it is stored. Raises: BadInput when it is not Unicode or too long."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:  # JSON can bring half of a character
        raise BadInput(f"`{path}` would hold text that is not Unicode") from error
    if len(data) > MAX_BYTES:
        raise BadInput(f"`{path}` has {len(data)} bytes; a document has at most {MAX_BYTES}")
    return data


def changed_meanwhile(path: str) -> Conflict:
    """What a writer is told whose text was made from another version."""
    return Conflict(
        f"`{path}` was changed by someone else meanwhile",
        hint="Read it again and make the change on the new text.",
    )


def _strange(path: str) -> bool:
    """Whether a name would mean something else on another system, or cannot be sent to one."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return True
    return "\0" in path or "\\" in path


def _hidden(path: PurePosixPath | Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _document(path: str, data: bytes) -> Document:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput(
            f"{path}:{line}: this is not UTF-8 text", hint="Save it as UTF-8."
        ) from error
    return Document(path, text, version_of(text))


def folder_of(documents: Documents) -> Path | None:
    """The folder that documents are in; nothing when they are in the database."""
    return documents.root if isinstance(documents, DirectoryDocuments) else None
