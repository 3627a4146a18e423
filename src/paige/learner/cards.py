"""The memory of one thing: how firm it is, how hard, when it should be asked for again.

The numbers are FSRS's. What FSRS leaves to others is here: how often a card was seen, how often it
was forgotten, and an id that comes from its name, so that the same card has the same id everywhere.
Its fields, as they stand here, are its JSON form, which the
reference library can read too.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, PlainValidator, TypeAdapter, ValidationInfo

from paige.base.errors import BadInput
from paige.learner.json_files import parse

CardState = Literal["learning", "review", "relearning"]
CARD_STATES: tuple[CardState, ...] = ("learning", "review", "relearning")


def utc(moment: datetime) -> datetime:
    """The same moment with the one UTC that the scheduling library accepts. Raises: BadInput."""
    if moment.tzinfo is None:
        raise BadInput(
            f"`{moment.isoformat()}` has no time zone", hint="Write it like 2026-02-22T14:30:00Z."
        )
    return moment.astimezone(UTC)


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


def _moment(value: object, info: ValidationInfo) -> datetime:
    return load_moment(value, info.field_name or "at")


def _state(value: object) -> CardState:
    for number, state in enumerate(CARD_STATES, 1):
        if value == number:
            return state
    raise BadInput(f"`state` of a card is 1, 2 or 3, not `{value}`")


Moment = Annotated[datetime, PlainValidator(_moment), PlainSerializer(dump_moment)]
"""A moment as it stands in a file."""
Whole = Annotated[int, Field(strict=True, ge=0)]
_Positive = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
_State = Annotated[
    CardState, PlainValidator(_state), PlainSerializer(lambda each: CARD_STATES.index(each) + 1)
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card after its last review; one without a last review is new.

    `step` is the place in the short steps of the first minutes, and nothing in review. `reps` are
    all reviews, `lapses` those where something that was known had been forgotten.
    """

    id: Annotated[Whole, Field(alias="card_id")]
    state: _State = "learning"
    step: Whole | None = 0
    stability: _Positive | None = None
    difficulty: _Positive | None = None
    due: Moment
    last_review: Moment | None = None
    reps: Whole = 0
    lapses: Whole = 0

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


_CARD = TypeAdapter(Card)


def dump_card(card: Card) -> dict[str, object]:
    """The card as JSON values."""
    return _CARD.dump_python(card, mode="json", by_alias=True)


def load_card(record: Mapping[str, object]) -> Card:
    """The card in a record of ours or of the reference library. Raises: BadInput."""
    # The library does not count; a card that was reviewed was reviewed at least once.
    reps = 0 if record.get("last_review") is None else 1
    card = parse(_CARD, {"step": None, "reps": reps, **record})
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
