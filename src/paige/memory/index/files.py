"""The file `index.db`: opening it, sharing it between threads and processes, replacing it.

A connection is taken for one piece of work and given back. Before each piece the file's inode is
compared with the one that was opened: somebody may have deleted the file, or replaced it after
finding it damaged, and SQLite would go on with the deleted one without a word. Making, checking and
removing the file happens under a lock, so that of several processes one does it.

What a process knows about the file that it has open (`OpenIndex`) is gone when that is replaced.
"""

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from sqlite3 import Connection, DatabaseError, Error
from typing import NamedTuple

from paige.base.errors import PaigeError, Refused, Unavailable
from paige.base.files import make_private, write_error
from paige.base.platform import locked
from paige.memory.index import queries
from paige.memory.index.blocks import Arrays, Damaged, code_width
from paige.memory.index.classes import Access, Names, Scope, Scopes
from paige.memory.index.projection import Numbers
from paige.memory.index.search import ExactVectors, State
from paige.memory.vectors.backend import Embedder


class Identity(NamedTuple):
    """Tells a file that is open from every other; numbers of deleted files are used again."""

    device: int
    inode: int
    opening: int


_BESIDE = ("-wal", "-shm", "-journal")
_READ_ONLY_MOVED = 1032  # the file was deleted or replaced under the connection


class FileReplaced(Exception):
    """The file is not the one that was opened any more."""


