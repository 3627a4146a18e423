"""Traces: what a run did, read back from its spans and gates."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.tables import GateRow, RunRow, SpanRow
from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.errors import NotFound


@dataclass(frozen=True, slots=True)
class Trace:
    """One run with everything that took time in it, the run itself first."""

    run: RunRow
    spans: tuple[SpanRow, ...]
    gates: tuple[GateRow, ...] = ()


def read_traces(connection: Connection, actor: Actor, identity: str) -> list[Trace]:
    """The trace of a run, or those of all runs of a session. Raises: NotFound."""
    return [_read(connection, actor, run) for run in find_runs(connection, actor, identity)]


def find_runs(connection: Connection, actor: Actor, identity: str) -> list[RunRow]:
    """The run of that id, or the runs of the session of that id. Raises: NotFound."""
    runs = queries.runs_of(connection, actor, identity)
    if runs:
        return runs
    try:
        return [queries.get_run(connection, actor, identity)]
    except NotFound as error:
        raise NotFound(
            f"There is no run and no session `{identity}`",
            hint="`paige trace list` and `paige plan sessions` show them.",
        ) from error


def with_run(run: RunRow, spans: Sequence[SpanRow]) -> tuple[SpanRow, ...]:
    """Spans with that of the run first; one that has not ended gets one that ends now."""
    whole = [span for span in spans if not span.step] or [_unfinished(run)]
    return (*whole, *(span for span in spans if span.step))


def parents_of(spans: tuple[SpanRow, ...]) -> dict[str, str | None]:
    """The step that each step belongs to: the nearest one above it that took time itself."""
    known = {span.step for span in spans}
    return {span.step: _above(span, known) for span in spans}


def dump_trace(trace: Trace) -> dict[str, Any]:
    """A trace as JSON, with everything that is in it."""
    return {
        "run": _plain(trace.run),
        "spans": [
            {**asdict(span), "attributes": json.loads(span.attributes)} for span in trace.spans
        ],
        "gates": [_plain(gate) for gate in trace.gates],
    }


def _read(connection: Connection, actor: Actor, run: RunRow) -> Trace:
    spans = with_run(run, queries.spans_of(connection, actor, run.id))
    return Trace(run, spans, tuple(queries.gates_of(connection, actor, run.id)))


def _unfinished(run: RunRow) -> SpanRow:
    """The span of a run that has not ended: it is written when the run is."""
    attributes = {"status": run.state, "session": run.session_id, "cost_usd": run.cost_usd}
    return SpanRow(
        trace=run.id,
        step="",
        parent="",
        kind="run",
        name=run.header["agent"]["name"],
        failed=False,
        started_us=int(run.created_at.timestamp() * 1_000_000),
        ended_us=int(run.updated_at.timestamp() * 1_000_000),
        attributes=json.dumps(attributes),
    )


def _above(span: SpanRow, known: set[str]) -> str | None:
    if not span.step:
        return None
    above = span.parent
    while above and (above not in known or _is_inside(above, span.step)):
        above = above.rpartition("/")[0]
    return above if above in known else None


def _is_inside(step: str, other: str) -> bool:
    return step == other or step.startswith(f"{other}/")


def _plain(row: RunRow | GateRow) -> dict[str, Any]:
    return {
        name: to_iso(value) if hasattr(value, "isoformat") else value
        for name, value in asdict(row).items()
    }


WIDEST = 60
INDENT = "  "


class Line(NamedTuple):
    """One span as it is shown."""

    label: str
    duration: str
    notes: tuple[str, ...]


def render_tree(trace: Trace) -> list[str]:
    """The lines of the tree; children in the order they began."""
    lines = list(_lines(trace))
    width = min(WIDEST, max((len(line.label) for line in lines), default=0))
    return [
        "  ".join((line.label.ljust(width), line.duration.rjust(8), *line.notes)).rstrip()
        for line in lines
    ]


def render_duration(microseconds: int) -> str:
    """A span of time as people read it."""
    if microseconds < 1_000:
        return f"{max(0, microseconds)} µs"
    if microseconds < 1_000_000:
        return f"{microseconds / 1_000:.0f} ms"
    if microseconds < 60_000_000:
        return f"{microseconds / 1_000_000:.1f} s"
    minutes, rest = divmod(microseconds // 1_000_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"


def render_cost(cost: float | None) -> str:
    """An amount of money; what is not known is said."""
    return "cost unknown" if cost is None else f"${cost:.4f}"


def _lines(trace: Trace) -> Iterator[Line]:
    parents = parents_of(trace.spans)
    children: dict[str | None, list[SpanRow]] = {}
    for span in trace.spans:
        children.setdefault(parents[span.step], []).append(span)
    waiting = [(span, 0) for span in reversed(children.get(None, []))]
    while waiting:
        span, depth = waiting.pop()
        yield _line(span, depth, trace.spans)
        waiting += [(child, depth + 1) for child in reversed(children.get(span.step, []))]


def _line(span: SpanRow, depth: int, spans: tuple[SpanRow, ...]) -> Line:
    attributes = json.loads(span.attributes)
    notes = [*_tokens(span, attributes, spans), *_cost(attributes)]
    for name in ("status", "outcome", "rule", "reason"):
        if isinstance(attributes.get(name), str):
            notes.append(" ".join(attributes[name].split()))
    if span.failed:
        notes.append("FAILED")
    label = f"{INDENT * depth}{span.kind} {span.name}"
    return Line(label, render_duration(span.ended_us - span.started_us), tuple(notes))


def _tokens(span: SpanRow, attributes: dict[str, Any], spans: tuple[SpanRow, ...]) -> list[str]:
    if span.kind == "model":
        counted = [attributes]
    elif span.kind == "run":
        counted = [json.loads(other.attributes) for other in spans if other.kind == "model"]
    else:
        return []
    taken = sum(read_tokens(each) for each in counted)
    given = sum(each.get("output_tokens", 0) for each in counted)
    return [f"{taken:,} in, {given:,} out"]


def read_tokens(attributes: dict[str, Any]) -> int:
    """Everything a model read, from the cache or not."""
    names = ("input_tokens", "cache_write_tokens", "cache_read_tokens")
    return sum(attributes.get(name, 0) for name in names)


def _cost(attributes: dict[str, Any]) -> list[str]:
    return [render_cost(attributes["cost_usd"])] if "cost_usd" in attributes else []
