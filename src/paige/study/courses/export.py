"""A course for other programs: cards with their reviews, and results as statements.

Cards that came from a deck go back as they came: with their own ids, and a sentence with several
blanks as one card. So whoever imports them again updates what they have.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Literal

from paige.base.errors import BadInput
from paige.exercise.exchange.anki_out import write_apkg
from paige.exercise.exchange.cloze import ask, blank_numbers
from paige.exercise.exchange.csv_files import Form, write_cards
from paige.exercise.exchange.flashcards import card_of
from paige.exercise.exchange.values import Card, Deck, Review
from paige.exercise.exchange.xapi import Who, write_statements
from paige.exercise.worksheet.key import ALTERNATIVES
from paige.exercise.worksheet.values import BLANK
from paige.learner.changes import Change
from paige.learner.files import LearnerFiles
from paige.learner.progress import Progress
from paige.study.courses.flashcards import item_card, word_card
from paige.study.courses.reviews import item_reviews
from paige.study.courses.values import Course, Item, Word

ExportForm = Literal["anki", "csv", "tsv", "xapi"]
Reviews = Mapping[str, tuple[Review, ...]]


def course_decks(
    course: Course, reviews: Reviews, progress: Mapping[str, Progress]
) -> tuple[Deck, ...]:
    """The cards of a course, a deck for each concept, with what the learner did."""
    decks: dict[str, list[Card]] = {}
    for concept in course.concepts.values():
        card = progress[concept.id].card if concept.id in progress else None
        due = card.due if card else None
        cards = [_word(course, word, reviews) for word in course.words_of(concept.id)]
        cards += _items(course, course.items.get(concept.id, ()), reviews)
        given = concept.extra.get("deck")
        name = given if isinstance(given, str) and given.strip() else ""
        named = name or f"{_level(course.title)}::{_level(concept.title)}"
        dated = [replace(each, due=due if each.history else None) for each in cards]
        decks.setdefault(named, []).extend(dated)
    return tuple(Deck(name, tuple(cards)) for name, cards in decks.items() if cards)


def export_cards(
    course: Course, learner: LearnerFiles, *, form: Literal["anki"] | Form, now: datetime
) -> bytes:
    """The cards of a course as a package or a table. Raises: BadInput when it has none."""
    reviews = item_reviews(learner.changes(course.name), learner.evidence(course.name))
    decks = course_decks(course, reviews, learner.read(course.name).progress)
    if not decks:
        raise BadInput(
            f"The course `{course.name}` has no words and no items with a short answer",
            hint="Export its results instead: `paige study export xapi`.",
        )
    return write_apkg(decks, now=now) if form == "anki" else write_cards(decks, form=form)


def export_results(course: str, learner: LearnerFiles, who: Who) -> str:
    """Every result of a course that counts, as xAPI statements, one a line."""
    counted = learner.evidence(course)
    changes = [each for each in learner.changes(course) if each.id in counted]
    results = (each.result for each in sorted(changes, key=_when) if each.result is not None)
    return "".join(write_statements((replace(each, course=course) for each in results), who))


def _when(change: Change) -> tuple[datetime, str]:
    return change.at, change.id


def _level(title: str) -> str:
    """A part of a deck's name; `::` would begin another level."""
    return " ".join(title.replace("::", ": ").split())


def _word(course: Course, word: Word, reviews: Reviews) -> Card:
    made = card_of(replace(word_card(course, word), accepted=()))
    asked = (*reviews.get(word.id, ()), *reviews.get(f"{word.id}.from", ()))
    turned = tuple(replace(each, part=1) for each in reviews.get(f"{word.id}.to", ()))
    return replace(
        made,
        id=word.card or made.id,
        back=ALTERNATIVES.join(word.meanings),
        history=_ordered((*asked, *turned)),
    )


def _items(course: Course, items: Iterable[Item], reviews: Reviews) -> list[Card]:
    """The cards of items; those of one sentence with several blanks are one."""
    made: dict[str, Card] = {}
    for item in (one for each in items for one in (each.variants or (each,))):
        card = item_card(course, item)
        if card is None:
            continue
        history = reviews.get(item.id, ())
        whole = _whole(item)
        if whole is not None:
            sentence, part = whole
            known = made.get(sentence.id, sentence)
            more = tuple(replace(each, part=part) for each in history)
            made[sentence.id] = replace(known, history=_ordered((*known.history, *more)))
            continue
        one = card_of(card if card.kind == "cloze" else replace(card, accepted=()))
        back = one.back if card.kind == "cloze" else card.reference
        # What is no longer a part of its card is a card of its own.
        name = (not _given(item, "front") and _given(item, "id")) or one.id
        made[name] = replace(one, id=name, back=back, history=history)
    return list(made.values())


def _whole(item: Item) -> tuple[Card, int] | None:
    """The card an item was a part of, and which, while it still reads the same."""
    front, back, own = _given(item, "front"), _given(item, "back"), _given(item, "id")
    if not front or not own:
        return None
    turned = _given(item, "kind") == "reversed"
    sides = {0: front, 1: back} if turned else _blanks(front)
    part = next((part for part, asked in sides.items() if asked == item.prompt), None)
    if part is None:
        return None
    kind = "reversed" if turned else "cloze"
    return Card(own, front, back, item.tags, item.explanation, kind), part


def _blanks(front: str) -> dict[int, str]:
    """What is asked for each blank of a sentence."""
    return {number - 1: ask(front, number, shown=BLANK).question for number in blank_numbers(front)}


def _given(item: Item, name: str) -> str:
    """What an item keeps of the card it came from."""
    card = item.extra.get("card")
    value = card.get(name) if isinstance(card, Mapping) else None
    return value if isinstance(value, str) else ""


def _ordered(reviews: Iterable[Review]) -> tuple[Review, ...]:
    return tuple(sorted(reviews, key=lambda each: (each.at, each.part)))
