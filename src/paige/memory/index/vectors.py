"""Comparing by meaning: exact vectors of some rows, and the nearest among very many.

Few rows are compared exactly. For many, the signs of their 256 numbers (32 bytes) are compared
first, which a processor does for a million rows in a few milliseconds, and only the best of them
exactly. The exact vectors of a small index stay in memory; those of a large one are read from the
database when they are needed.
"""

import threading
from collections.abc import Iterable
from sqlite3 import Connection

import numpy as np

from paige.memory.index import queries
from paige.memory.index.blocks import Arrays, Damaged, codes_of

IN_MEMORY = 2**16  # vectors of half precision: 32 MB
PREFILTERED = 1000  # rows that are compared exactly after the signs were
ALL_EXACT = 4096  # up to so many rows the signs are not worth it


class ExactVectors:
    """The exact vectors of an index; it may be shared between threads."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._lock = threading.Lock()
        self._matrix = np.zeros((1, dimension), np.float16)  # row 0 is no row
        self._have = 0

    def of(self, connection: Connection, rows: np.ndarray, last: int) -> np.ndarray:
        """The vectors of rows, in single precision; zeros for a row that has none.

        `last` is the last row with a vector. Raises: Damaged.
        """
        if last <= IN_MEMORY:
            return self._in_memory(connection, last)[np.where(rows <= last, rows, 0)].astype("f4")
        found = queries.vectors_of(connection, rows)
        vectors = np.zeros((len(rows), self._dimension), np.float32)
        if found:
            numbers, data = _unpacked(found, self._dimension)
            vectors[np.searchsorted(rows, numbers)] = data
        return vectors

    def _in_memory(self, connection: Connection, last: int) -> np.ndarray:
        with self._lock:
            if last > self._have:
                if last >= len(self._matrix):
                    grown = np.zeros((2 * last + 1, self._dimension), np.float16)
                    grown[: len(self._matrix)] = self._matrix
                    self._matrix = grown
                found = list(queries.vectors_between(connection, self._have, last))
                if found:
                    numbers, data = _unpacked(found, self._dimension)
                    self._matrix[numbers] = data
                self._have = last
            return self._matrix


def check_codes(arrays: Arrays, rows: np.ndarray, vectors: np.ndarray) -> None:
    """Compare exact vectors with their signs: both were written together. Raises: Damaged."""
    codes = codes_of(vectors).view(np.uint64)
    if not np.array_equal(codes, arrays.planes[:, rows].T):
        raise Damaged("a vector is not the one that was stored")


def nearest_rows(
    arrays: Arrays, rows: np.ndarray, vector: np.ndarray, most: int = PREFILTERED
) -> np.ndarray:
    """About `most` of the rows, those whose signs agree best with the vector's; in order."""
    if len(rows) <= most:
        return rows
    code = codes_of(vector[None, :]).view(np.uint64)[0]
    planes = arrays.planes
    if 4 * len(rows) < arrays.size:
        apart = _apart((plane[rows] for plane in planes), code)
    else:
        apart = _apart(planes, code)
        if len(rows) != arrays.size:
            apart = apart[rows]
    enough = np.searchsorted(np.cumsum(np.bincount(apart)), most)
    return rows[np.flatnonzero(apart <= enough)[: 2 * most]]


def _apart(planes: Iterable[np.ndarray], code: np.ndarray) -> np.ndarray:
    total: np.ndarray | None = None
    for plane, word in zip(planes, code, strict=True):
        differing = np.bitwise_count(plane ^ word)
        total = differing.astype(np.uint16) if total is None else total + differing
    assert total is not None
    return total


def _unpacked(found: list[tuple[int, bytes]], dimension: int) -> tuple[np.ndarray, np.ndarray]:
    numbers, blobs = zip(*found, strict=True)
    joined = b"".join(blobs)
    if len(joined) != 2 * dimension * len(found):
        raise Damaged("a vector has another length")
    return np.array(numbers), np.frombuffer(joined, np.float16).reshape(len(found), dimension)
