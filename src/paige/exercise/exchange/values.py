"""Decks of cards as no program in particular has them.

Readers of foreign files make these values and writers take them. Text is plain text: whoever writes
HTML or XML escapes it, whoever reads it takes the markup away. A card of kind `cloze` has its
blanks in the front as Anki writes them: `The capital of {{c1::France::country}} is {{c2::Paris}}`.
The number says which blanks are asked together, the part after the second `::` is a hint. Blanks
may stand inside blanks, and one blank may have several numbers: `{{c1,3::…}}`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Literal, NamedTuple, get_args

from paige.base.errors import BadInput
from paige.base.wire import storable
from paige.exercise.values import Rating
from paige.exercise.worksheet.values import BLANK

_TOKENS = re.compile(r"(\{\{c\d[\d,]{0,20}::|\}\}|::)")
_DEEPEST = 20
"""How far blanks stand inside blanks; deeper ones are text, for each holds its inner ones again."""
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


class Side(NamedTuple):
    """A sentence with some blanks open, and what belongs into them."""

    question: str
    answers: tuple[str, ...]


@dataclass(slots=True)
class _OpenBlank:
    """A blank whose end was not seen yet; the outermost is the sentence itself."""

    mark: str = ""
    answer: list[str] = field(default_factory=list)
    hint: list[str] | None = None

    def add(self, text: str) -> None:
        (self.answer if self.hint is None else self.hint).append(text)

    @property
    def numbers(self) -> set[int]:
        return {int(number) for number in re.findall(r"\d+", self.mark) if 0 < int(number) < 1000}


def blank_numbers(text: str) -> tuple[int, ...]:
    """The numbers of the blanks, each once, in order."""
    return tuple(sorted(_read_cloze(text, None)[1]))


def ask(text: str, number: int, *, shown: str | None = None) -> Side:
    """The sentence with the blanks of one number left open and all others filled in.

    A blank is seen as its hint in brackets, or as `shown`.
    """
    return _read_cloze(text, number, shown)[0]


def _read_cloze(text: str, asked: int | None, shown: str | None = None) -> tuple[Side, set[int]]:
    stack, numbers, answers = [_OpenBlank()], set[int](), list[str]()
    for token in _TOKENS.split(text):
        top = stack[-1]
        if token.startswith("{{c") and token.endswith("::") and len(stack) <= _DEEPEST:
            stack.append(_OpenBlank(token))
        elif token == "}}" and len(stack) > 1:
            stack.pop()
            numbers |= top.numbers if top.answer != [""] else set()
            if asked in top.numbers:
                answers.append("".join(top.answer))
                stack[-1].add(shown or f"[{''.join(top.hint or ()) or '...'}]")
            else:
                stack[-1].add("".join(top.answer))
        elif token == "::" and len(stack) > 1 and top.hint is None:
            top.hint = []
        else:
            top.add(token)
    while len(stack) > 1:  # the end of a blank is missing, so it was only text
        rest = stack.pop()
        hint = "" if rest.hint is None else f"::{''.join(rest.hint)}"
        stack[-1].add(f"{rest.mark}{''.join(rest.answer)}{hint}")
    return Side("".join(stack[0].answer), tuple(answers)), numbers


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


class ExchangeProblem(NamedTuple):
    """Something in a file that was not taken over: where, what, and what to change."""

    line: int | None
    message: str
    fix: str = ""

    def __str__(self) -> str:
        place = "" if self.line is None else f"Line {self.line}: "
        return f"{place}{self.message}. {self.fix}".strip()


@dataclass(frozen=True, slots=True)
class FileImport:
    """What was read from a file. `remarks` are worth knowing; `problems` are what was left out."""

    decks: tuple[Deck, ...]
    remarks: tuple[str, ...] = ()
    problems: tuple[ExchangeProblem, ...] = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of every deck, in order."""
        return tuple(card for deck in self.decks for card in deck.cards)


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
    # Tags are words: Anki separates them by spaces.
    tags = dict.fromkeys("_".join(plain(tag).split()) for tag in card.tags)
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


def with_blanks(sentence: str, answers: Sequence[str]) -> str | None:
    """A sentence with its `___` filled in as blanks of a cloze; nothing when they do not fit."""
    pieces = sentence.split(BLANK)
    if len(pieces) != len(answers) + 1 or any("}}" in answer for answer in answers):
        return None
    marked = (
        f"{piece}{{{{c1::{answer}}}}}" for piece, answer in zip(pieces, answers, strict=False)
    )
    return f"{''.join(marked)}{pieces[-1]}"
