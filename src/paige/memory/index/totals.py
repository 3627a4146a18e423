"""How many memories a reader may see, by what they have in common.

The classes of the index say scope, type and project of every row, so counting a million memories is
counting small numbers; nothing is read but the names of the classes.
"""

from ast import literal_eval
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from paige.memory.event import Event
from paige.memory.index import queries
from paige.memory.index.blocks import Arrays
from paige.memory.index.classes import HIDDEN
from paige.memory.index.searching import State

HOT = "hot"


class Totals(NamedTuple):
    """Numbers of memories that hold now; `superseded` are kept for the history only."""

    memories: int
    superseded: int
    scopes: Mapping[str, int]
    types: Mapping[str, int]
    projects: Mapping[str, int]
    tiers: Mapping[str, int]


class Newest(NamedTuple):
    """The newest memories, the latest first, and how many there are like these."""

    events: list[Event]
    total: int


def count_memories(state: State, allowed: np.ndarray) -> Totals:
    """Count what is in classes that may be seen."""
    counts = np.bincount(state.arrays.column("class"), minlength=len(allowed))
    keys = queries.class_keys(state.connection)
    current: dict[int, int] = {}
    superseded = 0
    scopes, types, projects = Counter[str](), Counter[str](), Counter[str]()
    for number in np.flatnonzero(allowed & (counts[: len(allowed)] > 0)).tolist():
        count = int(counts[number])
        key = literal_eval(keys[number])
        if key[-1] == HIDDEN and len(key) == 2:
            superseded += count
            continue
        current[number] = count
        types[key[0]] += count
        scopes[key[1]] += count
        if key[3] is not None:
            projects[key[3]] += count
    total = sum(current.values())
    tiers = Counter[str]()
    for number, tier, count in queries.colder_by_class(state.connection):
        if number in current:
            tiers[tier] += count
    tiers[HOT] = total - sum(tiers.values())
    return Totals(total, superseded, scopes, types, projects, tiers)


def newest_rows(arrays: Arrays, rows: np.ndarray, limit: int) -> list[int]:
    """The newest of some rows, the latest first; what came later decides between equals."""
    at = arrays.column("at")[rows]
    if len(rows) > limit:
        late = at >= np.partition(at, -limit)[-limit]
        rows, at = rows[late], at[late]
    return rows[np.lexsort((rows, at))][::-1][:limit].tolist()
