"""What a search is asked with and what it answers: plain values, shared by everyone who searches.

`Ask` is the question as it reaches the memory, `SearchAnswer` the answer, `Result` one memory in
it. Who asks is not part of the question: the reader is always given beside it, by whoever knows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from paige.base.tokens import count_tokens_bound
from paige.memory.event import Event, Scope

DEFAULT_K = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question to the memory; what is left out does not narrow it."""

    query: str
    k: int | None = None  # without k and budget: DEFAULT_K; without k, with budget: what fits
    budget_tokens: int | None = None
    scope: Scope | None = None
    project: str | None = None
    beyond_project: bool = False  # with a project: also what belongs to none
    session: str | None = None
    types: tuple[str, ...] = ()
    history: bool = False  # also what was superseded since
    speaker: str | None = None
    role: str | None = None  # of the agent that asks: which retrieval policy holds
    now: datetime | None = None  # what "last week" in the query counts from
    in_prompt: bool = False  # the budget is for the rendered block, not for the bare texts
    class_budgets: Mapping[str, int] = field(default_factory=dict)  # tokens by memory class
    weights: Mapping[str, float] = field(default_factory=dict)  # of importance, use …
    scope_limits: Mapping[str, int] = field(default_factory=dict)  # results by scope

    @property
    def projects(self) -> tuple[str | None, ...]:
        """The projects that are looked into; empty means all, `None` is what belongs to none."""
        if self.project is None:
            return ()
        return (self.project, None) if self.beyond_project else (self.project,)

    @property
    def limit(self) -> int | None:
        """The most results wanted; None when only the budget decides."""
        if self.k is not None:
            return max(self.k, 0)
        return DEFAULT_K if self.budget_tokens is None else None


@dataclass(frozen=True, slots=True)
class Result:
    """One memory that was found."""

    event: Event
    score: float
    why: Mapping[str, float]  # what the score is made of

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.event.id

    @property
    def text(self) -> str:
        """What it says."""
        return self.event.text

    @property
    def scope(self) -> Scope:
        """Where it belongs."""
        return self.event.scope

    @property
    def meta(self) -> Any:  # noqa: ANN401 - any JSON value
        """The caller's own, as it was imported; None when there is none."""
        return self.event.payload.get("meta")

    @property
    def tokens(self) -> int:
        """An upper bound of the tokens of its text and what stands between it and the next.

        Counted when asked for: words that were never counted take longer than the search.
        """
        return cost(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """The answer: the best first."""

    results: list[Result]
    took_ms: float = 0.0
    left_out: int = 0  # matched, but did not fit the budget or said the same again
    vectors: bool = False  # whether meaning was compared, or only words


def cost(text: str) -> int:
    """The most tokens that a text and the line break after it can have, wherever they stand."""
    return count_tokens_bound(text) + 1
