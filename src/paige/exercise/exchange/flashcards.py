"""Our flashcards as cards of a deck, and back.

A flashcard marks a blank with `___` and has the answer on its back; a cloze card has the answer
where the blank is. Ids of flashcards are unique in their course, those of cards everywhere.
"""

from collections.abc import Iterable
from dataclasses import replace

from paige.exercise.exchange.cloze import ask, blank_numbers
from paige.exercise.exchange.values import Card, CardKind, Deck
from paige.exercise.flashcard import Flashcard
from paige.exercise.worksheet.values import BLANK


def deck_of(name: str, flashcards: Iterable[Flashcard]) -> Deck:
    """A deck with these flashcards, without reviews; `dataclasses.replace` adds them."""
    return Deck(name, tuple(card_of(each) for each in flashcards))


def card_of(flashcard: Flashcard) -> Card:
    """A flashcard as a card; other accepted answers stand in its note."""
    also = f"Also: {' / '.join(flashcard.accepted)}" if flashcard.accepted else ""
    note = "\n".join(text for text in (flashcard.note, also) if text)
    front, back, kind = flashcard.front, flashcard.back, flashcard.kind
    if kind == "cloze" and not blank_numbers(front):
        front, back, kind = _filled(front, back)
    return Card(_card_id(flashcard), front, back, flashcard.tags, note, kind)


def flashcards_of(card: Card, *, course: str, concept: str) -> tuple[Flashcard, ...]:
    """A card of a deck as flashcards: one, or one for each blank."""
    own = card.id.removeprefix(f"{course}:")
    whole = Flashcard(
        id=own,
        concept_id=concept,
        course=course,
        front=card.front,
        back=card.back,
        kind=card.kind,
        tags=card.tags,
        note=card.note,
    )
    if card.kind != "cloze":
        return (whole,)
    numbers = blank_numbers(card.front)
    made: list[Flashcard] = []
    for number in numbers:
        question, answers = ask(card.front, number, shown=BLANK)
        part = own if len(numbers) == 1 else f"{own}#{number}"
        back = "; ".join(answers)
        made.append(replace(whole, id=part, front=question, back=back))
    return tuple(made)


def _card_id(flashcard: Flashcard) -> str:
    return f"{flashcard.course}:{flashcard.id}" if flashcard.course else flashcard.id


def _filled(front: str, back: str) -> tuple[str, str, CardKind]:
    """The sentence with its answers in it; with too few of them it stays a plain question."""
    pieces = front.split(BLANK)
    answers = [back] if len(pieces) == 2 else [each.strip() for each in back.split(";")]
    if len(pieces) < 2 or len(answers) != len(pieces) - 1 or "}}" in back:
        return front, back, "basic"
    marked = "".join(
        f"{piece}{{{{c1::{answer}}}}}" for piece, answer in zip(pieces, answers, strict=False)
    )
    return f"{marked}{pieces[-1]}", "", "cloze"
