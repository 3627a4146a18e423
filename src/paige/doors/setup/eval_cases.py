"""One case of an evaluation as a real run, and what it came to.

Its questions are answered by nobody in particular, or by a teacher with a wish. A run that fails
is a finding, not the end of an evaluation: its row says what happened.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from anyio import to_thread
from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.interactions import Interaction, PickedOption, Reply, Sections, automatic_reply
from paige.agent.runs import RunState, continue_run, create_run, reply_to
from paige.agent.segment import Runtime
from paige.agent.tables import RunRow
from paige.agent.trace.traces import Trace, read_traces
from paige.app.application import App
from paige.app.lazy_memory import note_outcome, run_jobs
from paige.app.plugin_runs import RunOptions, prepare_start
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.files import write_export
from paige.base.paths import shipped
from paige.doors.setup.eval_homes import Home, SlowClock
from paige.memory.documents.queries import events_of
from paige.memory.documents.records import EventRow
from paige.models.errors import ApiKeyInvalid
from paige.models.local import LOCAL
from paige.plan.classes import ClassProfile
from paige.plan.curriculum.library import load_all
from paige.plan.curriculum.values import Library
from paige.plan.evals.behaviour import Setup, judge_behaviour, read_behaviour
from paige.plan.evals.cases import Case, Config, Evals, Series, Wish
from paige.plan.evals.criteria import Grounds, judge
from paige.plan.evals.reports import Row
from paige.plan.evidence import check
from paige.plan.judgements import REVISE
from paige.plan.workspace import find_class
from paige.store.documents import DirectoryDocuments

Teacher = Callable[[Interaction], Reply]


def agreeable(asked: Interaction) -> Reply:
    """Takes the first option of everything, marked as such."""
    return automatic_reply(asked)


@dataclass(slots=True)
class SectionWish:
    """Wants one section different, says so until it is, and keeps what is proposed to be kept."""

    wish: Wish
    said: set[str] = field(default_factory=set)

    def __call__(self, asked: Interaction) -> Reply:
        """Answer one question."""
        first = automatic_reply(asked)
        reply = Reply(picked=first.picked, texts=first.texts)
        if not isinstance(asked, Sections):
            return reply
        options = {option.id for option in asked.options}
        for section in asked.sections:
            if self._wants(section.id, section.title) and REVISE in options:
                self.said.add(section.id)
                picked = {**reply.picked, section.id: PickedOption(REVISE, self.wish.says)}
                return Reply(picked=picked, texts=reply.texts)
        return reply

    def _wants(self, section: str, title: str) -> bool:
        """Whether a section is not as wished, and this was not said yet in this lesson."""
        unmet = section == self.wish.section and not title.startswith(self.wish.met)
        return unmet and section not in self.said


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
class LessonResult:
    """A row, the lesson behind it, and what a judge may know about the class."""

    row: Row
    markdown: str = ""
    about: str = ""


@dataclass(frozen=True, slots=True)
class _RunRecord:
    """Everything that is read back of a run."""

    run: RunRow
    trace: Trace
    events: tuple[EventRow, ...]
    system: str


def shipped_yardstick() -> Yardstick:
    """What lessons are measured by."""
    documents = DirectoryDocuments(shipped("workspace"))
    return Yardstick(documents=documents, library=load_all(documents))


async def run_case(bench: Bench, case: Case, teacher: Teacher) -> LessonResult:
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
        return LessonResult(replace(row, problem=error.message))
    return await to_thread.run_sync(_judged, bench, case, row, told)


async def run_series(bench: Bench, series: Series) -> list[LessonResult]:
    """Run the lessons of a series, a week apart, with the same teacher."""
    made: list[LessonResult] = []
    for number, case in enumerate(series.lessons, 1):
        one = await run_case(bench, case, SectionWish(series.wish))
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


def _read(connection: Connection, actor: Actor, run: str) -> _RunRecord:
    (trace,) = read_traces(connection, actor, run)
    digest = trace.run.header["files"].get("system", "")
    system = queries.find_blob(connection, actor, digest) or ""
    return _RunRecord(trace.run, trace, tuple(events_of(connection, actor, trace=run)), system)


def _judged(bench: Bench, case: Case, row: Row, told: _RunRecord) -> LessonResult:
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
        return LessonResult(row)
    profile = bench.yardstick.profile(case.class_id)
    remembered = bench.evals.remembered(case.class_id) if bench.seeded else ()
    expected = Setup(
        local=run.source == LOCAL,
        skills=config.skills,
        class_id=case.class_id,
        memory=bool(remembered),
    )
    markdown = run.output or ""
    given = Grounds(
        profile=profile,
        library=bench.yardstick.library,
        memory=remembered,
        minutes=case.minutes,
    )
    report = check(markdown, bench.yardstick.library)
    cited = tuple(dict.fromkeys(each.code for each in report.pointers if each.valid))
    row = replace(
        row,
        structural=judge(markdown, given),
        behavioural=judge_behaviour(behaviour, expected),
        cited=cited,
        accurate=bool(set(cited) & set(case.codes)) if case.codes else None,
        lesson=_kept(bench, case, markdown),
    )
    return LessonResult(row, markdown, _about(profile))


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
