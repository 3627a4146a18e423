"""What a person or an agent can do with the context graph, whichever door they come through.

What an agent says is stored as seen by nobody else: it can neither claim to be a person's
correction nor a person's approval.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, Field

from paige.app.application import App
from paige.app.learning import take_in_waiting
from paige.app.memory_use import open_graph
from paige.base.wire import SNAKE, wire
from paige.doors.frame.operations import Subject
from paige.guard.graph.budgets import outside
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import (
    MOST_FOUND,
    GraphOverview,
    Kind,
    Level,
    NewTrace,
    Node,
    Relation,
    Scope,
    Source,
    Step,
    Trace,
    TraceNeighbourhood,
    TraceQuery,
    TracesFound,
    TraceType,
)
from paige.guard.messages import GuardChanged

MAX_TRACES = 500
MAX_NODES = 2000
MAX_DEPTH = 8
MAX_LABEL = 160
EVERYWHERE = "*"
SAID = "said:"
# Things that stand behind a trace lie before it in a drawing, what it is about after it.
BEHIND: tuple[Relation, ...] = ("made_by", "by_rule", "informed_by", "in_session")
GRAPH = Subject("graph", needs="guard")
HERE = Subject("graph")
"""For whoever sits at this machine."""
Name = Annotated[str, Field(max_length=400)]
Words = Annotated[str, Field(max_length=4_000)]
Ids = Annotated[tuple[Annotated[str, Field(max_length=80)], ...], Field(max_length=50)]


def _in_utc(moment: datetime) -> datetime:
    """A moment without a time zone is one in UTC."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


# --- what is taken -------------------------------------------------------------------------------


@wire(kw_only=True)
class GraphTracesRequest:
    """Which traces; `budget` keeps the answer within the tokens of its level, as agents get it."""

    query: Annotated[str, Field(max_length=2000)] = ""
    type: TraceType | None = None
    agent: Annotated[str | None, Field(max_length=200)] = None
    feature: Annotated[str | None, Field(max_length=200)] = None
    file: Annotated[str | None, Field(max_length=4000)] = None
    rule: Annotated[str | None, Field(max_length=500)] = None
    scope: Scope | None = None
    since: Annotated[datetime, AfterValidator(_in_utc)] | None = None
    level: Level = "summary"
    budget: bool = False
    limit: Annotated[int, Field(ge=1, le=MAX_TRACES)] = 50


@wire(kw_only=True)
class GraphTraceRequest:
    """Which trace, and how much of it."""

    id: str
    level: Level = "full"


