"""Anki packages (.apkg, .colpkg) of any age, with the history of reviews.

A package is a zip with an SQLite database. There are three forms of it: `collection.anki2`, its
successor `collection.anki21`, and `collection.anki21b`, which is compressed and keeps note types
and decks in tables of their own. Newer packages carry an old database too, but it only says that
Anki should be updated.

What stands on a card is found in the templates of its note type: the fields that the front shows,
and those that only the back shows.
"""

import importlib
import io
import lzma
import struct
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import IO

from paige.base.errors import BadInput, NotFound, Unavailable
from paige.exercise.exchange import queries
from paige.exercise.exchange.anki_notetypes import (
    Notetype,
    Texts,
    read_deck_names,
    read_notetypes,
)
from paige.exercise.exchange.html_text import from_html
from paige.exercise.exchange.values import (
    RATINGS,
    Card,
    CardKind,
    Deck,
    ExchangeProblem,
    FileImport,
    Review,
    blank_numbers,
    card_id,
    plain,
    sensible,
    tidy,
)

MOST_BYTES = 512 * 2**20  # of a database; a hundred thousand reviewed cards need a tenth of it
_CHUNK = 2**20
_MOST_WINDOW = 2**27  # of memory that a compressed file may ask for
_COMPRESSED = "collection.anki21b"
_NAMES = (_COMPRESSED, "collection.anki21", "collection.anki2")
_KNOWN_VERSION = 3
_OLDER = "In Anki, tick `Support older Anki versions` when you export."


def read_collection(package: zipfile.ZipFile, *, most: int = MOST_BYTES) -> bytes:
    """The newest database in the package. Raises: BadInput, Unavailable."""
    names = set(package.namelist())
    _check_version(package, names)
    name = next((each for each in _NAMES if each in names), None)
    if name is None:
        raise BadInput(
            "The file is a zip, but not a package of Anki",
            hint="Export a deck from Anki as .apkg.",
        )
    if package.getinfo(name).flag_bits & 0x1:
        raise BadInput("The package is locked with a password", hint="Export it without one.")
    with package.open(name) as file:
        return _unpacked(file, most) if name == _COMPRESSED else _read_all(file, most)


def _check_version(package: zipfile.ZipFile, names: set[str]) -> None:
    """A package says how new it is in a file with one number."""
    if "meta" not in names or package.getinfo("meta").file_size > _CHUNK:
        return
    meta = package.read("meta")
    version = meta[1] if meta[:1] == b"\x08" and len(meta) > 1 else 0
    if version > _KNOWN_VERSION:
        raise BadInput("The package was made by a newer Anki than is known here", hint=_OLDER)


def _read_all(file: IO[bytes], most: int) -> bytes:
    content = io.BytesIO()
    while chunk := file.read(_CHUNK):
        if content.tell() + len(chunk) > most:
            raise BadInput(
                f"The collection in the package is larger than {most // 2**20} MB",
                hint="Export a single deck, or leave the media out.",
            )
        content.write(chunk)
    return content.getvalue()


def _unpacked(file: IO[bytes], most: int) -> bytes:
    library = _zstd()
    try:
        with _reader(library, file) as plain:
            return _read_all(plain, most)
    except library.ZstdError as error:
        raise BadInput(
            "The collection in the package is damaged: it cannot be unpacked",
            hint="Export the deck from Anki again.",
        ) from error


def _reader(library: ModuleType, file: IO[bytes]) -> IO[bytes]:
    if hasattr(library, "ZstdFile"):
        return library.ZstdFile(file)
    unpacking = library.ZstdDecompressor(max_window_size=_MOST_WINDOW)
    return unpacking.stream_reader(file, read_across_frames=True)


