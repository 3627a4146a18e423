"""The rows a search may look at, with all that ranking wants to know about them together.

Working this out takes longer than a search, and most searches ask about the same few scopes, so the
last ones are kept until the index changes.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from sqlite3 import Connection

import numpy as np

from paige.memory.index import queries
from paige.memory.index.blocks import Arrays, Damaged
from paige.memory.index.classes import Access, Classes, Match, match_of

SMALL = 8192  # in a scope of up to so many rows every row is ranked
KEPT = 16
_COLUMNS = ("seq", "session", "at", "length", "told", "importance", "accesses", "priority")


@dataclass(slots=True)
class Columns:
    """What ranking reads of some rows; neighbours and speakers are places, not numbers."""

    rows: np.ndarray
    values: dict[str, np.ndarray]
    previous: np.ndarray
    following: np.ndarray
    speaker: np.ndarray
    speakers: tuple[str, ...]


@dataclass(slots=True)
class Scope:
    """Rows that may be seen, in order."""

    rows: np.ndarray
    match: Match
    mean_length: float
    speakers: tuple[str, ...]
    columns: Columns | None = None  # only of a small scope
    vectors: np.ndarray | None = field(default=None)

    @property
    def small(self) -> bool:
        """Whether every row is ranked."""
        return self.columns is not None


class Names:
    """Classes and speakers of an index, as far as this process has read them."""

    def __init__(self) -> None:
        self.classes = Classes()
        self.speakers: list[str] = []

    def refresh(self, connection: Connection) -> None:
        """Read those that were added since. Raises: Damaged."""
        classes = queries.classes_after(connection, self.classes.count)
        speakers = queries.speakers_after(connection, len(self.speakers) - 1)
        _check_numbers(classes, self.classes.count + 1)
        _check_numbers(speakers, len(self.speakers))
        self.classes.add(classes)
        self.speakers += [name for _, name in speakers]

    def check(self, arrays: Arrays) -> None:
        """Every number that a row has must be known. Raises: Damaged."""
        classes, speakers = arrays.column("class"), arrays.column("speaker")
        if classes.max() > self.classes.count or classes.min() < 0:
            raise Damaged("a memory is of a class that is not there")
        if speakers.max() >= len(self.speakers) and len(self.speakers):
            raise Damaged("a memory is of a speaker that is not there")


def _check_numbers(found: list[tuple[int, str]], first: int) -> None:
    if [number for number, _ in found] != list(range(first, first + len(found))):
        raise Damaged("a class or a speaker is missing")
    if not all(isinstance(name, str) for _, name in found):
        raise Damaged("a class or a speaker cannot be read")


class Scopes:
    """The scopes that were used last, of one version of the index."""

    def __init__(self) -> None:
        self._version = -1
        self._kept: OrderedDict[tuple[Access, str | None], Scope] = OrderedDict()

    def get(
        self,
        connection: Connection,
        arrays: Arrays,
        names: Names,
        access: Access,
        speaker: str | None = None,
    ) -> Scope:
        """The rows that a search may look at."""
        if arrays.version != self._version:
            self._kept.clear()
            self._version = arrays.version
        scope = self._kept.get((access, speaker))
        if scope is None:
            scope = _scope(connection, arrays, names, access, speaker)
            self._kept[access, speaker] = scope
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end((access, speaker))
        return scope


def _scope(
    connection: Connection, arrays: Arrays, names: Names, access: Access, speaker: str | None
) -> Scope:
    allowed = names.classes.allowed(access)
    seen = allowed[arrays.column("class")]
    if access.session is not None:
        numbers = queries.session_numbers(connection, access.session)
        seen &= np.isin(arrays.column("session"), numbers)
    if speaker is not None:
        known = [at for at, name in enumerate(names.speakers) if name == speaker]
        seen &= np.isin(arrays.column("speaker"), known)
    rows = np.flatnonzero(seen)
    lengths = arrays.column("length")[rows]
    mean = float(lengths.mean()) if len(rows) else 0.0
    match = match_of(access, allowed)
    if len(rows) <= SMALL:
        columns = columns_of(arrays, names, rows)
        return Scope(rows, match, mean, columns.speakers, columns)
    spoken = np.unique(arrays.column("speaker")[rows])
    return Scope(rows, match, mean, tuple(names.speakers[at] for at in spoken if at >= 0))


def columns_of(arrays: Arrays, names: Names, rows: np.ndarray) -> Columns:
    """What ranking reads of rows, which are in order."""
    spoken, speaker = np.unique(arrays.column("speaker")[rows], return_inverse=True)
    nobody = len(spoken) > 0 and spoken[0] < 0
    return Columns(
        rows=rows,
        values={name: arrays.column(name)[rows] for name in _COLUMNS},
        previous=places(rows, arrays.column("previous")[rows]),
        following=places(rows, arrays.column("following")[rows]),
        speaker=speaker - 1 if nobody else speaker,
        speakers=tuple(names.speakers[at] for at in spoken if at >= 0),
    )


def places(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where the wanted rows are among rows in order, -1 for those that are not."""
    if not len(rows):
        return np.zeros(len(wanted), np.int64)
    found = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
    return np.where(rows[found] == wanted, found, -1)
