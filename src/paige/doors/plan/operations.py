"""What a person can do in Plan, whichever door they come through.

Whatever takes time goes on in the server; windows hear of it over the WebSocket and read the
session again. Runs, files and proposals tell windows themselves, in the transaction that changes
them.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import PurePath, PurePosixPath

from anyio.to_thread import run_sync

from paige.agent import queries
from paige.agent.interactions import load_reply
from paige.agent.library.plugins import FoundCommand
from paige.agent.tables import RunRow
from paige.app import class_answers
from paige.app.application import App
from paige.app.class_answers import AnswerOpen, AnswerSave
from paige.app.class_errors import ClassMisconceptions, class_errors
from paige.app.places import workspace_documents
from paige.app.plan_changes import Answer
from paige.app.plan_files import PlanFiles
from paige.app.plan_proposals import PlanProposal, Proposals
from paige.app.plan_runs import PlanRuns
from paige.app.plugin_runs import RunOptions, find_plugins, purpose_of
from paige.app.registries import local_engines
from paige.doors.frame.operations import Subject, told_within
from paige.doors.frame.values import Download
from paige.doors.plan.pace import Pace
from paige.doors.plan.values import (
    ClassRequest,
    HandoutItem,
    HandoutKept,
    HandoutMake,
    HandoutRequest,
    HandoutSeen,
    HandoutsRequest,
    PlanAnswer,
    PlanAsk,
    PlanBranch,
    PlanClass,
    PlanCommand,
    PlanDecide,
    PlanDelete,
    PlanExport,
    PlanLinesRequest,
    PlanOverview,
    PlanPath,
    PlanRunRequest,
    PlanSessionRequest,
    PlanSessions,
    PlanStarted,
    PlanWrite,
    item_of,
    seen_of,
)
from paige.models.local import LOCAL, Registry
from paige.plan import files as room
from paige.plan.files import PlanFile, PlanLesson, PlanLessonItem, PlanLines, PlanProblem, PlanText
from paige.plan.handout.issue import AnswerSheet, NewHandout
from paige.plan.outputs.exports import export_lesson
from paige.plan.services import PlanServices
from paige.plan.session_queries import PlanSearch
from paige.plan.sessions import (
    PlanGate,
    PlanTranscript,
    RunsWanted,
    gate_of,
    list_sessions,
    read_transcript,
)
from paige.plan.workspace import read_classes
from paige.store.documents import Documents

MOST_AGAIN = 3
A_MINUTE = 60.0
MOST_FOR_TOKEN = 60
MOST_FOR_ADDRESS = 2000
"""Requests a minute. A whole school may share an address."""
LONGEST_TOKEN = 40


class Plan:
    """What a person plans with: their runs, their workspace, and what waits for them."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.runs = PlanRuns(app)
        self.files = PlanFiles(app)
        self.proposals = Proposals(app)
        self._engines: Registry | None = None

    @property
    def busy(self) -> bool:
        """Whether it must stay open: a run goes on, or nobody but its owner is here."""
        return self.runs.works > 0 or not self.app.settings.many

    def offered(self, found: FoundCommand, documents: Documents) -> PlanCommand:
        """A command; what local rules answer is found out once."""
        app = self.app
        if self._engines is None:
            services = PlanServices(
                documents=documents, actor=app.actor, now=app.now, db=app.database
            )
            self._engines = local_engines(services)
        plugin, command = found
        local = self._engines.answers(purpose_of(found))
        return PlanCommand(command.name, plugin.name, found.full_name, command.description, local)


@asynccontextmanager
async def open_plan(app: App) -> AsyncIterator[Plan]:
    """Planning for a person: runs go on and files are watched until it is closed."""
    plan = Plan(app)
    async with plan.files.running(), plan.runs.running():
        yield plan


