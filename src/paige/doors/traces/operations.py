"""What can be asked about runs: lists of them, what each did, and what models cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.journal import Entry
from paige.agent.queries import messages_of
from paige.agent.tables import GateRow, RunRow, SpanRow
from paige.agent.trace import queries as trace_queries
from paige.agent.trace.moments import Beginning, MomentDetail, tell
from paige.agent.trace.queries import CostRow, Day, RunItem, RunSearch
from paige.agent.trace.replay import Moment, tell_again
from paige.agent.trace.traces import Trace, parents_of, read_tokens, with_run
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound
from paige.coach.prompts import QUESTIONS
from paige.doors.frame.operations import Subject
from paige.doors.traces.values import (
    Costs,
    CostsRequest,
    TraceAnswer,
    TraceDetail,
    TraceEntry,
    TraceEntryRequest,
    TraceGate,
    TraceJournal,
    TraceJournalRequest,
    TraceMoment,
    TraceMoments,
    TraceMomentsRequest,
    TraceRequest,
    TraceRun,
    TraceRuns,
    TraceSpan,
    TraceSpanRequest,
    TraceSpans,
)
from paige.plan.sessions import Viewer, state_of, worked_on

TRACES = Subject("traces")
MOST_TITLE = 300
MOST_BODY = 4_000
OTHER = "other"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# Calls outside a session say by their purpose whose they are.
_DOORS = {
    "study_": "study",
    "guard": "guard",
    "reflect.": "guard",
    "orchestra": "orchestra",
    "memory.": "memory",
    "eval:": "plan",
}
_COACH = {question.call_type for question in QUESTIONS}


@TRACES.read
async def runs(app: App, given: RunSearch) -> TraceRuns:
    """List runs, newest first; `next` leads to older ones."""
    return await app.database.read(_runs, _looking(app), given)


@TRACES.read
async def run(app: App, given: TraceRequest) -> TraceDetail:
    """Show one run: every span of it with its parent, and every question it asked.

    Raises: NotFound.
    """
    seen, trace = await app.database.read(_run, _looking(app), given.id)
    return TraceDetail(
        run=seen,
        prompt=trace.run.prompt,
        output=trace.run.output,
        started_us=trace.spans[0].started_us,
        spans=await run_sync(_columns, trace.spans),
        gates=tuple(map(_gate, trace.gates)),
    )


@TRACES.read
async def span(app: App, given: TraceSpanRequest) -> TraceSpan:
    """Show one span with everything that is known of it; without a step the run itself.

    Raises: NotFound.
    """
    found = await app.database.read(_span, app.actor, given)
    return TraceSpan(
        step=found.step,
        kind=found.kind,
        name=found.name,
        failed=found.failed,
        started_at=_moment_of(found.started_us),
        length_us=_length(found),
        attributes=json.loads(found.attributes),
    )


@TRACES.read
async def journal(app: App, given: TraceJournalRequest) -> TraceJournal:
    """List what a run meant to do and what came of it, as its journal keeps it.

    Raises: NotFound.
    """
    return await app.database.read(_journal, app.actor, given, MOST_BODY)


@TRACES.read
async def entry(app: App, given: TraceEntryRequest) -> TraceEntry:
    """Show one whole entry of a journal. Raises: NotFound."""
    wanted = TraceJournalRequest(id=given.id, after=given.seq - 1, limit=1)
    page = await app.database.read(_journal, app.actor, wanted)
    if not page.entries or page.entries[0].seq != given.seq:
        raise NotFound(
            f"The journal of `{given.id}` has no entry {given.seq}",
            hint=f"It has {page.total} entries.",
        )
    return page.entries[0]


@TRACES.read
async def moments(app: App, given: TraceMomentsRequest) -> TraceMoments:
    """Tell a run again: what the model read, said and called, what was asked of people.

    Raises: NotFound.
    """
    return await app.database.read(_moments, app.actor, given)


@TRACES.read
async def costs(app: App, given: CostsRequest) -> Costs:
    """Say what models cost, by day, model, door and purpose. Raises: BadInput."""
    wanted = last_days(app.now(), given.days, read_zone(given.zone))
    rows = await app.database.read(trace_queries.read_costs, app.actor, wanted)
    return Costs(tuple(day.name for day in wanted), tuple(map(with_door, rows)))


def read_zone(name: str) -> ZoneInfo:
    """A time zone by its name. Raises: BadInput."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(
            f"There is no time zone `{name}`", hint="Name one as `Europe/London` or `UTC`."
        ) from error


