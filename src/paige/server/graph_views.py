"""From the context graph's inside values to what the REST API sends."""

from collections.abc import Mapping, Sequence
from typing import Any

from paige.app.application import App
from paige.app.graph import open_graph
from paige.guard.graph.budgets import outside
from paige.guard.graph.values import (
    Around,
    Edge,
    Facets,
    Found,
    Node,
    Relation,
    Step,
    Trace,
    TraceQuery,
)
from paige.server import graph_wire as wire

MOST_LABEL = 160
# Things that stand behind a trace lie before it in a drawing, what it is about after it.
BEHIND: tuple[Relation, ...] = ("made_by", "by_rule", "informed_by", "in_session")
_FILTERS = ("type", "agent", "feature", "file", "rule", "since", "scope", "limit")


class GraphViews:
    """The context graph with answers as they are sent; it is used in a thread."""

    def __init__(self, app: App) -> None:
        self._graph = open_graph(app)

    def overview(self) -> wire.GraphOverview:
        """How many traces there are, and what they can be narrowed by."""
        return overview_of(self._graph.facets())

    def traces(self, asked: wire.GraphTracesAsked) -> wire.GraphTraces:
        """The traces that fit."""
        wanted = {name: getattr(asked, name) for name in _FILTERS}
        query = TraceQuery(text=asked.query, **wanted)
        return traces_of(self._graph.query(query, asked.level, budget=asked.budget))

    def trace(self, id: str, level: wire.Detail) -> wire.GraphTrace:
        """One trace. Raises: NotFound."""
        return trace_of(self._graph.get(id, level, budget=False))

    def around(self, id: str, asked: wire.GraphAroundAsked) -> wire.GraphAround:
        """What led to a trace and what came of it. Raises: NotFound."""
        found = self._graph.around(id, asked.depth, asked.most)
        before = self._graph.led_to(found.root.id, asked.depth)
        after = self._graph.came_of(found.root.id, asked.depth)
        return around_of(found, before, after, asked.most)


def overview_of(facets: Facets) -> wire.GraphOverview:
    """What there is to choose from."""
    return wire.GraphOverview(
        total=facets.total,
        types=dict(facets.types),  # type: ignore[arg-type]  # the types of traces
        agents=_names(facets.agents),
        features=_names(facets.features),
        rules=_names(facets.rules),
    )


def traces_of(found: Found) -> wire.GraphTraces:
    """A list of traces."""
    return wire.GraphTraces(
        traces=[trace_of(each) for each in found.items],
        total=found.total,
        level=found.level,
        tokens=found.tokens,
        left_off=found.left_off,
    )


def trace_of(item: Mapping[str, Any]) -> wire.GraphTrace:
    """A trace of any level; what its level leaves out is empty."""
    context, event = item.get("context", item), item.get("event", item)
    texts = {name: item.get(name, "") for name in ("project", "session", "action", "reason")}
    return wire.GraphTrace(
        id=item["id"],
        timestamp=item["timestamp"],
        type=item["type"],
        context=wire.GraphContext(
            agent=context.get("agent", ""),
            feature=context.get("feature", ""),
            task=context.get("task", ""),
        ),
        event=wire.GraphEvent(
            what_happened=event.get("what_happened", ""),
            what_was_correct=event.get("what_was_correct", ""),
            why=event.get("why", ""),
        ),
        source=item.get("source"),
        target=item.get("target", ""),
        shape=item.get("shape", ""),
        rule=item.get("rule", ""),
        confidence=item.get("confidence"),
        scope=item.get("scope"),
        files=item.get("files", []),
        **texts,
    )


def around_of(
    found: Around, before: Sequence[Step], after: Sequence[Step], most: int
) -> wire.GraphAround:
    """A trace and what stands around it: other traces, and the things it has to do with."""
    root = Node("decision", found.root.id)
    traces = {each.id: each for each in found.traces}
    distances = distances_of(root, before, after, found.edges)
    shown = [node for node in distances if node.kind != "decision" or node.id in traces]
    kept = set(shown[:most])
    nodes = [_node(node, distances[node], traces.get(node.id)) for node in shown[:most]]
    edges = [each for each in found.edges if each.source in kept and each.target in kept]
    return wire.GraphAround(
        trace=trace_of(outside(found.root, "full")),
        nodes=nodes,
        edges=[
            wire.GraphEdge(source=key_of(e.source), relation=e.relation, target=key_of(e.target))
            for e in edges
        ],
        left_out=found.left_out + len(shown) - len(nodes),
    )


def distances_of(
    root: Node, before: Sequence[Step], after: Sequence[Step], edges: Sequence[Edge]
) -> dict[Node, int]:
    """How far away everything is; less than 0 is what led to the trace. The nearest come first."""
    found = {root: 0}
    for edge in edges:
        if edge.source == root and edge.target.kind != "decision":
            found.setdefault(edge.target, -1 if edge.relation in BEHIND else 1)
    steps = [(step, -step.depth) for step in before] + [(step, step.depth) for step in after]
    for step, distance in sorted(steps, key=lambda each: abs(each[1])):
        found.setdefault(step.node, distance)
    return found


def key_of(node: Node) -> str:
    """The name of a node in a drawing."""
    return f"{node.kind}:{node.id}"


def _node(node: Node, distance: int, trace: Trace | None) -> wire.GraphNode:
    return wire.GraphNode(
        key=key_of(node),
        kind=node.kind,
        id=node.id,
        label=label_of(node, trace),
        type=trace.type if trace is not None and node.kind == "decision" else None,
        at=trace.at if trace is not None and node.kind == "decision" else None,
        distance=distance,
    )


def label_of(node: Node, trace: Trace | None) -> str:
    """What a node is called: what happened in a trace, the name of everything else."""
    if trace is None or node.kind != "decision":
        return node.id[:MOST_LABEL]
    text = " ".join((trace.what_happened or f"{trace.action} {trace.target}").split())
    return (text or node.id)[:MOST_LABEL]


def _names(pairs: Sequence[tuple[str, int]]) -> list[wire.GraphName]:
    return [wire.GraphName(name=name, count=count) for name, count in pairs]
