"""Fitting the forgetting curve to a person, once there is enough to fit it to.

The reviews are split by time: the optimiser sees the earlier part, and its numbers are judged on
the later part against the ones in use. They are taken only when they predict that part better and
lie within the bounds of the model; whatever is decided, the reason is kept.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from fsrs.scheduler import DEFAULT_PARAMETERS

from paige.base.errors import BadInput
from paige.learner.schedule import Review, check_parameters, check_rating

ENOUGH_REVIEWS = 512
HELD_OUT = 0.2
_FEWEST_JUDGED = 20


@dataclass(frozen=True, slots=True)
class Fit:
    """The numbers to use from now on, whether they are new, and why."""

    parameters: tuple[float, ...]
    adopted: bool
    reason: str
    reviews: int
    log_loss_before: float | None = None
    log_loss_after: float | None = None


def fit_parameters(reviews: Iterable[Review], current: Sequence[float] = DEFAULT_PARAMETERS) -> Fit:
    """Fit the model to reviews of many cards, in any order. Raises: BadInput."""
    known = sorted(reviews, key=lambda each: (each.at, each.card))
    for each in known:
        check_rating(each.rating)
    kept = tuple(current)
    if len(known) < ENOUGH_REVIEWS:
        reason = f"{len(known)} reviews are too few; {ENOUGH_REVIEWS} are needed"
        return Fit(kept, False, reason, len(known))
    since = known[int(len(known) * (1 - HELD_OUT))].at
    earlier, later = _histories(known, since)
    if not earlier or len(later) < _FEWEST_JUDGED:
        reason = "Too few reviews came a day or more after the one before"
        return Fit(kept, False, reason, len(known))
    return _judge(kept, earlier, later, len(known))


_History = list[tuple[int, int]]
"""Ratings of one card with the whole days since the one before; the last one is to be told."""


def _judge(
    current: tuple[float, ...], earlier: list[_History], later: list[_History], count: int
) -> Fit:
    # Native code that only this function needs.
    import fsrs_rs_python as native  # noqa: PLC0415

    def items(histories: list[_History]) -> list[native.FSRSItem]:
        return [
            native.FSRSItem([native.FSRSReview(rating, days) for rating, days in history])
            for history in histories
        ]

    try:
        found = native.FSRS(list(current)).compute_parameters(items(earlier))
        held = items(later)
        before = native.FSRS(list(current)).evaluate(held).log_loss
        after = native.FSRS(list(found)).evaluate(held).log_loss
    except (ValueError, RuntimeError, TypeError) as error:
        return Fit(current, False, f"The optimiser gave up: {error}", count)
    return choose(current, found, before, after, count)


def choose(
    current: Sequence[float], found: Sequence[float], before: float, after: float, count: int
) -> Fit:
    """Take the numbers found, or keep those in use."""
    losses = (before, after)
    try:
        fitted = rounded(found)
        check_parameters(fitted)
    except BadInput as error:
        return Fit(tuple(current), False, error.message, count, *losses)
    if not math.isfinite(after) or after >= before:
        reason = f"They predict no better: log-loss {after:.4f} instead of {before:.4f}"
        return Fit(tuple(current), False, reason, count, *losses)
    reason = f"They predict better: log-loss {after:.4f} instead of {before:.4f}"
    return Fit(fitted, True, reason, count, *losses)


def rounded(found: Sequence[float]) -> tuple[float, ...]:
    """Numbers as they are written down."""
    if not all(math.isfinite(each) for each in found):
        raise BadInput("These FSRS parameters cannot be used: one of them is not a number")
    return tuple(round(float(each), 6) for each in found)


def _histories(reviews: list[Review], since: datetime) -> tuple[list[_History], list[_History]]:
    """What there is to learn from, and what to be judged by: the histories that end later."""
    cards: dict[int, _History] = {}
    last: dict[int, datetime] = {}
    earlier: list[_History] = []
    later: list[_History] = []
    for each in reviews:
        days = (each.at - last[each.card]).days if each.card in last else 0
        last[each.card] = each.at
        history = cards.setdefault(each.card, [])
        history.append((each.rating, days))
        if days > 0:  # within a day the model says nothing that could be judged
            (later if each.at >= since else earlier).append(list(history))
    return earlier, later
