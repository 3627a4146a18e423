"""Note types and decks of an Anki collection, in both forms it keeps them in.

Older collections have them as JSON in one row. Newer ones have tables, with the templates inside
small messages of Protocol Buffers, of which two fields are needed here.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from paige.base.errors import BadInput
from paige.exercise.exchange import queries

_HOLE = re.compile(r"\{\{([^{}]*)\}\}")
_NOTE_NAMES = {"note", "notes", "remark", "remarks", "comment", "comments"}
_CLOZE = 1


class Texts(NamedTuple):
    """What a card says: on the front, on the back, and what is only good to know."""

    front: str
    back: str
    note: str


class Template(NamedTuple):
    """How a card looks, as HTML with the names of fields in it."""

    front: str
    back: str


@dataclass(frozen=True, slots=True)
class Notetype:
    """Fields and templates; without templates the first field is the front, the next the back."""

    fields: tuple[str, ...] = ()
    templates: tuple[Template, ...] = ()
    cloze: bool = False

    def shown(self, part: int, values: Sequence[str]) -> Texts:
        """The texts of the card that a template makes of the fields of a note."""
        texts = dict(zip(self.fields, values, strict=False))
        front, back = self._sides(0 if self.cloze else part)
        if not self.fields or not texts.keys() & set(front):
            return Texts(*_padded(values))
        hidden = [name for name in self.fields if name not in front and name not in back]
        extra = [f"{name}: {texts[name]}" for name in hidden if texts.get(name)]
        noted = [texts[name] for name in back if name.lower() in _NOTE_NAMES and texts.get(name)]
        shown = [name for name in back if name.lower() not in _NOTE_NAMES]
        return Texts(_lines(texts, front), _lines(texts, shown), "\n".join([*noted, *extra]))

    def turned(self) -> bool:
        """Whether the second template asks the first one the other way round."""
        if len(self.templates) < 2:
            return False
        return self._asked(0) == self._asked(1)[::-1]

    def _asked(self, part: int) -> tuple[list[str], list[str]]:
        front, back = self._sides(part)
        return front, [name for name in back if name.lower() not in _NOTE_NAMES]

    def _sides(self, part: int) -> tuple[list[str], list[str]]:
        """Names of the fields on the front, and of those that only the back shows."""
        if part >= len(self.templates):
            return [], []
        front = _holes(self.templates[part].front, asked=True)
        back = [name for name in _holes(self.templates[part].back) if name not in front]
        return front, back


def read_notetypes(
    connection: queries.Connection, collection: queries.CollectionRow, *, in_tables: bool
) -> dict[int, Notetype]:
    """Note types by their number. Raises: BadInput."""
    if not in_tables:
        return _old_notetypes(collection.models)
    fields: defaultdict[int, list[str]] = defaultdict(list)
    templates: defaultdict[int, list[Template]] = defaultdict(list)
    for number, name in queries.rows(connection, queries.FieldRow):
        fields[number].append(name)
    for number, config in queries.rows(connection, queries.TemplateRow):
        message = _message(config)
        templates[number].append(Template(_text(message.get(1)), _text(message.get(2))))
    return {
        row.id: Notetype(
            tuple(fields[row.id]),
            tuple(templates[row.id]),
            cloze=_message(row.config).get(1) == _CLOZE,
        )
        for row in queries.rows(connection, queries.NotetypeRow)
    }


def read_deck_names(
    connection: queries.Connection, collection: queries.CollectionRow, *, in_tables: bool
) -> dict[int, str]:
    """Names of decks by their number; `::` stands between a deck and the one in it."""
    if in_tables:
        return {
            row.id: row.name.replace("\x1f", "::")
            for row in queries.rows(connection, queries.DeckRow)
        }
    found = _objects(collection.decks, "decks")
    return {number: str(deck.get("name") or "Default") for number, deck in found.items()}


def _old_notetypes(models: str) -> dict[int, Notetype]:
    return {
        number: Notetype(
            tuple(str(each.get("name")) for each in _list(model.get("flds"))),
            tuple(
                Template(str(each.get("qfmt", "")), str(each.get("afmt", "")))
                for each in _list(model.get("tmpls"))
            ),
            cloze=model.get("type") == _CLOZE,
        )
        for number, model in _objects(models, "note types").items()
    }


def _objects(text: str, what: str) -> dict[int, Mapping[str, object]]:
    try:
        found = json.loads(text)
        return {int(number): each for number, each in found.items() if isinstance(each, dict)}
    except (ValueError, AttributeError, RecursionError) as error:
        raise BadInput(
            f"The {what} of the collection cannot be read",
            hint="Export the deck from Anki again.",
        ) from error


def _list(value: object) -> Sequence[Mapping[str, object]]:
    found = value if isinstance(value, list) else []
    return sorted(
        (each for each in found if isinstance(each, dict)),
        key=lambda each: each["ord"] if isinstance(each.get("ord"), int) else 0,
    )


def _holes(template: str, *, asked: bool = False) -> list[str]:
    """Names of the fields a template shows, in order; on a front, not those to be typed in."""
    names: dict[str, None] = {}
    for found in _HOLE.findall(template):
        *filters, name = (part.strip() for part in found.split(":"))
        if found.strip()[:1] in ("#", "^", "/", "!") or name in _SPECIAL:
            continue
        if not (asked and "type" in filters):
            names[name] = None
    return list(names)


_SPECIAL = {"", "FrontSide", "Tags", "Type", "Deck", "Subdeck", "Card", "CardFlag", "CardID"}


def _lines(texts: Mapping[str, str], names: Sequence[str]) -> str:
    return "\n".join(texts[name] for name in names if texts.get(name))


def _padded(values: Sequence[str]) -> tuple[str, str, str]:
    front, back, *rest = (*values, "", "")
    return front, back, "\n".join(text for text in rest if text)


def _text(value: int | bytes | None) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _message(data: bytes) -> dict[int, int | bytes]:
    """The fields of a message of Protocol Buffers; of a repeated one the last."""
    found: dict[int, int | bytes] = {}
    place = 0
    try:
        while place < len(data):
            tag, place = _varint(data, place)
            kind = tag & 7
            if kind == 0:
                found[tag >> 3], place = _varint(data, place)
            else:
                size, place = _varint(data, place) if kind == 2 else (_FIXED[kind], place)
                found[tag >> 3] = data[place : place + size]
                place += size
    except (IndexError, KeyError, TypeError) as error:
        raise BadInput(
            "A note type of the collection cannot be read",
            hint="In Anki, tick `Support older Anki versions` when you export.",
        ) from error
    return found


_FIXED = {1: 8, 5: 4}


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        shift, place = shift + 7, place + 1
        if byte < 0x80 or shift > 70:
            return value, place
