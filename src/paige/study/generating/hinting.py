"""Hints for every question: what the course wrote, and where it wrote none, what can be said.

A nudge points to where to look, a pointed hint tells the shape of the answer, a worked step shows
another item with its answer. Whether a hint may be shown is decided when it is asked for.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache

from paige.base.paths import shipped
from paige.study.courses.values import Item
from paige.study.generating.words import one_line, word_count

LEVELS = 3


@cache
def _nudges() -> Mapping[str, str]:
    table = tomllib.loads(shipped("study/nudges.toml").read_text(encoding="utf-8"))
    return table["nudges"]


def hints_for(item: Item, others: Sequence[Item]) -> tuple[str, ...]:
    """A nudge, a pointed hint and a worked step for an item; shorter when nothing can be said."""
    hints = list(item.hints[:LEVELS])
    makers = (
        lambda: _nudges().get(item.kind, ""),
        lambda: _shape(item),
        lambda: _like(item, others),
    )
    for make in makers[len(hints) :]:
        said = make()
        if not said:
            break
        hints.append(said)
    return tuple(hints)


def _shape(item: Item) -> str:
    """What the answer looks like, not what it is."""
    if item.kind == "choice" and len(item.distractors) > 2:
        return f"“{item.distractors[-1]}” is not it. Look at what sets the others apart."
    if item.kind in ("repl", "code"):
        return "Write down what goes in and what comes out, then look for what joins the two."
    if not item.answers:
        return "Take the parts one by one, and begin with the one you are surest of."
    answer = one_line(item.answers[0])
    count = word_count(answer)
    if count == 0 or item.kind == "true_false":
        return "Look for one case that would show it to be wrong."
    if count > 5:
        return "It takes a sentence: say what happens, and what makes it happen."
    if answer[0].isdecimal() or answer[:1] in "+-":
        return "It is a number: work it out step by step."
    words = "one word" if count == 1 else f"{count} words"
    return f"It is {words} and begins with “{answer[0]}”."


def _like(item: Item, others: Sequence[Item]) -> str:
    """Another item of the kind with its answer."""
    for each in others:
        same = each.kind == item.kind and each.direction == item.direction
        if same and each.id != item.id and each.answers and set(each.answers) != set(item.answers):
            asked, answered = one_line(each.prompt), one_line(each.answers[0])
            return f"A like one: {asked} {_ARROW} {answered}"
    return ""


_ARROW = "\u2192"
