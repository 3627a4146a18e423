"""Rights, place and kind of a memory as one number, and the rows that a search may look at.

Memories with the same owner, access list, scope, project and type are in one class. There are few
classes, so which of them a reader may see is worked out once and looked up for each row. Nothing is
filtered afterwards: the same decision becomes part of every full-text query, as words that each row
carries in its column `marks`, in the cheapest of four ways that mean the same.

A memory that was superseded, or that says again what was said, carries its rights in a form that
only a search through the history asks for.

Working out the rows takes longer than a search, and most searches ask about the same few scopes, so
the last ones are kept until the index changes.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import Any

import numpy as np

from paige.memory.access import Reader, mark, marks_held, marks_of
from paige.memory.event import AgentRef, Event, dump_event
from paige.memory.index import queries
from paige.memory.index.blocks import Arrays, Damaged
from paige.memory.vectors.backend import VectorMetadata

_SOME_TIME = datetime(1970, 1, 1, tzinfo=UTC)
FEW = 64  # classes that are named one by one in a query


@dataclass(frozen=True, slots=True)
class Access:
    """What a search may look at: rows that carry a mark of every group."""

    groups: tuple[frozenset[str], ...]
    session: str | None = None


ClassKey = tuple[Any, ...]
HIDDEN = "hidden"
NOWHERE = mark("in", "")
"""The place of what belongs to no project."""


def class_key(fields: Mapping[str, Any]) -> ClassKey:
    """What memories of one class have in common, from the fields of an event."""
    scope, acl = fields["scope"], fields["acl"]
    return (
        fields["type"],
        scope,
        fields["owner"],
        fields["project"],
        tuple(acl) if acl else (),
        fields["session"] if scope == "session" else None,
        fields["agent"]["id"] if scope == "agent" else None,
    )


def class_marks(key: ClassKey, *, hidden: bool) -> str:
    """The words that every memory of a class carries."""
    type_, scope, owner, project, acl, session, agent = key
    event = Event(
        id="",
        seq=0,
        at=_SOME_TIME,
        type=type_,
        scope=scope,
        owner=owner,
        project=project,
        session=session,
        acl=acl,
        agent=AgentRef(agent),
    )
    rights = sorted(marks_of(event))
    if hidden:
        rights = [_hidden(each) for each in rights]
    place = NOWHERE if project is None else mark("in", project)
    return " ".join([*rights, place, mark("kind", type_), mark("level", scope)])


def vector_metadata(event: Event) -> VectorMetadata:
    """What another store keeps beside a vector, so that `Access.groups` works there too."""
    marks = class_marks(class_key(dump_event(event)), hidden=False)
    return VectorMetadata(
        marks=frozenset(marks.split()), project=event.project, session=event.session
    )


def session_mark(session: str) -> str:
    """The word that every memory of a session carries."""
    return mark("talk", session)


def row_marks(number: int, marks: str, session: str | None) -> str:
    """All words in a row's column `marks`."""
    return f"c{number} {marks}" if session is None else f"c{number} {marks} {session_mark(session)}"


def access_of(
    reader: Reader,
    *,
    history: bool = False,
    scope: str | None = None,
    projects: Sequence[str | None] = (),
    session: str | None = None,
    types: Sequence[str] = (),
) -> Access:
    """What a reader may see, narrowed by what is asked for; `None` among projects is none."""
    held = marks_held(reader)
    groups = [held | {_hidden(each) for each in held} if history else held]
    if scope is not None:
        groups.append(frozenset({mark("level", scope)}))
    if projects:
        places = (NOWHERE if each is None else mark("in", each) for each in projects)
        groups.append(frozenset(places))
    if types:
        groups.append(frozenset(mark("kind", each) for each in types))
    return Access(tuple(groups), session)


@dataclass
class Classes:
    """All classes of an index, and which of them carry a mark."""

    count: int = 0
    carriers: dict[str, list[int]] = field(default_factory=dict)

    def add(self, found: Iterable[tuple[int, str]]) -> None:
        """Take in classes by number and marks."""
        for number, marks in found:
            self.count = max(self.count, number)
            for each in marks.split():
                self.carriers.setdefault(each, []).append(number)

    def allowed(self, access: Access) -> np.ndarray:
        """Whether each class may be seen, by number; there is no class 0."""
        seen = np.ones(self.count + 1, bool)
        seen[0] = False
        for group in access.groups:
            member = np.zeros(self.count + 1, bool)
            for each in group:
                member[self.carriers.get(each, [])] = True
            seen &= member
        return seen


def match_of(access: Access, allowed: np.ndarray) -> "Match":
    """How a full-text query says which rows may be seen; `allowed` must be of the same snapshot."""
    session = "" if access.session is None else _any([session_mark(access.session)])
    inside = np.flatnonzero(allowed)
    outside = np.flatnonzero(~allowed)[1:]  # without class 0
    if not len(outside):
        return Match(session, "")
    if len(inside) <= FEW:
        return Match(_all([_any(f"c{number}" for number in inside), session]), "")
    if len(outside) <= FEW:
        return Match(session, _any(f"c{number}" for number in outside))
    return Match(_all([*(_any(sorted(group)) for group in access.groups), session]), "")


@dataclass(frozen=True, slots=True)
class Match:
    """The part of a full-text query that says which rows may be seen."""

    required: str
    excluded: str

    def with_words(self, words: str) -> str:
        """A query for rows that may be seen and hold the words."""
        both = _all([self.required, words])
        return f"({both}) NOT {self.excluded}" if self.excluded else both


def _any(marks: Iterable[str]) -> str:
    return "marks : (" + " OR ".join(f'"{each}"' for each in marks) + ")"


def _all(parts: Sequence[str]) -> str:
    return " AND ".join(part for part in parts if part)


def _hidden(marked: str) -> str:
    return f"h{marked}"


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