def last_days(now: datetime, count: int, zone: ZoneInfo) -> list[Day]:
    """The last days of a calendar, today the last one."""
    today = now.astimezone(zone).date()
    return [_day(today - timedelta(days=back), zone) for back in reversed(range(count))]


def with_door(row: CostRow) -> CostRow:
    """A row with a door: that of its session, or of what it was asked for."""
    if row.door:
        return row
    if row.purpose in _COACH:
        return replace(row, door="coach")
    known = (door for start, door in _DOORS.items() if row.purpose.startswith(start))
    return replace(row, door=next(known, OTHER))


def _day(day: date, zone: ZoneInfo) -> Day:
    # Each midnight by itself: a day on which clocks are changed is not 24 hours long.
    since, until = (
        datetime.combine(each, time(), tzinfo=zone) for each in (day, day + timedelta(days=1))
    )
    return Day(day.isoformat(), since, until)


def _looking(app: App) -> Viewer:
    return Viewer(app.actor, app.now())


def _runs(connection: Connection, looking: Viewer, given: RunSearch) -> TraceRuns:
    one_more = replace(given, limit=given.limit + 1)
    found = trace_queries.find_runs(connection, looking.actor, one_more)
    shown = _seen(connection, looking, found[: given.limit])
    following = shown[-1].id if len(found) > given.limit else None
    return TraceRuns(shown, following, tuple(trace_queries.run_doors(connection, looking.actor)))


def _seen(connection: Connection, looking: Viewer, items: list[RunItem]) -> tuple[TraceRun, ...]:
    """Runs as lists show them, and where they really stand."""
    unfinished = [item.run.id for item in items if item.run.state != "ended"]
    working = worked_on(connection, looking, unfinished)
    asking = trace_queries.asking_runs(connection, looking.actor, unfinished)
    return tuple(
        TraceRun(
            id=item.run.id,
            session=item.run.session_id,
            number=item.run.number,
            door=item.door,
            title=" ".join(item.run.prompt.split())[:MOST_TITLE] or (item.title or ""),
            agent=str(item.run.header["agent"]["name"]),
            purpose=str(item.run.header.get("purpose", "")),
            source=item.run.source,
            state=state_of(
                item.run.state, asks=item.run.id in asking, works=item.run.id in working
            ),
            status=item.run.status,
            reason=item.run.reason,
            turns=item.run.turns,
            cost_usd=item.run.cost_usd,
            created_at=item.run.created_at,
            updated_at=item.run.updated_at,
        )
        for item in items
    )


def _run(connection: Connection, looking: Viewer, run: str) -> tuple[TraceRun, Trace]:
    item = trace_queries.get_item(connection, looking.actor, run)
    spans = trace_queries.light_spans(connection, looking.actor, run)
    gates = queries.gates_of(connection, looking.actor, run)
    [seen] = _seen(connection, looking, [item])
    return seen, Trace(item.run, with_run(item.run, spans), tuple(gates))


def _columns(spans: tuple[SpanRow, ...]) -> TraceSpans:
    """Spans as columns: ten thousand of them are sent, and read, in one piece."""
    places = {span.step: place for place, span in enumerate(spans)}
    parents = parents_of(spans)
    attributes = [json.loads(span.attributes) for span in spans]
    begin = spans[0].started_us
    above = (parents[span.step] for span in spans)
    return TraceSpans(
        steps=[span.step for span in spans],
        parents=[-1 if step is None else places[step] for step in above],
        kinds=[span.kind for span in spans],
        names=[span.name for span in spans],
        failed=[span.failed for span in spans],
        starts=[span.started_us - begin for span in spans],
        lengths=[_length(span) for span in spans],
        tokens_in=[read_tokens(each) for each in attributes],
        tokens_out=[int(each.get("output_tokens", 0)) for each in attributes],
        costs=[each.get("cost_usd") for each in attributes],
        notes=[str(each.get("status") or each.get("outcome") or "") for each in attributes],
    )


def _span(connection: Connection, actor: Actor, given: TraceSpanRequest) -> SpanRow:
    row = queries.get_run(connection, actor, given.id)
    found = trace_queries.find_span(connection, actor, given.id, given.step)
    if found is not None:
        return found
    if not given.step:
        return with_run(row, [])[0]
    raise NotFound(
        f"The run `{given.id}` has no span `{given.step}`", hint="It may not have ended yet."
    )


