"""What runs did and what models cost, as doors show it: lists, one run, its journal, told again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sqlalchemy import Connection

from paige.agent import queries, trace_queries
from paige.agent.journal import Entry
from paige.agent.moments import Beginning, Told, tell
from paige.agent.records import GateRow, RunRow, SpanRow
from paige.agent.replay import Moment, tell_again
from paige.agent.sessions import messages_of
from paige.agent.trace_queries import CostRow, Day, RunItem, RunSearch
from paige.agent.traces import Trace, with_run
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound
from paige.coach.prompting import QUESTIONS
from paige.plan.sessions import Looking, State, state_of, worked_on

MOST_DAYS = 400
OTHER = "other"
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


class SeenRun(NamedTuple):
    """A run as lists show it, and where it really stands."""

    item: RunItem
    state: State


class RunsPage(NamedTuple):
    """Some runs, newest first; `next` is where the next page begins, if there is one."""

    runs: tuple[SeenRun, ...]
    next: str | None
    doors: tuple[str, ...]


class SeenTrace(NamedTuple):
    """One run with everything that took time in it."""

    seen: SeenRun
    trace: Trace


class JournalPage(NamedTuple):
    """Some entries of a journal, and how many it has."""

    entries: tuple[Entry, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ToldMoment:
    """A moment with its number, the span it took and the question it is about."""

    number: int
    told: Told
    span: SpanRow | None
    gate: GateRow | None


class MomentsPage(NamedTuple):
    """Some moments of a run, the number of the first one, and how many it has."""

    moments: tuple[ToldMoment, ...]
    first: int
    total: int


class Costs(NamedTuple):
    """What models cost on some days; every day is named, also those without any call."""

    days: tuple[str, ...]
    rows: tuple[CostRow, ...]


class Traces:
    """The runs of the person an application acts for."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def list(self, wanted: RunSearch) -> RunsPage:
        """Runs that fit, newest first."""
        return await self._app.database.read(_list, self._looking(), wanted)

    async def one(self, run: str) -> SeenTrace:
        """One run with its spans and gates. Raises: NotFound."""
        return await self._app.database.read(_one, self._looking(), run)

    async def span(self, run: str, step: str) -> SpanRow:
        """One span with everything known of it. Raises: NotFound."""
        return await self._app.database.read(_span, self._app.actor, run, step)

    async def journal(self, run: str, *, after: int, limit: int) -> JournalPage:
        """Some entries of a run's journal. Raises: NotFound."""
        return await self._app.database.read(
            _journal, self._app.actor, run, after=after, limit=limit
        )

    async def entry(self, run: str, seq: int) -> Entry:
        """One entry of a run's journal. Raises: NotFound."""
        page = await self.journal(run, after=seq - 1, limit=1)
        if not page.entries or page.entries[0].seq != seq:
            raise NotFound(
                f"The journal of `{run}` has no entry {seq}", hint=f"It has {page.total} entries."
            )
        return page.entries[0]

    async def moments(self, run: str, *, at: int | str, limit: int) -> MomentsPage:
        """Some moments of a run, from a number or a step on. Raises: NotFound."""
        return await self._app.database.read(_moments, self._app.actor, run, at=at, limit=limit)

    async def costs(self, days: int, zone: str) -> Costs:
        """What models cost up to today, by the days of a time zone. Raises: BadInput."""
        wanted = last_days(self._app.now(), days, read_zone(zone))
        rows = await self._app.database.read(trace_queries.read_costs, self._app.actor, wanted)
        return Costs(tuple(day.name for day in wanted), tuple(map(with_door, rows)))

    def _looking(self) -> Looking:
        return Looking(self._app.actor, self._app.now())


