"""Decks of cards and quizzes as no program in particular has them.

Readers of foreign files make these values and writers take them. Text is plain text: whoever writes
HTML or XML escapes it, whoever reads it takes the markup away. A card of kind `cloze` has its
blanks in the front: `The capital of {{c1::France::country}} is {{c2::Paris}}`.
"""

import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Literal, NamedTuple, get_args

from paige.base.errors import BadInput
from paige.base.text import storable
from paige.exercise.exchange.cloze import ask, blank_numbers
from paige.exercise.values import Rating

CardKind = Literal["basic", "reversed", "cloze"]
CARD_KINDS: tuple[CardKind, ...] = get_args(CardKind)
RATINGS: tuple[Rating, ...] = get_args(Rating)

MOST_DAYS = 100_000.0
"""As long as a card is put away at most; longer is as good as for ever."""
MOST_ASKED = 500_000
"""Signs of a sentence, counted once for each of its blanks."""
_FIRST_YEAR, _LAST_YEAR = 1970, 2200
# Characters that no field of any of the formats can hold.
_UNWANTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Review:
    """One answer to a card. `part` is which side or blank was asked: 0 is the first.

    `interval_days` is how long the card was put away after it; less than a day is a fraction.
    """

    at: datetime
    rating: Rating
    interval_days: float = 0.0
    duration_ms: int = 0
    part: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """A card. `id` is unique among all cards of all decks and stays when the text is edited.

    `due` is when it should be seen next; of a card with several parts, the soonest of them.
    """

    id: str
    front: str
    back: str
    tags: tuple[str, ...] = ()
    note: str = ""
    kind: CardKind = "basic"
    history: tuple[Review, ...] = ()
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards under one name; `::` in the name separates a deck from the one it is in."""

    name: str
    cards: tuple[Card, ...]
    description: str = ""


class Problem(NamedTuple):
    """Something in a file that was not taken over: where, what, and what to change."""

    line: int | None
    message: str
    fix: str = ""

    def __str__(self) -> str:
        place = "" if self.line is None else f"Line {self.line}: "
        return f"{place}{self.message}. {self.fix}".strip()


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read from a file. `remarks` are worth knowing; `problems` are what was left out."""

    decks: tuple[Deck, ...]
    remarks: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of every deck, in order."""
        return tuple(card for deck in self.decks for card in deck.cards)


class Face(NamedTuple):
    """One question a card asks, with the reviews of just that question."""

    part: int
    front: str
    back: str
    history: tuple[Review, ...]


def plain(text: str) -> str:
    """The text as every format can hold it: no control characters, `\\n` line ends, no edges."""
    lines = storable(text).replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")
    return _UNWANTED.sub("", lines).strip()


def card_id(deck: str, *parts: str) -> str:
    """An id for a card that brought none: the same for the same deck and text, everywhere."""
    joined = "\x1f".join((deck, *parts))
    return f"pg-{sha256(storable(joined).encode()).hexdigest()[:20]}"


def sensible(moment: datetime) -> bool:
    """Whether a card can have been reviewed, or be due, then."""
    return _FIRST_YEAR < moment.year < _LAST_YEAR


def tidy(card: Card) -> Card:
    """The card in the form that survives every format. Raises: BadInput."""
    tags = dict.fromkeys(_tag(tag) for tag in card.tags)
    made = replace(
        card,
        id=plain(card.id),
        front=plain(card.front),
        back=plain(card.back),
        note=plain(card.note),
        tags=tuple(tag for tag in tags if tag),
        history=tuple(sorted(map(_tidy_review, card.history), key=lambda review: review.at)),
        due=None if card.due is None else card.due.astimezone(UTC).replace(microsecond=0),
    )
    if not made.id or "\n" in made.id:
        raise BadInput(f"The card `{made.front[:60]}` needs an id of one line")
    if made.due is not None and not sensible(made.due):
        raise BadInput(f"The card `{made.id}` cannot be due in the year {made.due.year}")
    if not made.front:
        raise BadInput(f"The card `{made.id}` has nothing on its front")
    blanks = blank_numbers(made.front) if made.kind == "cloze" else ()
    if len(blanks) * len(made.front) > MOST_ASKED:
        raise BadInput(
            f"The card `{made.id}` has {len(blanks)} blanks in {len(made.front)} signs",
            hint="Each blank asks the whole text again. Make several cards of it.",
        )
    if made.kind == "cloze" and not blanks:
        raise BadInput(
            f"The card `{made.id}` has no blank",
            hint="Mark what is to be recalled as {{c1::answer}}, or make it a basic card.",
        )
    return made


def tidy_deck(deck: Deck) -> Deck:
    """The deck with every card in the form that survives. Raises: BadInput."""
    name = " ".join(plain(deck.name).split())
    if not name:
        raise BadInput("A deck needs a name")
    cards = tuple(tidy(card) for card in deck.cards)
    seen: set[str] = set()
    for card in cards:
        if card.id in seen:
            raise BadInput(f"Two cards of `{name}` have the id `{card.id}`")
        seen.add(card.id)
    return Deck(name, cards, plain(deck.description))


def faces(card: Card) -> tuple[Face, ...]:
    """Every question the card asks: one, two of a reversed card, one for each blank of a cloze."""
    sides = {0: (card.front, card.back)}
    if card.kind == "reversed" and card.back:
        sides[1] = (card.back, card.front)
    if card.kind == "cloze":
        sides = {number - 1: _cloze_side(card, number) for number in blank_numbers(card.front)}
    return tuple(
        Face(part, *sides[part], tuple(each for each in card.history if each.part == part))
        for part in sides
    )


def _cloze_side(card: Card, number: int) -> tuple[str, str]:
    question, answers = ask(card.front, number)
    back = ", ".join(answers)
    return question, f"{back}\n{card.back}" if card.back else back


def _tag(tag: str) -> str:
    """Tags are words: Anki separates them by spaces."""
    return "_".join(plain(tag).split())


def _tidy_review(review: Review) -> Review:
    """Milliseconds are what the formats keep."""
    if review.rating not in RATINGS:
        raise BadInput(f"A rating is 1, 2, 3 or 4, not `{review.rating}`")
    if not sensible(review.at):
        raise BadInput(f"A review cannot be from the year {review.at.year}")
    at = review.at.astimezone(UTC)
    whole = at - timedelta(microseconds=at.microsecond % 1000)
    days = min(MOST_DAYS, max(0.0, review.interval_days))
    return replace(
        review, at=whole, interval_days=days, duration_ms=max(0, round(review.duration_ms))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What is said after an answer: always, when it was right, when it was not."""

    general: str = ""
    correct: str = ""
    incorrect: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose, with what is said to whoever chooses it."""

    text: str
    correct: bool = False
    feedback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What every question of a quiz has. `id` is unique in the quiz and stays."""

    id: str
    prompt: str
    points: float = 1.0
    feedback: Feedback = field(default_factory=Feedback)


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipleChoice(Asked):
    """Choose one; when several are right, choose all of them."""

    choices: tuple[Choice, ...]
    shuffle: bool = False

    @property
    def several(self) -> bool:
        """Whether more than one choice is right."""
        return sum(choice.correct for choice in self.choices) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueFalse(Asked):
    """Is it so?"""

    answer: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortAnswer(Asked):
    """A word or a line; any of the answers is right."""

    answers: tuple[str, ...]
    case_sensitive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FillIn(Asked):
    """A text with `___` where something is missing; each blank has its accepted answers."""

    blanks: tuple[tuple[str, ...], ...]
    case_sensitive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching(Asked):
    """Pairs that belong together; `distractors` belong to nothing."""

    pairs: tuple[tuple[str, str], ...]
    distractors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Essay(Asked):
    """A text that a person marks. `model_answer` is shown afterwards, never before."""

    model_answer: str = ""
    lines: int = 10


QuizQuestion = MultipleChoice | TrueFalse | ShortAnswer | FillIn | Matching | Essay


@dataclass(frozen=True, slots=True)
class Quiz:
    """Questions under one title. `id` stays when the title is edited; without it the title is."""

    title: str
    questions: tuple[QuizQuestion, ...]
    description: str = ""
    id: str = ""