class Tokens:
    """How often whoever holds a token may ask."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._of_token = Pace(MOST_FOR_TOKEN, A_MINUTE)
        self._of_address = Pace(MOST_FOR_ADDRESS, A_MINUTE)

    def count(self, given: AnswerOpen) -> None:
        """Count one request. Raises: TooOften."""
        self._of_address.count(given.address)
        self._of_token.count(given.token[:LONGEST_TOKEN].lower())


@asynccontextmanager
async def open_tokens(app: App) -> AsyncIterator[Tokens]:
    """What pupils come to."""
    yield Tokens(app)


PLAN = Subject("plan", needs="plan", opens=open_plan)
DESK = Subject("plan", needs="plan")
CLASSES = Subject("plan", needs="classes")
HERE = Subject("plan")
"""For whoever sits at this machine: it is theirs."""
ANSWER = Subject("answer", opens=open_tokens, anyone=True)
"""For whoever holds a token of a worksheet, and nothing else."""


# --- files of the workspace ----------------------------------------------------------------------


@PLAN.read
async def overview(plan: Plan) -> PlanOverview:
    """Say which commands and classes there are, what is wrong, and how much waits."""
    app = plan.app
    gates = await app.database.read(queries.waiting_gates, app.actor)
    return await run_sync(_overview, plan, len(gates))


@PLAN.read
async def files(plan: Plan) -> tuple[PlanFile, ...]:
    """List the files of the workspace; memory documents are apart."""
    return tuple(await plan.files.use(room.list_files))


@PLAN.read
async def read_file(plan: Plan, given: PlanPath) -> PlanText:
    """Read a file, with what is wrong in it."""
    return await plan.files.use(partial(room.open_file, path=given.path))


@PLAN.change(announces=told_within)
async def write_file(plan: Plan, given: PlanWrite) -> PlanText:
    """Write a file that nobody has changed since `version`; without one it must be new."""
    return await plan.files.write(given.path, given.text, given.version)


@PLAN.change(announces=told_within)
async def delete_file(plan: Plan, given: PlanDelete) -> PlanFile:
    """Remove a file, of that version if one is given."""
    return await plan.files.delete(given.path, given.version)


@PLAN.read
async def read_lines(plan: Plan, given: PlanLinesRequest) -> PlanLines:
    """Read some lines of a file, with four around them."""
    lines = partial(room.read_lines, path=given.path, start=given.start, end=given.end)
    return await plan.files.use(lines)


@PLAN.read
async def lessons(plan: Plan) -> tuple[PlanLessonItem, ...]:
    """List what was saved: lessons, units and worksheets, the latest day first."""
    return tuple(await plan.files.use(room.list_lessons))


@PLAN.read
async def lesson(plan: Plan, given: PlanPath) -> PlanLesson:
    """Read a lesson: its sections, and whether its curriculum claims hold."""
    return await plan.files.use(partial(room.open_lesson, path=given.path))


@PLAN.read
async def export(plan: Plan, given: PlanExport) -> Download:
    """Download a lesson in another form."""
    now = plan.app.now()

    def make(documents: Documents) -> Download:
        document = documents.read(room.workspace_path(documents, given.path))
        stem = PurePosixPath(document.path).stem
        made = export_lesson(document.text, given.to, stem=stem, now=now)
        return Download(made.content, made.media_type, made.name)

    return await plan.files.use(make)


def _overview(plan: Plan, waiting: int) -> PlanOverview:
    app = plan.app
    documents = workspace_documents(app)
    loaded, classes = find_plugins(app.settings), read_classes(documents)
    broken = [
        PlanProblem(PurePath(each.folder).name, None, f"{each.message}. {each.hint or ''}".rstrip())
        for each in loaded.problems
    ]
    return PlanOverview(
        commands=tuple(
            plan.offered(FoundCommand(plugin, command), documents)
            for plugin in loaded.plugins.values()
            for command in plugin.commands.values()
        ),
        classes=tuple(
            PlanClass(
                each.id, each.year or None, each.subject or None, each.level or None, each.minutes
            )
            for each in classes.profiles
        ),
        problems=(*broken, *room.all_troubles(documents, classes)),
        provider=app.provider,
        local=app.provider == LOCAL,
        waiting=waiting,
    )


# --- sessions and runs ---------------------------------------------------------------------------


@PLAN.read
async def sessions(plan: Plan, given: PlanSearch) -> PlanSessions:
    """Find sessions by what was said in them; without words, the newest first."""
    found = await plan.app.database.read(list_sessions, plan.runs.looking, given)
    return PlanSessions(tuple(found))


@PLAN.read
async def session(plan: Plan, given: PlanSessionRequest) -> PlanTranscript:
    """Read what happened in a session: the last runs, or some from a place on."""
    wanted = RunsWanted(given.start, given.limit)
    before, seen = plan.runs.answers, await _transcript(plan, given.id, wanted)
    # An answer that was complete meanwhile is neither written any more nor seen as said.
    for _ in range(MOST_AGAIN):
        if plan.runs.answers == before:
            break
        before, seen = plan.runs.answers, await _transcript(plan, given.id, wanted)
    runs = tuple(replace(each, writing=plan.runs.writing(each.id)) for each in seen.runs)
    return replace(seen, runs=runs)


@PLAN.change(announces=told_within)
async def start(plan: Plan, given: PlanAsk) -> PlanStarted:
    """Start a run; it goes on in the server."""
    options = RunOptions(
        class_id=given.class_id,
        provider=given.provider or "",
        model=given.model or "",
        memory=given.memory,
    )
    return _started(await plan.runs.start(given.command, given.input, options, given.session))


@PLAN.change(announces=told_within)
async def branch(plan: Plan, given: PlanBranch) -> PlanStarted:
    """Ask again where a run began, in a session that branches off; nothing is replaced."""
    return _started(await plan.runs.branch(given.run, given.input))


@PLAN.change(announces=told_within)
async def answer(plan: Plan, given: PlanAnswer) -> PlanGate:
    """Answer a question of a run, which goes on; 409 when somebody was quicker."""
    reply = load_reply(given.reply)
    return gate_of(await plan.runs.answer(Answer(given.run, given.gate, given.revision, reply)))


@PLAN.change(announces=told_within)
async def go_on(plan: Plan, given: PlanRunRequest) -> PlanStarted:
    """Go on with a run that was interrupted."""
    return _started(await plan.runs.go_on(given.run))


@PLAN.change(announces=told_within)
async def stop(plan: Plan, given: PlanRunRequest) -> PlanStarted:
    """Stop a run; it can be continued."""
    return _started(await plan.runs.stop(given.run))


@PLAN.read
async def proposals(plan: Plan) -> tuple[PlanProposal, ...]:
    """List what might be remembered and nobody has decided about."""
    return tuple(await plan.proposals.pending())


@PLAN.change(announces=told_within)
async def decide(plan: Plan, given: PlanDecide) -> PlanProposal:
    """Decide about a proposal; what is remembered goes into its memory document."""
    return await plan.proposals.decide(given.key, given.decision, given.text)


async def _transcript(plan: Plan, session: str, wanted: RunsWanted) -> PlanTranscript:
    return await plan.app.database.read(read_transcript, plan.runs.looking, session, wanted)


def _started(run: RunRow) -> PlanStarted:
    return PlanStarted(run.session_id, run.id)


# --- a class and its answers ---------------------------------------------------------------------


@CLASSES.read
async def misconceptions(app: App, given: ClassRequest) -> ClassMisconceptions:
    """Say what at least five learners of a class get wrong, and never who."""
    return await class_errors(app, given.id)


@HERE.read
async def misconceptions_here(app: App, given: ClassRequest) -> ClassMisconceptions:
    """The same for whoever sits at this machine."""
    return await class_errors(app, given.id)


@DESK.read
async def handouts(app: App, given: HandoutsRequest) -> tuple[HandoutItem, ...]:
    """List what was handed out, newest first."""
    now = app.now()
    found = await class_answers.list_handouts(app, given.class_id)
    return tuple(item_of(each, tally, now) for each, tally in found)


@DESK.change()
async def hand_out(app: App, given: HandoutMake) -> HandoutSeen:
    """Hand out a lesson or worksheet of the workspace: as many codes as were asked for."""
    asked = NewHandout(
        markdown=await run_sync(_text, app, given.path),
        source=given.path,
        class_id=given.class_id,
        tokens=given.tokens,
        days=given.days,
    )
    return seen_of(await class_answers.hand_out(app, asked), app.now())


@DESK.read
async def handout(app: App, given: HandoutRequest) -> HandoutSeen:
    """Read a handout: how many answered, and how each question went."""
    return seen_of(await class_answers.look(app, given.id), app.now())


@DESK.change()
async def close(app: App, given: HandoutRequest) -> HandoutSeen:
    """Take no more answers."""
    return seen_of(await class_answers.close(app, given.id), app.now())


@DESK.change()
async def reopen(app: App, given: HandoutRequest) -> HandoutSeen:
    """Take answers again."""
    return seen_of(await class_answers.reopen(app, given.id), app.now())


@DESK.change()
async def keep(app: App, given: HandoutRequest) -> HandoutKept:
    """Close it for good and propose what the memory of the class should keep."""
    pending = await class_answers.propose(app, given.id)
    seen = seen_of(await class_answers.look(app, given.id), app.now())
    return HandoutKept(seen.item, pending)


@ANSWER.read
async def open_sheet(tokens: Tokens, given: AnswerOpen) -> AnswerSheet:
    """Read the worksheet of a token, with what was written so far."""
    tokens.count(given)
    return await class_answers.open_sheet(tokens.app, given)


@ANSWER.change()
async def save_answers(tokens: Tokens, given: AnswerSave) -> AnswerSheet:
    """Keep answers as a draft, or hand them in; 409 when another device has written since."""
    tokens.count(given)
    return await class_answers.save_answers(tokens.app, given)


def _text(app: App, path: str) -> str:
    """A file of the workspace. Raises: NotFound, Refused."""
    documents = workspace_documents(app)
    return documents.read(room.workspace_path(documents, path)).text