@wire(kw_only=True)
class GraphAroundRequest:
    """How far to look around a trace, and how much may be sent."""

    id: str
    depth: Annotated[int, Field(ge=1, le=MAX_DEPTH)] = 3
    most: Annotated[int, Field(ge=1, le=MAX_NODES)] = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceContext:
    """Who did it, on what."""

    __pydantic_config__ = SNAKE

    agent: Name = ""
    """The agent, for example `coding-agent`."""
    feature: Name = ""
    """The feature, for example `PT-003`."""
    task: Words = ""
    """What was being done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEvent:
    """What happened."""

    __pydantic_config__ = SNAKE

    what_happened: Annotated[Words, Field(min_length=1)]
    """One sentence that stands alone."""
    what_was_correct: Words = ""
    """What would have been right."""
    why: Words = ""
    """Why that is so."""


@wire(kw_only=True)
class TraceNote:
    """Something that happened."""

    type: TraceType
    """What kind of thing it is."""
    event: TraceEvent
    """What happened."""
    context: TraceContext = field(default_factory=TraceContext)
    """Who did it, on what."""
    project: Name = ""
    """The project; the open one if left out."""
    timestamp: AwareDatetime | None = None
    """When; now if left out."""
    source: Source | None = None
    """Whatever is said, it is stored as `auto_detected`."""
    scope: Scope = "project"
    """Whether it holds beyond this project."""
    action: Name = ""
    """What was done, in a few words."""
    reason: Name = ""
    """Which rule or thought decided it."""
    target: Words = ""
    """What it was done to: a command or files."""
    files: Annotated[tuple[Name, ...], Field(max_length=50)] = ()
    """Files it was about."""
    session: Name = ""
    """The session it happened in."""
    confidence: Annotated[float, Field(ge=0, le=1)] = 1.0
    """How sure it is."""
    id: Annotated[str | None, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}$")] = None
    """Your own id for it: the same id twice is stored once."""
    led_by: Ids = ()
    """Traces that led to it."""
    corrects: Ids = ()
    """Traces that it corrects."""
    informed_by: Ids = ()
    """Memories that were read before it."""


@wire(kw_only=True)
class TraceSearch:
    """What to look for."""

    query: Annotated[str, Field(max_length=2_000)] = ""
    """A situation in plain words; may be empty."""
    level: Annotated[
        Level,
        Field(
            description="`metadata`: what there is, 500 tokens. `summary`: what it was about, "
            "1,000. `full`: everything, 2,000."
        ),
    ] = "metadata"
    type: TraceType | None = None
    """Only of this kind."""
    agent: Name | None = None
    """Only of this agent."""
    feature: Name | None = None
    """Only about this feature."""
    file: Name | None = None
    """Only about this file."""
    rule: Name | None = None
    """Only decided by this rule."""
    since: AwareDatetime | None = None
    """Only from then on."""
    project: Name | None = None
    """The project; the open one if left out, `*` for all."""
    limit: Annotated[int, Field(ge=1, le=MOST_FOUND)] = 20
    """The most traces."""


@wire(kw_only=True)
class TraceRequest:
    """Which trace, and how much of it."""

    id: Annotated[str, Field(min_length=1, max_length=80)]
    """Its id, or the beginning of it."""
    level: Level = "full"
    """How much of it."""


@dataclass(frozen=True, slots=True)
class TracePath:
    """How far to go from which trace."""

    id: str
    depth: int


# --- what is given -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GraphContext:
    """Who acted, on what."""

    agent: str
    feature: str
    task: str


@dataclass(frozen=True, slots=True)
class GraphEvent:
    """What happened, what would have been right, and why."""

    what_happened: str
    what_was_correct: str
    why: str


@wire(kw_only=True)
class GraphTrace:
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
    files: tuple[str, ...]


@wire(kw_only=True)
class GraphTraces:
    """Traces, the best or the newest first; `left_off` did not fit into the level's budget."""

    traces: tuple[GraphTrace, ...]
    total: int
    level: Level
    tokens: int
    left_off: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A thing in the drawing; `distance` is negative for what led to the trace."""

    key: str
    kind: Kind
    id: str
    label: str
    type: TraceType | None
    at: datetime | None
    distance: int


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """That one thing stands in a relation to another; `source` and `target` are keys of nodes."""

    source: str
    relation: Relation
    target: str


@wire
class GraphAround:
    """What led to a trace and what came of it; `left_out` nodes were too many to be sent."""

    trace: GraphTrace
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    left_out: int


@wire(kw_only=True)
class TraceStored:
    """The trace that was stored."""

    id: str
    project: str
    timestamp: datetime
    type: TraceType
    source: Source


# --- looking -------------------------------------------------------------------------------------


@GRAPH.read
def overview(app: App) -> GraphOverview:
    """Say how many traces there are, and what they can be narrowed by."""
    return open_graph(app).overview()


@GRAPH.read
def traces(app: App, given: GraphTracesRequest) -> GraphTraces:
    """List the traces that fit: the best for words, else the newest."""
    wanted = asdict(given)
    query, level, budget = wanted.pop("query"), wanted.pop("level"), wanted.pop("budget")
    found = open_graph(app).query(TraceQuery(text=query, **wanted), level, budget=budget)
    return GraphTraces(
        traces=tuple(map(trace_of, found.items)),
        total=found.total,
        level=found.level,
        tokens=found.tokens,
        left_off=found.left_off,
    )


@GRAPH.read
def trace(app: App, given: GraphTraceRequest) -> GraphTrace:
    """Show one trace. Raises: NotFound."""
    return trace_of(open_graph(app).get(given.id, given.level, budget=False))


@GRAPH.read
def around(app: App, given: GraphAroundRequest) -> GraphAround:
    """Show what led to a trace and what came of it, as nodes and edges. Raises: NotFound."""
    return around_of(open_graph(app).around(given.id, given.depth, given.most), given.most)


def trace_of(item: Mapping[str, Any]) -> GraphTrace:
    """A trace of any level; what its level leaves out is empty."""
    context, event = item.get("context", item), item.get("event", item)
    names = ("project", "session", "action", "reason", "target", "shape", "rule")
    return GraphTrace(
        id=item["id"],
        timestamp=datetime.fromisoformat(item["timestamp"]),
        type=item["type"],
        context=GraphContext(*(context.get(name, "") for name in ("agent", "feature", "task"))),
        event=GraphEvent(
            *(event.get(name, "") for name in ("what_happened", "what_was_correct", "why"))
        ),
        source=item.get("source"),
        confidence=item.get("confidence"),
        scope=item.get("scope"),
        files=tuple(item.get("files", ())),
        **{name: item.get(name, "") for name in names},
    )


def around_of(found: TraceNeighbourhood, most: int) -> GraphAround:
    """A trace and what stands around it: other traces, and the things it has to do with."""
    traces = {each.id: each for each in found.traces}
    distances = distances_of(found)
    shown = [node for node in distances if node.kind != "decision" or node.id in traces]
    kept = set(shown[:most])
    nodes = tuple(_node(node, distances[node], traces.get(node.id)) for node in shown[:most])
    return GraphAround(
        trace=trace_of(outside(found.root, "full")),
        nodes=nodes,
        edges=tuple(
            GraphEdge(each.source.key, each.relation, each.target.key)
            for each in found.edges
            if each.source in kept and each.target in kept
        ),
        left_out=found.left_out + len(shown) - len(nodes),
    )


def distances_of(found: TraceNeighbourhood) -> dict[Node, int]:
    """How far away everything is; less than 0 is what led to the trace. The nearest come first."""
    root = Node("decision", found.root.id)
    distances = {root: 0}
    for edge in found.edges:
        if edge.source == root and edge.target.kind != "decision":
            distances.setdefault(edge.target, -1 if edge.relation in BEHIND else 1)
    steps = [(step.node, -step.depth) for step in found.before]
    steps += [(step.node, step.depth) for step in found.after]
    for node, distance in sorted(steps, key=lambda each: abs(each[1])):
        distances.setdefault(node, distance)
    return distances


def _node(node: Node, distance: int, trace: Trace | None) -> GraphNode:
    trace = trace if node.kind == "decision" else None
    return GraphNode(
        key=node.key,
        kind=node.kind,
        id=node.id,
        label=label_of(node, trace),
        type=None if trace is None else trace.type,
        at=None if trace is None else trace.at,
        distance=distance,
    )


def label_of(node: Node, trace: Trace | None) -> str:
    """What a node is called: what happened in a trace, the name of everything else."""
    if trace is None:
        return node.id[:MAX_LABEL]
    text = " ".join((trace.what_happened or f"{trace.action} {trace.target}").split())
    return (text or node.id)[:MAX_LABEL]


# --- for agents ----------------------------------------------------------------------------------


def _noted(_: object, made: Trace | TraceStored | None) -> GuardChanged | None:
    return made and GuardChanged(part="traces", ids=[made.id])


@GRAPH.change(announces=_noted)
def store_trace(app: App, given: TraceNote) -> TraceStored:
    """Store what happened. Raises: BadInput, NotFound."""
    # An approval is counted against a guard, so an agent's own must not look like one.
    approval = given.type == "approval" and given.reason
    claimed = given.source not in (None, "auto_detected")
    said: dict[str, Any] = asdict(given)
    said |= {"source": "auto_detected"}
    said |= {"reason": f"{SAID}{given.reason}"} if approval else {}
    new = NewTrace(
        **said.pop("context"),
        **said.pop("event"),
        at=said.pop("timestamp"),
        cli="mcp",
        meta={"claimed_source": given.source} if claimed else {},
        **said,
    )
    stored = open_graph(app).store(new)
    return TraceStored(
        id=stored.id,
        project=stored.project,
        timestamp=stored.at,
        type=stored.type,
        source=stored.source,
    )


@GRAPH.read
def query_traces(app: App, given: TraceSearch) -> TracesFound:
    """Find what happened before in a case like this, within the budget of the level."""
    return _search(open_graph(app), given, budget=True)


@GRAPH.read
def get_trace(app: App, given: TraceRequest) -> dict[str, Any]:
    """One trace, within the budget of the level. Raises: NotFound, BadInput."""
    return open_graph(app).get(given.id, given.level)


def _search(graph: ContextGraph, given: TraceSearch, *, budget: bool) -> TracesFound:
    wanted = asdict(given)
    query, level, project = wanted.pop("query"), wanted.pop("level"), wanted.pop("project")
    if project is None:
        project = graph.project or None
    elif project == EVERYWHERE:
        project = None
    return graph.query(TraceQuery(text=query, project=project, **wanted), level, budget=budget)


# --- for whoever sits at this machine ------------------------------------------------------------


@HERE.read
def find(app: App, given: TraceSearch) -> TracesFound:
    """Find traces, each as long as it is."""
    return _search(_open_noted(app), given, budget=False)


@HERE.read
def near(app: App, given: TraceRequest) -> TraceNeighbourhood:
    """One trace with the edges it has. Raises: NotFound, BadInput."""
    return _open_noted(app).around(given.id, 1, 1)


@HERE.read
def led_to(app: App, given: TracePath) -> tuple[Step, ...]:
    """What led to a trace, the nearest first. Raises: NotFound, BadInput."""
    return _open_noted(app).led_to(given.id, given.depth)


@HERE.read
def came_of(app: App, given: TracePath) -> tuple[Step, ...]:
    """What came of a trace, the nearest first. Raises: NotFound, BadInput."""
    return _open_noted(app).came_of(given.id, given.depth)


@HERE.change(announces=_noted)
def note(app: App, given: NewTrace) -> Trace:
    """Note that something happened, for later sessions. Raises: BadInput, NotFound."""
    return _open_noted(app).store(given)


def _open_noted(app: App) -> ContextGraph:
    """The graph with what hooks noted a moment ago, which belongs to it."""
    take_in_waiting(app)
    return open_graph(app)
