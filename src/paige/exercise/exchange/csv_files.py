"""Decks as tables: CSV and TSV of our own, and what Anki and Quizlet write.

Our own tables have a first row with the names of their columns: `id`, `deck`, `kind`, `front`,
`back`, `tags`, `note`, `due`, `history`. Only `front` and `back` are needed, and tables of others
are understood by many names. A bad row costs that row; its line is named.

A card's reviews stand in one cell: `2026-02-22T14:30:00Z 3 4d 5200ms; …`. Each is when, the rating,
how long the card was put away (`4d`, or `600s` for less than a day), how long the answer took, and,
when a card asks several things, which: `#1` is the second.
"""

import csv
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal, NamedTuple, TypeVar

from paige.base.errors import BadInput
from paige.exercise.exchange.html_text import from_html
from paige.exercise.exchange.tables_text import Row, Table, read_table
from paige.exercise.exchange.values import (
    CARD_KINDS,
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
    tidy_deck,
)

_DAY = 86_400
_INTERVAL = re.compile(r"([0-9.eE+-]+)([ds])", re.ASCII)
_DURATION = re.compile(r"(\d{1,12})ms", re.ASCII)
_PART = re.compile(r"#(\d{1,4})", re.ASCII)
_Value = TypeVar("_Value")
Form = Literal["csv", "tsv"]
MOST_PROBLEMS = 100
COLUMNS = ("id", "deck", "kind", "front", "back", "tags", "note", "due", "history")
_LONGEST_CELL = 131_000  # what readers of CSV take, Python's own among them
_NAMES: Mapping[str, str] = {
    **{name: name for name in COLUMNS},
    **dict.fromkeys(("question", "term", "word", "prompt", "text", "q", "expression"), "front"),
    **dict.fromkeys(("answer", "definition", "meaning", "translation", "a", "back extra"), "back"),
    **dict.fromkeys(("notes", "comment", "comments", "extra", "remark", "remarks"), "note"),
    **dict.fromkeys(("guid", "card id", "card_id"), "id"),
    **dict.fromkeys(("type", "notetype", "note type", "card type"), "kind"),
    **dict.fromkeys(("tag", "labels"), "tags"),
    **dict.fromkeys(("reviews", "review history"), "history"),
    **dict.fromkeys(("due date", "next review"), "due"),
}


def write_cards(decks: Deck | Sequence[Deck], *, form: Form = "csv") -> bytes:
    """Decks as a table in UTF-8, with everything that is known of their cards. Raises: BadInput."""
    chosen = [tidy_deck(deck) for deck in ([decks] if isinstance(decks, Deck) else decks)]
    rows = [_own_row(deck.name, card) for deck in chosen for card in deck.cards]
    text = io.StringIO(newline="")
    separator, line_end = ("\t", "\n") if form == "tsv" else (",", "\r\n")
    writer = csv.writer(text, delimiter=separator, lineterminator=line_end)
    for row in (COLUMNS, *rows):
        if any(len(cell) > _LONGEST_CELL for cell in row):
            raise BadInput(f"The card `{row[0][:60]}` is too long for a table")
        writer.writerow(row)
    return text.getvalue().encode()


def read_cards(data: bytes, *, name: str = "Cards") -> FileImport:
    """The decks in a table; cards that name no deck are in `name`. Raises: BadInput.

    What cannot be read in a row is a problem with its line; a file without any card is an error.
    """
    table = read_table(data)
    layout, body = _layout(table)
    reading = _CsvReader(table.directives.get("deck") or name, layout)
    for row in body:
        if any(cell.strip() for cell in row.cells):
            reading.take(row)
    if not reading.decks:
        first = reading.problems[0] if reading.problems else None
        raise BadInput(
            str(first) if first else "The file has no cards",
            hint="Give a file with a front and a back in each line.",
        )
    decks = tuple(Deck(name, tuple(cards)) for name, cards in reading.decks.items())
    remarks = (*table.remarks, *reading.remarks())
    return FileImport(decks, remarks, tuple(reading.problems[:MOST_PROBLEMS]))


class _Layout(NamedTuple):
    """Which column holds what; other columns are kept in the note, under their name."""

    places: dict[str, int]
    others: dict[int, str]
    html: bool = False
    tags: tuple[str, ...] = ()

    def cell(self, row: Row, name: str) -> str:
        """The text of a column in a row, or nothing."""
        place = self.places.get(name)
        text = row.cells[place] if place is not None and place < len(row.cells) else ""
        marked_up = self.html and name in ("front", "back", "note")
        return from_html(text) if marked_up else plain(text)


