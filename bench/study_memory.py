"""The true memory of a simulated learner: a forgetting curve that Paige never sees.

What is remembered fades by a power curve. Recalling something makes it last longer, and the more so
the harder it was; what was forgotten starts again with a weak trace. The numbers are the published
averages of FSRS-6 over many thousand people, written out here and not taken from Paige, so that a
fault in Paige's scheduling cannot hide itself. Every concept differs from the average by chance:
some stick, some do not. `forgets` makes somebody forget faster than the average person does, and
`decay` gives the curve another shape; both are for finding out how much the plan depends on them.
"""

import math
import random
from dataclasses import dataclass, field, replace

_FIRST = 2.3065
"""Days until one in ten average concepts is gone, after it was first learned."""
_GROWTH, _GROWTH_FADES, _GROWTH_BY_GAP = 1.8722, 0.1666, 0.796
_LAPSE, _LAPSE_BY_DIFFICULTY, _LAPSE_KEEPS, _LAPSE_BY_GAP = 1.4835, 0.0614, 0.2629, 1.6483
_SAME_DAY, _SAME_DAY_ALWAYS, _SAME_DAY_FADES = 0.5425, 0.0912, 0.0658
_DIFFICULTY = 2.118
"""Of something that goes well at the first try, from 1 to 10."""
_DECAY = 0.1542
_KNOWN = 0.9
_LEAST = 0.05
_DIFFERS, _DIFFERS_IN_DIFFICULTY = 0.25, 0.8


@dataclass(frozen=True, slots=True)
class Trace:
    """One concept in a memory: after `stability` days nine of ten such traces are still there."""

    stability: float
    difficulty: float
    day: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Nature:
    """What kind of learner somebody is.

    `slips` is how often somebody who knows it answers wrong, `guesses` how often somebody who has
    forgotten it answers right all the same.
    """

    forgets: float = 1.0
    decay: float = _DECAY
    slips: float = 0.03
    guesses: float = 0.2
    misses_days: float = 0.0


@dataclass(slots=True)
class Memory:
    """What somebody has in mind. Days are counted from the first, with fractions."""

    nature: Nature
    chance: random.Random
    traces: dict[str, Trace] = field(default_factory=dict)

    def recall(self, concept: str, day: float) -> float:
        """How likely a concept is remembered; nothing is known before it was learned."""
        trace = self.traces.get(concept)
        if trace is None:
            return 0.0
        decay = self.nature.decay
        factor = _KNOWN ** (-1 / decay) - 1
        gap = max(day - trace.day, 0.0)
        return (1 + factor * gap / trace.stability) ** -decay

    def learn(self, concept: str, day: float) -> None:
        """A lesson: a fresh trace, as good as this concept sticks with this learner."""
        sticks = math.exp(self.chance.gauss(0.0, _DIFFERS)) / self.nature.forgets
        hard = _DIFFICULTY + self.chance.gauss(0.0, _DIFFERS_IN_DIFFICULTY)
        fresh = Trace(_FIRST * sticks, min(max(hard, 1.0), 10.0), day)
        self.traces.setdefault(concept, fresh)

    def practise(self, concept: str, day: float, *, recalled: bool) -> None:
        """An exercise with its feedback: recalling strengthens, forgetting means beginning anew."""
        trace = self.traces[concept]
        if day - trace.day < 0.5:
            after = _same_day(trace.stability) if recalled else trace.stability
        elif recalled:
            after = self._grown(trace, self.recall(concept, day))
        else:
            after = self._lapsed(trace, self.recall(concept, day))
        self.traces[concept] = replace(trace, stability=max(after, _LEAST), day=day)

    def _grown(self, trace: Trace, recall: float) -> float:
        gain = math.exp(_GROWTH) * (11 - trace.difficulty) * trace.stability**-_GROWTH_FADES
        gain *= math.exp(_GROWTH_BY_GAP * (1 - recall)) - 1
        # Who forgets faster gains less each time as well, not only from the first lesson.
        return trace.stability * (1 + gain / self.nature.forgets)

    def _lapsed(self, trace: Trace, recall: float) -> float:
        kept = (trace.stability + 1) ** _LAPSE_KEEPS - 1
        after = _LAPSE * trace.difficulty**-_LAPSE_BY_DIFFICULTY * kept
        return min(after * math.exp(_LAPSE_BY_GAP * (1 - recall)), trace.stability)


def _same_day(stability: float) -> float:
    more = math.exp(_SAME_DAY * _SAME_DAY_ALWAYS) * stability**-_SAME_DAY_FADES
    return stability * max(more, 1.0)
