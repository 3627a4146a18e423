"""The steps from one list of lines to another, found in reasonable time whatever the lines are.

`difflib` finds good steps, but some long lists keep it busy for minutes. So what is alike at both
ends is set aside. If much remains, lines that occur exactly once on both sides divide it, and only
the small gaps between them go to `difflib`; a gap that is still large becomes one block taken out
and one put in. The result may be longer than needed, never wrong.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

MAX_GAP = 2_000
"""The most lines, on both sides together, that `difflib` gets at once."""
MAX_COMPARED = 20_000
"""The most lines it gets in one comparison."""


class Step(NamedTuple):
    """Lines `a1` to `a2` of the old text become lines `b1` to `b2` of the new one."""

    tag: str
    a1: int
    a2: int
    b1: int
    b2: int


def compare(a: list[str], b: list[str]) -> list[Step]:
    """The steps from `a` to `b`: `equal`, `replace`, `delete` and `insert`, in order."""
    start, end = _alike_at_both_ends(a, b)
    middle = (start, len(a) - end, start, len(b) - end)
    steps = [Step("equal", 0, start, 0, start)]
    left = MAX_COMPARED
    for gap, after in _gaps(a, b, middle):
        size = _size(gap)
        if size <= min(MAX_GAP, left):
            left -= size
            steps += _matched(a, b, gap)
        else:
            steps.append(Step("replace", *gap))
        steps.append(Step("equal", *after))
    steps.append(Step("equal", len(a) - end, len(a), len(b) - end, len(b)))
    return _merged(steps)


Range = tuple[int, int, int, int]
"""From and to in the old text, from and to in the new one."""


def _gaps(a: list[str], b: list[str], middle: Range) -> Iterator[tuple[Range, Range]]:
    """The parts that differ, each with the part after it that is alike."""
    a1, a2, b1, b2 = middle
    if _size(middle) > MAX_GAP:
        for at_a, at_b in _anchors(a, b, middle):
            yield (a1, at_a, b1, at_b), (at_a, at_a + 1, at_b, at_b + 1)
            a1, b1 = at_a + 1, at_b + 1
    yield (a1, a2, b1, b2), (a2, a2, b2, b2)


def _anchors(a: list[str], b: list[str], middle: Range) -> list[tuple[int, int]]:
    """Where lines that occur once on both sides stand, in the longest chain that rises on both."""
    a1, a2, b1, b2 = middle
    once_a = {line for line, count in Counter(a[a1:a2]).items() if count == 1}
    once_b = {line for line, count in Counter(b[b1:b2]).items() if count == 1}
    once = once_a & once_b
    place_b = {line: at for at, line in enumerate(b[b1:b2], b1) if line in once}
    pairs = [(at, place_b[line]) for at, line in enumerate(a[a1:a2], a1) if line in place_b]
    ends: list[int] = []  # for each length, the smallest place where such a chain can end
    chain: list[int] = []  # and the number of the pair there
    before: list[int] = []
    for number, (_, at) in enumerate(pairs):
        length = bisect_left(ends, at)
        ends[length : length + 1] = [at]
        chain[length : length + 1] = [number]
        before.append(chain[length - 1] if length else -1)
    found: list[tuple[int, int]] = []
    number = chain[-1] if chain else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _matched(a: list[str], b: list[str], gap: Range) -> list[Step]:
    a1, a2, b1, b2 = gap
    found = SequenceMatcher(None, a[a1:a2], b[b1:b2]).get_opcodes()
    return [Step(tag, i1 + a1, i2 + a1, j1 + b1, j2 + b1) for tag, i1, i2, j1, j2 in found]


def _merged(steps: list[Step]) -> list[Step]:
    """The steps without empty ones, neighbours of one kind joined."""
    merged: list[Step] = []
    for step in steps:
        if step.a1 == step.a2 and step.b1 == step.b2:
            continue
        last = merged[-1] if merged else None
        if last and (last.tag == "equal") == (step.tag == "equal"):
            merged[-1] = _named(last.a1, step.a2, last.b1, step.b2, last.tag)
        else:
            merged.append(_named(*step[1:], step.tag))
    return merged


def _named(a1: int, a2: int, b1: int, b2: int, tag: str) -> Step:
    if tag != "equal":
        tag = "insert" if a1 == a2 else "delete" if b1 == b2 else "replace"
    return Step(tag, a1, a2, b1, b2)


def _alike_at_both_ends(a: list[str], b: list[str]) -> tuple[int, int]:
    shorter = min(len(a), len(b))
    start = 0
    while start < shorter and a[start] == b[start]:
        start += 1
    end = 0
    while end < shorter - start and a[-end - 1] == b[-end - 1]:
        end += 1
    return start, end


def _size(gap: Range) -> int:
    return gap[1] - gap[0] + gap[3] - gap[2]
