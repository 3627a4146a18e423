"""How important a memory turned out to be: a new value from how it was used, with reasons.

The broker gives a first value when a memory comes in. Later a batch looks at what happened since:
was it recalled, how did the tasks end in which it was, was it said again, does something contradict
it, was it never asked for. The value moves towards what these say, one bounded step at a time, so
that a single lucky task cannot make a memory important.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalibrationThresholds:
    """What each signal may add or take, and how far one batch goes."""

    recalled: float
    outcomes: float
    reinforced: float
    novelty: float
    conflict: float
    unused: float
    unused_days: float
    full_recalls: int
    full_reinforced: int
    most_step: float
    least_change: float
    doubt: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What happened to a memory."""

    first: float  # the importance it came in with: the anchor, so that batches do not add up
    now: float
    age: timedelta
    recalls: int = 0
    since_recall: timedelta | None = None
    successes: int = 0  # tasks in which it was recalled, by their ending
    failures: int = 0
    usual_success: float = 0.5  # of all tasks, so that an easy week makes nothing important
    reinforced: int = 0
    novelty: float | None = None
    conflicts: int = 0


class Rescoring(NamedTuple):
    """A new importance and what moved it."""

    value: float
    reasons: tuple[str, ...]


def recalibrate(signals: Signals, thresholds: RecalibrationThresholds) -> Rescoring:
    """The importance after one batch; the same value, without reasons, when nothing moves it."""
    moves = _moves(signals, thresholds)
    wanted = min(1.0, max(0.0, signals.first + sum(by for by, _ in moves)))
    step = min(thresholds.most_step, max(-thresholds.most_step, wanted - signals.now))
    value = round(min(1.0, max(0.0, signals.now + step)), 4)
    if abs(value - signals.now) < thresholds.least_change:
        return Rescoring(signals.now, ())
    return Rescoring(value, tuple(why for _, why in moves) or ("back to its first importance",))


def recalibrate_batch(
    signals: Mapping[str, Signals], thresholds: RecalibrationThresholds
) -> dict[str, Rescoring]:
    """The memories whose importance changes."""
    scored = {id: recalibrate(each, thresholds) for id, each in signals.items()}
    return {id: each for id, each in scored.items() if each.reasons}


def _moves(signals: Signals, thresholds: RecalibrationThresholds) -> list[tuple[float, str]]:
    moves = [
        _share(signals.recalls, thresholds.full_recalls, thresholds.recalled, "recalled"),
        _share(signals.reinforced, thresholds.full_reinforced, thresholds.reinforced, "said again"),
        _of_outcomes(signals, thresholds),
    ]
    if signals.novelty is not None:
        by = thresholds.novelty * (2 * min(1.0, max(0.0, signals.novelty)) - 1)
        moves.append((by, f"novelty {signals.novelty:.2f}"))
    if signals.conflicts:
        moves.append((-thresholds.conflict, f"contradicted {signals.conflicts} times"))
    idle = signals.age if signals.since_recall is None else signals.since_recall
    if idle >= timedelta(days=thresholds.unused_days):
        moves.append((-thresholds.unused, f"not used for {idle.days} days"))
    return [(by, f"{why} ({by:+.2f})") for by, why in moves if abs(by) >= 0.005]


def _share(count: int, full: int, most: float, what: str) -> tuple[float, str]:
    return most * min(1.0, max(0, count) / full), f"{what} {count} times"


def _of_outcomes(signals: Signals, thresholds: RecalibrationThresholds) -> tuple[float, str]:
    """Tasks with it against the usual; few tasks say little."""
    tasks = signals.successes + signals.failures
    if not tasks:
        return 0.0, ""
    expected = signals.usual_success
    rate = (signals.successes + thresholds.doubt * expected) / (tasks + thresholds.doubt)
    by = thresholds.outcomes * max(-1.0, min(1.0, 2 * (rate - expected)))
    return by, f"{signals.successes} of {tasks} tasks with it ended well"
