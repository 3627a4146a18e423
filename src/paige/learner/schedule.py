"""When to ask again: FSRS through its reference library, with the corners of that library rounded.

The library is exact about memory and careless about the rest: it takes one UTC object only, any
number for a retention, any integer for a rating, spreads days with the global random generator
(and now and then a day too far), and knows no exam. Here ratings, retention and moments are
checked, days are spread by a generator that depends on the seed, the card and the number of its
reviews only, and an exam caps how far a card may move. Days are moved, for spread, for an even load
or for easier weekdays, only inside the library's own fuzz range; without `fuzz` nothing is moved.
"""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple

import fsrs
from fsrs.scheduler import DEFAULT_PARAMETERS, FUZZ_RANGES

from paige.base.errors import BadInput
from paige.exercise.values import AGAIN, Rating
from paige.learner.cards import CARD_STATES, Card, utc

LOWEST_RETENTION, HIGHEST_RETENTION = 0.7, 0.99
FOREVER = 36500
"""Days; a hundred years."""
EVERY_DAY = (1.0,) * 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduling:
    """How cards are scheduled. Raises: BadInput when a value makes no sense.

    `easy_days` has a share for every weekday from Monday: 1 is an ordinary day, 0 a day to keep
    free where that is possible. `exam` is a day of `zone`, as are the days of the load.
    """

    parameters: tuple[float, ...] = tuple(DEFAULT_PARAMETERS)
    retention: float = 0.9
    learning_steps: tuple[timedelta, ...] = (timedelta(minutes=1), timedelta(minutes=10))
    relearning_steps: tuple[timedelta, ...] = (timedelta(minutes=10),)
    maximum_interval: int = FOREVER
    fuzz: bool = True
    balance: bool = False
    easy_days: tuple[float, ...] = EVERY_DAY
    seed: int = 0
    exam: date | None = None
    zone: tzinfo = UTC

    def __post_init__(self) -> None:
        if not LOWEST_RETENTION <= self.retention <= HIGHEST_RETENTION:
            raise BadInput(
                f"A retention of `{self.retention}` cannot be kept",
                hint=f"Use a share from {LOWEST_RETENTION} to {HIGHEST_RETENTION}; 0.9 is usual.",
            )
        if not 1 <= self.maximum_interval <= FOREVER:
            raise BadInput(f"The longest interval is 1 to {FOREVER} days")
        steps = (*self.learning_steps, *self.relearning_steps)
        if any(step <= timedelta(0) for step in steps):
            raise BadInput("A learning step is longer than nothing")
        if len(self.easy_days) != 7 or not all(0 <= share <= 1 for share in self.easy_days):
            raise BadInput("`easy_days` are seven shares from 0 to 1, Monday first")
        check_parameters(self.parameters)


class Review(NamedTuple):
    """One answer, as it is kept for the optimiser."""

    card: int
    rating: Rating
    at: datetime


class ReviewedCard(NamedTuple):
    """The card after a review, and how the number of days came about."""

    card: Card
    review: Review
    reason: str


def check_parameters(parameters: tuple[float, ...]) -> None:
    """Refuse numbers the model does not allow. Raises: BadInput."""
    try:
        fsrs.Scheduler(parameters=parameters)
    except (ValueError, TypeError) as error:
        raise BadInput(f"These FSRS parameters cannot be used: {error}") from error


def check_rating(rating: object) -> Rating:
    """The rating, if it is one. Raises: BadInput."""
    for known in (1, 2, 3, 4):
        if rating == known and not isinstance(rating, bool | float):
            return known
    raise BadInput(f"`{rating!r}` is not a rating", hint="1 Again, 2 Hard, 3 Good, 4 Easy.")


LESSONS = Scheduling(
    learning_steps=(timedelta(minutes=10),), relearning_steps=(timedelta(minutes=10),)
)
"""For concepts: an exercise takes minutes, so there is one short step and not two."""