def _layout(table: Table) -> tuple[_Layout, tuple[Row, ...]]:
    """How to read the rows, and the rows without the names of columns."""
    html = table.directives.get("html", "").lower() == "true"
    tags = tuple(table.directives.get("tags", "").split())
    named = table.directives.get("columns", "")
    if named:
        names = next(csv.reader([named], delimiter=table.separator), [])
        return _by_name(names, table.directives)._replace(html=html, tags=tags), table.rows
    first = next((row for row in table.rows if any(row.cells)), None)
    if first is not None and _is_header(first.cells) and not _column_directives(table.directives):
        rows = tuple(row for row in table.rows if row is not first)
        return _by_name(first.cells, {})._replace(html=html, tags=tags), rows
    return _by_place(table)._replace(html=html, tags=tags), table.rows


def _is_header(cells: Sequence[str]) -> bool:
    """Whether a row names columns: a front, a back, each once."""
    known = [_NAMES.get(cell.strip().lower()) for cell in cells]
    return known.count("front") == 1 and known.count("back") == 1 and len(cells) > 1


def _by_name(names: Sequence[str], directives: Mapping[str, str]) -> _Layout:
    places = _column_directives(directives)
    taken = set(places.values())
    others: dict[int, str] = {}
    for place, name in enumerate(names):
        known = _NAMES.get(name.strip().lower())
        if place in taken:
            continue
        if known is not None and known not in places:
            places[known] = place
        else:
            others[place] = plain(name) or f"Column {place + 1}"
    return _filled(_Layout(places, others))


def _filled(layout: _Layout) -> _Layout:
    """Columns nobody named as front and back: the first ones that are left."""
    for wanted in ("front", "back"):
        if wanted not in layout.places and layout.others:
            layout.places[wanted] = min(layout.others)
            del layout.others[layout.places[wanted]]
    return layout


def _by_place(table: Table) -> _Layout:
    """Front, back, and whatever else there is, in this order."""
    places = _column_directives(table.directives)
    width = max((len(row.cells) for row in table.rows), default=0)
    free = [place for place in range(width) if place not in places.values()]
    for wanted, place in zip(("front", "back"), free, strict=False):
        places[wanted] = place
    return _Layout(places, dict.fromkeys(free[2:], ""))


def _column_directives(directives: Mapping[str, str]) -> dict[str, int]:
    """Columns that Anki's lines at the top give by number, counted from one."""
    named = (("notetype", "kind"), ("deck", "deck"), ("tags", "tags"), ("guid", "id"))
    found: dict[str, int] = {}
    for name, column in named:
        number = directives.get(f"{name} column", "")
        if number.isdecimal() and int(number) > 0:
            found[column] = int(number) - 1
    return found


@dataclass(slots=True)
class _CsvReader:
    """What was read so far."""

    name: str
    layout: _Layout
    decks: dict[str, list[Card]] = field(default_factory=dict)
    problems: list[ExchangeProblem] = field(default_factory=list)
    seen: dict[tuple[str, str, str], int] = field(default_factory=dict)
    ids: dict[str, int] = field(default_factory=dict)
    doubled: list[int] = field(default_factory=list)

    def take(self, row: Row) -> None:
        """Make a card of a row, or note why not."""
        layout = self.layout
        deck = " ".join(layout.cell(row, "deck").split()) or self.name
        front, back = layout.cell(row, "front"), layout.cell(row, "back")
        kind = _kind(layout.cell(row, "kind"), front)
        if not front or (not back and kind != "cloze" and "back" not in layout.places):
            what = "there is no front" if not front else "there is only one column"
            self.problems.append(ExchangeProblem(row.line, what, "Give a front and a back."))
            return
        own = layout.cell(row, "id").replace("\n", " ")
        if self._again(row.line, (deck, front, back), own):
            return
        tags = (*layout.cell(row, "tags").split(), *layout.tags)
        made = Card(own or self._new_id(deck, front, back), front, back, tags, kind=kind)
        try:
            card = tidy(self._completed(made, row))
        except BadInput as error:
            self.problems.append(ExchangeProblem(row.line, error.message, error.hint or ""))
            return
        self.ids[card.id] = row.line
        self.decks.setdefault(deck, []).append(card)

    def remarks(self) -> list[str]:
        """What is worth knowing about the whole file."""
        said: list[str] = []
        if self.doubled:
            lines = ", ".join(str(line) for line in self.doubled[:10])
            more = ", …" if len(self.doubled) > 10 else ""
            said.append(f"Rows that were there already were left out: lines {lines}{more}.")
        if len(self.problems) > MOST_PROBLEMS:
            said.append(f"{len(self.problems)} rows have problems; only the first are named.")
        return said

    def _again(self, line: int, text: tuple[str, str, str], own: str) -> bool:
        """Whether the row repeats another one; with ids, only the id decides."""
        if own:
            if own in self.ids:
                what = f"the id `{own}` is used in line {self.ids[own]} already"
                self.problems.append(
                    ExchangeProblem(line, what, "Give every card its own id, or none.")
                )
            return own in self.ids
        if text in self.seen:
            self.doubled.append(line)
        return self.seen.setdefault(text, line) != line

    def _new_id(self, deck: str, front: str, back: str) -> str:
        """From the front alone, so that a better back is the same card; unless two share it."""
        made = card_id(deck, front)
        return card_id(deck, front, back) if made in self.ids else made

    def _completed(self, card: Card, row: Row) -> Card:
        """The card with its note, its date and its reviews."""
        cells = [(place, self.layout.others[place]) for place in sorted(self.layout.others)]
        extra = [
            f"{name}: {text}" if name else text
            for place, name in cells
            if place < len(row.cells) and (text := self._plain(row.cells[place]))
        ]
        note = "\n".join(text for text in (self.layout.cell(row, "note"), *extra) if text)
        due = self._value(row, "due", read_moment)
        return replace(
            card, note=note, due=due, history=self._value(row, "history", read_reviews) or ()
        )

    def _plain(self, text: str) -> str:
        return from_html(text) if self.layout.html else plain(text)

    def _value(self, row: Row, name: str, read: Callable[[str], _Value]) -> _Value | None:
        """A cell that has a form; one that is wrong is named, and the card stays."""
        text = self.layout.cell(row, name)
        try:
            return read(text) if text else None
        except BadInput as error:
            self.problems.append(
                ExchangeProblem(row.line, f"{name}: {error.message}", error.hint or "")
            )
            return None


