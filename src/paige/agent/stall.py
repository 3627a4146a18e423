"""Noticing that a run goes nowhere: a pure look at what the last turns did."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

SAME_ERROR = 3
MONOLOGUE = 3
ALTERNATIONS = 6


@dataclass(frozen=True, slots=True)
class TurnMark:
    """What one turn did, as hashes: what it called, what came back, whether all of it failed."""

    calls: str
    results: str
    failed: bool
    talked: bool  # the model only talked, and was told to go on


@dataclass(frozen=True, slots=True)
class Stall:
    """Why a run counts as stuck."""

    kind: str
    reason: str


def mark_turn(calls: Sequence[tuple[str, Any]], results: Sequence[tuple[str, bool]]) -> TurnMark:
    """The mark of a turn: `(tool, input)` of its calls and `(content, is_error)` of its results."""
    failed = bool(results) and all(is_error for _, is_error in results)
    return TurnMark(_hash(calls), _hash(results), failed, talked=not calls)


def find_stall(marks: Sequence[TurnMark], *, same_turn: int) -> Stall | None:
    """Why the run is stuck, if it is; `same_turn` equal turns in a row are too many."""
    if not marks:
        return None
    last = marks[-1]
    if _run_of(marks, lambda mark: mark.talked) >= MONOLOGUE:
        return Stall("monologue", f"the model only talked {MONOLOGUE} times in a row")
    if last.failed and _run_of(marks, lambda mark: mark == last) >= SAME_ERROR:
        return Stall("same_error", f"the same call failed the same way {SAME_ERROR} times")
    if not last.talked and _run_of(marks, lambda mark: mark == last) >= same_turn:
        return Stall("same_call", f"the same call gave the same result {same_turn} times")
    if _alternates(marks):
        return Stall("alternation", f"two calls took turns {ALTERNATIONS} times without a change")
    return None


def _run_of(marks: Sequence[TurnMark], is_alike: Callable[[TurnMark], bool]) -> int:
    count = 0
    for mark in reversed(marks):
        if not is_alike(mark):
            break
        count += 1
    return count


def _alternates(marks: Sequence[TurnMark]) -> bool:
    tail = marks[-ALTERNATIONS:]
    if len(tail) < ALTERNATIONS or tail[0] == tail[1]:
        return False
    return all(mark == tail[index % 2] for index, mark in enumerate(tail))


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
