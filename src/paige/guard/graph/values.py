"""What the context graph holds: traces of what happened, and edges between them and other things.

A trace says what an agent did, what would have been right, and why. Outside (tools, commands, web)
it has the shape `outside` makes; inside it is flat, because that is how it is stored and grouped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal, get_args

from paige.base.wire import SNAKE, wire

TraceType = Literal["correction", "violation", "decision", "approval"]
Source = Literal["enforcement_hook", "user_correction", "auto_detected"]
Level = Literal["metadata", "summary", "full"]
Scope = Literal["project", "universal"]
Kind = Literal["decision", "agent", "feature", "file", "rule", "memory", "guard", "session"]
Relation = Literal[
    "made_by",
    "about",
    "touched",
    "by_rule",
    "informed_by",
    "led_to",
    "corrected",
    "overrode",
    "made_guard",
    "in_session",
]
TYPES: tuple[TraceType, ...] = get_args(TraceType)
SOURCES: tuple[Source, ...] = get_args(Source)
LEVELS: tuple[Level, ...] = get_args(Level)
SCOPES: tuple[Scope, ...] = get_args(Scope)
# What an answer at a level may cost, at most.
BUDGETS: Mapping[Level, int] = {"metadata": 500, "summary": 1000, "full": 2000}
MOST_FOUND = 100
MOST_DEPTH = 20
GUARD = "guard:"  # what the rule of a guard begins with


@dataclass(frozen=True, slots=True, kw_only=True)
class _TraceParts:
    """What a trace says.

    `action` is a short verb phrase, `reason` the rule or the word that decided, `target` what it
    was done to, and `shape` the target without what varies from time to time.
    """

    project: str = ""
    type: TraceType
    agent: str = ""
    feature: str = ""
    task: str = ""
    what_happened: str = ""
    what_was_correct: str = ""
    why: str = ""
    source: Source = "auto_detected"
    session: str = ""
    cli: str = ""
    event: str = ""
    tool: str = ""
    action: str = ""
    reason: str = ""
    target: str = ""
    shape: str = ""
    rule: str = ""
    confidence: float = 1.0
    scope: Scope = "project"
    files: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace(_TraceParts):
    """One thing that happened."""

    id: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTrace(_TraceParts):
    """A trace as somebody gives it: what is left out is filled in.

    `led_by` are traces that led to this one, `informed_by` memories that were read before it.
    """

    id: str | None = None
    at: datetime | None = None
    led_by: tuple[str, ...] = ()
    corrects: tuple[str, ...] = ()
    informed_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceQuery:
    """What is looked for; an empty field leaves that side open."""

    text: str = ""
    type: TraceType | None = None
    agent: str | None = None
    feature: str | None = None
    file: str | None = None
    rule: str | None = None
    since: datetime | None = None
    project: str | None = None
    scope: Scope | None = None
    limit: int = 20


@dataclass(frozen=True, slots=True)
class Node:
    """One end of an edge."""

    kind: Kind
    id: str

    @property
    def key(self) -> str:
        """Its name among nodes of every kind."""
        return f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True)
class Edge:
    """That one thing stands in a relation to another, since a moment."""

    source: Node
    relation: Relation
    target: Node
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class TracesFound:
    """What was found; `left_off` did not fit the budget.

    `items` have the shape of the outside, `total` says how many there are, and `tokens` what the
    items cost.
    """

    __pydantic_config__ = SNAKE

    items: tuple[dict[str, Any], ...]
    total: int
    left_off: int = 0
    level: Level = "metadata"
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Something on the way to or from a trace, and how far away it is.

    `relation` is the edge it was reached by; `trace` is nothing for guards and memories.
    """

    node: Node
    relation: Relation
    depth: int
    trace: Trace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Precedents:
    """What happened before in a case like this, as a text to be told, and the traces in it."""

    text: str = ""
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """How often one thing happened on one day in one session: what patterns are made of.

    `overridden` counts how often a person let the same pass in spite of the rule, in all the time
    that was asked for.
    """

    project: str
    agent: str
    action: str
    reason: str
    shape: str
    type: TraceType
    session: str
    day: date
    count: int
    first: datetime
    last: datetime
    overridden: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceNeighbourhood:
    """What stands around a trace: the ways to and from it, traces near it, every edge of theirs."""

    root: Trace
    before: tuple[Step, ...]
    after: tuple[Step, ...]
    traces: tuple[Trace, ...]
    edges: tuple[Edge, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class GraphName:
    """Something traces are about, and how many there are."""

    name: str
    count: int


@wire(kw_only=True)
class GraphOverview:
    """How many traces there are, and what they can be narrowed by, the most frequent first."""

    total: int
    types: Mapping[TraceType, int]
    agents: tuple[GraphName, ...] = ()
    features: tuple[GraphName, ...] = ()
    rules: tuple[GraphName, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeCounts:
    """What a batch of lines of hooks came to."""

    stored: int = 0
    known: int = 0
    edges: int = 0
