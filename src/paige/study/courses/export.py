"""A course for other programs: cards with their reviews, and results as statements.

Cards that came from a deck go back as they came: with their own ids, and a sentence with several
blanks as one card. So whoever imports them again updates what they have.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from paige.base.errors import BadInput
from paige.exercise.exchange.anki_out import write_apkg
from paige.exercise.exchange.csv_files import Form, write_cards
from paige.exercise.exchange.values import Card, Deck, Review, ask, blank_numbers, with_blanks
from paige.exercise.exchange.xapi import Who, write_statements
from paige.exercise.worksheet.key import ALTERNATIVES
from paige.exercise.worksheet.values import BLANK
from paige.learner.changes import Change
from paige.learner.files import LearnerFiles
from paige.learner.profile import Profile
from paige.learner.progress import Progress
from paige.study.courses.reviews import item_reviews
from paige.study.courses.values import Course, Item, Word

_PLAIN = ("translate", "short", "define", "predict", "error")


def item_card(course: Course, item: Item) -> Card | None:
    """An item as a card, or nothing when it is not one question with one short answer."""
    if item.kind in _PLAIN:
        return _card(course, item, item.prompt, item.answers)
    if item.kind == "cloze":
        return _cloze_card(course, item)
    if item.kind == "true_false":
        said = item.answers[0].capitalize()
        return _card(course, item, f"True or false? {item.prompt}", (said,))
    if item.kind == "choice" and len(item.answers) == 1:
        choices = "\n".join(f"- {each}" for each in sorted((*item.answers, *item.distractors)))
        return _card(course, item, f"{item.prompt}\n{choices}", item.answers)
    if item.kind == "repl" and item.code:
        return _card(course, item, item.prompt, (item.code.solution.strip(),))
    return None


def _card(course: Course, item: Item, front: str, answers: Iterable[str]) -> Card:
    asked = f"{item.context}\n{front}" if item.context else front
    back = ALTERNATIVES.join(answers)
    return Card(_id_in(course, item.id), asked, back, item.tags, item.explanation)


def _cloze_card(course: Course, item: Item) -> Card:
    """A sentence with its answers in the blanks; other answers that count stand in the note."""
    firsts = [each[0] for each in item.blanks]
    card = _card(course, item, item.prompt, ["; ".join(firsts)])
    others = item.blanks[0][1:] if len(item.blanks) == 1 else ()
    also = f"Also: {ALTERNATIVES.join(others)}" if others else ""
    note = "\n".join(text for text in (card.note, also) if text)
    filled = with_blanks(card.front, firsts)
    if filled is None:
        return replace(card, note=note)
    return replace(card, front=filled, back="", note=note, kind="cloze")


def _id_in(course: Course, own: str) -> str:
    return f"{course.name}:{own}" if course.name else own


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
    """A word as a card that is asked both ways."""
    example = f"{word.example} \u2013 {word.example_meaning}".strip(" \u2013")
    asked = (*reviews.get(word.id, ()), *reviews.get(f"{word.id}.from", ()))
    turned = tuple(replace(each, part=1) for each in reviews.get(f"{word.id}.to", ()))
    return Card(
        id=word.card or _id_in(course, word.id),
        front=ALTERNATIVES.join(word.terms),
        back=ALTERNATIVES.join(word.meanings),
        tags=word.tags,
        note="\n".join(each for each in (example, word.note) if each),
        kind="reversed",
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
        # What is no longer a part of its card is a card of its own.
        name = (not _given(item, "front") and _given(item, "id")) or card.id
        made[name] = replace(card, id=name, history=history)
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


_KEY = "statement_token"


def learner_token(learner: LearnerFiles, randomness: bytes) -> str:
    """The learner's token; at first it is made and kept in the profile. Raises: BrokenFile."""

    def keep(profile: Profile) -> Profile:
        if _token(profile):
            return profile
        return replace(profile, extra={**profile.extra, _KEY: randomness.hex()})

    return _token(learner.profile()) or _token(learner.update_profile(keep))


def _token(profile: Profile) -> str:
    known = profile.extra.get(_KEY)
    return known.strip() if isinstance(known, str) else ""


_MEDIA = {
    "anki": ("apkg", "application/octet-stream"),
    "csv": ("csv", "text/csv; charset=utf-8"),
    "tsv": ("tsv", "text/tab-separated-values; charset=utf-8"),
    "xapi": ("jsonl", "application/x-ndjson"),
}


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A course as a file for another program."""

    name: str
    media_type: str
    content: bytes


def export_course(
    course: Course, learner: LearnerFiles, form: ExportForm, *, home: str, now: datetime
) -> ExportFile:
    """A course for another program; `home` is the address that statements are made for.

    Raises: BadInput.
    """
    if form == "xapi":
        token = learner_token(learner, os.urandom(16))
        data = export_results(course.name, learner, Who(token, home)).encode()
    else:
        data = export_cards(course, learner, form=form, now=now)
    ending, media = _MEDIA[form]
    return ExportFile(f"{course.name}.{ending}", media, data)
