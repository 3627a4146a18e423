"""Weighs what was measured of a free answer: a logistic model whose weights are data.

There are two sets of weights in `weights.json`, for questions with one accepted answer and for
those with several; `tools/fit_marking.py` makes them and says what they were fitted on. A measure
that speaks for an answer never has a negative weight, nor one that speaks against it a positive
one, so that a better answer is not marked down because of an accident in the fitting.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from paige.exercise.marking.features import NAMES, Compared
from paige.exercise.marking.lexicon import SHIPPED

Kind = Literal["one", "several"]
_AT = {name: number for number, name in enumerate(NAMES)}
_ACROSS = (
    "soft_cover_new",
    "soft_cover_all",
    "soft_f",
    "meaning",
    "meaning_new",
    "pairs",
    "letters_set",
)
_OPPOSED, _DENIED = _AT["opposed_any"], _AT["denied_words"]
SUMMARY: Mapping[Kind, tuple[str, ...]] = {
    "one": NAMES,
    "several": (
        *NAMES,
        *(f"best_{name}" for name in _ACROSS),
        *(f"mean_{name}" for name in _ACROSS),
        "mean_opposed_any",
        "mean_denied_words",
        "least_opposed_any",
        "best_focus_all",
        "alternatives",
    ),
}


@dataclass(frozen=True, slots=True)
class Weights:
    """One logistic model: how much each measure counts, and where correct and partial begin."""

    each: np.ndarray
    start: float
    correct: float
    partial: float

    def chance(self, values: Sequence[float]) -> float:
        """How likely an answer with these measures is right."""
        total = self.start + float(self.each @ np.asarray(values))
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def closest(compared: Sequence[Compared]) -> int:
    """Which alternative the answer is closest to."""

    def likeness(at: int) -> tuple[float, int]:
        values = compared[at].values
        near = values[_AT["soft_f"]] + values[_AT["soft_cover_new"]] - values[_AT["opposed"]]
        return near, -at

    return max(range(len(compared)), key=likeness)


def summary(compared: Sequence[Compared]) -> tuple[float, ...]:
    """The measures of the closest alternative and, if there are several, of all together."""
    best = compared[closest(compared)].values
    if len(compared) == 1:
        return best
    every = np.array([one.values for one in compared])
    across = every[:, [_AT[name] for name in _ACROSS]]
    return (
        *best,
        *across.max(0).tolist(),
        *across.mean(0).tolist(),
        float(every[:, _OPPOSED].mean()),
        float(every[:, _DENIED].mean()),
        float(every[:, _OPPOSED].min()),
        float(every[:, _AT["focus_all"]].max()),
        math.log(len(compared)),
    )


@cache
def weights() -> Mapping[Kind, Weights]:
    """Reads the weights once."""
    data = json.loads((SHIPPED / "weights.json").read_text(encoding="utf-8"))
    kinds: tuple[Kind, ...] = ("one", "several")
    return {kind: _weights(data["models"][kind], SUMMARY[kind]) for kind in kinds}


def _weights(model: Mapping[str, object], names: Sequence[str]) -> Weights:
    each = model["weights"]
    if not isinstance(each, dict):
        raise TypeError("`weights` of a model is a table of numbers by name")
    return Weights(
        each=np.array([float(each.get(name, 0.0)) for name in names]),
        start=float(str(model["start"])),
        correct=float(str(model["correct"])),
        partial=float(str(model["partial"])),
    )
