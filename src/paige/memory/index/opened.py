"""What a process knows about the index file that it has open: gone when the file is replaced."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from sqlite3 import Connection

from paige.memory.index import queries
from paige.memory.index.blocks import Arrays, Damaged, code_width
from paige.memory.index.classes import Access
from paige.memory.index.files import Identity, IndexFile
from paige.memory.index.following import Numbers
from paige.memory.index.scopes import Names, Scope, Scopes
from paige.memory.index.searching import State
from paige.memory.index.vectors import ExactVectors
from paige.memory.vectors.backend import Embedder


class Outdated(Exception):
    """What was read is older than what this process knows; reading again helps."""


@dataclass
class Opened:
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
    def open(cls, file: IndexFile, embedder: Embedder | None) -> "Opened":
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
        """A connection that sees one state. Raises: Replaced."""
        return self.file.reading(self.identity)

    def writing(self) -> AbstractContextManager[Connection]:
        """A connection that nobody else writes beside. Raises: Replaced."""
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
        does not fit together is no damage. Raises: Outdated, Replaced, Damaged.
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
