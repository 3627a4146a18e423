"""Numbers of all memories as NumPy arrays: how they are packed into blocks, and kept in a process.

Ranking looks at thousands of rows at once, so what it needs of each (session, neighbours, time,
class of rights, 1-bit code of the vector) lies in arrays indexed by row. In the database they are
packed into blocks of 128 rows with a checksum and a version, so that a process reads only blocks
that changed since it last looked, whoever changed them.
"""

import zlib
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from paige.memory.index.schema import BLOCK

NUMBERS = np.dtype(
    [
        ("seq", "<i8"),
        ("at", "<i8"),  # seconds since 1970
        ("session", "<i4"),  # -1: none
        ("previous", "<i4"),  # row before it in its session, 0: none
        ("following", "<i4"),
        ("speaker", "<i4"),  # -1: none
        ("length", "<i4"),
        ("accesses", "<i4"),
        ("importance", "<f4"),
        ("class", "<i4"),  # 0: nothing is there (any more)
        ("told", "u1"),
        ("priority", "u1"),  # what must not be missed comes first under a budget
    ]
)


class Damaged(Exception):
    """The index holds something that cannot be right."""


class StoredBlock(NamedTuple):
    """A block as it is in the database."""

    block: int
    size: int
    checksum: int
    numbers: bytes
    bits: bytes


class Block:
    """128 rows that are being written."""

    __slots__ = ("block", "numbers", "bits", "count")

    def __init__(self, block: int, width: int, stored: StoredBlock | None = None) -> None:
        self.block = block
        self.numbers = np.zeros(BLOCK, NUMBERS)
        self.bits = np.zeros((BLOCK, width), np.uint8)
        self.count = 0
        if stored is not None:
            numbers, bits = unpack(stored, width)
            self.count = stored.size
            self.numbers[: self.count] = numbers
            self.bits[: self.count] = bits

    def pack(self) -> StoredBlock:
        """The block as it is written."""
        numbers = self.numbers[: self.count].tobytes()
        bits = self.bits[: self.count].tobytes()
        return StoredBlock(self.block, self.count, checksum(numbers, bits), numbers, bits)


def checksum(numbers: bytes, bits: bytes) -> int:
    """What tells a block that was written by us from one that something else wrote into."""
    return zlib.crc32(bits, zlib.crc32(numbers))


def unpack(stored: StoredBlock, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The numbers and codes of a block. Raises: Damaged."""
    if checksum(stored.numbers, stored.bits) != stored.checksum:
        raise Damaged(f"block {stored.block} has another checksum")
    numbers = np.frombuffer(stored.numbers, NUMBERS)
    if len(numbers) != stored.size or not 0 < stored.size <= BLOCK:
        raise Damaged(f"block {stored.block} has another size")
    if len(stored.bits) != width * stored.size:
        raise Damaged(f"block {stored.block} has codes of another width")
    return numbers, np.frombuffer(stored.bits, np.uint8).reshape(stored.size, width)


def code_width(dimension: int) -> int:
    """Bytes of a 1-bit code: whole numbers of 64 bits."""
    return -(-dimension // 64) * 8


def codes_of(vectors: np.ndarray) -> np.ndarray:
    """The signs of vectors, as they are kept (half precision), packed to bits."""
    if vectors.dtype == np.float16:
        vectors = vectors.view(np.int16)  # the same signs, compared by the processor itself
    codes = np.packbits(vectors > 0, axis=1)
    missing = code_width(vectors.shape[1]) - codes.shape[1]
    return np.pad(codes, ((0, 0), (0, missing))) if missing else codes


class Arrays:
    """The numbers of all rows in this process; index 0 is no row.

    Views that were handed out stay valid: growing makes new arrays, and rows never move.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.size = 1  # rows known, and the empty row 0
        self.version = 0
        self._columns = {name: np.zeros(BLOCK, NUMBERS[name]) for name in NUMBERS.names or ()}
        self._planes = np.zeros((width // 8, BLOCK), np.uint64)

    def column(self, name: str) -> np.ndarray:
        """One number of every row."""
        return self._columns[name][: self.size]

    @property
    def planes(self) -> np.ndarray:
        """The 1-bit codes, 64 bits of every row at a time."""
        return self._planes[:, : self.size]

    def take_in(self, blocks: Iterable[StoredBlock], version: int) -> None:
        """Replace the blocks that changed. Raises: Damaged."""
        for stored in blocks:
            numbers, bits = unpack(stored, self.width)
            start = stored.block * BLOCK + 1
            end = start + stored.size
            self._grow(end)
            for name, column in self._columns.items():
                column[start:end] = numbers[name]
            self._planes[:, start:end] = bits.view(np.uint64).T
            self.size = max(self.size, end)
        self.version = version

    def _grow(self, size: int) -> None:
        have = len(self._columns["seq"])
        if size <= have:
            return
        more = max(size, 2 * have) - have
        for name, column in self._columns.items():
            self._columns[name] = np.concatenate([column, np.zeros(more, column.dtype)])
        grown = np.zeros((len(self._planes), have + more), np.uint64)
        grown[:, :have] = self._planes
        self._planes = grown
