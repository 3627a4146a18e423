"""SQL of Anki's collections: reading those of others, filling in what genanki leaves out.

A collection is read from memory and only read. Its file comes from anyone, so the work SQLite may
do for it is limited, and nothing but plain tables is looked at.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from paige.base.errors import BadInput

Connection = sqlite3.Connection
"""What the functions here take; nothing else is to be done with it."""

_MAGIC = b"SQLite format 3\x00"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name"
_SET_COLLECTION = "UPDATE col SET crt = :created, conf = :settings"
_SETTINGS = "SELECT conf FROM col"
_ADD_REVIEW = (
    "INSERT INTO revlog (id, cid, usn, ease, ivl, lastIvl, factor, time, type)"
    " VALUES (:id, :card, -1, :ease, :interval, :before, :factor, :duration, :kind)"
)
_SET_SCHEDULE = (
    "UPDATE cards SET type = :kind, queue = :queue, due = :due, ivl = :interval,"
    " factor = :factor, reps = :reps, lapses = :lapses, left = :left,"
    " data = :data WHERE id = :card"
)

_STEPS = 100_000  # of SQLite's machine between two looks at how much it has done
_MOST_LOOKS = 50_000
_MOST_FIELD_BYTES = 32 * 2**20
_MOST_ROWS = 2_000_000  # reviews of twenty years


class CollectionRow(NamedTuple):
    """The one row of `col`; in newer files `models` and `decks` are empty."""

    created: int
    version: int
    models: str
    decks: str


class NoteRow(NamedTuple):
    """A note: `fields` are separated by the character 31."""

    id: int
    guid: str
    notetype: int
    tags: str
    fields: str


class CardRow(NamedTuple):
    """A card of a note; `deck` is its home, also while it is in a filtered deck."""

    id: int
    note: int
    deck: int
    part: int
    kind: int
    queue: int
    due: int
    due_at_home: int


class ReviewRow(NamedTuple):
    """An answer: `id` is when, in milliseconds; a negative interval is seconds."""

    id: int
    card: int
    ease: int
    interval: int
    factor: int
    duration: int
    kind: int


class NotetypeRow(NamedTuple):
    """A kind of note of a newer file; `config` is a message of Protocol Buffers."""

    id: int
    name: str
    config: bytes


class FieldRow(NamedTuple):
    """A field of a kind of note."""

    notetype: int
    name: str


class DeckRow(NamedTuple):
    """A deck of a newer file."""

    id: int
    name: str


class TemplateRow(NamedTuple):
    """How a card of a kind of note looks; `config` is a message of Protocol Buffers."""

    notetype: int
    config: bytes


class WrittenCard(NamedTuple):
    """A card that genanki wrote."""

    id: int
    guid: str
    part: int


_Row = TypeVar("_Row", bound=NamedTuple)
_QUERIES: Mapping[type[NamedTuple], str] = {
    CollectionRow: "SELECT crt, ver, models, decks FROM col ORDER BY id LIMIT 1",
    NoteRow: "SELECT id, guid, mid, tags, flds FROM notes ORDER BY id",
    CardRow: (
        "SELECT id, nid, CASE WHEN odid <> 0 THEN odid ELSE did END, ord, type, queue, due, odue"
        " FROM cards ORDER BY nid, ord, id"
    ),
    ReviewRow: "SELECT id, cid, ease, ivl, factor, time, type FROM revlog ORDER BY id",
    NotetypeRow: "SELECT id, name, config FROM notetypes",
    FieldRow: "SELECT ntid, name FROM fields ORDER BY ntid, ord",
    TemplateRow: "SELECT ntid, config FROM templates ORDER BY ntid, ord",
    DeckRow: "SELECT id, name FROM decks",
    WrittenCard: (
        "SELECT cards.id, notes.guid, cards.ord FROM cards JOIN notes ON notes.id = cards.nid"
        " ORDER BY cards.id"
    ),
}


@contextmanager
def opened(content: bytes) -> Iterator[Connection]:
    """The collection in these bytes, for reading only. Raises: BadInput."""
    if content[: len(_MAGIC)] != _MAGIC:
        raise BadInput("The collection in the package is not an SQLite database")
    # A file in WAL mode cannot be opened from memory; the mark in its header is all there is of it.
    settled = content[:18] + b"\x01\x01" + content[20:]
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(settled)
        connection.create_collation("unicase", _unicase)
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_FIELD_BYTES)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.set_progress_handler(_Patience().lost, _STEPS)
        yield connection
    except (sqlite3.Error, OverflowError, ValueError) as error:
        raise BadInput(
            f"The collection in the package is damaged: {error}",
            hint="Export the deck from Anki again.",
        ) from error
    finally:
        connection.close()


def tables(connection: Connection) -> frozenset[str]:
    """Names of the real tables; views and virtual tables are not to be trusted."""
    return frozenset(name for (name,) in connection.execute(_TABLES))


def rows(connection: Connection, kind: type[_Row]) -> Iterator[_Row]:
    """The rows of a kind, with the types they should have: SQLite itself lets anything in."""
    types = tuple(kind.__annotations__.values())
    for number, values in enumerate(connection.execute(_QUERIES[kind])):
        if number == _MOST_ROWS:
            raise sqlite3.DataError("it has more rows than anybody learns")
        yield kind._make(map(_typed, values, types))


def memory_database() -> Connection:
    """An empty database that is never written to a disk."""
    return sqlite3.connect(":memory:")


def settings_text(connection: Connection) -> str:
    """The settings of a collection, as JSON."""
    return connection.execute(_SETTINGS).fetchone()[0]


def set_collection(connection: Connection, *, created: int, settings: str) -> None:
    """Say from which second a collection counts its days, and how it schedules."""
    connection.execute(_SET_COLLECTION, {"created": created, "settings": settings})


def add_reviews(connection: Connection, rows: Sequence[dict[str, int]]) -> None:
    """Write answers to the log."""
    connection.executemany(_ADD_REVIEW, rows)


def set_schedules(connection: Connection, rows: Sequence[Mapping[str, int | str]]) -> None:
    """Say when cards are due."""
    connection.executemany(_SET_SCHEDULE, rows)


class _Patience:
    """Ends a query that works far longer than reading a table ever takes."""

    def __init__(self) -> None:
        self._looks = 0

    def lost(self) -> bool:
        self._looks += 1
        return self._looks > _MOST_LOOKS


def _typed(value: object, wanted: type) -> object:
    if isinstance(value, wanted):
        return value
    if wanted is int and isinstance(value, float):
        return int(value)  # some old versions of Anki wrote such numbers
    raise sqlite3.DataError(f"a {type(value).__name__} stands where a {wanted.__name__} should")


def _unicase(left: str, right: str) -> int:
    one, other = left.casefold(), right.casefold()
    return (one > other) - (one < other)
