"""How often marking agrees with teachers, on two public collections of short answers.

    python -m bench.marking [--json]

Everything is cross-validated: the weights are fitted anew for each part, on answers that are not
in it. `answers` splits freely, so that a question may have been seen; `questions` leaves whole
questions out; `subjects` leaves blocks of neighbouring questions out. Beside it stand two
baselines: every answer is right that shares half of a reference's words, and every answer has the
commoner label. An answer counts as right only when its verdict is `correct`.
"""

import json
import re
import sys
from collections.abc import Sequence

import numpy as np

from bench.marking_data import NAMES, Row, groups, parts, read
from paige.exercise.marking.free import Weights
from paige.exercise.marking.marker import Marker
from tools.fit_marking import CORRECT, PARTIAL, fitted, measure

PROTOCOLS = {"beetle": ("answers", "questions"), "scientsbank": ("questions", "subjects")}
FOLDS = 10
SEED = 7
_WORD = re.compile(r"\w+")


def figures(right: np.ndarray, marked: np.ndarray) -> dict[str, float]:
    """Accuracy and macro-F1 of right against not right."""
    scores = []
    for side in (True, False):
        hits = float((marked[right == side] == side).sum())
        total = float((right == side).sum() + (marked == side).sum())
        scores.append(2 * hits / total if total else 0.0)
    return {
        "accuracy": round(float((right == marked).mean()), 4),
        "macro_f1": round(sum(scores) / 2, 4),
    }


def overlap(row: Row) -> bool:
    """The first baseline: half of the words of one accepted answer are there."""
    said = set(_WORD.findall(row.answer.lower()))
    wanted = (set(_WORD.findall(one.lower())) for one in row.alternatives)
    return any(len(one & said) >= 0.5 * len(one) for one in wanted if one)


def judge(rows: Sequence[Row], models: dict) -> list[bool]:
    """The verdicts of a marker with these weights."""
    ready = {kind: Weights(each, start, CORRECT, PARTIAL) for kind, (each, start) in models.items()}
    marker = Marker(ready)
    marks = (marker.mark(row.question, row.alternatives, row.answer) for row in rows)
    return [mark.verdict == "correct" for mark in marks]


def run() -> dict[str, dict[str, dict[str, float]]]:
    """The figures of every collection and protocol."""
    rows = {name: read(name) for name in NAMES}
    measured = {name: measure(rows[name]) for name in NAMES}
    right = {name: np.array([row.right for row in rows[name]]) for name in NAMES}
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name in NAMES:
        other = next(one for one in NAMES if one != name)
        found[name] = {
            "majority": figures(right[name], np.full(len(rows[name]), right[name].mean() > 0.5)),
            "overlap": figures(right[name], np.array([overlap(row) for row in rows[name]])),
        }
        for protocol in PROTOCOLS[name]:
            marked = np.zeros(len(rows[name]), bool)
            for train, test in parts(groups(rows[name], protocol), FOLDS, SEED):
                known = [*(measured[name][at] for at in train), *measured[other]]
                truth = np.concatenate([right[name][train], right[other]])
                asked = groups([*(rows[name][at] for at in train), *rows[other]], "questions")
                models = fitted(known, truth, asked)
                marked[test] = judge([rows[name][at] for at in test], models)
            found[name][f"marking, new {protocol}"] = figures(right[name], marked)
    return found


def main() -> None:
    """Prints the figures."""
    found = run()
    if "--json" in sys.argv[1:]:
        print(json.dumps(found, indent=2))
        return
    print(f"{'collection':14}{'marked by':26}{'accuracy':>10}{'macro-F1':>10}")
    for name, ways in found.items():
        for way, values in ways.items():
            print(f"{name:14}{way:26}{values['accuracy']:10.3f}{values['macro_f1']:10.3f}")


if __name__ == "__main__":
    main()
