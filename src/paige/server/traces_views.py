"""From runs, spans and journals to what the REST API sends."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from anyio.to_thread import run_sync

from paige.agent.journal import Entry
from paige.agent.moments import Passage
from paige.agent.records import GateRow, SpanRow
from paige.agent.trace_queries import RunSearch
from paige.agent.trace_tree import read_tokens
from paige.agent.traces import parents_of
from paige.app.application import App
from paige.app.traces import (
    Costs,
    JournalPage,
    MomentsPage,
    RunsPage,
    SeenRun,
    SeenTrace,
    ToldMoment,
    Traces,
)
from paige.models.requests import Usage
from paige.server import traces_wire as wire

MOST_TITLE = 300
MOST_BODY = 4_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class TracesViews:
    """The runs of an application, with answers as they are sent."""

    def __init__(self, app: App) -> None:
        self._traces = Traces(app)

    async def list(self, asked: wire.TracesAsked) -> wire.TraceRuns:
        """Runs that fit, newest first."""
        wanted = RunSearch(
            words=asked.query,
            door=asked.door,
            status=asked.status,
            before=asked.before,
            limit=asked.limit,
        )
        return runs_of(await self._traces.list(wanted))

    async def one(self, id: str) -> wire.TraceDetail:
        """One run. Raises: NotFound."""
        found = await self._traces.one(id)
        return await run_sync(detail_of, found)

    async def span(self, id: str, step: str) -> wire.TraceSpan:
        """One span of a run. Raises: NotFound."""
        return span_of(await self._traces.span(id, step))

    async def journal(self, id: str, asked: wire.JournalAsked) -> wire.TraceJournal:
        """Some lines of a journal. Raises: NotFound."""
        return journal_of(await self._traces.journal(id, after=asked.after, limit=asked.limit))

    async def entry(self, id: str, seq: int) -> wire.TraceEntry:
        """One whole line of a journal. Raises: NotFound."""
        return entry_of(await self._traces.entry(id, seq))

    async def moments(self, id: str, asked: wire.MomentsAsked) -> wire.TraceMoments:
        """Some moments of a run. Raises: NotFound."""
        at = asked.first if asked.step is None else asked.step
        return moments_of(await self._traces.moments(id, at=at, limit=asked.limit))

    async def costs(self, asked: wire.CostsAsked) -> wire.Costs:
        """What models cost. Raises: BadInput."""
        return costs_of(await self._traces.costs(asked.days, asked.zone))


def runs_of(page: RunsPage) -> wire.TraceRuns:
    """A page of runs."""
    return wire.TraceRuns(
        runs=[run_of(each) for each in page.runs], next=page.next, doors=list(page.doors)
    )


def run_of(seen: SeenRun) -> wire.TraceRun:
    """One run; its title is the beginning of what was asked."""
    run = seen.item.run
    return wire.TraceRun(
        id=run.id,
        session=run.session_id,
        number=run.number,
        door=seen.item.door,
        title=" ".join(run.prompt.split())[:MOST_TITLE] or (seen.item.title or ""),
        agent=str(run.header["agent"]["name"]),
        purpose=str(run.header.get("purpose", "")),
        source=run.source,
        state=seen.state,
        status=run.status,
        reason=run.reason,
        turns=run.turns,
        cost_usd=run.cost_usd,
        created_at=run.created_at,
        updated_at=run.updated_at,
    )


def detail_of(found: SeenTrace) -> wire.TraceDetail:
    """One run with its spans and gates."""
    run, spans = found.trace.run, found.trace.spans
    return wire.TraceDetail(
        run=run_of(found.seen),
        prompt=run.prompt,
        output=run.output,
        started_us=spans[0].started_us,
        spans=columns_of(spans),
        gates=[gate_of(each) for each in found.trace.gates],
    )


def columns_of(spans: tuple[SpanRow, ...]) -> wire.TraceSpans:
    """Spans as columns: ten thousand of them are sent, and read, in one piece."""
    places = {span.step: place for place, span in enumerate(spans)}
    parents = parents_of(spans)
    attributes = [json.loads(span.attributes) for span in spans]
    begin = spans[0].started_us
    above = (parents[span.step] for span in spans)
    # Built by this server from its own rows: checking every cell would take longer than the query.
    return wire.TraceSpans.model_construct(
        steps=[span.step for span in spans],
        parents=[-1 if step is None else places[step] for step in above],
        kinds=[span.kind for span in spans],
        names=[span.name for span in spans],
        failed=[bool(span.failed) for span in spans],
        starts=[span.started_us - begin for span in spans],
        lengths=[max(0, span.ended_us - span.started_us) for span in spans],
        tokens_in=[read_tokens(each) for each in attributes],
        tokens_out=[int(each.get("output_tokens", 0)) for each in attributes],
        costs=[each.get("cost_usd") for each in attributes],
        notes=[str(each.get("status") or each.get("outcome") or "") for each in attributes],
    )


def span_of(span: SpanRow) -> wire.TraceSpan:
    """One span."""
    return wire.TraceSpan(
        step=span.step,
        kind=span.kind,
        name=span.name,
        failed=span.failed,
        started_at=moment_of(span.started_us),
        length_us=max(0, span.ended_us - span.started_us),
        attributes=json.loads(span.attributes),
    )


def gate_of(row: GateRow) -> wire.TraceGate:
    """A question, flat: every part of it with what was answered."""
    asked, reply = row.interaction, row.reply
    labels = {each["id"]: each["label"] for each in asked.get("options", ())}
    return wire.TraceGate(
        step=row.gate,
        title=str(asked.get("title", "")),
        text=str(asked.get("text", "")),
        options=list(labels.values()),
        answers=_answers(asked, reply, labels) if reply is not None else _questions(asked),
        auto=bool(reply and reply.get("auto")),
        opened_at=row.opened_at,
        answered_at=row.answered_at,
    )


def journal_of(page: JournalPage) -> wire.TraceJournal:
    """A page of a journal."""
    return wire.TraceJournal(
        entries=[entry_of(each, MOST_BODY) for each in page.entries], total=page.total
    )


def entry_of(entry: Entry, most: int | None = None) -> wire.TraceEntry:
    """A line of a journal, whole or only its beginning."""
    body = entry.body[:most]
    left_out = len(entry.body) - len(body)
    return wire.TraceEntry(
        seq=entry.seq, step=entry.step, kind=entry.kind, body=body, left_out=left_out
    )


def moments_of(page: MomentsPage) -> wire.TraceMoments:
    """Some moments of a run."""
    return wire.TraceMoments(
        moments=[moment_view(each) for each in page.moments], first=page.first, total=page.total
    )


def moment_view(moment: ToldMoment) -> wire.TraceMoment:
    """One moment."""
    told, span, gate = moment.told, moment.span, moment.gate
    usage = told.usage
    return wire.TraceMoment(
        number=moment.number,
        kind=told.kind,
        step=told.step,
        name=told.name,
        pending=told.pending,
        failed=told.failed,
        at=_began(span, gate),
        length_us=None if span is None else max(0, span.ended_us - span.started_us),
        read=[_passage(each) for each in told.read],
        thought=told.thought,
        said=None if told.said is None else _passage(told.said),
        called=[wire.TraceToolAsked.model_validate(each) for each in told.called],
        decided=[wire.TraceDecided.model_validate(each) for each in told.decided],
        gate=None if gate is None else gate_of(gate),
        stop_reason=told.stop_reason,
        tokens_in=_tokens_in(usage),
        tokens_out=None if usage is None else usage.output,
        cost_usd=told.cost_usd,
    )


def costs_of(costs: Costs) -> wire.Costs:
    """What models cost."""
    rows = [wire.CostRow.model_validate(each._asdict()) for each in costs.rows]
    return wire.Costs(days=list(costs.days), rows=rows)


def moment_of(microseconds: int) -> datetime:
    """A moment from the clock of spans."""
    return _EPOCH + timedelta(microseconds=microseconds)


def _began(span: SpanRow | None, gate: GateRow | None) -> datetime | None:
    if gate is not None:
        return gate.opened_at
    return None if span is None else moment_of(span.started_us)


def _tokens_in(usage: Usage | None) -> int | None:
    return None if usage is None else usage.total_input


def _passage(passage: Passage) -> wire.TracePassage:
    return wire.TracePassage.model_validate(passage)


def _questions(asked: Mapping[str, Any]) -> list[wire.TraceAnswer]:
    """The parts of a question that nobody has answered."""
    parts: Sequence[str] = asked.get("questions") or [
        str(each["title"]) for each in asked.get("sections", ())
    ]
    return [wire.TraceAnswer(question=str(each), answer="") for each in parts]


def _answers(
    asked: Mapping[str, Any], reply: Mapping[str, Any], labels: Mapping[str, str]
) -> list[wire.TraceAnswer]:
    titles = {str(each["id"]): str(each["title"]) for each in asked.get("sections", ())}
    picked = [
        wire.TraceAnswer(
            question=titles.get(key, ""),
            answer=": ".join(
                filter(None, (labels.get(each["option"], each["option"]), each.get("text", "")))
            ),
        )
        for key, each in (reply.get("picked") or {}).items()
    ]
    questions = [str(each) for each in asked.get("questions", ())]
    written = [
        wire.TraceAnswer(question=questions[at] if at < len(questions) else "", answer=str(text))
        for at, text in enumerate(reply.get("texts") or ())
    ]
    return [*picked, *written]