def review(
    card: Card,
    rating: Rating,
    now: datetime,
    scheduling: Scheduling,
    load: Mapping[date, int] | None = None,
) -> ReviewedCard:
    """The card after an answer. `load` says how much is due on which day. Raises: BadInput."""
    chosen = check_rating(rating)
    # A clock that was set back must not make a card older than it is.
    moment = max(utc(now), card.last_review or utc(now))
    after, _ = _library(scheduling).review_card(_theirs(card), fsrs.Rating(chosen), moment)
    due, reason = after.due, "a short step"
    if after.state == fsrs.State.Review:
        days, reason = _days(card, (after.due - moment).days, moment, scheduling, load or {})
        due = moment + timedelta(days=days)
    lapsed = card.state == "review" and chosen == AGAIN
    reviewed = Card(
        id=card.id,
        state=CARD_STATES[int(after.state) - 1],
        step=after.step,
        stability=after.stability,
        difficulty=after.difficulty,
        due=due,
        last_review=moment,
        reps=card.reps + 1,
        lapses=card.lapses + lapsed,
    )
    return ReviewedCard(reviewed, Review(card.id, chosen, moment), reason)


def retrievability(card: Card, now: datetime, scheduling: Scheduling) -> float:
    """How likely it is remembered, counted in whole days as FSRS does; 0 for a new card."""
    return float(_library(scheduling).get_card_retrievability(_theirs(card), utc(now)))


def forgetting_curve(parameters: tuple[float, ...]) -> tuple[float, float]:
    """Decay and factor of `R = (1 + factor * days / stability) ** decay`."""
    decay = -parameters[20]
    return decay, 0.9 ** (1 / decay) - 1


def fuzz_range(days: int, maximum: int = FOREVER) -> tuple[int, int]:
    """The fewest and most days that an interval may be moved to; short ones stay."""
    if days < 2.5:
        return days, days
    spread = 1.0 + sum(
        each["factor"] * max(min(float(days), each["end"]) - each["start"], 0.0)
        for each in FUZZ_RANGES
    )
    most = min(round(days + spread), maximum)
    return min(max(2, round(days - spread)), most), most


def exam_cap(today: date, exam: date | None) -> int:
    """The longest interval that still helps at the exam.

    Retention at a later day is best after gaps that are a part of the time left: about 30 % of a
    week, about 7 % of a year. A card also comes once more on the day before at the latest. On that
    day and after the exam there is no cap.
    """
    left = (exam - today).days if exam else 0
    if left <= 1:
        return FOREVER
    place = (math.log(min(max(left, 7), 350)) - math.log(7)) / (math.log(350) - math.log(7))
    share = 0.30 - (0.30 - 0.07) * place
    return min(max(1, round(left * share)), left - 1)


def day_of(moment: datetime, zone: tzinfo = UTC) -> date:
    """The day somebody in that zone calls today."""
    return utc(moment).astimezone(zone).date()


def _days(
    card: Card, days: int, moment: datetime, scheduling: Scheduling, load: Mapping[date, int]
) -> tuple[int, str]:
    today = day_of(moment, scheduling.zone)
    cap = min(scheduling.maximum_interval, exam_cap(today, scheduling.exam))
    reason = "by FSRS" if days <= cap else f"by FSRS {days} days, capped because of the exam"
    days = min(days, cap)
    low, high = fuzz_range(days, cap)
    if not scheduling.fuzz or low == high:
        return days, reason
    # Depends on nothing but the card: the same history gives the same days in any order of cards.
    generator = random.Random(f"{scheduling.seed}/{card.id}/{card.reps}")
    choices = range(low, high + 1)
    weights = [_weight(today + timedelta(days=each), scheduling, load) for each in choices]
    if not any(weights):
        weights = [1.0] * len(weights)
    picked = generator.choices(choices, weights)[0]
    return picked, f"{reason}, one of {low} to {high} days"


def _weight(day: date, scheduling: Scheduling, load: Mapping[date, int]) -> float:
    """How welcome a day is."""
    share = scheduling.easy_days[day.weekday()]
    return share / (1 + load.get(day, 0)) ** 2 if scheduling.balance else share


@lru_cache(maxsize=64)
def _library(scheduling: Scheduling) -> fsrs.Scheduler:
    return fsrs.Scheduler(
        parameters=scheduling.parameters,
        desired_retention=scheduling.retention,
        learning_steps=scheduling.learning_steps,
        relearning_steps=scheduling.relearning_steps,
        maximum_interval=scheduling.maximum_interval,
        enable_fuzzing=False,
    )


def _theirs(card: Card) -> fsrs.Card:
    return fsrs.Card(
        card_id=card.id,
        state=fsrs.State(CARD_STATES.index(card.state) + 1),
        step=card.step,
        stability=card.stability,
        difficulty=card.difficulty,
        due=card.due,
        last_review=card.last_review,
    )
