"""Counting what happens, wherever it happens, for whoever watches.

A room says `count("model_retries", provider="openai")` and knows nothing of who reads it. A server
gives every request and every task of its own a `Tally`; without one nothing is counted, so commands
and tests pay nothing. The tally travels in a context variable, as tasks and threads inherit it:
two servers in one process never mix their figures.

Labels come partly from outside (a model has the name a person typed), so each name keeps a bounded
number of them; what comes later is counted as `other`. Nothing here may break its caller.
"""

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from paige.base.actor import Actor

Labels = tuple[tuple[str, str], ...]
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds in seconds of how long things take."""
MOST_LABELS = 500
OTHER = "other"


@dataclass(slots=True)
class Durations:
    """How often something took how long: one count a bucket, the last one beyond all bounds."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    seconds: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds


@dataclass(frozen=True, slots=True)
class RunEnded:
    """A run of an agent has ended, and everything about it is stored."""

    actor: Actor
    run: str
    status: str


class Tally:
    """What was counted for one server since it started; safe to be used from threads."""

    def __init__(self, on_run_ended: Callable[[RunEnded], None] | None = None) -> None:
        """`on_run_ended` is told of every run, where it ended; it must return at once."""
        self._on_run_ended = on_run_ended
        self._lock = threading.Lock()
        self._counts: dict[str, dict[Labels, float]] = {}
        self._durations: dict[str, dict[Labels, Durations]] = {}

    def count(self, name: str, amount: float, labels: Mapping[str, str]) -> None:
        """Add to a count."""
        with self._lock:
            known = self._counts.setdefault(name, {})
            key = _key(known, labels)
            known[key] = known.get(key, 0.0) + amount

    def took(self, name: str, seconds: float, labels: Mapping[str, str]) -> None:
        """Add a duration."""
        with self._lock:
            known = self._durations.setdefault(name, {})
            known.setdefault(_key(known, labels), Durations()).add(seconds)

    def run_ended(self, ended: RunEnded) -> None:
        """Count a run that has ended, and tell whoever wants to know."""
        self.count("runs_ended", 1.0, {"status": ended.status})
        if self._on_run_ended is not None:
            self._on_run_ended(ended)

    def counts(self, name: str) -> dict[Labels, float]:
        """The counts of a name as they are now."""
        with self._lock:
            return dict(self._counts.get(name, {}))

    def durations(self, name: str) -> dict[Labels, Durations]:
        """The durations of a name as they are now."""
        with self._lock:
            known = self._durations.get(name, {})
            return {key: Durations(list(d.counts), d.seconds) for key, d in known.items()}


_TALLY: ContextVar[Tally | None] = ContextVar("paige_tally", default=None)


def count_into(tally: Tally) -> None:
    """Count into a tally from here on: in this task, and in everything it starts."""
    _TALLY.set(tally)


@contextmanager
def counting(tally: Tally) -> Iterator[Tally]:
    """Count into a tally until the block is left."""
    token = _TALLY.set(tally)
    try:
        yield tally
    finally:
        _TALLY.reset(token)


def count(name: str, amount: float = 1.0, **labels: str) -> None:
    """Count something, if anybody watches."""
    if (tally := _TALLY.get()) is not None:
        tally.count(name, amount, labels)


def took(name: str, seconds: float, **labels: str) -> None:
    """Count how long something took, if anybody watches."""
    if (tally := _TALLY.get()) is not None:
        tally.took(name, seconds, labels)


def run_ended(actor: Actor, run: str, status: str) -> None:
    """Say that a run has ended and is stored, if anybody watches."""
    if (tally := _TALLY.get()) is not None:
        tally.run_ended(RunEnded(actor, run, status))


def _key(known: Mapping[Labels, object], labels: Mapping[str, str]) -> Labels:
    key = tuple(sorted(labels.items()))
    if key in known or len(known) < MOST_LABELS:
        return key
    return tuple((name, OTHER) for name, _ in key)
