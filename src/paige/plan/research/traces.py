"""From traces to research events: everything that a run left behind, one kind after another."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.tables import GateRow, RunRow, SessionRow, SpanRow
from paige.base.actor import Actor
from paige.base.clock import from_iso
from paige.memory.documents.queries import events_of
from paige.memory.documents.records import EventRow
from paige.plan.evals.behaviour import MEMORY_SECTIONS, prompt_sizes
from paige.plan.hooks.names import (
    ADJUDICATION,
    CONFIDENCE,
    CURRICULUM_EVIDENCE,
    FEEDFORWARD,
    MEMORY_CAPTURE,
    REFLECTION,
)
from paige.plan.research.events import Event, Masking, ids_in
from paige.plan.session_queries import runs_between, session_of

LOOKUPS = ("search_sessions", "read_session")
_SHOWN = ("class", "teacher", "memory")
Told = Mapping[str, Any]
Row = tuple[datetime, str, Told]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """Everything that is stored about one run."""

    session: SessionRow
    run: RunRow
    spans: tuple[SpanRow, ...]
    gates: tuple[GateRow, ...]
    memory: tuple[EventRow, ...]
    system: str = ""  # the prompt it began with


@dataclass(frozen=True, slots=True)
class Span:
    """Which runs are exported."""

    since: datetime | None = None
    until: datetime | None = None


def recorded_runs(connection: Connection, actor: Actor, span: Span) -> list[RunRecord]:
    """The runs of all teachers in a span of time, with all that is stored about each."""
    runs = runs_between(connection, actor, since=span.since, until=span.until)
    found: list[RunRecord] = []
    for run in runs:
        whose = Actor(tenant=actor.tenant, person=run.person)
        found.append(
            RunRecord(
                session=session_of(connection, actor, run.session_id),
                run=run,
                spans=tuple(queries.spans_of(connection, whose, run.id)),
                gates=tuple(queries.gates_of(connection, whose, run.id)),
                memory=tuple(events_of(connection, whose, trace=run.id)),
                system=_system(connection, whose, run),
            )
        )
    return found


def _system(connection: Connection, actor: Actor, run: RunRow) -> str:
    digest = run.header.get("files", {}).get("system", "")
    return queries.find_blob(connection, actor, digest) or ""


def events_in(recorded: RunRecord, masking: Masking, actor: Actor) -> list[Event]:
    """What a run tells, in the order it happened, without names."""
    run = recorded.run
    rows = [_run(recorded), *_context(recorded), *_questions(recorded), *_memory(recorded)]
    for span in recorded.spans:
        told = json.loads(span.attributes)
        rows += _OF_SPANS[span.kind](span, told, masking) if span.kind in _OF_SPANS else ()
    rows.sort(key=lambda row: row[0])
    teacher = masking.teacher(Actor(tenant=actor.tenant, person=run.person))
    session, trace = masking.pseudonym(run.session_id), masking.pseudonym(run.id)
    return [
        Event(teacher, session, trace, time, kind, masking.fields(kind, told))
        for time, kind, told in rows
    ]


def _run(recorded: RunRecord) -> Row:
    run, session = recorded.run, recorded.session
    sizes = prompt_sizes(recorded.system)
    return (
        run.created_at,
        "run",
        {
            "plugin": session.plugin,
            "command": session.command,
            "agent": run.header["agent"]["name"],
            "class": session.class_id,
            "request": run.prompt,
            "request_words": len(run.prompt.split()),
            "number_in_session": run.number,
            "status": run.status or run.state,
            "reason": run.reason,
            "source": run.source,
            "turns": run.turns,
            "cost_usd": run.cost_usd,
            "seconds": (run.updated_at - run.created_at).total_seconds(),
            "memory": run.header.get("inputs", {}).get("memory"),
            "prompt_tokens": sum(sizes.values()),
            "memory_tokens": sum(sizes.get(name, 0) for name in MEMORY_SECTIONS),
        },
    )


def _context(recorded: RunRecord) -> Iterator[Row]:
    """The files that the prompt was made from; memory that is in it was read by the prompt."""
    began = recorded.run.created_at
    for name in recorded.run.header.get("files", {}):
        scope, slash, path = name.partition("/")
        if not slash or scope not in ("workspace", "memory"):
            continue
        yield began, "context", {"scope": scope, "file": path}
        if scope == "memory":
            _, of_class, rest = path.rpartition("classes/")
            told = {"scope": "class", "class": rest.partition("/")[0]} if of_class else {}
            read = {"event": "read", "by": "prompt", "scope": "teacher", "path": path, **told}
            yield began, "memory_use", read


def _model(span: SpanRow, told: Told, masking: Masking) -> Iterator[Row]:
    purpose = told.get("summary", {}).get("purpose")
    yield _ended(span), "model_call", {**told, "purpose": purpose, "seconds": _seconds(span)}


def _tool(span: SpanRow, told: Told, masking: Masking) -> Iterator[Row]:
    call = {
        **told,
        "tool": span.name,
        "arguments": told.get("input"),
        "result": told.get("output"),
        "failed": span.failed,
        "seconds": _seconds(span),
    }
    yield _ended(span), "tool_call", call
    if span.name in LOOKUPS:
        given = told.get("input") or {}
        named = ids_in(f"{told.get('session_id', '')} {told.get('output', '')}")
        found = [masking.pseudonym(each) for each in named]
        query = told.get("query") or given.get("query")
        look = {"tool": span.name, "query": query, "class": told.get("class"), "found": found}
        yield _ended(span), "session_lookup", look


def _subagent(span: SpanRow, told: Told, masking: Masking) -> Iterator[Row]:
    yield _ended(span), "subagent", {**told, "agent": span.name, "seconds": _seconds(span)}


def _handoff(span: SpanRow, told: Told, masking: Masking) -> Iterator[Row]:
    yield _ended(span), "handoff", told


def _hook(span: SpanRow, told: Told, masking: Masking) -> Iterator[Row]:
    ran = {**told, "hook": span.name, "failed": span.failed, "seconds": _seconds(span)}
    yield _ended(span), "hook", ran
    if span.name in _OF_HOOKS:
        yield from _OF_HOOKS[span.name](span, told)


def _feedforward(span: SpanRow, told: Told) -> Iterator[Row]:
    if "response" not in told:
        return
    kinds = [each["kind"] for each in told.get("surfaced", ())]
    shown = {f"shown_{name}": kinds.count(name) for name in _SHOWN}
    other = sum(name not in _SHOWN for name in kinds)
    documents = told.get("memory")
    told = {**told, **shown, "shown_other": other, "memory_documents": documents}
    yield _at(told, span), "feedforward", told


def _reflection(span: SpanRow, told: Told) -> Iterator[Row]:
    for each in told.get("answers", ()):
        words = len(each["answer"].split())
        row = {**each, "answer_words": words, "auto": told.get("auto")}
        yield _at(told, span), "reflection", row


def _adjudication(span: SpanRow, told: Told) -> Iterator[Row]:
    for each in told.get("decisions", ()):
        yield _at(each, span), "adjudication", {**each, "round": each.get("question")}
    yield from _evidence(span, told, "saved")


def _capture(span: SpanRow, told: Told) -> Iterator[Row]:
    for each in told.get("decisions", ()):
        yield _at(each, span), "memory_capture", each


def _checked(span: SpanRow, told: Told) -> Iterator[Row]:
    return _evidence(span, told, "draft")


def _evidence(span: SpanRow, told: Told, stage: str) -> Iterator[Row]:
    for each in told.get("evidence", ()):
        yield _ended(span), "evidence", {**each, "stage": stage}


def _confidence(span: SpanRow, told: Told) -> Iterator[Row]:
    if "rating" in told:
        yield _at(told, span), "confidence", told


def _questions(recorded: RunRecord) -> Iterator[Row]:
    for gate in recorded.gates:
        answered = gate.answered_at
        yield (
            gate.opened_at,
            "question",
            {
                "hook": _hook_of(gate.gate),
                "title": gate.interaction.get("title"),
                "answered": answered is not None,
                "auto": bool(gate.reply and gate.reply.get("auto")) if gate.reply else None,
                "seconds": (answered - gate.opened_at).total_seconds() if answered else None,
            },
        )


def _memory(recorded: RunRecord) -> Iterator[Row]:
    """Readings and writings; what no tool of the agent did was done by a hook."""
    own: dict[str, set[str]] = {"read": set(), "write": set()}
    for span in recorded.spans:
        told = json.loads(span.attributes) if span.kind == "tool" else {}
        own["read"].add(told.get("memory_read", ""))
        own["write"].add(told.get("memory_written", ""))
    for each in recorded.memory:
        if each.event_type in own:
            by = "agent" if each.path in own[each.event_type] else "hook"
            told = {"event": each.event_type, "by": by, "scope": each.scope, "path": each.path}
            yield each.created_at, "memory_use", {**told, "class": each.class_id or None}


def _hook_of(gate: str) -> str:
    """The hook that a gate belongs to; a tool that asks has none."""
    _, found, rest = f"/{gate}".partition("/hook/")
    return rest.split("/")[1] if found else "tool"


def _at(told: Told, span: SpanRow) -> datetime:
    return from_iso(told["at"]) if told.get("at") else _ended(span)


def _ended(span: SpanRow) -> datetime:
    return datetime.fromtimestamp(span.ended_us / 1_000_000, UTC)


def _seconds(span: SpanRow) -> float:
    return (span.ended_us - span.started_us) / 1_000_000


_OF_SPANS: Mapping[str, Callable[[SpanRow, Told, Masking], Iterator[Row]]] = {
    "model": _model,
    "tool": _tool,
    "hook": _hook,
    "subagent": _subagent,
    "handoff": _handoff,
}
_OF_HOOKS: Mapping[str, Callable[[SpanRow, Told], Iterator[Row]]] = {
    FEEDFORWARD: _feedforward,
    REFLECTION: _reflection,
    ADJUDICATION: _adjudication,
    MEMORY_CAPTURE: _capture,
    CURRICULUM_EVIDENCE: _checked,
    CONFIDENCE: _confidence,
}
