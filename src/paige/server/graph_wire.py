"""Shapes of the context graph's part of the REST API: traces, and what stands around one."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from paige.server.wire import Asked, Wire

MOST_TRACES = 500
MOST_NODES = 2000
MOST_DEPTH = 8
TraceType = Literal["correction", "violation", "decision", "approval"]
Source = Literal["enforcement_hook", "user_correction", "auto_detected"]
Detail = Literal["metadata", "summary", "full"]
Scope = Literal["project", "universal"]
NodeKind = Literal["decision", "agent", "feature", "file", "rule", "memory", "guard", "session"]
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


class GraphContext(Wire):
    """Who acted, on what."""

    agent: str
    feature: str
    task: str


class GraphEvent(Wire):
    """What happened, what would have been right, and why."""

    what_happened: str
    what_was_correct: str
    why: str


class GraphTrace(Wire):
    """One trace; a level below `full` leaves texts empty that it does not have."""

    id: str
    project: str
    timestamp: datetime
    type: TraceType
    context: GraphContext
    event: GraphEvent
    source: Source | None
    session: str
    action: str
    reason: str
    target: str
    shape: str
    rule: str
    confidence: float | None
    scope: Scope | None
    files: list[str]


class GraphTraces(Wire):
    """Traces, the best or the newest first; `left_off` did not fit into the level's budget."""

    traces: list[GraphTrace]
    total: int
    level: Detail
    tokens: int
    left_off: int


class GraphName(Wire):
    """Something traces are about, and how many there are."""

    name: str
    count: int


class GraphOverview(Wire):
    """How many traces there are, and what they can be narrowed by."""

    total: int
    types: dict[TraceType, int]
    agents: list[GraphName]
    features: list[GraphName]
    rules: list[GraphName]


class GraphNode(Wire):
    """A thing in the drawing; `distance` is negative for what led to the trace."""

    key: str
    kind: NodeKind
    id: str
    label: str
    type: TraceType | None
    at: datetime | None
    distance: int


class GraphEdge(Wire):
    """That one thing stands in a relation to another; `source` and `target` are keys of nodes."""

    source: str
    relation: Relation
    target: str


class GraphAround(Wire):
    """What led to a trace and what came of it; `left_out` nodes were too many to be sent."""

    trace: GraphTrace
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    left_out: int


def _in_utc(moment: datetime) -> datetime:
    """A moment without a time zone is one in UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class GraphTracesAsked(Asked):
    """Which traces; `budget` keeps the answer within the tokens of its level, as agents get it."""

    query: str = Field(default="", max_length=2000)
    type: TraceType | None = None
    agent: str | None = Field(default=None, max_length=200)
    feature: str | None = Field(default=None, max_length=200)
    file: str | None = Field(default=None, max_length=4000)
    rule: str | None = Field(default=None, max_length=500)
    scope: Scope | None = None
    since: Annotated[datetime, AfterValidator(_in_utc)] | None = None
    level: Detail = "summary"
    budget: bool = False
    limit: int = Field(default=50, ge=1, le=MOST_TRACES)


class GraphAroundAsked(Asked):
    """How far to look around a trace, and how much may be sent."""

    depth: int = Field(default=3, ge=1, le=MOST_DEPTH)
    most: int = Field(default=400, ge=1, le=MOST_NODES)


OUT = (GraphOverview, GraphTraces, GraphAround)
