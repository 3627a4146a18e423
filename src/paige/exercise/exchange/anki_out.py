"""Decks as an Anki package (.apkg).

genanki writes notes, cards and note types; the history of reviews, which it does not know, is added
to its database afterwards. The same deck at the same moment gives the same bytes. Importing a
package again updates the notes it brought before: Anki knows a note by its guid, which here is the
id of the card, and takes the newer text.
"""

import io
import itertools
import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from paige.base.errors import BadInput
from paige.exercise.exchange import queries
from paige.exercise.exchange.html_text import to_html
from paige.exercise.exchange.values import CardKind, Deck, Review, blank_numbers, tidy_deck

if TYPE_CHECKING:
    import genanki

# What people have in their collections refers to these numbers, so they never change.
NOTETYPE_IDS: Mapping[CardKind, int] = {
    "basic": 1_607_392_301_101,
    "reversed": 1_607_392_301_102,
    "cloze": 1_607_392_301_103,
}
NOTETYPE_NAMES: Mapping[CardKind, str] = {
    "basic": "Paige Basic",
    "reversed": "Paige Basic (and reversed)",
    "cloze": "Paige Cloze",
}
# Numbers of decks are below those that Anki makes from the time, so the two never meet.
_DECK_IDS = range(1 << 30, 1 << 40)
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
_DAY = 86_400
_CREATED = 1_411_099_200  # 2014-09-19 at 4:00 UTC: the first day of the collection
# genanki writes a collection of the first scheduler, for which Anki changes ratings on import:
# it had three buttons for cards that are learnt. Days begin at four, as Anki's do, in UTC.
_SETTINGS = {"schedVer": 2, "rollover": 4, "creationOffset": 0}
_FIRST, _REVIEW, _AGAIN = 0, 1, 2  # kinds of entries in the log: learnt, reviewed, learnt again
_LEARNING = 1  # what a card is while it is learnt
_EASE_FACTOR = 2500  # what Anki gives every card before it knows better
_STYLE = (
    ".card { font-family: arial; font-size: 20px; text-align: center; white-space: pre-wrap; }\n"
    ".note { font-size: 15px; opacity: 0.75; }\n"
    ".cloze { font-weight: bold; color: #2a6fdb; }\n"
)
_NOTE = '{{#Note}}<div class="note">{{Note}}</div>{{/Note}}'
_ANSWER = "{{FrontSide}}<hr id=answer>"


def write_apkg(decks: Deck | Sequence[Deck], *, now: datetime) -> bytes:
    """A package with these decks; Anki goes on from their reviews.

    Whoever imports it is asked by Anki whether to take the reviews over. Raises: BadInput.
    """
    chosen = [tidy_deck(deck) for deck in ([decks] if isinstance(decks, Deck) else decks)]
    _check_ids(chosen)
    connection = queries.memory_database()
    try:
        _write_notes(connection, chosen, now)
        _write_history(connection, chosen)
        connection.commit()
        return _zipped(connection.serialize())
    finally:
        connection.close()


def deck_id(name: str) -> int:
    """The number of a deck: the same for the same name, everywhere."""
    number = int.from_bytes(sha256(name.casefold().encode()).digest()[:8])
    return _DECK_IDS[number % len(_DECK_IDS)]


def _check_ids(decks: Sequence[Deck]) -> None:
    found: dict[str, str] = {}
    for deck in decks:
        for card in deck.cards:
            if card.id in found:
                both = f"`{found[card.id]}` and `{deck.name}`"
                raise BadInput(
                    f"{both} have a card with the same id: `{card.id}`",
                    hint="Ids of cards are unique among all decks.",
                )
            found[card.id] = deck.name


def _write_notes(connection: queries.Connection, decks: Sequence[Deck], now: datetime) -> None:
    import genanki  # noqa: PLC0415 - it brings a YAML reader and templates; only exports need it

    models = _models()
    made: list[genanki.Deck] = []
    for deck in decks:
        each = genanki.Deck(deck_id(deck.name), deck.name, to_html(deck.description))
        for position, card in enumerate(deck.cards, 1):
            fields = [to_html(text) for text in (card.front, card.back, card.note)]
            note = genanki.Note(
                models[card.kind], fields, tags=card.tags, guid=card.id, due=position
            )
            if card.kind == "cloze":  # genanki does not see a blank inside a blank
                vars(note)["cards"] = [
                    genanki.Card(number - 1) for number in blank_numbers(card.front)
                ]
            each.add_note(note)
        made.append(each)
    seconds = now.astimezone(UTC).timestamp()
    package = genanki.Package(made)
    package.write_to_db(connection.cursor(), seconds, itertools.count(int(seconds * 1000)))
    settings = {**json.loads(queries.settings_text(connection)), **_SETTINGS}
    queries.set_collection(connection, created=_CREATED, settings=json.dumps(settings))


