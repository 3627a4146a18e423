"""Choosing results under limits: how many, how many of each scope, how many tokens of each kind.

Tokens are counted by an upper bound that no common tokenizer exceeds, so a budget holds whatever
model reads the text. A result that does not fit is left out whole, and a smaller one after it may
still fit. Nothing here reads anything: results come in the order they were ranked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeVar

from paige.base.tokens import count_tokens_bound

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


class Priced(Protocol):
    """A result with what it costs and where it counts."""

    @property
    def tokens(self) -> int:
        """An upper bound of its tokens, with whatever stands between it and the next."""
        ...

    @property
    def scope(self) -> str:
        """The scope it counts in."""
        ...

    @property
    def memory_class(self) -> str:
        """The class it counts in."""
        ...


P = TypeVar("P", bound=Priced)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much may be chosen; None and a missing name mean no limit."""

    results: int | None = None
    tokens: int | None = None
    by_scope: Mapping[str, int] = field(default_factory=dict)
    tokens_by_class: Mapping[str, int] = field(default_factory=dict)


class Chosen(NamedTuple, Generic[P]):
    """What fits, in the order it came, and how many were looked at and did not."""

    results: list[P]
    left_out: int


def class_of(type_: str) -> str:
    """The class that a type of memory belongs to."""
    return CLASSES.get(type_, OTHER)


def cost(text: str) -> int:
    """The most tokens that a text and the line break after it can have, wherever they stand."""
    return count_tokens_bound(text) + 1


def choose_within(ranked: Iterable[P], limits: Limits) -> Chosen[P]:
    """Take what fits, in order."""
    purse = _Purse(limits)
    results: list[P] = []
    left_out = 0
    if purse.is_empty(0):
        return Chosen(results, left_out)
    for each in ranked:
        if purse.takes(each):
            results.append(each)
        else:
            left_out += 1
        if purse.is_empty(len(results)):
            break
    return Chosen(results, left_out)


class _Purse:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left = limits.tokens
        self._by_scope = dict(limits.by_scope)
        self._by_class = dict(limits.tokens_by_class)

    def takes(self, each: Priced) -> bool:
        """Whether it fits; if so, it is paid for."""
        if self._left is not None and each.tokens > self._left:
            return False
        if self._by_scope.get(each.scope, 1) < 1:
            return False
        in_class = self._by_class.get(each.memory_class)
        if in_class is not None and each.tokens > in_class:
            return False
        if self._left is not None:
            self._left -= each.tokens
        if each.scope in self._by_scope:
            self._by_scope[each.scope] -= 1
        if in_class is not None:
            self._by_class[each.memory_class] = in_class - each.tokens
        return True

    def is_empty(self, count: int) -> bool:
        """Whether nothing can fit any more."""
        if self._limits.results is not None and count >= self._limits.results:
            return True
        return self._left is not None and self._left < SMALLEST