def _zstd() -> ModuleType:
    """What reads the compression: the standard library where it can, else a package."""
    for name in ("compression.zstd", "zstandard"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise Unavailable(
        "This package is compressed in a way that this Python cannot read",
        hint=f"Install `zstandard`. Or: {_OLDER}",
    )


MOST_PROBLEMS = 100  # more are counted, not kept
_NEEDED = {"col", "notes", "cards", "revlog"}
_IN_TABLES = {"notetypes", "fields", "templates", "decks"}
# Whatever a damaged zip can make its reader raise.
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(OSError, EOFError, ValueError, NotImplementedError, RuntimeError),
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = 86_400
_LAST_DAY = 36_500 * 3  # as far ahead as Anki puts anything away, and some more
_NEW = 0  # a type of cards
_SUSPENDED = -1  # a queue of cards
_CRAMMED = 3  # a kind of review: in a filtered deck
_OCCLUSION = "image-occlusion:"


def read_apkg(source: Path | bytes) -> FileImport:
    """The decks in a package. Raises: NotFound, BadInput with a sentence about the file."""
    try:
        file = source if isinstance(source, Path) else io.BytesIO(source)
        with zipfile.ZipFile(file) as package:
            most = MOST_BYTES if isinstance(source, Path) else MOST_BYTES // 4  # others wait beside
            content = read_collection(package, most=most)
    except FileNotFoundError:
        raise NotFound(f"There is no `{source}`", hint="Give a file exported by Anki.") from None
    except _UNREADABLE as error:
        raise BadInput(
            "The file is not a package of Anki", hint="Export a deck from Anki as .apkg."
        ) from error
    with queries.opened(content) as connection:
        return _read(connection)


@dataclass(slots=True)
class _CollectionReader:
    """What is known of a collection while its notes are gone through."""

    created: int
    notetypes: dict[int, Notetype]
    deck_names: dict[int, str]
    cards: dict[int, list[queries.CardRow]]
    history: dict[int, list[queries.ReviewRow]]
    decks: dict[str, list[Card]] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)
    problems: list[ExchangeProblem] = field(default_factory=list)
    left_out: int = 0
    repeated: int = 0

    def add(self, deck: str, card: Card) -> None:
        """Take a card over; a second one with the same id gets one made from its text."""
        if card.id in self.ids:
            self.repeated += 1
            made = card_id(deck, card.id, card.front, card.back)
            if made in self.ids:
                return
            card = tidy(Card(made, card.front, card.back, card.tags, card.note, card.kind))
        self.ids.add(card.id)
        self.decks.setdefault(deck, []).append(card)

    def leave_out(self, guid: str, why: str) -> None:
        """Note what could not be taken over."""
        self.left_out += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(ExchangeProblem(None, f"The note `{plain(guid)[:60]}` {why}"))


def _read(connection: queries.Connection) -> FileImport:
    found = queries.tables(connection)
    collection = (
        next(queries.rows(connection, queries.CollectionRow), None) if found >= _NEEDED else None
    )
    if collection is None:
        raise BadInput(
            "The package holds no collection of Anki", hint="Export a deck from Anki as .apkg."
        )
    in_tables = found >= _IN_TABLES
    if not in_tables and not collection.models.strip():
        raise BadInput(
            f"The package has a form (version {collection.version}) that is not known here",
            hint="In Anki, tick `Support older Anki versions` when you export.",
        )
    reviews, skipped = _history(queries.rows(connection, queries.ReviewRow))
    reading = _CollectionReader(
        created=collection.created,
        notetypes=read_notetypes(connection, collection, in_tables=in_tables),
        deck_names=read_deck_names(connection, collection, in_tables=in_tables),
        cards=_by_note(queries.rows(connection, queries.CardRow)),
        history=reviews,
    )
    for note in queries.rows(connection, queries.NoteRow):
        _take_note(reading, note)
    decks = tuple(Deck(name, tuple(cards)) for name, cards in reading.decks.items())
    return FileImport(decks, tuple(_remarks(reading, skipped)), tuple(reading.problems))


def _by_note(rows: Iterable[queries.CardRow]) -> dict[int, list[queries.CardRow]]:
    cards: defaultdict[int, list[queries.CardRow]] = defaultdict(list)
    for row in rows:
        cards[row.note].append(row)
    return cards


def _history(rows: Iterable[queries.ReviewRow]) -> tuple[dict[int, list[queries.ReviewRow]], int]:
    """Answers by card, and how many entries were none: a date set by hand, cramming."""
    history: defaultdict[int, list[queries.ReviewRow]] = defaultdict(list)
    skipped = 0
    for row in rows:
        crammed = row.kind == _CRAMMED and row.factor == 0
        if row.ease not in RATINGS or row.kind > _CRAMMED or crammed:
            skipped += 1
        else:
            history[row.card].append(row)
    return history, skipped


