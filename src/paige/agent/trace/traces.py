"""Traces: what a run did, read back from its spans and gates."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.records import GateRow, RunRow, SpanRow
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
