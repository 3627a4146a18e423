"""How important a memory is when it comes in: a pure function of four signals, with its reasons.

The value is a first guess that later use corrects. It stays near the middle unless something speaks
for it: it is new, it contradicts what was known, it tells how something failed, it was used before.
A value the writer gives wins over all of that.
"""

from math import exp
from typing import NamedTuple

from paige.memory.event import DEFAULT_IMPORTANCE

NOVELTY, CONFLICT, USAGE = 0.15, 0.15, 0.2
OUTCOMES = {"failure": 0.1, "success": 0.05}
USES = 5  # about so many uses are worth most of what use can add


class Signals(NamedTuple):
    """What is known about a memory when it comes in; `None` where nobody looked."""

    explicit: float | None = None
    usage: int = 0  # how often the same was said or recalled before
    outcome: str | None = None
    novelty: float | None = None  # 0: known word for word, 1: nothing like it
    conflict: bool = False  # it replaces another value


class Importance(NamedTuple):
    """A value from 0 to 1, and what it is made of."""

    value: float
    reasons: dict[str, float]


def importance_of(signals: Signals) -> Importance:
    """Weigh the signals."""
    if signals.explicit is not None:
        return Importance(_within(signals.explicit), {"given": _within(signals.explicit)})
    reasons: dict[str, float] = {}
    if signals.novelty is not None:
        reasons["novelty"] = NOVELTY * (2 * _within(signals.novelty) - 1)
    if signals.outcome in OUTCOMES:
        reasons["outcome"] = OUTCOMES[signals.outcome]
    if signals.conflict:
        reasons["conflict"] = CONFLICT
    if signals.usage > 0:
        reasons["usage"] = USAGE * (1 - exp(-signals.usage / USES))
    rounded = {name: round(value, 4) for name, value in reasons.items()}
    return Importance(round(_within(DEFAULT_IMPORTANCE + sum(rounded.values())), 4), rounded)


def _within(value: float) -> float:
    return min(1.0, max(0.0, float(value)))
