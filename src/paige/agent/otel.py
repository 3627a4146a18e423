"""A trace in OpenTelemetry's words: OTLP/JSON with the names of the GenAI conventions.

The conventions are still in development, so every name stands here and nowhere else, and their
version is pinned. What people and tools said is left out unless asked for: it may be about
children, and an export often leaves the machine.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from paige import __version__
from paige.agent.records import SpanRow
from paige.agent.traces import Trace, parents_of

SCHEMA = "https://opentelemetry.io/schemas/1.41.0"
INTERNAL, CLIENT = 1, 3
ERROR = 2
_OPERATIONS = {
    "run": "invoke_agent",
    "subagent": "invoke_agent",
    "model": "chat",
    "tool": "execute_tool",
}
# Ours: theirs.
_NUMBERS = {
    "output_tokens": "gen_ai.usage.output_tokens",
    "cache_write_tokens": "gen_ai.usage.cache_creation.input_tokens",
    "cache_read_tokens": "gen_ai.usage.cache_read.input_tokens",
}
_CONTENT = {
    "input": "gen_ai.tool.call.arguments",
    "output": "gen_ai.tool.call.result",
    "task": "paige.task",
    "summary": "paige.summary",
    "context": "paige.context",
    "reason": "paige.reason",
    "query": "paige.query",
}
# The names that our spans use; they have no counterpart there.
_OWN = ("status", "point", "outcome", "skill", "skill_tier", "class", "session_id", "from", "to")


def to_otlp(traces: list[Trace], *, content: bool = False) -> dict[str, Any]:
    """Traces as one `ExportTraceServiceRequest`."""
    resource = {"service.name": "paige", "service.version": __version__}
    spans = [span for trace in traces for span in _spans(trace, content=content)]
    scope = {"name": "paige.agent", "version": __version__}
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes(resource)},
                "scopeSpans": [{"scope": scope, "spans": spans, "schemaUrl": SCHEMA}],
                "schemaUrl": SCHEMA,
            }
        ]
    }


def trace_id(run: str) -> str:
    """The sixteen bytes of a run's id, in hex."""
    try:
        return UUID(run).hex
    except ValueError:
        return hashlib.sha256(run.encode()).hexdigest()[:32]


def span_id(run: str, step: str) -> str:
    """Eight bytes that stand for a step of a run, in hex."""
    return hashlib.sha256(f"{run}\n{step}".encode()).hexdigest()[:16]


def _spans(trace: Trace, *, content: bool) -> Iterator[dict[str, Any]]:
    parents = parents_of(trace.spans)
    for span in trace.spans:
        shown = _span(trace, span, content=content)
        parent = parents[span.step]
        if parent is not None:
            shown["parentSpanId"] = span_id(trace.run.id, parent)
        yield shown


def _span(trace: Trace, span: SpanRow, *, content: bool) -> dict[str, Any]:
    run = trace.run.id
    operation = _OPERATIONS.get(span.kind, span.kind)
    return {
        "traceId": trace_id(run),
        "spanId": span_id(run, span.step),
        "name": f"{operation} {span.name}",
        "kind": CLIENT if span.kind == "model" else INTERNAL,
        "startTimeUnixNano": str(span.started_us * 1000),
        "endTimeUnixNano": str(max(span.ended_us, span.started_us) * 1000),
        "attributes": _attributes(_named(trace, span, content=content)),
        "status": {"code": ERROR} if span.failed else {},
    }


def _named(trace: Trace, span: SpanRow, *, content: bool) -> dict[str, Any]:
    """The attributes of a span under the names of the conventions."""
    given = json.loads(span.attributes)
    named: dict[str, Any] = {
        "gen_ai.conversation.id": trace.run.session_id,
        "paige.step": span.step,
    }
    if span.kind in _OPERATIONS:
        named["gen_ai.operation.name"] = _OPERATIONS[span.kind]
    match span.kind:
        case "run" | "subagent":
            named["gen_ai.agent.name"] = span.name
            named["gen_ai.provider.name"] = trace.run.source
        case "model":
            named |= _model(given)
        case "tool":
            named["gen_ai.tool.name"] = span.name
            named["gen_ai.tool.type"] = "function"
            named["gen_ai.tool.call.id"] = span.step.rpartition("/")[2]
    if "cost_usd" in given:
        named["paige.cost_usd"] = given["cost_usd"]
    named |= {f"paige.{name}": given[name] for name in _OWN if name in given}
    if span.failed:
        named["error.type"] = given.get("status", "_OTHER")
    if content:
        named |= {theirs: given[ours] for ours, theirs in _CONTENT.items() if ours in given}
    return named


def _model(given: dict[str, Any]) -> dict[str, Any]:
    read = ("input_tokens", "cache_write_tokens", "cache_read_tokens")
    named = {
        "gen_ai.provider.name": given.get("provider"),
        "gen_ai.request.model": given.get("model"),
        "gen_ai.response.model": given.get("model"),
        "gen_ai.response.finish_reasons": [given["stop_reason"]]
        if "stop_reason" in given
        else None,
        "gen_ai.usage.input_tokens": sum(given.get(name, 0) for name in read),
    }
    return named | {theirs: given[ours] for ours, theirs in _NUMBERS.items() if ours in given}


def _attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": k, "value": _value(v)} for k, v in values.items() if v is not None]


def _value(value: object) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}  # as protobuf writes 64 bits in JSON
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [_value(item) for item in value]}}
        case _:
            return {"stringValue": json.dumps(value, ensure_ascii=False, default=str)}
