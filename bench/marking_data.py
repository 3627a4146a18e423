"""The public answers that marking is measured on, and how they are split.

They are not part of the project. `PAIGE_BENCH_DATA` names the folder that holds `marking/`; without
it, `../shared/data` beside the project is looked at.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

NAMES = ("beetle", "scientsbank")


@dataclass(frozen=True, slots=True)
class Row:
    """One answer with its label."""

    question: str
    alternatives: tuple[str, ...]
    answer: str
    right: bool


def folder() -> Path:
    """Where the public data is."""
    named = os.environ.get("PAIGE_BENCH_DATA")
    return Path(named) if named else Path(__file__).parents[2] / "shared" / "data"


def read(name: str) -> list[Row]:
    """The answers of one collection."""
    path = folder() / "marking" / f"{name}_train.jsonl"
    with path.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return [
        Row(
            one["question"],
            tuple(one["reference"].split(" / ")),
            one["answer"],
            one["label"] == "correct",
        )
        for one in found
    ]


def parts(groups: np.ndarray, folds: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Splits by group: what is tested on is of groups that were not trained on."""
    names = np.unique(groups)
    order = np.random.default_rng(seed).permutation(len(names))
    fold_of = {name: int(order[at]) % folds for at, name in enumerate(names)}
    folds_of = np.array([fold_of[name] for name in groups])
    for fold in range(folds):
        yield np.flatnonzero(folds_of != fold), np.flatnonzero(folds_of == fold)


def groups(rows: list[Row], protocol: str) -> np.ndarray:
    """`questions` keeps the answers of one question together; `answers` splits them freely."""
    if protocol == "answers":
        return np.arange(len(rows))
    if protocol == "questions":
        names = {row.question + "|".join(row.alternatives): 0 for row in rows}
    else:  # subjects: neighbouring questions are of one subject
        names = {row.question + "|".join(row.alternatives): 0 for row in rows}
        names = {name: at * 12 // len(names) for at, name in enumerate(names)}
        return np.array([names[row.question + "|".join(row.alternatives)] for row in rows])
    numbers = {name: at for at, name in enumerate(names)}
    return np.array([numbers[row.question + "|".join(row.alternatives)] for row in rows])
