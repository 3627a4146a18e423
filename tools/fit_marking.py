"""Fits the weights with which free answers are marked.

    PAIGE_BENCH_DATA=FOLDER python -m tools.fit_marking

It reads `marking/{beetle,scientsbank}_train.jsonl` (the training parts of SemEval-2013 task 7,
CC BY-SA, not part of this project), measures every answer as marking does, fits two logistic models
and writes `src/paige/shipped/exercise/marking/weights.json`. It needs NumPy only, takes a minute
and gives the same weights each time.

Questions with one accepted answer and those with several have a model each, fitted on such
questions alone: with several, an answer is close to one of them by accident more often.
`python -m bench.marking` measures both by cross-validation, with the same fitting.
"""

import hashlib
import json
from collections.abc import Sequence

import numpy as np

from bench.marking_data import NAMES as COLLECTIONS
from bench.marking_data import Row, folder, groups, read
from paige.exercise.marking.answer_words import Reader
from paige.exercise.marking.features import Comparer, Space
from paige.exercise.marking.free import SUMMARY, Kind, summary
from paige.exercise.marking.lexicon import SHIPPED, lexicon

SHRINK = 0.003  # how strongly weights are drawn to nothing
EVENNESS = 0.5  # 0: every answer counts the same; 1: every question does
STEPS = 400
CORRECT, PARTIAL = 0.5, 0.3
_AGAINST = (
    "opposed opposed_any denial_differs denied_words labels_missing labels_extra question_meaning"
    " nothing_new extra_far choice_differs crossed mean_opposed_any mean_denied_words"
    " least_opposed_any"
)
_EITHER = (
    "length_ratio answer_length reference_length answer_new reference_nothing_new alternatives"
)
AGAINST, EITHER = frozenset(_AGAINST.split()), frozenset(_EITHER.split())


def measure(rows: Sequence[Row]) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Every answer's measures for the model of one and, where there are several, of several."""
    words = lexicon()
    comparer = Comparer(words, Reader(words), Space())
    found = []
    for row in rows:
        values = summary(comparer.compare(row.question, row.alternatives, row.answer))
        several = values if len(row.alternatives) > 1 else ()
        found.append((values[: len(SUMMARY["one"])], several))
    return found


def fit(
    kind: Kind, values: np.ndarray, right: np.ndarray, questions: np.ndarray
) -> tuple[np.ndarray, float]:
    """The weights of the measures, each on its own side of nothing, and the start.

    A question with many answers counts less than its answers would.
    """
    _, number, count = np.unique(questions, return_inverse=True, return_counts=True)
    shares = 1 / count[number] ** EVENNESS
    mean, spread = values.mean(0), values.std(0)
    spread[spread < 1e-9] = 1.0
    scaled = (values - mean) / spread
    signs = np.array([_sign(name) for name in SUMMARY[kind]])
    each, start = _descend(scaled, right.astype(float), signs, shares / shares.sum())
    return each / spread, float(start - (each * mean / spread).sum())


def _sign(name: str) -> int:
    return -1 if name in AGAINST else 0 if name in EITHER else 1


def _descend(
    values: np.ndarray, right: np.ndarray, signs: np.ndarray, shares: np.ndarray
) -> tuple[np.ndarray, float]:
    """Accelerated projected gradient descent on the logistic loss."""
    steepest = np.linalg.norm(values * np.sqrt(shares)[:, None], 2) ** 2 / 4
    rate = 1 / (steepest + SHRINK + 0.25)
    each, start = np.zeros(values.shape[1]), 0.0
    ahead, ahead_start, pace = each.copy(), start, 1.0
    for _ in range(STEPS):
        wrong = shares * (1 / (1 + np.exp(-(values @ ahead + ahead_start))) - right)
        new = ahead - rate * (values.T @ wrong + SHRINK * ahead)
        new = np.where((signs != 0) & (new * signs < 0), 0.0, new)
        new_start = ahead_start - rate * wrong.sum()
        faster = (1 + np.sqrt(1 + 4 * pace * pace)) / 2
        push = (pace - 1) / faster
        ahead, ahead_start = new + push * (new - each), new_start + push * (new_start - start)
        each, start, pace = new, new_start, faster
    return each, start


def fitted(
    measured: Sequence[tuple[tuple[float, ...], tuple[float, ...]]],
    right: np.ndarray,
    questions: np.ndarray,
) -> dict[Kind, tuple[np.ndarray, float]]:
    """Both models from these answers."""
    models: dict[Kind, tuple[np.ndarray, float]] = {}
    single = [at for at, (_, values) in enumerate(measured) if not values]
    several = [at for at, (_, values) in enumerate(measured) if values]
    models["one"] = fit(
        "one", np.array([measured[at][0] for at in single]), right[single], questions[single]
    )
    models["several"] = fit(
        "several", np.array([measured[at][1] for at in several]), right[several], questions[several]
    )
    return models


def main() -> None:
    """Fits on everything and writes the weights."""
    rows = [row for name in COLLECTIONS for row in read(name)]
    right, questions = np.array([row.right for row in rows]), groups(rows, "questions")
    models = fitted(measure(rows), right, questions)
    paths = [folder() / "marking" / f"{name}_train.jsonl" for name in COLLECTIONS]
    data = {
        "about": (
            "Weights of the logistic models that mark short free answers. Made by"
            " tools/fit_marking.py from the training parts of SemEval-2013 task 7 (Beetle and"
            " SciEntsBank, CC BY-SA), labels correct and not correct. The answers themselves are"
            " not shipped, and no weight belongs to a word or a question."
        ),
        "fitted_on": {
            path.name: {
                "answers": len(read(path.name.removesuffix("_train.jsonl"))),
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            }
            for path in paths
        },
        "models": {
            kind: {
                "start": round(start, 5),
                "correct": CORRECT,
                "partial": PARTIAL,
                "weights": {
                    name: round(float(weight), 5)
                    for name, weight in zip(SUMMARY[kind], each, strict=True)
                    if abs(weight) >= 5e-6
                },
            }
            for kind, (each, start) in models.items()
        },
    }
    path = SHIPPED / "weights.json"
    path.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    print(f"Wrote {path.name}: {sum(len(each) for each, _ in models.values())} measures")


if __name__ == "__main__":
    main()
