"""One case of an evaluation as a real run, and what it came to.

A run that fails is a finding, not the end of an evaluation: its row says what happened.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from anyio import to_thread
from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.records import RunRow
from paige.agent.runs import RunState, continue_run, create_run, reply_to
from paige.agent.runtime import Runtime
from paige.agent.traces import Trace, read_traces
from paige.app.application import App
from paige.app.eval_homes import Home, SlowClock
from paige.app.eval_teachers import Teacher, Wishing
from paige.app.remembering import note_outcome, run_jobs
from paige.app.running import RunOptions, prepare_start
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.files import write_export
from paige.base.paths import shipped
from paige.memory.documents.queries import events_of
from paige.memory.documents.records import EventRow
from paige.models.errors import ApiKeyInvalid
from paige.models.local import LOCAL
from paige.plan.classes import ClassProfile
from paige.plan.criteria import Given, judge
from paige.plan.curriculum.loading import load_all
from paige.plan.curriculum.values import Library
from paige.plan.evals.behaviour import Expected, judge_behaviour, read_behaviour
from paige.plan.evals.cases import Case, Config, Evals, Series
from paige.plan.evals.scoring import Row
from paige.plan.evidence import check
from paige.plan.workspace import find_class
from paige.store.documents import DirectoryDocuments

MOST_ROUNDS = 60
WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """The sample workspace as it is shipped, whatever a configuration has of it."""

    documents: DirectoryDocuments
    library: Library

    def profile(self, class_id: str | None) -> ClassProfile | None:
        """The profile of a class."""
        return find_class(self.documents, class_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One configuration at work."""

    app: App
    runtime: Runtime
    home: Home
    config: Config
    evals: Evals
    clock: SlowClock
    yardstick: Yardstick
    keep: Path | None = None
    seeded: bool = True  # whether something was remembered at the start


@dataclass(frozen=True, slots=True)
class Made:
    """A row, the lesson behind it, and what a judge may know about the class."""

    row: Row
    markdown: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class _Told:
    """Everything that is read back of a run."""

    run: RunRow
    trace: Trace
    events: tuple[EventRow, ...]
    system: str


def shipped_yardstick() -> Yardstick:
    """What lessons are measured by."""
    documents = DirectoryDocuments(shipped("workspace"))
    return Yardstick(documents=documents, library=load_all(documents))


async def run_case(bench: Bench, case: Case, teacher: Teacher) -> Made:
    """Run one case to its end and judge it by its criteria."""
    row = Row(
        config=bench.config.name,
        case=case.id,
        class_id=case.class_id,
        subject=case.subject,
        status="error",
        source="",
        refuse=case.refuse,
    )
    try:
        state = await _run(bench, case, teacher)
        told = await bench.app.database.read(_read, bench.app.actor, state.run.id)
    except ApiKeyInvalid:  # then every case would fail like this
        raise
    except PaigeError as error:
        return Made(replace(row, problem=error.message))
    return await to_thread.run_sync(_judged, bench, case, row, told)


async def run_series(bench: Bench, series: Series) -> list[Made]:
    """Run the lessons of a series, a week apart, with the same teacher."""
    made: list[Made] = []
    for number, case in enumerate(series.lessons, 1):
        one = await run_case(bench, case, Wishing(series.wish))
        made.append(replace(one, row=replace(one.row, series=series.id, number=number)))
        bench.clock.advance(WEEK)
    return made


async def _run(bench: Bench, case: Case, teacher: Teacher) -> RunState:
    app, found = bench.app, bench.home.found
    options = RunOptions(model=bench.config.model, memory=bench.config.memory)
    start = await prepare_start(app, bench.runtime, found, case.request, options)
    run = await create_run(start.runtime, app.actor, start.new)
    state = await continue_run(start.runtime, app.actor, run.id)
    for _ in range(MOST_ROUNDS):
        if not state.waiting:
            break
        for gate in state.gates:
            await reply_to(start.runtime, app.actor, gate, teacher(gate.interaction))
        state = await continue_run(start.runtime, app.actor, run.id)
    if bench.config.memory:
        await to_thread.run_sync(_remember, app, state.run)
    return state


def _remember(app: App, run: RunRow) -> None:
    with app.database.of(app.actor).transaction(write=False) as connection:
        spans = queries.spans_of(connection, app.actor, run.id)
    note_outcome(app.memory, app.actor, run, spans)
    run_jobs(app.memory, "session_end", run.session_id)


def _read(connection: Connection, actor: Actor, run: str) -> _Told:
    (trace,) = read_traces(connection, actor, run)
    digest = trace.run.header["files"].get("system", "")
    system = queries.find_blob(connection, actor, digest) or ""
    return _Told(trace.run, trace, tuple(events_of(connection, actor, trace=run)), system)


def _judged(bench: Bench, case: Case, row: Row, told: _Told) -> Made:
    """A row with every criterion; a request that was turned away has none to meet."""
    run, config = told.run, bench.config
    behaviour = read_behaviour(told.trace, told.events, told.system)
    row = replace(
        row,
        status=run.status or run.state,
        source=run.source,
        behaviour=behaviour,
        problem="" if run.status == "success" or case.refuse else run.reason or run.state,
    )
    if case.refuse:
        return Made(row)
    profile = bench.yardstick.profile(case.class_id)
    remembered = bench.evals.remembered(case.class_id) if bench.seeded else ()
    expected = Expected(
        local=run.source == LOCAL,
        skills=config.skills,
        class_id=case.class_id,
        memory=bool(remembered),
    )
    markdown = run.output or ""
    given = Given(
        profile=profile,
        library=bench.yardstick.library,
        memory=remembered,
        minutes=case.minutes,
    )
    report = check(markdown, bench.yardstick.library)
    cited = tuple(dict.fromkeys(each.pointer.code for each in report.pointers if each.valid))
    row = replace(
        row,
        structural=judge(markdown, given),
        behavioural=judge_behaviour(behaviour, expected),
        cited=cited,
        accurate=bool(set(cited) & set(case.codes)) if case.codes else None,
        lesson=_kept(bench, case, markdown),
    )
    return Made(row, markdown, _about(profile))


def _kept(bench: Bench, case: Case, markdown: str) -> str:
    if bench.keep is None or not markdown:
        return ""
    name = f"lessons/{bench.config.name}/{case.id}.md"
    place = bench.keep / name
    write_export(place, markdown)
    return name


def _about(profile: ClassProfile | None) -> str:
    """What a judge is told about a class."""
    if profile is None:
        return "No class was named."
    needs = "; ".join(f"{need.kind}: {need.what}" for need in profile.needs) or "none listed"
    return (
        f"{profile.year}, {profile.subject}, {profile.level} level, {profile.minutes} minutes, "
        f"reading age {profile.reading_age}. Needs: {needs}."
    )