def _journal(
    connection: Connection, actor: Actor, given: TraceJournalRequest, most: int | None = None
) -> TraceJournal:
    """Lines of a journal, whole or only so much of each."""
    queries.get_run(connection, actor, given.id)
    page = trace_queries.entries_page(
        connection, actor, given.id, after=given.after, limit=given.limit
    )
    total = trace_queries.count_entries(connection, actor, given.id)
    return TraceJournal(tuple(_entry(each, most) for each in page), total)


def _entry(line: Entry, most: int | None) -> TraceEntry:
    body = line.body[:most]
    return TraceEntry(line.seq, line.step, line.kind, body, len(line.body) - len(body))


def _moments(connection: Connection, actor: Actor, given: TraceMomentsRequest) -> TraceMoments:
    row = queries.get_run(connection, actor, given.id)
    gates = queries.gates_of(connection, actor, given.id)
    every = tell_again(queries.journal_entries(connection, actor, given.id), gates)
    spans = {span.step: span for span in trace_queries.light_spans(connection, actor, given.id)}
    tools = {step: span.name for step, span in spans.items() if span.kind == "tool"}
    beginning = _beginning(connection, actor, row)
    first = given.first if given.step is None else _place_of(every, given.step)
    shown = (
        _moment(number, tell(each, beginning, tools), spans.get(each.step), each.gate)
        for number, each in enumerate(every[first : first + given.limit], first)
    )
    return TraceMoments(tuple(shown), first, len(every))


def _moment(
    number: int, told: MomentDetail, span: SpanRow | None, gate: GateRow | None
) -> TraceMoment:
    began = None if span is None else _moment_of(span.started_us)
    return TraceMoment(
        **{each.name: getattr(told, each.name) for each in fields(told)},
        number=number,
        at=began if gate is None else gate.opened_at,
        length_us=None if span is None else _length(span),
        gate=None if gate is None else _gate(gate),
    )


def _place_of(moments: list[Moment], step: str) -> int:
    """The number of a step, or of the nearest one above it that is told. Raises: NotFound."""
    places = {moment.step: number for number, moment in reversed(list(enumerate(moments)))}
    above = step
    while above and above not in places:
        above = above.rpartition("/")[0]
    if above not in places:
        raise NotFound(f"Nothing is told of the step `{step}`", hint="The journal has everything.")
    return places[above]


def _beginning(connection: Connection, actor: Actor, run: RunRow) -> Beginning:
    files: Mapping[str, str] = run.header.get("files", {})
    system = queries.find_blob(connection, actor, files.get("system", "")) or ""
    earlier = messages_of(connection, actor, run.header.get("history", []))
    return Beginning(run.prompt, system, len(earlier))


def _length(span: SpanRow) -> int:
    return max(0, span.ended_us - span.started_us)


def _moment_of(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


def _gate(row: GateRow) -> TraceGate:
    """A question, flat: every part of it with what was answered."""
    asked, reply = row.interaction, row.reply
    labels = {each["id"]: each["label"] for each in asked.get("options", ())}
    answers = _questions(asked) if reply is None else _answers(asked, reply, labels)
    return TraceGate(
        step=row.gate,
        title=str(asked.get("title", "")),
        text=str(asked.get("text", "")),
        options=tuple(labels.values()),
        answers=tuple(answers),
        auto=bool(reply and reply.get("auto")),
        opened_at=row.opened_at,
        answered_at=row.answered_at,
    )


def _questions(asked: Mapping[str, Any]) -> list[TraceAnswer]:
    """The parts of a question that nobody has answered."""
    parts: Sequence[str] = asked.get("questions") or [
        each["title"] for each in asked.get("sections", ())
    ]
    return [TraceAnswer(str(each), "") for each in parts]


def _answers(
    asked: Mapping[str, Any], reply: Mapping[str, Any], labels: Mapping[str, str]
) -> list[TraceAnswer]:
    titles = {str(each["id"]): str(each["title"]) for each in asked.get("sections", ())}
    picked = [
        TraceAnswer(
            titles.get(key, ""),
            ": ".join(
                filter(None, (labels.get(each["option"], each["option"]), each.get("text", "")))
            ),
        )
        for key, each in (reply.get("picked") or {}).items()
    ]
    questions = [str(each) for each in asked.get("questions", ())]
    written = [
        TraceAnswer(questions[at] if at < len(questions) else "", str(text))
        for at, text in enumerate(reply.get("texts") or ())
    ]
    return [*picked, *written]
