"""SQL of the trace viewer: runs as a list, light spans, pages of a journal, what calls cost."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Text,
    and_,
    case,
    column,
    func,
    literal,
    or_,
    select,
    values,
)

from paige.agent.journal import Entry
from paige.agent.tables import GATES, JOURNAL, RUNS, SESSIONS, SPANS, RunRow, SpanRow
from paige.base.actor import Actor
from paige.base.errors import NotFound
from paige.base.wire import wire
from paige.models.tables import API_CALL_LOG
from paige.store.types import UtcTime

RunStatus = Literal["running", "waiting", "success", "failed"]
_RUN = tuple(RUNS.c[name] for name in RunRow.__dataclass_fields__)
_SPAN = tuple(SPANS.c[name] for name in SpanRow.__dataclass_fields__)
_WORDY = ("tool", "subagent")
"""Kinds of spans whose attributes hold whole texts, and nothing that a drawing needs."""
_MOST_WORDS = 20


@wire(kw_only=True)
class RunSearch:
    """Which runs: those of a door, in a state, that hold all words, before the run `before`."""

    query: Annotated[str, Field(max_length=500)] = ""
    door: Annotated[str | None, Field(max_length=100)] = None
    status: RunStatus | None = None
    before: Annotated[str | None, Field(max_length=100)] = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class RunItem(NamedTuple):
    """A run with what its session says about it."""

    run: RunRow
    door: str
    title: str | None


class Day(NamedTuple):
    """A day of a calendar, and the moments it begins and ends at."""

    name: str
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class CostRow:
    """What one model was asked for on one day; `unpriced` calls have no known price."""

    day: str
    provider: str
    model: str
    door: str
    purpose: str
    calls: int
    failed: int
    unpriced: int
    cost_usd: float
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int


def find_runs(connection: Connection, actor: Actor, wanted: RunSearch) -> list[RunItem]:
    """Runs of a person, newest first: ids sort by the time they were made."""
    query = (
        _items()
        .where(RUNS.c.tenant == actor.tenant, RUNS.c.person == actor.person, *_conditions(wanted))
        .order_by(RUNS.c.id.desc())
        .limit(wanted.limit)
    )
    return [_item(row) for row in connection.execute(query)]


def get_item(connection: Connection, actor: Actor, run: str) -> RunItem:
    """One run of a person, with its session. Raises: NotFound."""
    query = _items().where(
        RUNS.c.tenant == actor.tenant, RUNS.c.person == actor.person, RUNS.c.id == run
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound(
            f"There is no run `{run}`", hint="The list of traces shows those that there are."
        )
    return _item(row)


def run_doors(connection: Connection, actor: Actor) -> list[str]:
    """The doors that a person's runs came through, by name."""
    query = (
        select(SESSIONS.c.door)
        .distinct()
        .join(RUNS, _same_session())
        .where(RUNS.c.tenant == actor.tenant, RUNS.c.person == actor.person)
        .order_by(SESSIONS.c.door)
    )
    return list(connection.scalars(query))


def asking_runs(connection: Connection, actor: Actor, runs: Collection[str]) -> set[str]:
    """Those of some runs that have a question nobody answered."""
    query = (
        select(GATES.c.run_id)
        .distinct()
        .where(
            GATES.c.tenant == actor.tenant,
            GATES.c.run_id.in_(runs),
            GATES.c.answered_at.is_(None),
        )
        .order_by(GATES.c.run_id)
    )
    return set(connection.scalars(query))


def light_spans(connection: Connection, actor: Actor, run: str) -> list[SpanRow]:
    """The spans of a run as they began, without the texts that tools were given and said."""
    light = case((SPANS.c.kind.in_(_WORDY), literal("{}")), else_=SPANS.c.attributes)
    query = (
        select(*_SPAN[:-1], light)
        .where(SPANS.c.tenant == actor.tenant, SPANS.c.trace == run)
        .order_by(SPANS.c.started_us, SPANS.c.step)
    )
    return [SpanRow(*row) for row in connection.execute(query)]