def read_zone(name: str) -> ZoneInfo:
    """A time zone by its name. Raises: BadInput."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(
            f"There is no time zone `{name}`", hint="Name one as `Europe/London` or `UTC`."
        ) from error


def last_days(now: datetime, count: int, zone: ZoneInfo) -> list[Day]:
    """The last days of a calendar, today the last one. Raises: BadInput."""
    if not 1 <= count <= MOST_DAYS:
        raise BadInput(f"`{count}` days cannot be shown", hint=f"Ask for 1 to {MOST_DAYS} days.")
    today = now.astimezone(zone).date()
    return [_day(today - timedelta(days=back), zone) for back in reversed(range(count))]


def with_door(row: CostRow) -> CostRow:
    """A row with a door: that of its session, or of what it was asked for."""
    if row.door:
        return row
    if row.purpose in _COACH:
        return row._replace(door="coach")
    known = (door for start, door in _DOORS.items() if row.purpose.startswith(start))
    return row._replace(door=next(known, OTHER))


def _day(day: date, zone: ZoneInfo) -> Day:
    # Each midnight by itself: a day on which clocks are changed is not 24 hours long.
    since, until = (
        datetime.combine(each, time(), tzinfo=zone) for each in (day, day + timedelta(days=1))
    )
    return Day(day.isoformat(), since, until)


def _list(connection: Connection, looking: Looking, wanted: RunSearch) -> RunsPage:
    one_more = RunSearch(
        words=wanted.words,
        door=wanted.door,
        status=wanted.status,
        before=wanted.before,
        limit=wanted.limit + 1,
    )
    found = trace_queries.find_runs(connection, looking.actor, one_more)
    shown = found[: wanted.limit]
    following = shown[-1].run.id if len(found) > wanted.limit else None
    doors = trace_queries.run_doors(connection, looking.actor)
    return RunsPage(_seen(connection, looking, shown), following, tuple(doors))


def _seen(connection: Connection, looking: Looking, items: list[RunItem]) -> tuple[SeenRun, ...]:
    unfinished = [item.run.id for item in items if item.run.state != "ended"]
    working = worked_on(connection, looking, unfinished)
    asking = trace_queries.asking_runs(connection, looking.actor, unfinished)
    return tuple(
        SeenRun(
            item,
            state_of(item.run.state, asks=item.run.id in asking, works=item.run.id in working),
        )
        for item in items
    )


def _one(connection: Connection, looking: Looking, run: str) -> SeenTrace:
    item = trace_queries.get_item(connection, looking.actor, run)
    spans = trace_queries.light_spans(connection, looking.actor, run)
    gates = queries.gates_of(connection, looking.actor, run)
    trace = Trace(item.run, with_run(item.run, spans), tuple(gates))
    return SeenTrace(_seen(connection, looking, [item])[0], trace)


def _span(connection: Connection, actor: Actor, run: str, step: str) -> SpanRow:
    row = queries.get_run(connection, actor, run)
    found = trace_queries.find_span(connection, actor, run, step)
    if found is not None:
        return found
    if not step:
        return with_run(row, [])[0]
    raise NotFound(f"The run `{run}` has no span `{step}`", hint="It may not have ended yet.")


def _journal(
    connection: Connection, actor: Actor, run: str, *, after: int, limit: int
) -> JournalPage:
    queries.get_run(connection, actor, run)
    page = trace_queries.entries_page(connection, actor, run, after=after, limit=limit)
    return JournalPage(tuple(page), trace_queries.count_entries(connection, actor, run))


def _moments(
    connection: Connection, actor: Actor, run: str, *, at: int | str, limit: int
) -> MomentsPage:
    row = queries.get_run(connection, actor, run)
    gates = queries.gates_of(connection, actor, run)
    moments = tell_again(queries.journal_entries(connection, actor, run), gates)
    spans = {span.step: span for span in trace_queries.light_spans(connection, actor, run)}
    tools = {step: span.name for step, span in spans.items() if span.kind == "tool"}
    beginning = _beginning(connection, actor, row)
    first = at if isinstance(at, int) else _place_of(moments, at)
    shown = tuple(
        ToldMoment(number, tell(each, beginning, tools), spans.get(each.step), each.gate)
        for number, each in enumerate(moments[first : first + limit], first)
    )
    return MomentsPage(shown, first, len(moments))


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
