"""Hints for every question: what the course wrote, and then what the item itself shows.

Rules know the shape of an answer, not what leads to it: how many words it has, its first letter,
that it is a number, one choice that is wrong. Whether a hint may be shown is decided when it is
asked for.
"""

from paige.exercise.hints import POINTED_HINT
from paige.study.courses.values import Item
from paige.study.generating.words import one_line, word_count

LEVELS = 3
_FEW = 5
"""So many words can be counted at a glance; of a longer answer only the length is told."""


def hints_for(item: Item) -> tuple[str, ...]:
    """The hints of the course; where it has no second one, the shape of the answer stands there.

    A rung for which there is nothing to say is empty.
    """
    hints = item.hints[:LEVELS]
    if len(hints) >= POINTED_HINT or not (shape := _shape(item)):
        return hints
    return (*hints, *("",) * (POINTED_HINT - 1 - len(hints)), shape)


def _shape(item: Item) -> str:
    """What the answer looks like, not what it is."""
    if item.kind == "choice" and len(item.distractors) > 2:
        return f"\u201c{item.distractors[-1]}\u201d is not it."
    if item.kind in ("choice", "true_false", "repl", "code") or not item.answers:
        return ""
    answer = one_line(item.answers[0])
    count = word_count(answer)
    if count == 0:
        return ""
    if count > _FEW:
        return f"An answer the course accepts has {count} words."
    if answer[0].isdecimal() or answer[:1] in "+-":
        return "It is a number."
    words = "one word" if count == 1 else f"{count} words"
    return f"It is {words} and begins with \u201c{answer[0]}\u201d."