def find_span(connection: Connection, actor: Actor, run: str, step: str) -> SpanRow | None:
    """One span with everything that is known of it."""
    query = select(*_SPAN).where(
        SPANS.c.tenant == actor.tenant, SPANS.c.trace == run, SPANS.c.step == step
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else SpanRow(*row)


def count_entries(connection: Connection, actor: Actor, run: str) -> int:
    """How many entries the journal of a run has."""
    query = select(func.count()).where(JOURNAL.c.tenant == actor.tenant, JOURNAL.c.run_id == run)
    return connection.scalar(query) or 0


def entries_page(
    connection: Connection, actor: Actor, run: str, *, after: int, limit: int
) -> list[Entry]:
    """Some entries of a journal, from behind the one with the number `after`."""
    query = (
        select(JOURNAL.c.seq, JOURNAL.c.step, JOURNAL.c.kind, JOURNAL.c.body)
        .where(JOURNAL.c.tenant == actor.tenant, JOURNAL.c.run_id == run, JOURNAL.c.seq > after)
        .order_by(JOURNAL.c.seq)
        .limit(limit)
    )
    return [Entry(*row) for row in connection.execute(query)]


def read_costs(connection: Connection, actor: Actor, days: Sequence[Day]) -> list[CostRow]:
    """What a person's calls of models cost on some days, by model, door and purpose.

    The log has every call, those of runs too, so nothing is counted twice. What a provider bills
    counts before what was reckoned: an answer that nobody could use is paid for as well.
    """
    if not days:
        return []
    log = API_CALL_LOG.c
    bounds = (
        values(column("day", Text), column("since", UtcTime()), column("until", UtcTime()))
        .data([tuple(day) for day in days])
        .cte("bounds")
    )
    cost = func.coalesce(log.billed_usd, log.cost_estimate)
    groups = (bounds.c.day, log.provider, log.model, SESSIONS.c.door, log.call_type)
    query = (
        select(
            *groups,
            func.count(),
            func.sum(case((log.latency_ms < 0, 1), else_=0)),
            func.sum(case((cost.is_(None), 1), else_=0)),
            func.coalesce(func.sum(cost), 0.0),
            func.sum(log.input_tokens),
            func.sum(log.output_tokens),
            func.sum(log.cache_read_tokens),
            func.sum(log.cache_write_tokens),
        )
        .select_from(bounds)
        .join(
            API_CALL_LOG,
            and_(
                log.tenant == actor.tenant,
                log.person == actor.person,
                log.created_at >= bounds.c.since,
                log.created_at < bounds.c.until,
            ),
        )
        .outerjoin(SESSIONS, and_(SESSIONS.c.tenant == log.tenant, SESSIONS.c.id == log.session_id))
        .group_by(*groups)
        .order_by(*groups)
    )
    found = connection.execute(query)
    return [CostRow(*row[:3], row[3] or "", *row[4:]) for row in found]


def _items() -> Select[Any]:
    return (
        select(*_RUN, SESSIONS.c.door, SESSIONS.c.title)
        .select_from(RUNS)
        .outerjoin(SESSIONS, _same_session())
    )


def _item(row: Sequence[object]) -> RunItem:
    *run, door, title = row
    return RunItem(RunRow(*run), door or "", title)  # type: ignore[arg-type]  # columns in order


def _same_session() -> ColumnElement[bool]:
    return and_(SESSIONS.c.tenant == RUNS.c.tenant, SESSIONS.c.id == RUNS.c.session_id)


def _conditions(wanted: RunSearch) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if wanted.before is not None:
        found.append(RUNS.c.id < wanted.before)
    if wanted.door is not None:
        found.append(SESSIONS.c.door == wanted.door)
    match wanted.status:
        case "running" | "waiting":
            found.append(RUNS.c.state == wanted.status)
        case "success":
            found.append(RUNS.c.status == "success")
        case "failed":
            found += [RUNS.c.state == "ended", RUNS.c.status != "success"]
        case None:
            pass
    texts = (RUNS.c.prompt, RUNS.c.output, SESSIONS.c.title, RUNS.c.id, RUNS.c.session_id)
    for word in wanted.query.split()[:_MOST_WORDS]:
        found.append(or_(*(text.icontains(word, autoescape=True) for text in texts)))
    return found
