"""The memory of one thing: how firm it is, how hard, when it should be asked for again.

The numbers are FSRS's. What FSRS leaves to others is here: how often a card was seen, how often it
was forgotten, and an id that comes from its name, so that the same card has the same id everywhere.
The JSON form can be read by the reference library too.
"""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from paige.base.errors import BadInput

CardState = Literal["learning", "review", "relearning"]
CARD_STATES: tuple[CardState, ...] = ("learning", "review", "relearning")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card after its last review; one without a last review is new.

    `step` is the place in the short steps of the first minutes, and nothing in review. `reps` are
    all reviews, `lapses` those where something that was known had been forgotten.
    """

    id: int
    due: datetime
    state: CardState = "learning"
    step: int | None = 0
    stability: float | None = None
    difficulty: float | None = None
    last_review: datetime | None = None
    reps: int = 0
    lapses: int = 0

    @property
    def is_new(self) -> bool:
        """Whether nobody has ever answered it."""
        return self.last_review is None


def card_id(name: str) -> int:
    """A number for a name: always the same, and exact in every JSON reader."""
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) >> 11  # 53 bits are what a double holds


def new_card(name: str, now: datetime) -> Card:
    """The card of a thing nobody has answered yet; it is due at once."""
    return Card(id=card_id(name), due=utc(now))


def utc(moment: datetime) -> datetime:
    """The same moment with the one UTC that the scheduling library accepts. Raises: BadInput."""
    if moment.tzinfo is None:
        raise BadInput(
            f"`{moment.isoformat()}` has no time zone", hint="Write it like 2026-02-22T14:30:00Z."
        )
    return moment.astimezone(UTC)


def dump_card(card: Card) -> dict[str, object]:
    """The card as JSON values."""
    return {
        "card_id": card.id,
        "state": CARD_STATES.index(card.state) + 1,
        "step": card.step,
        "stability": card.stability,
        "difficulty": card.difficulty,
        "due": dump_moment(card.due),
        "last_review": None if card.last_review is None else dump_moment(card.last_review),
        "reps": card.reps,
        "lapses": card.lapses,
    }


def load_card(record: Mapping[str, object]) -> Card:
    """The card in a record of ours or of the reference library. Raises: BadInput."""
    last = record.get("last_review")
    number = whole(record.get("state", 1), "state")
    if not 1 <= number <= len(CARD_STATES):
        raise BadInput(f"`state` of a card is 1, 2 or 3, not `{number}`")
    step = record.get("step")
    card = Card(
        id=whole(record.get("card_id"), "card_id"),
        state=CARD_STATES[number - 1],
        step=None if step is None else whole(step, "step"),
        stability=_positive(record.get("stability"), "stability"),
        difficulty=_positive(record.get("difficulty"), "difficulty"),
        due=load_moment(record.get("due"), "due"),
        last_review=None if last is None else load_moment(last, "last_review"),
        # The library does not count; a card that was reviewed was reviewed at least once.
        reps=whole(record.get("reps", 0 if last is None else 1), "reps"),
        lapses=whole(record.get("lapses", 0), "lapses"),
    )
    return _whole_card(card)


def _whole_card(card: Card) -> Card:
    known = card.stability is not None and card.difficulty is not None
    if card.is_new != (not known) or (card.state != "learning" and not known):
        raise BadInput(
            f"Card {card.id} is half filled in",
            hint="A card has `stability`, `difficulty` and `last_review`, or none of them.",
        )
    if (card.state == "review") != (card.step is None):
        raise BadInput(
            f"Card {card.id} is in the state `{card.state}`, which does not go with its `step`",
            hint="`step` is null in state 2, and a number in the states 1 and 3.",
        )
    return card


def dump_moment(moment: datetime) -> str:
    """A moment as people write it: in UTC, with a Z, parts of a second only when there are any."""
    return utc(moment).isoformat().replace("+00:00", "Z")


def load_moment(value: object, name: str) -> datetime:
    """The moment in a field. Raises: BadInput."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None:
        raise BadInput(f"`{name}` should be a moment such as 2026-02-22T14:30:00Z, not `{value!r}`")
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def whole(value: object, name: str) -> int:
    """The whole number from 0 in a field. Raises: BadInput."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise BadInput(f"`{name}` should be a whole number, not `{value!r}`")


def _positive(value: object, name: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf:
        return float(value)
    raise BadInput(f"`{name}` should be a number above 0, not `{value!r}`")
