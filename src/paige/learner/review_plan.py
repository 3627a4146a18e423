"""What to review today, and what the next weeks will bring, for courses of many thousand cards.

Cards are columns here, not objects, so that a whole course is worked out at once. First comes what
was just forgotten or just begun, then what is most likely to be forgotten by now, then what is new;
each day has its limits, and what does not fit waits, the most forgotten first again tomorrow.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Literal, NamedTuple

import numpy as np

from paige.base.errors import BadInput
from paige.learner.cards import CARD_STATES, Card, utc
from paige.learner.schedule import Scheduling, day_of, forgetting_curve

Kind = Literal["relearning", "learning", "review", "last_pass", "new"]
_KINDS: tuple[Kind, ...] = ("relearning", "learning", "review", "last_pass", "new")
_DAY = 86_400.0
_LEARNING, _REVIEW, _RELEARNING = 1, 2, 3


NEW_PER_DAY, REVIEWS_PER_DAY = 20, 200
"""How much is asked of somebody in a day. What was just forgotten or just begun has no limit: it
must come back."""


@dataclass(frozen=True, slots=True)
class CardColumns:
    """Cards as columns. Moments are seconds since 1970; a new card has no last review (NaN)."""

    ids: Sequence[object]
    state: np.ndarray
    stability: np.ndarray
    due: np.ndarray
    last_review: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)


class PlannedReview(NamedTuple):
    """One card to ask for: why, and how likely it is still known."""

    id: object
    kind: Kind
    retrievability: float


@dataclass(frozen=True, slots=True)
class ForecastDay:
    """A day to come: what falls due on it, and what there will be to do with what was left over."""

    day: date
    due: int
    expected: int


@dataclass(frozen=True, slots=True)
class ReviewPlan:
    """What to do now in this order, and the days to come."""

    reviews: tuple[PlannedReview, ...]
    forecast: tuple[ForecastDay, ...]


def columns_of(cards: Mapping[str, Card]) -> CardColumns:
    """The columns of cards by name."""
    known = list(cards.values())
    return CardColumns(
        ids=list(cards),
        state=np.array([CARD_STATES.index(card.state) + 1 for card in known], np.int8),
        stability=np.array([card.stability for card in known], np.float64),
        due=np.array([card.due.timestamp() for card in known], np.float64),
        last_review=np.array(
            [card.last_review.timestamp() if card.last_review else np.nan for card in known],
            np.float64,
        ),
    )


def columns_of_rows(rows: Iterable[Sequence[object]]) -> CardColumns:
    """The columns of rows (id, state 1 to 3, stability, due, last review), moments as ISO text."""
    found = list(zip(*rows, strict=True))
    if not found:
        return columns_of({})
    ids, state, stability, due, last = found
    return CardColumns(
        ids=ids,
        state=np.array(state, np.int8),
        stability=np.array(stability, np.float64),
        due=_seconds(due),
        last_review=_seconds(last),
    )


def retrievabilities(cards: CardColumns, now: datetime, scheduling: Scheduling) -> np.ndarray:
    """How likely each card is remembered, in whole days as FSRS counts; 0 for new cards."""
    decay, factor = forgetting_curve(scheduling.parameters)
    # Whole microseconds first: a day less a bit of rounding would be no day.
    elapsed = np.rint((utc(now).timestamp() - cards.last_review) * 1e6) // (_DAY * 1e6)
    known = (1 + factor * np.maximum(elapsed, 0) / cards.stability) ** decay
    return np.where(np.isnan(known), 0.0, known)


def plan_reviews(
    cards: CardColumns,
    now: datetime,
    scheduling: Scheduling,
    *,
    reviews_per_day: int = REVIEWS_PER_DAY,
    new_per_day: int = NEW_PER_DAY,
    horizon: int = 30,
) -> ReviewPlan:
    """What to review now, and how many reviews the days of the horizon will bring."""
    likely = retrievabilities(cards, now, scheduling)
    kinds = _kinds(cards, now, scheduling)
    order = _order(cards, kinds, likely)
    kind = kinds[order]
    is_review, is_new = (kind == 2) | (kind == 3), kind == 4
    kept = kind < 2
    kept |= is_review & (np.cumsum(is_review) <= reviews_per_day)
    kept |= is_new & (np.cumsum(is_new) <= new_per_day)
    chosen = order[kept]
    reviews = tuple(
        PlannedReview(cards.ids[place], _KINDS[kinds[place]], sure)
        for place, sure in zip(chosen.tolist(), likely[chosen].tolist(), strict=True)
    )
    return ReviewPlan(reviews, _forecast(cards, now, scheduling.zone, reviews_per_day, horizon))


def _kinds(cards: CardColumns, now: datetime, scheduling: Scheduling) -> np.ndarray:
    """The kind of every card that should be asked for, as its place in `_KINDS`; -1 for others."""
    moment = utc(now).timestamp()
    kinds = np.full(len(cards), -1, np.int8)
    is_new = np.isnan(cards.last_review)
    due = (cards.due <= moment) & ~is_new
    kinds[due & (cards.state == _RELEARNING)] = 0
    kinds[due & (cards.state == _LEARNING)] = 1
    # A day is a day: whatever falls due before midnight can be done now.
    today = cards.due < _midnight(day_of(now, scheduling.zone) + timedelta(1), scheduling.zone)
    kinds[today & ~is_new & (cards.state == _REVIEW)] = 2
    kinds[_before_exam(cards, now, scheduling) & ~is_new & (kinds == -1)] = 3
    kinds[is_new] = 4
    return kinds


def _before_exam(cards: CardColumns, now: datetime, scheduling: Scheduling) -> np.ndarray:
    """Cards that would not come again before the exam, once its eve has come."""
    exam, today = scheduling.exam, day_of(now, scheduling.zone)
    if exam is None or (exam - today).days != 1:
        return np.zeros(len(cards), bool)
    eve = _midnight(today, scheduling.zone)
    return (cards.state == _REVIEW) & (cards.last_review < eve)


def _order(cards: CardColumns, kinds: np.ndarray, likely: np.ndarray) -> np.ndarray:
    """Places of the cards to ask for: by kind, most forgotten first, new ones as they come."""
    wanted = np.flatnonzero(kinds >= 0)
    is_new = kinds[wanted] == 4
    forgotten = np.where(is_new, 0.0, likely[wanted])
    due = np.where(is_new, 0.0, cards.due[wanted])
    return wanted[np.lexsort((wanted, due, forgotten, kinds[wanted]))]


def _forecast(
    cards: CardColumns, now: datetime, zone: tzinfo, reviews_per_day: int, horizon: int
) -> tuple[ForecastDay, ...]:
    today = day_of(now, zone)
    days = [today + timedelta(days=number) for number in range(horizon)]
    # Midnights one by one: not every day has 24 hours.
    ends = np.array([_midnight(day + timedelta(days=1), zone) for day in days])
    seen = ~np.isnan(cards.last_review)
    limited = _per_day(cards.due[seen & (cards.state == _REVIEW)], ends)
    always = _per_day(cards.due[seen & (cards.state != _REVIEW)], ends)
    waiting, made = 0, []
    for day, count, more in zip(days, limited, always, strict=True):
        fitting = min(waiting + count, reviews_per_day)
        waiting += count - fitting
        made.append(ForecastDay(day, count + more, fitting + more))
    return tuple(made)


def _per_day(due: np.ndarray, ends: np.ndarray) -> list[int]:
    """How many fall due until each end; what is late falls on the first day."""
    return np.diff(np.searchsorted(np.sort(due), ends, side="left"), prepend=0).tolist()


def _midnight(day: date, zone: tzinfo) -> float:
    return datetime.combine(day, time(), zone).timestamp()


def _seconds(texts: Iterable[Any]) -> np.ndarray:
    """Seconds since 1970 of ISO texts that have a time zone; nothing is NaN. Raises: BadInput."""
    read = datetime.fromisoformat
    try:
        moments = [read(text) if text else None for text in texts]
    except (TypeError, ValueError) as error:
        raise BadInput(f"A card has a moment that cannot be read: {error}") from error
    if any(moment is not None and moment.tzinfo is None for moment in moments):
        raise BadInput("A card has a moment without a time zone")
    nothing = float("nan")
    return np.array([nothing if each is None else each.timestamp() for each in moments])