class IndexFile:
    """The database of an index; it may be shared between threads."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "index.db"
        self._folder = folder
        self._guard = threading.Lock()
        self._writer = threading.RLock()
        self._idle: list[Connection] = []
        # Never used: while it is open, no other file can get this one's inode.
        self._anchor: Connection | None = None
        self._openings = 0
        self._identity: Identity | None = None

    @property
    def identity(self) -> Identity | None:
        """Tells the file that is open from one that replaced it; None while none is open."""
        return self._identity

    @contextmanager
    def reading(self, identity: Identity | None) -> Iterator[Connection]:
        """A connection that sees one state of the index until the end of the block.

        Raises: FileReplaced when the file is not the one with this identity any more.
        """
        with self._connection(identity) as connection:
            queries.begin(connection)
            yield connection
            queries.rollback(connection)

    @contextmanager
    def writing(self, identity: Identity | None) -> Iterator[Connection]:
        """A connection that nobody else writes beside; all is kept at the end, or nothing.

        Raises: FileReplaced when the file is not the one with this identity any more.
        """
        with self._writer, self._connection(identity) as connection:
            queries.begin_writing(connection)
            yield connection
            queries.commit(connection)

    def empty_journal(self, identity: Identity | None) -> None:
        """Bring all changes into the file itself, so that earlier contents are nowhere."""
        with self._writer, self._connection(identity) as connection:
            queries.empty_journal(connection)

    @contextmanager
    def _connection(self, identity: Identity | None) -> Iterator[Connection]:
        connection = self._take(identity)
        try:
            yield connection
        except BaseException:
            _close(connection)  # rolls back
            raise
        self._give(connection, identity)

    def is_current(self, identity: Identity | None) -> bool:
        """Whether this is the file that is open, and it is still there."""
        return identity == self._identity and self._is_there(identity)

    def open(self) -> None:
        """Open the file, made anew when it is missing or of another version.

        Raises: DatabaseError when it is damaged; PaigeError when it cannot be made.
        """
        with self._guard:
            if self._is_there(self._identity):
                return
            self._forget_connections()
            make_private(self._folder)
            try:
                with locked(self._folder / "index.lock"):
                    self._anchor = self._prepare()
                    self._openings += 1
                    self._identity = Identity(*_inode(self.path), self._openings)
            except OSError as error:
                raise write_error(self.path, error) from error

    def remove(self, damaged: Identity | None) -> None:
        """Throw the file away, unless somebody has already replaced it; the next use makes it.

        Without `damaged` it is thrown away in any case.
        """
        with self._guard:
            if damaged is not None and damaged != self._identity:
                return
            try:
                make_private(self._folder)
                with locked(self._folder / "index.lock"):
                    if damaged is None or self._is_there(damaged):
                        self._remove_files()
            except OSError as error:
                raise write_error(self.path, error) from error
            finally:
                self._forget_connections()

    def close(self) -> None:
        """Give all connections back to the system."""
        with self._guard:
            self._forget_connections()

    def _prepare(self) -> Connection:
        if not self.path.exists():
            self._remove_files()  # a log of changes without its database must not be replayed
        connection = self._usable()
        if connection is None:
            self._remove_files()
            connection = queries.connect(self.path)
            queries.create(connection)
        return connection

    def _usable(self) -> Connection | None:
        connection: Connection | None = None
        try:
            connection = queries.connect(self.path)
            if queries.is_usable(connection):
                return connection
        except DatabaseError as error:
            if refusal(error, self.path) is not None:
                raise
        if connection is not None:
            _close(connection)
        return None

    def _remove_files(self) -> None:
        for name in (self.path.name, *(f"{self.path.name}{end}" for end in _BESIDE)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path.with_name(name))

    def _take(self, identity: Identity | None) -> Connection:
        if not self._is_there(identity):
            raise FileReplaced
        with self._guard:
            if self._identity != identity:
                raise FileReplaced
            if self._idle:
                return self._idle.pop()
        connection = queries.connect(self.path)
        if not self._is_there(identity):
            _close(connection)
            raise FileReplaced
        return connection

    def _is_there(self, identity: Identity | None) -> bool:
        return identity is not None and _inode(self.path) == identity[:2]

    def _give(self, connection: Connection, identity: Identity | None) -> None:
        with self._guard:
            if self._identity == identity:
                self._idle.append(connection)
                return
        _close(connection)

    def _forget_connections(self) -> None:
        self._identity = None
        while self._idle:
            _close(self._idle.pop())
        if self._anchor is not None:
            _close(self._anchor)
            self._anchor = None


def refusal(error: Exception, path: Path) -> PaigeError | None:
    """The error for a person when throwing the index away would not help."""
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int):
        return None
    match code & 0xFF:
        case 13:
            return Unavailable(
                f"The disk is full: the memory index `{path}` was not written",
                hint="Free some space and try again; no memory is lost.",
            )
        case 5 | 6:
            return Unavailable(
                f"The memory index `{path}` is in use by another program for too long",
                hint="Try again in a moment.",
            )
        case 8 if code != _READ_ONLY_MOVED and not os.access(path.parent, os.W_OK):
            return Refused(
                f"The memory index `{path}` may not be written", hint="Check who owns the folder."
            )
    return None


def _inode(path: Path) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return -1, -1
    return found.st_dev, found.st_ino


def _close(connection: Connection) -> None:
    with contextlib.suppress(Error, DatabaseError):
        connection.close()


class Outdated(Exception):
    """What was read is older than what this process knows; reading again helps."""


@dataclass
class OpenIndex:
    """An index file in use."""

    file: IndexFile
    identity: Identity | None
    embedder: Embedder | None
    width: int
    vectors: ExactVectors | None
    arrays: Arrays
    names: Names = field(default_factory=Names)
    numbers: Numbers = field(default_factory=Numbers)  # used by whoever writes
    seen: dict[str, int] = field(default_factory=dict)  # by log: nothing new up to here
    _scopes: Scopes = field(default_factory=Scopes)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, file: IndexFile, embedder: Embedder | None) -> "OpenIndex":
        """Look into a file. Raises: Damaged when its vectors are of another embedder."""
        identity = file.identity
        with file.reading(identity) as connection:
            metas = queries.metas(connection)
        made_by = metas.get("embedder")
        if embedder is not None:
            made_by = f"{embedder.name}:{embedder.dimension}"
            if metas.get("embedder") != made_by:
                _set_embedder(file, identity, made_by)
        dimension = 0 if made_by is None else int(str(made_by).rpartition(":")[2])
        width = code_width(dimension)
        vectors = ExactVectors(dimension) if embedder is not None else None
        return cls(file, identity, embedder, width, vectors, Arrays(width))

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection that sees one state. Raises: FileReplaced."""
        return self.file.reading(self.identity)

    def writing(self) -> AbstractContextManager[Connection]:
        """A connection that nobody else writes beside. Raises: FileReplaced."""
        return self.file.writing(self.identity)

    def state(self, connection: Connection) -> State:
        """What a search sees, with everything that others wrote before `connection` began.

        Raises: Outdated when another thread already knows more than the connection sees.
        """
        metas = queries.metas(connection)
        with self._lock:
            if metas["version"] < self.arrays.version:
                raise Outdated
            if metas["version"] > self.arrays.version:
                self.names.refresh(connection)
                changed = queries.blocks_since(connection, self.arrays.version)
                self.arrays.take_in(changed, metas["version"])
                self.names.check(self.arrays)
        up_to = metas.get("vectors_up_to", 0)
        return State(connection, self.arrays, self.names, self.vectors, up_to, metas["version"])

    @contextmanager
    def searching(self) -> Iterator[State]:
        """What a search sees, until the end of the block.

        The arrays are of the whole process: when another thread brings them further meanwhile, what
        does not fit together is no damage. Raises: Outdated, FileReplaced, Damaged.
        """
        with self.reading() as connection:
            state = self.state(connection)
            try:
                yield state
            except Damaged as error:
                if self.arrays.version != state.version:
                    raise Outdated from error
                raise

    def scope(self, connection: Connection, access: Access, speaker: str | None) -> Scope:
        """The rows that a search may look at."""
        with self._lock:
            return self._scopes.get(connection, self.arrays, self.names, access, speaker)


def _set_embedder(file: IndexFile, identity: Identity | None, made_by: str) -> None:
    with file.writing(identity) as connection:
        metas = queries.metas(connection)
        if metas.get("embedder") == made_by:
            return
        if metas["rows"]:
            raise Damaged("the vectors are of another embedder")
        queries.set_meta(connection, "embedder", made_by)
