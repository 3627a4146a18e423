"""Our flashcards as cards of a deck.

A flashcard marks a blank with `___` and has the answer on its back; a cloze card has the answer
where the blank is. Ids of flashcards are unique in their course, those of cards everywhere.
"""

from paige.exercise.exchange.cloze import blank_numbers
from paige.exercise.exchange.values import Card, CardKind
from paige.exercise.flashcard import Flashcard
from paige.exercise.worksheet.values import BLANK


def card_of(flashcard: Flashcard) -> Card:
    """A flashcard as a card; other accepted answers stand in its note."""
    also = f"Also: {' / '.join(flashcard.accepted)}" if flashcard.accepted else ""
    note = "\n".join(text for text in (flashcard.note, also) if text)
    front, back, kind = flashcard.front, flashcard.back, flashcard.kind
    if kind == "cloze" and not blank_numbers(front):
        front, back, kind = _filled(front, back)
    return Card(_card_id(flashcard), front, back, flashcard.tags, note, kind)


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
