"""Decks as tables: CSV and TSV of our own, and what Anki and Quizlet read and write.

Our own tables have a first row with the names of their columns: `id`, `deck`, `kind`, `front`,
`back`, `tags`, `note`, `due`, `history`. Only `front` and `back` are needed, and tables of others
are understood by many names. A bad row costs that row; its line is named.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, NamedTuple, TypeVar

from paige.base.errors import BadInput
from paige.exercise.exchange.cloze import blank_numbers
from paige.exercise.exchange.html_text import from_html, to_html
from paige.exercise.exchange.reviews_text import (
    read_moment,
    read_reviews,
    show_moment,
    show_reviews,
)
from paige.exercise.exchange.tables_text import Row, Table, read_table
from paige.exercise.exchange.values import (
    CARD_KINDS,
    Card,
    CardKind,
    Deck,
    Imported,
    Problem,
    card_id,
    faces,
    plain,
    tidy,
    tidy_deck,
)

_Value = TypeVar("_Value")
Form = Literal["csv", "tsv", "anki", "quizlet"]
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


def write_cards(decks: Deck | Sequence[Deck], *, form: Form = "csv", mark: bool = False) -> bytes:
    """Decks as a table in UTF-8; with `mark` it begins as old spreadsheets need it.

    `csv` and `tsv` keep everything; `anki` is what Anki's import of text reads, without reviews;
    `quizlet` is a word, a tab and its meaning in each line. Raises: BadInput.
    """
    chosen = [tidy_deck(deck) for deck in ([decks] if isinstance(decks, Deck) else decks)]
    text = _WRITERS[form](chosen)
    return text.encode("utf-8-sig" if mark else "utf-8")


def read_cards(data: bytes, *, name: str = "Cards", separator: str | None = None) -> Imported:
    """The decks in a table; cards that name no deck are in `name`. Raises: BadInput.

    What cannot be read in a row is a problem with its line; a file without any card is an error.
    """
    table = read_table(data, separator=separator)
    layout, body = _layout(table)
    reading = _Reading(table.directives.get("deck") or name, layout)
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
    return Imported(decks, remarks, tuple(reading.problems[:MOST_PROBLEMS]))


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
class _Reading:
    """What was read so far."""

    name: str
    layout: _Layout
    decks: dict[str, list[Card]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
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
            self.problems.append(Problem(row.line, what, "Give a front and a back."))
            return
        own = layout.cell(row, "id").replace("\n", " ")
        if self._again(row.line, (deck, front, back), own):
            return
        tags = (*layout.cell(row, "tags").split(), *layout.tags)
        made = Card(own or self._new_id(deck, front, back), front, back, tags, kind=kind)
        try:
            card = tidy(self._completed(made, row))
        except BadInput as error:
            self.problems.append(Problem(row.line, error.message, error.hint or ""))
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
                self.problems.append(Problem(line, what, "Give every card its own id, or none."))
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
            self.problems.append(Problem(row.line, f"{name}: {error.message}", error.hint or ""))
            return None


def _kind(named: str, front: str) -> CardKind:
    wanted = named.lower()
    for kind in CARD_KINDS:
        if wanted == kind:
            return kind
    if "revers" in wanted:
        return "reversed"
    return "cloze" if blank_numbers(front) else "basic"


def _own_table(decks: Sequence[Deck], *, tabs: bool) -> str:
    rows = [_own_row(deck.name, card) for deck in decks for card in deck.cards]
    return _written([COLUMNS, *rows], "\t" if tabs else ",", "\n" if tabs else "\r\n")


def _own_row(deck: str, card: Card) -> tuple[str, ...]:
    due = show_moment(card.due) if card.due else ""
    tags, history = " ".join(card.tags), show_reviews(card.history)
    return (card.id, deck, card.kind, card.front, card.back, tags, card.note, due, history)


def _anki_table(decks: Sequence[Deck]) -> str:
    """Anki's lines at the top, then a row for each note."""
    top = ("#separator:tab", "#html:true", "#guid column:1", "#notetype column:2")
    columns = ("#deck column:3", "#tags column:6")
    rows = [_anki_row(deck.name, card) for deck in decks for card in deck.cards]
    return "\n".join((*top, *columns, _written(rows, "\t", "\n", quoted=True)))


def _anki_row(deck: str, card: Card) -> tuple[str, ...]:
    """For Anki's own note types, which have no place for a note: it stands below the back."""
    front = to_html(card.front)
    back = to_html("\n\n".join(text for text in (card.back, card.note) if text))
    return (card.id, _ANKI_KINDS[card.kind], deck, front, back, " ".join(card.tags))


_ANKI_KINDS: Mapping[CardKind, str] = {
    "basic": "Basic",
    "reversed": "Basic (and reversed card)",
    "cloze": "Cloze",
}


def _quizlet_lines(decks: Sequence[Deck]) -> str:
    """One line for each question; line breaks and tabs would end it, so they become spaces."""
    lines = [
        f"{' '.join(face.front.split())}\t{' '.join(face.back.split())}\n"
        for deck in decks
        for card in deck.cards
        for face in (faces(card) if card.kind == "cloze" else faces(card)[:1])
    ]
    return "".join(lines)


def _written(
    rows: Iterable[Sequence[str]], separator: str, line_end: str, *, quoted: bool = False
) -> str:
    text = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=separator, lineterminator=line_end, quoting=quoting)
    for row in rows:
        if any(len(cell) > _LONGEST_CELL for cell in row):
            raise BadInput(f"The card `{row[0][:60]}` is too long for a table")
        writer.writerow(row)
    return text.getvalue()


_WRITERS: Mapping[Form, Callable[[Sequence[Deck]], str]] = {
    "csv": partial(_own_table, tabs=False),
    "tsv": partial(_own_table, tabs=True),
    "anki": _anki_table,
    "quizlet": _quizlet_lines,
}