def _kind(named: str, front: str) -> CardKind:
    wanted = named.lower()
    for kind in CARD_KINDS:
        if wanted == kind:
            return kind
    if "revers" in wanted:
        return "reversed"
    return "cloze" if blank_numbers(front) else "basic"


def _own_row(deck: str, card: Card) -> tuple[str, ...]:
    due = show_moment(card.due) if card.due else ""
    tags, history = " ".join(card.tags), show_reviews(card.history)
    return (card.id, deck, card.kind, card.front, card.back, tags, card.note, due, history)


def show_moment(moment: datetime) -> str:
    """A moment as it stands in files: UTC, with `Z`."""
    whole = moment.astimezone(UTC)
    return whole.isoformat(timespec="auto").replace("+00:00", "Z")


def read_moment(text: str) -> datetime:
    """A moment or a day; without an offset it is UTC. Raises: BadInput."""
    try:
        found = datetime.fromisoformat(text.strip())
        moment = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        if not sensible(moment):
            raise ValueError(text)
        return moment
    except (ValueError, OverflowError):
        raise BadInput(
            f"`{text.strip()[:40]}` is not a date", hint="Write it as 2026-02-22T14:30:00Z."
        ) from None


def show_reviews(history: tuple[Review, ...]) -> str:
    """Every review of a card, in a line."""
    return "; ".join(_show_review(review) for review in history)


def read_reviews(text: str) -> tuple[Review, ...]:
    """The reviews in a cell. Raises: BadInput, naming the one that cannot be read."""
    return tuple(_read_review(each.strip()) for each in text.split(";") if each.strip())


def _show_review(review: Review) -> str:
    shown = [show_moment(review.at), str(review.rating), _show_interval(review.interval_days)]
    if review.duration_ms or review.part:
        shown.append(f"{review.duration_ms}ms")
    if review.part:
        shown.append(f"#{review.part}")
    return " ".join(shown)


def _show_interval(days: float) -> str:
    seconds = round(days * _DAY)
    if 0 < days < 1 and seconds / _DAY == days:
        return f"{seconds}s"
    return f"{int(days) if float(days).is_integer() else days!r}d"


def _read_review(text: str) -> Review:
    try:
        at, rating, *more = text.split()
        chosen = RATINGS[("1", "2", "3", "4").index(rating)]
        found = {"interval": 0.0, "duration": 0, "part": 0}
        for word in more:
            found |= _review_field(word)
    except ValueError:
        raise BadInput(
            f"`{text[:60]}` is not a review",
            hint="Write each as `2026-02-22T14:30:00Z 3 4d 5200ms`, separated by `;`.",
        ) from None
    return Review(
        read_moment(at), chosen, found["interval"], int(found["duration"]), int(found["part"])
    )


def _review_field(word: str) -> dict[str, float]:
    if interval := _INTERVAL.fullmatch(word):
        value = float(interval[1]) / (1 if interval[2] == "d" else _DAY)
        if not math.isfinite(value) or value < 0:
            raise ValueError(word)
        return {"interval": value}
    if duration := _DURATION.fullmatch(word):
        return {"duration": int(duration[1])}
    if part := _PART.fullmatch(word):
        return {"part": int(part[1])}
    raise ValueError(word)
