"""From ranked memories to an answer: nothing twice, what must not be missed first, within budget.

Limits say how many results, how many of each scope, how many tokens of each kind. Tokens are
counted by an upper bound that no common tokenizer exceeds, so a budget holds whatever model reads
the text. A result that does not fit is left out whole, and a smaller one after it may still fit.

Also how recalled memories are written into a prompt. They stand in a block with a marker, so that
whoever stores what was said can tell what was recalled from what was new.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from paige.base.clock import to_iso
from paige.base.tokens import count_tokens_bound
from paige.memory.event import Event
from paige.memory.search_values import Ask, Result, cost

OPEN, CLOSE = "<paige-memory>", "</paige-memory>"
SHORT_ID = (
    6  # characters of an id that stand in a prompt: in ids made in a row its end differs most
)
_WORD = re.compile(r"\w+(?:['\u2019.,:]\w+)*")
SMALLEST = 3  # tokens; with less left nothing is looked for any more
# What a memory is to the one who reads it; a budget may be given for each.
CLASSES: Mapping[str, str] = {
    "turn": "conversation",
    "summary": "conversation",
    "fact": "knowledge",
    "preference": "knowledge",
    "note": "knowledge",
    "qa": "knowledge",
    "episode": "experience",
    "pattern": "experience",
    "anti_pattern": "experience",
}
OTHER = "knowledge"
# Words that change nothing about what is said.
_FILLERS = frozenset({"a", "an", "the", "so", "oh", "well", "just", "really", "very", "please"})


def choose(ask: Ask, found: Iterable[Result]) -> tuple[list[Result], int]:
    """The results that are returned, in the order they came, and how many were left out.

    Under a budget what is found must begin with what must not be missed.
    """
    purse = _Purse(ask)
    said = set[tuple[str, ...]]()
    chosen: list[Result] = []
    left_out = 0
    for each in found if not purse.is_empty(chosen) else ():
        words = () if ask.budget_tokens is None else saying(each.text)
        if words in said or not purse.takes(each):
            left_out += 1
        else:
            chosen.append(each)
        said |= {words} if words else set()
        if purse.is_empty(chosen):
            break
    if ask.in_prompt and ask.budget_tokens is not None:
        while chosen and count_tokens_bound(render_recalled(chosen)) > ask.budget_tokens:
            chosen.pop()
            left_out += 1
    return chosen, left_out


def render_recalled(results: Sequence[Result]) -> str:
    """The block that is put into a prompt; empty when there is nothing to put."""
    if not results:
        return ""
    return "\n".join([OPEN, *(render_line(result.event) for result in results), CLOSE])


def render_line(event: Event) -> str:
    """One memory in the block: its id, its day, who said it, what was said."""
    speaker = f"{event.speaker}: " if isinstance(event.speaker, str) and event.speaker else ""
    text = " ".join(event.text.split())
    while OPEN in text or CLOSE in text:  # again: taking one out may put another one together
        text = text.replace(OPEN, "").replace(CLOSE, "")
    return f"- [{event.id[-SHORT_ID:]}] {to_iso(event.at)[:10]} {speaker}{text}"


def saying(text: str) -> tuple[str, ...]:
    """What a text says, however it is spelled: its words in order, without those that add nothing.

    Numbers, negations and names stay, so texts that differ in one of them are not the same.
    """
    words = _WORD.findall(text.casefold())
    return tuple(word for word in words if word not in _FILLERS) or tuple(words)


class _Purse:
    """How much may still be chosen; None and a missing name mean no limit."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._left = ask.budget_tokens
        if self._left is not None and ask.in_prompt:
            self._left = max(0, self._left - count_tokens_bound(f"{OPEN}\n\n{CLOSE}\n"))
        self._by_scope = dict(ask.scope_limits)
        self._by_class = dict(ask.class_budgets)

    def takes(self, each: Result) -> bool:
        """Whether it fits; if so, it is paid for."""
        scope, kind = each.scope, CLASSES.get(each.event.type, OTHER)
        if self._by_scope.get(scope, 1) < 1:
            return False
        if self._left is not None or kind in self._by_class:
            tokens = cost(render_line(each.event)) if self._ask.in_prompt else each.tokens
            if self._left is not None and tokens > self._left:
                return False
            if tokens > self._by_class.get(kind, tokens):
                return False
            if self._left is not None:
                self._left -= tokens
            if kind in self._by_class:
                self._by_class[kind] -= tokens
        if scope in self._by_scope:
            self._by_scope[scope] -= 1
        return True

    def is_empty(self, chosen: Sequence[Result]) -> bool:
        """Whether nothing can fit any more."""
        if self._ask.limit is not None and len(chosen) >= self._ask.limit:
            return True
        return self._left is not None and self._left < SMALLEST