def _models() -> "dict[CardKind, genanki.Model]":
    import genanki  # noqa: PLC0415 - see above

    asked = ("{{Front}}", f"{_ANSWER}{{{{Back}}}}{_NOTE}")
    turned = ("{{Back}}", f"{_ANSWER}{{{{Front}}}}{_NOTE}")
    cloze = ("{{cloze:Front}}", f"{{{{cloze:Front}}}}<br>{{{{Back}}}}{_NOTE}")
    sides: dict[CardKind, list[tuple[str, str]]] = {
        "basic": [asked],
        "reversed": [asked, turned],
        "cloze": [cloze],
    }
    return {
        kind: genanki.Model(
            NOTETYPE_IDS[kind],
            NOTETYPE_NAMES[kind],
            fields=[{"name": name} for name in ("Front", "Back", "Note")],
            templates=[
                {"name": f"Card {number}", "qfmt": front, "afmt": back}
                for number, (front, back) in enumerate(templates, 1)
            ],
            css=_STYLE,
            model_type=genanki.Model.CLOZE if kind == "cloze" else genanki.Model.FRONT_BACK,
        )
        for kind, templates in sides.items()
    }


def _write_history(connection: queries.Connection, decks: Sequence[Deck]) -> None:
    known = {card.id: card for deck in decks for card in deck.cards}
    reviews: list[dict[str, int]] = []
    schedules: list[Mapping[str, int | str]] = []
    for written in list(queries.rows(connection, queries.WrittenCard)):
        card = known[written.guid]
        mine = [review for review in card.history if review.part == written.part]
        if mine:
            rows = _review_rows(mine, written.id)
            lapses = sum(row["kind"] == _REVIEW and row["ease"] == 1 for row in rows)
            due = card.due if written.part == 0 else None
            reviews += rows
            seen = json.dumps({"lrt": int(mine[-1].at.timestamp())})
            schedule = {"card": written.id, "reps": len(rows), "lapses": lapses, "data": seen}
            schedules.append({**schedule, **_schedule(mine[-1], due)})
    _tell_apart(reviews)
    queries.add_reviews(connection, reviews)
    queries.set_schedules(connection, schedules)


def _review_rows(history: Sequence[Review], card: int) -> list[dict[str, int]]:
    rows: list[dict[str, int]] = []
    before, ever = 0, False
    for review in history:
        interval = _interval(review.interval_days)
        rows.append(
            {
                "id": int(review.at.timestamp() * 1000 + 0.5),
                "card": card,
                "ease": review.rating,
                "interval": interval,
                "before": before,
                "factor": _EASE_FACTOR if interval > 0 else 0,
                "duration": review.duration_ms,
                "kind": _REVIEW if before > 0 else _AGAIN if ever else _FIRST,
            }
        )
        before, ever = interval, ever or interval > 0
    return rows


def _interval(days: float) -> int:
    """Whole days, or for less than a day a negative number of seconds."""
    return round(days) if days >= 1 else -round(days * _DAY)


def _schedule(last: Review, due: datetime | None) -> dict[str, int]:
    """What a card is after its last review: put away for days, or learnt again today."""
    moment = int((due or last.at + timedelta(days=last.interval_days)).timestamp())
    if last.interval_days < 1:
        learning = {"kind": _LEARNING, "queue": _LEARNING, "left": 1001}
        return {**learning, "due": moment, "interval": 0, "factor": 0}
    put_away = {"kind": 2, "queue": 2, "left": 0, "interval": round(last.interval_days)}
    return {**put_away, "due": max(0, (moment - _CREATED) // _DAY), "factor": _EASE_FACTOR}


def _tell_apart(rows: list[dict[str, int]]) -> None:
    """Anki knows a review by its millisecond, so no two may have the same."""
    used: set[int] = set()
    for row in sorted(rows, key=lambda each: (each["id"], each["card"])):
        while row["id"] in used:
            row["id"] += 1
        used.add(row["id"])


def _zipped(database: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in (("collection.anki2", database), ("media", json.dumps({}).encode())):
            entry = zipfile.ZipInfo(name, _FIXED_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            package.writestr(entry, data)
    return content.getvalue()
