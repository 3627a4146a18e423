"""Runs that go on in a server: started, answered, stopped and continued by any window.

Each run is one task of a group that the server's lifespan owns. A run that asks ends its task;
the answer starts another one. Nothing is kept here that the database does not have, except what is
being written at this moment: when the process dies, every run is where its journal says.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import anyio
from anyio.abc import TaskGroup, TaskStatus
from anyio.to_thread import run_sync

from paige.agent import queries
from paige.agent.library.plugins import FoundCommand, get_command
from paige.agent.run_lease import LeaseLost, RunHeld
from paige.agent.runs import RunState, continue_run, create_run
from paige.agent.segment import Runtime
from paige.agent.tables import GateRow, RunRow
from paige.app import plan_changes as changes
from paige.app import run_limits
from paige.app.application import App
from paige.app.lazy_memory import note_outcome, run_jobs
from paige.app.plan_changes import Answer, FoundRun
from paige.app.plan_streams import RunStream
from paige.app.plugin_runs import (
    RunOptions,
    RunStart,
    check_command,
    find_plugins,
    open_runtime,
    prepare_branch,
    prepare_start,
)
from paige.app.remote_streams import following
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, PaigeError, Unavailable
from paige.base.settings import PROVIDERS
from paige.plan.sessions import PlanWriting, Viewer
from paige.store.engine import DatabaseAway
from paige.store.ephemeral import EphemeralMessage
from paige.store.messages import Message

logger = logging.getLogger(__name__)
STOPPED = "It was stopped. Continue it when you like."
FAULT = "Paige failed inside; the server's log says why. Continue it to try again."
HELD_SECONDS = 3.0
HELD_PAUSE = 0.05
STOP_SECONDS = 5.0
STOP = "plan:stop"
"""What servers say to each other when a person stops a run."""


Prepare = Callable[[Runtime, FoundCommand], Awaitable[RunStart]]
"""Makes a run of a command ready with an open runtime."""


@dataclass(eq=False, slots=True)
class _Work:
    """A run that this process works on."""

    run: str
    stream: RunStream
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    done: anyio.Event = field(default_factory=anyio.Event)
    again: bool = False  # a gate was answered meanwhile: the segment has not seen it


class PlanRuns:
    """The runs of one server process, for the person it acts for."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._works: dict[str, _Work] = {}
        self._starting: set[str] = set()  # sessions in which a run is about to begin
        self._beginning = 0
        self._shared = app.database.kind == "postgresql"  # other servers may go on with a run
        self._others = following(app.bus)
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator["PlanRuns"]:
        """Work on runs until the block is left; what has not ended then can be continued."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            run_limits.join(self._app.database.engine, self)
            tasks.start_soon(self._report_interrupted)
            try:
                yield self
            finally:
                self._tasks = None
                tasks.cancel_scope.cancel()

    @property
    def looking(self) -> Viewer:
        """The person who looks at runs now, and what this process works on."""
        busy = frozenset(self._works)
        return Viewer(self._app.actor, self._app.now(), busy, shared=self._shared)

    @property
    def works(self) -> int:
        """How many runs this process works on."""
        return len(self._works)

    def works_on(self, run: str) -> bool:
        """Whether this process works on a run, or is about to."""
        return run in self._works

    @property
    def going_on(self) -> int:
        """How many runs this process works on or is about to."""
        return len(self._works) + self._beginning

    @property
    def has_room(self) -> bool:
        """Whether one more run can go on here."""
        return run_limits.has_room(self._app.database.engine, self)

    @property
    def answers(self) -> dict[str, str]:
        """Which answer is being written in which run."""
        return {run: work.stream.step for run, work in self._works.items() if work.stream.step}

    def writing(self, run: str) -> PlanWriting | None:
        """What is being written in a run at this moment."""
        work = self._works.get(run)
        return work.stream.writing if work else self._others.writing(run, self._app.actor)

    async def start(
        self, command: str, prompt: str, options: RunOptions, session: str | None = None
    ) -> RunRow:
        """Begin a run, in a new session unless one is given, and work on it.

        Raises: NotFound, BadInput, Conflict, Unavailable.
        """
        said = _checked(prompt)
        if session is None:
            return await self._start(command, options, _starting(self._app, said, options))
        if session in self._starting:
            raise _unfinished("A run")
        self._starting.add(session)
        try:
            last = await self._app.database.read(changes.last_of, self.looking, session)
            if last.state != "ended":
                raise _unfinished(f"The run `{last.run.id}`")
            options = _options(options, last)
            prepare = _starting(self._app, said, options, session)
            return await self._start(command, options, prepare)
        finally:
            self._starting.discard(session)

    async def branch(self, run: str, prompt: str | None = None) -> RunRow:
        """Ask again, or for something else, where a run began; that run and what follows stay.

        Raises: NotFound, BadInput, Unavailable.
        """
        earlier = await self._find(run)
        said = _checked(earlier.run.prompt if prompt is None else prompt)
        options = _options(RunOptions(), earlier)

        async def prepare(opened: Runtime, found: FoundCommand) -> RunStart:
            return await prepare_branch(self._app, opened, found, said, options, earlier.run)

        return await self._start(earlier.run.header["purpose"], options, prepare)

    async def answer(self, answer: Answer) -> GateRow:
        """Answer a gate, once, and go on. Raises: NotFound, BadInput, Conflict when late."""
        group = self._group
        kept = await self._app.database.write_durably(changes.answer_gate, self.looking, answer)
        work = self._works.get(answer.run)
        if work is not None:
            work.again = True
        elif not self._shared or self.has_room:  # a full server leaves it to one that has room
            # The answer is kept: whoever gave it need not wait until the run goes on.
            group.start_soon(self._go_on, self._enter(answer.run))
        return kept

    async def go_on(self, run: str) -> RunRow:
        """Continue an interrupted run. Raises: NotFound, Conflict, Unavailable."""
        found = await self._find(run)
        if run in self._works:
            return found.run
        match found.state:
            case "ended":
                raise Conflict(f"The run `{run}` has ended", hint="Ask for something new.")
            case "waiting":
                raise Conflict(f"The run `{run}` waits for an answer", hint="Answer its question.")
            case "running":
                raise _elsewhere(run)
            case "interrupted":
                run_limits.check_room(self._app.database.engine, self)
                await self._group.start(self._go_on, self._enter(run))
        return found.run

    def take_over(self, run: str) -> None:
        """Go on with a run whose server ended. Raises: Unavailable when this one ends too."""
        if run not in self._works:
            self._group.start_soon(self._go_on, self._enter(run))

    async def give_up(self, run: str, times: int) -> None:
        """Leave a run to a person: every server that worked on it ended."""
        reason = f"The server ended {times} times while it ran. Continue it to try once more."
        logger.error("Run %s is left alone: it was taken over %d times", run, times)
        await self._note_interrupted(run, reason)

    async def stop(self, run: str) -> RunRow:
        """Stop working on a run, which can be continued. Raises: NotFound, Conflict."""
        found = await self._find(run)
        work = self._works.get(run)
        if work is not None:
            work.scope.cancel()
            await work.done.wait()
        elif found.state == "running" and not await self._stop_elsewhere(run):
            raise _elsewhere(run)
        return found.run

    def stop_here(self, run: str, actor: Actor) -> None:
        """Stop a run because its person said so at another server."""
        work = self._works.get(run)
        own = self._app.actor
        if work is not None and (actor.tenant, actor.person) == (own.tenant, own.person):
            work.scope.cancel()

    async def _stop_elsewhere(self, run: str) -> bool:
        """Ask the server that works on a run to stop; whether it did."""
        app = self._app
        if not self._shared or app.bus.servers < 2:
            return False
        app.bus.passing.send(EphemeralMessage(STOP, {"run": run}, app.actor))
        with anyio.move_on_after(STOP_SECONDS):
            while (await self._find(run)).state == "running":  # noqa: ASYNC110 - elsewhere
                await anyio.sleep(HELD_PAUSE)
            return True
        return False

    @property
    def _group(self) -> TaskGroup:
        if self._tasks is None:
            raise Unavailable("Paige is stopping", hint="Try again when it has started.")
        return self._tasks

    async def _find(self, run: str) -> FoundRun:
        return await self._app.database.read(changes.find_run, self.looking, run)

    def _enter(self, run: str) -> _Work:
        work = _Work(run, RunStream(run, self._tell))
        self._works[run] = work
        return work

    def _tell(self, message: Message) -> None:
        """Take a passing message to the windows of the person, at every server."""
        app = self._app
        app.bus.passing.show(message, app.actor)
        if self._shared:
            app.bus.passing.send(EphemeralMessage(message.topic, message.payload(), app.actor))

    def _leave(self, work: _Work) -> None:
        """Let go of a run, unless another task has begun to work on it meanwhile."""
        if self._works.get(work.run) is work:
            del self._works[work.run]
        work.stream.close()
        work.done.set()

    async def _start(self, command: str, options: RunOptions, prepare: Prepare) -> RunRow:
        run_limits.check_room(self._app.database.engine, self)
        self._beginning += 1
        try:
            found = await run_sync(self._command, command, options)
            return await self._group.start(self._begin, found, options, prepare)
        finally:
            self._beginning -= 1

    def _command(self, name: str, options: RunOptions) -> FoundCommand:
        """A command that can be run with these options. Raises: NotFound, BadInput."""
        settings = self._app.settings
        if options.provider and options.provider not in PROVIDERS:
            known = ", ".join(f"`{each}`" for each in PROVIDERS)
            raise BadInput(f"`{options.provider}` is not a provider", hint=f"There are: {known}.")
        found = get_command(find_plugins(settings).plugins, name)
        check_command(settings, found, options)
        return found

    async def _begin(
        self,
        found: FoundCommand,
        options: RunOptions,
        prepare: Prepare,
        *,
        task_status: TaskStatus[RunRow],
    ) -> None:
        """Store a run and work on it; what fails before that goes to who asked."""
        app, work, told = self._app, None, False
        try:
            async with open_runtime(app, found, options) as opened:
                begun = await prepare(opened, found)
                run = await create_run(begun.runtime, app.actor, begun.new)
                work = self._enter(run.id)
                await app.database.write(changes.note_begun, self.looking, run)
                task_status.started(run)
                told = True
                await self._work(work, begun.runtime)
        except Exception:  # the outermost frame of a run: it may not end the server
            if work is None or not told:
                raise
            logger.exception("Run %s failed", work.run)
        finally:
            if work is not None:
                self._leave(work)

    async def _go_on(
        self, work: _Work, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED
    ) -> None:
        """Continue a run: what keeps it from going on is kept with it, and told to who asked."""
        begun = task_status is anyio.TASK_STATUS_IGNORED
        try:
            found = await self._find(work.run)
            options = _options(RunOptions(), found)
            command = await run_sync(self._command, found.run.header["purpose"], options)
            async with open_runtime(self._app, command, options) as runtime:
                await self._app.database.write(
                    changes.note_going_on, self._app.actor, work.run, self._app.now()
                )
                task_status.started()
                begun = True
                await self._work(work, runtime)
        except PaigeError as error:
            await self._interrupted(work.run, error)
            if not begun:
                raise
        except Exception:  # as above
            logger.exception("Run %s failed", work.run)
            await self._note_interrupted(work.run, FAULT)
            if not begun:
                raise
        finally:
            self._leave(work)

    async def _work(self, work: _Work, runtime: Runtime) -> None:
        """Work on a run until it ends, asks, fails or is stopped; everyone is told which."""
        state = None
        with work.scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(work.stream.keep_sending)
                state = await self._segments(work, runtime)
                tasks.cancel_scope.cancel()
        if work.scope.cancelled_caught:
            await self._note_interrupted(work.run, STOPPED)
        elif state is not None and state.run.state == "ended" and runtime.memory is not None:
            await self._remember(state.run)

    async def _segments(self, work: _Work, runtime: Runtime) -> RunState | None:
        """One segment after another while answers come; nothing when the run was interrupted."""
        patient_until = anyio.current_time() + HELD_SECONDS
        while True:
            work.again = False
            try:
                state = await continue_run(runtime, self._app.actor, work.run, observe=work.stream)
                work.stream.close()
                await self._app.database.write(changes.note_state, self.looking, work.run)
            except RunHeld as error:
                # The server that worked on it until the question has not let go of it yet.
                if not self._shared or anyio.current_time() > patient_until:
                    await self._interrupted(work.run, error)
                    return None
                await anyio.sleep(HELD_PAUSE)
                continue
            except PaigeError as error:
                await self._interrupted(work.run, error)
                return None
            except Exception:  # as above; the run can go on when the fault is mended
                logger.exception("Run %s failed", work.run)
                await self._note_interrupted(work.run, FAULT)
                return None
            if not work.again:
                # At once: an answer that comes from now on starts a task of its own.
                self._leave(work)
                return state

    async def _remember(self, run: RunRow) -> None:
        """Note how a run ended, and let memory do what it does after a session."""
        app = self._app
        spans = await app.database.read(queries.spans_of, app.actor, run.id)
        await run_sync(note_outcome, app.memory, app.actor, run, spans)
        await run_sync(run_jobs, app.memory, "session_end", run.session_id)

    async def _interrupted(self, run: str, error: PaigeError) -> None:
        """Keep why a run stopped, unless some server goes on with it by itself."""
        logger.warning("Run %s was interrupted: %s", run, error.message)
        if not (self._shared and isinstance(error, LeaseLost | DatabaseAway)):
            await self._note_interrupted(run, _sentence(error))

    async def _note_interrupted(self, run: str, reason: str) -> None:
        try:
            await self._app.database.write(changes.note_interrupted, self.looking, run, reason)
        except PaigeError as error:  # who looks at the run sees that nobody works on it
            logger.warning("Why run %s stopped was not kept: %s", run, error.message)

    async def _report_interrupted(self) -> None:
        try:
            number = await self._app.database.write(changes.report_interrupted, self.looking)
        except PaigeError as error:
            logger.warning("Interrupted runs were not looked for: %s", error.message)
            return
        if number:
            logger.info("%d interrupted runs can be continued", number)


def _checked(prompt: str) -> str:
    """What is to be done. Raises: BadInput when it is nothing."""
    if not prompt.strip():
        raise BadInput("There is nothing to do", hint="Say what the command is about.")
    return prompt.strip()


def _starting(app: App, said: str, options: RunOptions, session: str | None = None) -> Prepare:
    async def prepare(opened: Runtime, found: FoundCommand) -> RunStart:
        return await prepare_start(app, opened, found, said, options, session)

    return prepare


def _options(options: RunOptions, earlier: FoundRun) -> RunOptions:
    """What is said now, over what the earlier run was told."""
    told = options.over(earlier.run.header["inputs"])
    return replace(told, class_id=told.class_id or earlier.session.class_id)


def _unfinished(what: str) -> Conflict:
    return Conflict(
        f"{what} of this session has not ended", hint="Answer what it asks, or continue it."
    )


def _elsewhere(run: str) -> Conflict:
    return Conflict(
        f"Another process works on the run `{run}`", hint="Wait until it is done or asks."
    )


def _sentence(error: PaigeError) -> str:
    message = f"{error.message.rstrip('.')}."
    return f"{message} {error.hint}" if error.hint else message
