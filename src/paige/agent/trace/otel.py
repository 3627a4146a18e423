"""Traces in OpenTelemetry's words, and sending those of every run that ends to a collector.

It is OTLP/JSON with the names of the GenAI conventions. They are still in development, so every
name stands here and nowhere else, and their version is pinned.

A run is never kept waiting and never fails because of this: ended runs wait in a short queue, and
one task reads their spans back from the database and posts them. When the queue is full, or when
the collector does not take them for a while, they are dropped and counted; the trace itself is
safe in the database and can be exported by command at any time.

What people and tools said is left out unless a command asks for it, and never sent by itself: it
may be about children, and an export often leaves the machine. A request of another program that
started the run (`traceparent`) is linked from the run's span: the run keeps its own trace id, which
is made from its id, so that exporting it twice gives the same spans.
"""

import hashlib
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from uuid import UUID

import anyio
from anyio.to_thread import run_sync

from paige import __version__
from paige.agent.tables import SpanRow
from paige.agent.trace.traces import Trace, parents_of, read_traces
from paige.base.actor import Actor
from paige.base.counters import count
from paige.base.errors import BadInput, PaigeError
from paige.store.engine import Database

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


if TYPE_CHECKING:
    import httpx2

logger = logging.getLogger(__name__)
PATH = "/v1/traces"
QUEUE_RUNS = 256
SEND_SECONDS = 10.0
RETRY_SECONDS = (1.0, 2.0, 4.0)
LONGEST_RETRY_AFTER = 30.0
# The protocol says that only these may be sent again.
RETRIED = frozenset({429, 502, 503, 504})
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Collector:
    """Where spans go, and what is said with them."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A run whose spans are to be sent; `link` is a trace and a span of whoever started it."""

    actor: Actor
    run: str
    link: tuple[str, str] | None = None


def read_collector(endpoint: str, headers: str) -> Collector:
    """A collector as the variables of OpenTelemetry name it. Raises: BadInput."""
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(
            "`OTEL_EXPORTER_OTLP_ENDPOINT` is not an address",
            hint="Write `http://…` or `https://…`; Paige speaks OTLP over HTTP.",
        )
    return Collector(endpoint.rstrip("/") + PATH, _headers(headers))


def _headers(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in filter(None, (each.strip() for each in text.split(","))):
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise BadInput(
                "`OTEL_EXPORTER_OTLP_HEADERS` is not a list of headers",
                hint="Write `name=value`, separated by commas.",
            )
        found[name.strip()] = unquote(value.strip())
    return found


class SpanExport:
    """The queue of ended runs, and the task that sends them."""

    def __init__(
        self, database: Database, collector: Collector, *, sleep: Sleep = anyio.sleep
    ) -> None:
        self._database = database
        self._collector = collector
        self._sleep = sleep
        self._waiting: deque[EndedRun] = deque()
        self._wake = anyio.Event()

    def offer(self, ended: EndedRun) -> None:
        """Take a run, or drop it when too many wait; returns at once."""
        if len(self._waiting) >= QUEUE_RUNS:
            count("traces_dropped", reason="full")
            return
        self._waiting.append(ended)
        self._wake.set()

    async def run(self) -> None:
        """Send what comes until cancelled."""
        client: httpx2.AsyncClient | None = None
        try:
            while True:
                while self._waiting:
                    client = client or await run_sync(_client)
                    await self._try(client, self._waiting.popleft())
                self._wake = anyio.Event()
                await self._wake.wait()
        finally:
            if client is not None:
                with anyio.CancelScope(shield=True):
                    await client.aclose()

    async def _try(self, client: "httpx2.AsyncClient", ended: EndedRun) -> None:
        """Export one run; whatever is wrong with it or with us, the next one is tried as well."""
        try:
            await self._export(client, ended)
        except Exception:
            logger.exception("The spans of run %s could not be exported", ended.run)
            count("traces_dropped", reason="failed")

    async def _export(self, client: "httpx2.AsyncClient", ended: EndedRun) -> None:
        try:
            traces = await self._database.read(read_traces, ended.actor, ended.run)
        except PaigeError as error:
            logger.warning("The spans of run %s could not be read: %s", ended.run, error.message)
            count("traces_dropped", reason="failed")
            return
        body = json.dumps(linked(to_otlp(traces), ended.link)).encode()
        outcome = await self._send(client, body)
        if outcome is None:
            count("spans_exported", sum(len(trace.spans) for trace in traces))
        else:
            count("traces_dropped", reason=outcome)

    async def _send(self, client: "httpx2.AsyncClient", body: bytes) -> str | None:
        """Post spans; `None` when they were taken, else why not."""
        import httpx2  # noqa: PLC0415 - loaded by now

        headers = {**self._collector.headers, "content-type": "application/json"}
        problem = ""
        for wait in (*RETRY_SECONDS, None):
            asked_for: float | None = None
            try:
                answer = await client.post(self._collector.url, content=body, headers=headers)
            except httpx2.HTTPError as error:
                problem = type(error).__name__
            else:
                if answer.is_success:
                    return None
                problem = f"status {answer.status_code}"
                if answer.status_code not in RETRIED:
                    logger.warning("The collector does not take spans: %s", problem)
                    return "refused"
                asked_for = _retry_after(answer.headers.get("retry-after", ""))
            if wait is not None:
                await self._sleep(wait if asked_for is None else asked_for)
        # Only the kind of failure: an address may hold a password, and anyone may read the log.
        logger.warning("Spans were not exported: %s", problem)
        return "failed"


def linked(request: dict[str, Any], link: tuple[str, str] | None) -> dict[str, Any]:
    """A request whose outermost span is linked to the span of another program."""
    if link is None:
        return request
    trace, span = link
    for each in request["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        if "parentSpanId" not in each:
            each["links"] = [{"traceId": trace, "spanId": span}]
    return request


def _retry_after(text: str) -> float | None:
    return min(float(text), LONGEST_RETRY_AFTER) if text.isdecimal() and text.isascii() else None


def _client() -> "httpx2.AsyncClient":
    import httpx2  # noqa: PLC0415 - only who exports pays for it

    return httpx2.AsyncClient(timeout=SEND_SECONDS, follow_redirects=False, trust_env=False)
