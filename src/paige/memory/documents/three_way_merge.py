"""Merging two texts that were made from the same one: line by line, and nothing is thrown away.

What only one side changed is taken from that side. What both sides added at the same place stands
there twice, one after the other: notes are lists, and two new notes are no quarrel. Where both
changed the same lines in different ways, both texts are kept between lines that say who wrote what.

When nobody knows the text they came from, what both have in common stands in for it: then nothing
counts as deleted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paige.language.line_steps import compare

Lines = Sequence[str]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two texts, and who wrote it."""

    text: str
    by: str


@dataclass(frozen=True, slots=True)
class MergedText:
    """The text that holds both, and at how many places a person should look."""

    text: str
    conflicts: int = 0


def merge(base: str | None, current: Side, written: Side) -> MergedText:
    """Bring together two texts made from `base`; `None` when that one is not known."""
    if current.text == written.text or base == written.text:
        return MergedText(current.text)
    if base == current.text:
        return MergedText(written.text)
    ours, theirs = split_lines(current.text), split_lines(written.text)
    before = common_lines(ours, theirs) if base is None else split_lines(base)
    lines: list[str] = []
    conflicts = 0
    for old, one, other in _regions(before, ours, theirs):
        added, quarrel = _bring_together(old, (one, current.by), (other, written.by))
        lines += added
        conflicts += quarrel
    return MergedText("".join(f"{line}\n" for line in lines), conflicts)


def distance(one: str, other: str) -> int:
    """How many lines must go or come to make one text of the other."""
    before, after = split_lines(one), split_lines(other)
    return len(before) + len(after) - 2 * sum(size for _, _, size in _matches(before, after))


def split_lines(text: str) -> list[str]:
    """The lines as editors count them, without what ends them."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def common_lines(one: Lines, other: Lines) -> list[str]:
    """Lines that stand in both, in the same order."""
    return [line for start, _, size in _matches(one, other) for line in one[start : start + size]]


def _matches(one: Lines, other: Lines) -> Iterator[tuple[int, int, int]]:
    """Runs of equal lines: where they begin on each side, and how many they are."""
    for step in compare(list(one), list(other)):
        if step.tag == "equal":
            yield step.a1, step.b1, step.a2 - step.a1


def _same(one: Lines, other: Lines) -> int:
    """How many lines are equal from the beginning."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _places(base: Lines, side: Lines) -> dict[int, int]:
    """Where each line of the base stands on a side, if it is still there."""
    return {
        start + step: found + step
        for start, found, size in _matches(base, side)
        for step in range(size)
    }


def _regions(base: Lines, ours: Lines, theirs: Lines) -> Iterator[tuple[Lines, Lines, Lines]]:
    """The three texts cut at the lines that all of them kept, in order; these come alone."""
    in_ours, in_theirs = _places(base, ours), _places(base, theirs)
    at, our, their = 0, 0, 0
    for number in range(len(base)):
        if number not in in_ours or number not in in_theirs:
            continue
        our_place, their_place = in_ours[number], in_theirs[number]
        yield base[at:number], ours[our:our_place], theirs[their:their_place]
        yield (kept := base[number : number + 1]), kept, kept
        at, our, their = number + 1, our_place + 1, their_place + 1
    yield base[at:], ours[our:], theirs[their:]


def _bring_together(
    base: Lines, ours: tuple[Lines, str], theirs: tuple[Lines, str]
) -> tuple[list[str], bool]:
    """One region of the result, and whether both changed it in different ways."""
    (one, our_name), (other, their_name) = ours, theirs
    if one in (other, base):
        return list(other), False
    if other == base:
        return list(one), False
    if not base:
        return _union(one, other), False
    head = _same(one, other)
    tail = _same(one[head:][::-1], other[head:][::-1])
    quarrel = [
        f"[Both texts are kept. Written by {our_name}:]",
        *(one[head : len(one) - tail] or ["(removed)"]),
        f"[Written by {their_name}:]",
        *(other[head : len(other) - tail] or ["(removed)"]),
        "[End of both texts]",
    ]
    return [*one[:head], *quarrel, *one[len(one) - tail :]], True


def _union(one: Lines, other: Lines) -> list[str]:
    """Both, with what they share standing once."""
    lines: list[str] = []
    left, right = 0, 0
    for start, found, size in (*_matches(one, other), (len(one), len(other), 0)):
        lines += [*one[left:start], *other[right:found], *one[start : start + size]]
        left, right = start + size, found + size
    return lines