def _take_note(reading: _CollectionReader, note: queries.NoteRow) -> None:
    rows = reading.cards.get(note.id, [])
    if not rows:
        reading.leave_out(note.guid, "has no cards")
        return
    notetype = reading.notetypes.get(note.notetype, Notetype())
    fields = [from_html(each) for each in note.fields.split("\x1f")]
    if notetype.cloze and _OCCLUSION in fields[0]:
        reading.leave_out(note.guid, "asks about a picture, which cannot be shown here")
        return
    made = _asked_of(notetype, fields, rows)
    if not made:
        reading.leave_out(note.guid, "has nothing on its front")
    named = plain(reading.deck_names.get(rows[0].deck, ""))
    deck = " ".join(named.split()) or "Default"
    for asked in made:
        reading.add(deck, _card(reading, note, asked))


@dataclass(frozen=True, slots=True)
class _CardDraft:
    """A card to be made of a note: its texts, and the cards of Anki whose reviews it takes over."""

    texts: Texts
    kind: CardKind
    rows: Sequence[queries.CardRow]
    suffix: str = ""


def _asked_of(
    notetype: Notetype, fields: Sequence[str], rows: Sequence[queries.CardRow]
) -> list[_CardDraft]:
    """One card for all blanks, one that is asked both ways, or one for each template."""
    texts = notetype.shown(0, fields)
    if notetype.cloze and blank_numbers(texts.front):
        return [_CardDraft(texts, "cloze", rows)]
    parts = sorted({row.part for row in rows})
    if parts == [0, 1] and notetype.turned() and texts.front:
        return [_CardDraft(texts, "reversed", rows)]
    made: list[_CardDraft] = []
    for part in parts:
        chosen = [row._replace(part=0) for row in rows if row.part == part]
        texts = notetype.shown(part, fields)
        if texts.front:
            made.append(_CardDraft(texts, "basic", chosen, f":{part}" if made else ""))
    return made


def _card(reading: _CollectionReader, note: queries.NoteRow, asked: _CardDraft) -> Card:
    guid = plain(note.guid).replace("\n", " ") or card_id("", *asked.texts)
    due = [moment for row in asked.rows if (moment := _due(row, reading.created)) is not None]
    return tidy(
        Card(
            id=f"{guid}{asked.suffix}",
            front=asked.texts.front,
            back=asked.texts.back,
            note=asked.texts.note,
            tags=tuple(note.tags.split()),
            kind=asked.kind,
            history=tuple(
                review
                for row in asked.rows
                for entry in reading.history.get(row.id, ())
                if (review := _review(entry, row.part)) is not None
            ),
            due=min(due, default=None),
        )
    )


def _review(entry: queries.ReviewRow, part: int) -> Review | None:
    """An answer; one from a time that no calendar has is left out."""
    at = _moment(entry.id / 1000)
    days = float(entry.interval) if entry.interval >= 0 else -entry.interval / _DAY
    if at is None:
        return None
    return Review(at, RATINGS[entry.ease - 1], days, max(0, entry.duration), part)


def _due(row: queries.CardRow, created: int) -> datetime | None:
    """When a card is to be seen again; new and suspended ones are not waiting for a day."""
    if row.kind == _NEW or row.queue == _SUSPENDED:
        return None
    due = row.due_at_home or row.due
    # Cards that are being learnt have a second of the clock, all others a day of the collection.
    return _moment(due if due > _LAST_DAY else created + due * _DAY)


def _moment(seconds: float) -> datetime | None:
    """The moment of a second of the clock, if any calendar has it."""
    try:
        moment = _EPOCH + timedelta(milliseconds=round(seconds * 1000))
    except OverflowError:
        return None
    return moment if sensible(moment) else None


def _remarks(reading: _CollectionReader, skipped: int) -> Iterator[str]:
    if skipped:
        yield f"{skipped} entries of the review log are no answers and were left out."
    if reading.repeated:
        yield f"{reading.repeated} notes have an id that another note has; they got new ones."
    suspended = sum(row.queue == _SUSPENDED for rows in reading.cards.values() for row in rows)
    if suspended:
        yield f"{suspended} cards are suspended in Anki; they are taken over without a date."
    if reading.left_out:
        yield f"{reading.left_out} notes could not be taken over."
