"""Vectors in PostgreSQL with pgvector, for those who keep everything shared there.

The table is made at first use and not by a migration: many servers do not have the extension, a
migration that needs it would then keep Paige from starting at all, and nothing in the table is
missed, because it can be filled again from the log. Without the extension this store says so, and
search goes on with the embedded vectors.
"""

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

import numpy as np
import orjson
from sqlalchemy import Connection

from paige.base.actor import LOCAL_TENANT
from paige.base.errors import PaigeError, Unavailable
from paige.memory.vectors import queries
from paige.memory.vectors.backend import Neighbour, RemoteStore, Status, VectorMetadata
from paige.store.engine import Database

T = TypeVar("T")
BATCH = 1000
MISSING = "PostgreSQL has no pgvector; the embedded vectors are used"
MISSING_HINT = "Install pgvector on the server, then `CREATE EXTENSION vector;` as its superuser."


class PgVectors(RemoteStore):
    """The vectors of one tenant and embedder; it may be shared between threads."""

    name = "pgvector"

    def __init__(
        self,
        database: Database,
        *,
        embedder: str,
        tenant: str = LOCAL_TENANT,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(monotonic)
        self._database = database.of_tenant(tenant)
        self._embedder = embedder
        self._tenant = tenant
        self._lock = threading.Lock()
        self._table: queries.Table | None = None
        self._lengths: set[int] = set()

    @property
    def generation(self) -> str:
        """Changes with the table and with the embedder. Raises: Unavailable."""
        return f"{self.connect().oid}:{self._embedder}"

    def connect(self) -> queries.Table:
        """Make extension and table, unless that is done. Raises: Unavailable."""
        with self._lock:
            if self._table is None:
                self._table = self._prepare()
            return self._table

    def look(self) -> str:
        """What is there, in words, without making anything. Raises: Unavailable."""
        try:
            with self._database.transaction(write=False) as connection:
                version = queries.installed_version(connection)
                offered = queries.offered(connection)
        except PaigeError as error:
            self._failed("unreachable", error)
        if version is not None:
            return f"PostgreSQL has pgvector {'.'.join(map(str, version))}"
        if not offered:
            self._failed("unusable", Unavailable(MISSING, hint=MISSING_HINT))
        return "PostgreSQL offers pgvector; the first memory switches it on"

    def upsert(
        self, ids: Sequence[str], vectors: np.ndarray, metadatas: Sequence[VectorMetadata]
    ) -> None:
        """Store vectors, replacing those of the same id. Raises: Unavailable."""
        if not ids:
            return
        self._prepare_length(self.connect(), vectors.shape[1])
        rows = [
            {
                "tenant": self._tenant,
                "embedder": self._embedder,
                "id": id_,
                "project": metadata.project,
                "session": metadata.session,
                "marks": sorted(metadata.marks),
                "vector": _written(vector),
            }
            for id_, vector, metadata in zip(ids, vectors, metadatas, strict=True)
        ]
        for start in range(0, len(rows), BATCH):
            part = rows[start : start + BATCH]
            self._run(lambda connection, part=part: queries.upsert(connection, part))

    def nearest(
        self, vector: np.ndarray, k: int, groups: Sequence[frozenset[str]]
    ) -> list[Neighbour]:
        """The most similar that carry a mark of every group, best first. Raises: Unavailable."""
        if k < 1 or not np.any(vector):
            return []
        version = self.connect().version
        values = {
            "tenant": self._tenant,
            "embedder": self._embedder,
            "vector": _written(vector),
            "k": k,
        }
        length = vector.shape[-1]
        found = self._run(lambda c: queries.nearest(c, version, length, groups, values))
        # A text that says nothing has no direction, so its similarity is not a number.
        return [Neighbour(id_, score) for id_, score in found if not math.isnan(score)]

    def delete(self, ids: Sequence[str]) -> None:
        """Remove vectors, of whatever embedder; unknown ids are fine. Raises: Unavailable."""
        if ids:
            self.connect()
            self._run(lambda connection: queries.delete(connection, self._tenant, ids))

    def count(self) -> int:
        """How many vectors of this embedder there are. Raises: Unavailable."""
        self.connect()
        return self._run(lambda c: queries.count(c, self._tenant, self._embedder))

    def recreate(self) -> None:
        """Remove everything of this tenant, of whatever embedder. Raises: Unavailable."""
        self.connect()
        self._run(lambda connection: queries.clear(connection, self._tenant))

    def close(self) -> None:
        """Nothing to give back: the connections are the database's."""

    def _prepare(self) -> queries.Table:
        self.look()
        try:
            with self._database.transaction(write=True) as connection:
                table = queries.prepare(connection)
        except PaigeError as error:
            # Most often: the extension is there, but this user may not switch it on.
            message = f"{MISSING} ({error.message})"
            self._failed("unusable", Unavailable(message, hint=MISSING_HINT))
        self._succeeded()
        return table

    def _prepare_length(self, table: queries.Table, dimension: int) -> None:
        if dimension not in self._lengths:
            self._run(lambda c: queries.prepare_length(c, table.version, dimension))
            self._lengths.add(dimension)

    def _run(self, query: Callable[[Connection], T]) -> T:
        try:
            with self._database.transaction(write=True) as connection:
                result = query(connection)
        except PaigeError as error:
            self._failed("unreachable" if error.status == 503 else "unusable", error)
        self._succeeded()
        return result

    def _failed(self, status: Status, error: PaigeError) -> NoReturn:
        self._table = None
        self._lengths.clear()
        self._note_failure(status)
        raise Unavailable(error.message, hint=error.hint) from error


def _written(vector: np.ndarray) -> str:
    """A vector as pgvector reads it, which happens to be JSON."""
    numbers = np.ascontiguousarray(vector, np.float32).ravel()
    return orjson.dumps(numbers, option=orjson.OPT_SERIALIZE_NUMPY).decode()
