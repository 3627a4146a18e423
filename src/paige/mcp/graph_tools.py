"""The MCP tools of the context graph: note what happened, look before deciding, learn from it.

What an agent says is stored as seen by nobody else: it can neither claim to be a person's
correction nor a person's approval. A guard that it asks for is a proposal; a person promotes it.
"""

import json
from collections.abc import Callable
from typing import Any, TypeVar

import anyio.to_thread

from paige.app.application import App
from paige.app.graph import open_graph
from paige.base.tokens import count_tokens_bound
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import BUDGETS, NewTrace, TraceQuery
from paige.mcp.graph_params import (
    GetParams,
    GuardParams,
    PatternParams,
    QueryOut,
    QueryParams,
    StoredOut,
    StoreParams,
)
from paige.mcp.registry import Tool, ToolCall

T = TypeVar("T")
EVERYWHERE = "*"
SAID = "said:"
# What is left out of a long answer, the least needed first.
_LESS = ("report", "prompts", "skipped", "proposals")


async def store_trace(call: ToolCall, params: StoreParams) -> StoredOut:
    """Store what happened. Raises: BadInput, NotFound."""
    stored = await _with_graph(call.app, lambda graph: graph.store(_new(params)))
    return StoredOut(
        id=stored.id,
        project=stored.project,
        timestamp=stored.at,
        type=stored.type,
        source=stored.source,
    )


async def query_traces(call: ToolCall, params: QueryParams) -> QueryOut:
    """Find what happened before in a case like this, within the budget of the level."""

    def find(graph: ContextGraph) -> QueryOut:
        given = params.model_dump(exclude={"query", "level", "project"})
        project = graph.project or None if params.project is None else params.project
        wanted = None if project == EVERYWHERE else project
        found = graph.query(TraceQuery(text=params.query, project=wanted, **given), params.level)
        return QueryOut(
            items=list(found.items),
            total=found.total,
            left_off=found.left_off,
            level=found.level,
            tokens=found.tokens,
        )

    return await _with_graph(call.app, find)


async def get_trace(call: ToolCall, params: GetParams) -> dict[str, Any]:
    """One trace, within the budget of the level. Raises: NotFound, BadInput."""
    return await _with_graph(call.app, lambda graph: graph.get(params.id, params.level))


async def extract_patterns(call: ToolCall, params: PatternParams) -> dict[str, Any]:
    """What keeps happening, and which guards could stop it. Raises: PaigeError."""
    return await anyio.to_thread.run_sync(_patterns, call.app, params.limit)


async def create_guard(call: ToolCall, params: GuardParams) -> dict[str, Any]:
    """Propose a guard. Raises: BadInput, NotFound, Conflict, Refused."""
    return await anyio.to_thread.run_sync(_propose, call.app, params)


def _new(params: StoreParams) -> NewTrace:
    # An approval is counted against a guard, so an agent's own must not look like one.
    approval = params.type == "approval" and params.reason
    claimed = params.source not in (None, "auto_detected")
    return NewTrace(
        type=params.type,
        id=params.id,
        project=params.project,
        at=params.timestamp,
        agent=params.context.agent,
        feature=params.context.feature,
        task=params.context.task,
        what_happened=params.event.what_happened,
        what_was_correct=params.event.what_was_correct,
        why=params.event.why,
        source="auto_detected",
        session=params.session,
        cli="mcp",
        action=params.action,
        reason=f"{SAID}{params.reason}" if approval else params.reason,
        target=params.target,
        confidence=params.confidence,
        scope=params.scope,
        files=tuple(params.files),
        meta={"claimed_source": params.source} if claimed else {},
        led_by=tuple(params.led_by),
        corrects=tuple(params.corrects),
        informed_by=tuple(params.informed_by),
    )


def _patterns(app: App, limit: int) -> dict[str, Any]:
    from paige.app.guards import place_for  # noqa: PLC0415 - reads all of history when it is asked
    from paige.guard.learning.learning import dump_learned, known, learn  # noqa: PLC0415

    graph = open_graph(app)
    learned = dump_learned(learn(graph, known(place_for(app), graph), app.now()))
    return within(learned, limit, BUDGETS["full"])


def _propose(app: App, params: GuardParams) -> dict[str, Any]:
    from paige.app.guards import create_from, dump_record  # noqa: PLC0415 - see above

    made = dump_record(create_from(app, pattern=params.pattern, guard=params.guard, why=params.why))
    return {
        "id": made["id"],
        "stage": made["stage"],
        "message": made["message"],
        "blocks": made["blocks"],
        "next": f"It decides nothing yet; a person runs `paige guard shadow {made['id']}`.",
    }


def within(learned: dict[str, Any], limit: int, budget: int) -> dict[str, Any]:
    """What was learned, in at most so many tokens: the first patterns stay longest."""
    patterns = learned.get("patterns", [])
    found = {**learned, "patterns": patterns[:limit], "left_off": len(patterns[limit:])}
    for name in _LESS:
        if _cost(found) <= budget:
            return found
        found = {**found, name: type(found.get(name, []))()}
    while found["patterns"] and _cost(found) > budget:
        found = {
            **found, "patterns": found["patterns"][:-1], "left_off": found["left_off"] + 1,
        }  # fmt: skip
    return found


def _cost(value: object) -> int:
    return count_tokens_bound(json.dumps(value, ensure_ascii=False, default=str))


async def _with_graph(app: App, work: Callable[[ContextGraph], T]) -> T:
    return await anyio.to_thread.run_sync(lambda: work(open_graph(app)))


GRAPH_TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="store_trace",
        title="Note what happened",
        description="Note a correction, violation, decision or approval for later sessions: what "
        "happened, what would have been right, and why.",
        params=StoreParams,
        result=StoredOut,
        run=store_trace,
        read_only=False,
        idempotent=False,
    ),
    Tool(
        name="query_traces",
        title="Look for precedents",
        description="Find what happened before in a situation like this, before you decide. Begin "
        "with level `metadata`, then read what fits with `get_trace`.",
        params=QueryParams,
        result=QueryOut,
        run=query_traces,
    ),
    Tool(
        name="get_trace",
        title="Read one trace",
        description="Read one trace: metadata, summary or everything.",
        params=GetParams,
        result=dict[str, Any],
        run=get_trace,
    ),
    Tool(
        name="extract_patterns",
        title="See what keeps happening",
        description="Patterns in what was refused and corrected, and the guards that could stop "
        "them. Changes nothing.",
        params=PatternParams,
        result=dict[str, Any],
        run=extract_patterns,
    ),
    Tool(
        name="create_guard",
        title="Propose a guard",
        description="Propose a guard, from a pattern or as a whole. It is tried on its examples, "
        "on harmless actions and on history; it blocks nothing until a person promotes it.",
        params=GuardParams,
        result=dict[str, Any],
        run=create_guard,
        read_only=False,
    ),
)
