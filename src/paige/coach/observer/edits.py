"""Finds edit loops: the same part of a file changed and changed back, again and again.

A file is followed through everything that is known of its text: the text itself, or only how long
it is. Coming back to an earlier state after something new counts as one return; stepping back
through several states (undo) is still one. Tests that fail in the same way after every change are
another sign of the same thing.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from paige.coach.observer.trace import Act

TEXT_KEYS = ("content", "text", "value")
DIGEST_KEYS = ("digest", "hash", "contentHash", "content_hash", "sha", "checksum", "state")
SIZE_KEYS = (
    "charCount",
    "char_count",
    "newCharCount",
    "new_char_count",
    "chars",
    "length",
    "size",
    "totalChars",
)
DELTA_KEYS = ("charDelta", "char_delta", "delta", "change", "chars_changed", "diff_size")
BACK_WORDS = ("revert", "undo", "undone", "restore", "rollback")
SMALLEST_SWING = 6  # characters: less is a slip of the finger
RETURNED = 0.3  # of a swing may be missing and it still came back
STILL = 4  # characters: a summary of many edits that changed nothing
BUSY = 6  # edits in such a summary


@dataclass(frozen=True, slots=True)
class Loop:
    """How often a file came back to what it was, since when, and what else points to it."""

    path: str
    returns: int
    began: datetime
    ended: datetime
    failures: int = 0  # test runs in it that failed no better than the one before
    still: int = 0  # summaries with many edits that left the length as it was

    @property
    def lasted(self) -> timedelta:
        """From the first change to the last."""
        return self.ended - self.began


def loops(acts: Iterable[Act]) -> list[Loop]:
    """How every edited file fared, the worst first."""
    by_path: dict[str, list[Act]] = defaultdict(list)
    tests: list[Act] = []
    for act in acts:
        if act.type == "test_run":
            tests.append(act)
        elif act.path is not None and (act.is_edit or act.type == "file_save"):
            by_path[act.path].append(act)
    found = [_loop(path, edits, tests) for path, edits in by_path.items()]
    return sorted(found, key=lambda loop: (-loop.returns, -loop.failures, -loop.still))


def _loop(path: str, edits: list[Act], tests: list[Act]) -> Loop:
    texts = [(act, digest) for act in edits if (digest := _digest(act.data)) is not None]
    told = sum(_goes_back(act.data) for act in edits)
    by_text = _returns_of_texts([digest for _, digest in texts])
    # Where the texts are known, a length that comes back proves less.
    by_size = _returns_of_sizes(_sizes(edits)) - (len(texts) >= len(edits) / 2)
    return Loop(
        path,
        max(told, by_text, by_size),
        edits[0].at,
        edits[-1].at,
        _stuck_tests(edits, tests),
        sum(_stood_still(act) for act in edits),
    )


def _returns_of_texts(states: list[str]) -> int:
    """How often it went back to a state it had before: every walk backwards counts once."""
    history: list[str] = []
    here, returns, backwards = -1, 0, False
    for state in states:
        if history and state == history[here]:
            continue
        place = history.index(state) if state in history else len(history)
        if place == len(history):
            history.append(state)
        returns += place < here and not backwards
        backwards = place < here
        here = place
    return returns


def _returns_of_sizes(sizes: list[int]) -> int:
    """How often the length swung out and came back to about where it was."""
    turns = _turning_points(sizes)
    returns = 0
    before: int | None = None
    for one, other in pairwise(turns):
        swing = other - one
        if before is not None and before * swing < 0:
            smaller, larger = sorted((abs(before), abs(swing)))
            if larger - smaller <= max(2, larger * RETURNED):
                returns += 1
                before = None  # out and back is one return: the next one begins anew
                continue
        before = swing
    return returns


def _turning_points(sizes: list[int]) -> list[int]:
    """The lengths at which growing became shrinking or the other way round."""
    if not sizes:
        return []
    turns = [sizes[0]]
    for size in sizes[1:]:
        change = size - turns[-1]
        if len(turns) > 1 and change * (turns[-1] - turns[-2]) > 0:
            turns[-1] = size  # it goes on in the same direction
        elif abs(change) >= SMALLEST_SWING:
            turns.append(size)
    return turns


def _sizes(edits: list[Act]) -> list[int]:
    """The lengths of a file over time; from changes alone they are counted from nothing."""
    told = [_number(act.data, SIZE_KEYS) for act in edits]
    if sum(size is not None for size in told) >= 2:
        first = _number(edits[0].data, ("previousCharCount", "previous_char_count"))
        return [size for size in (first, *told) if size is not None]
    total, sizes = 0, [0]
    for act in edits:
        delta = _number(act.data, DELTA_KEYS)
        if delta is not None:
            total += delta
            sizes.append(total)
    return sizes


def _stuck_tests(edits: list[Act], tests: list[Act]) -> int:
    """How many test runs failed no better than before, each after another edit of this file."""
    stuck, worst = 0, None
    edited_until = None
    for run in tests:
        failed = _number(run.data, ("failed", "failures", "fail"))
        changed = [act.at for act in edits if act.at <= run.at]
        fresh = bool(changed) and (edited_until is None or changed[-1] > edited_until)
        if not failed or (worst is not None and failed < worst):
            stuck = 0  # it passed, or fewer fail: that is progress
        if failed and fresh:
            stuck += 1
        worst = failed or None
        edited_until = changed[-1] if changed else edited_until
    return stuck


def _stood_still(act: Act) -> bool:
    if act.type != "buffer_summary":
        return False
    edits = _number(act.data, ("editCount", "edit_count", "edits"))
    delta = _number(act.data, DELTA_KEYS)
    return edits is not None and delta is not None and edits >= BUSY and abs(delta) <= STILL


def _digest(data: Mapping[str, Any]) -> str | None:
    for key in TEXT_KEYS:
        value = data.get(key)
        if isinstance(value, str):
            return digest_of(value)
    for key in DIGEST_KEYS:
        value = data.get(key)
        if isinstance(value, str) and value:
            return value
    return None


def digest_of(text: str) -> str:
    """A short name of a text; spaces at the ends of lines do not matter."""
    plain = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=12).hexdigest()


def _goes_back(data: Mapping[str, Any]) -> bool:
    for key, value in data.items():
        named = any(word in str(key).lower() for word in BACK_WORDS)
        if named and value and not isinstance(value, str):
            return True
        if isinstance(value, str) and value.lower().startswith(BACK_WORDS) and len(value) < 24:
            return True
    return False


def _number(data: Mapping[str, Any], keys: Iterable[str]) -> int | None:
    for key in keys:
        value = data.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return int(value)
    return None
