"""Runs an agent for someone at a terminal, or for a script.

The event loop has a thread of its own, so that Ctrl+C reaches the question that is open, and
nothing of a run is lost: it can be resumed by its id.
"""

import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from paige.agent import queries
from paige.agent.plugins import FoundCommand
from paige.agent.records import GateRow
from paige.agent.runs import (
    RunState,
    continue_run,
    create_run,
    reply_to,
    run_with_automatic_replies,
)
from paige.agent.runtime import Runtime
from paige.app.application import App, open_app
from paige.app.places import shown_below
from paige.app.remembering import note_outcome, run_jobs
from paige.app.running import (
    RunOptions,
    check_command,
    open_runtime,
    prepare_start,
)
from paige.base.errors import Conflict, PaigeError
from paige.base.settings import Settings
from paige.cli.gates import ask_person
from paige.cli.watching import Watcher
from paige.doors.frame.console import Console
from paige.models.errors import ModelError
from paige.plan.results import Outcome, read_outcome

T = TypeVar("T")
LONGEST_END = 10.0


class Interrupted(PaigeError):
    """The person left in the middle of a run; it can go on later."""

    exit_code = 130


class Unanswered(PaigeError):
    """The person did not answer a question; it stays open."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that has ended, or waits, with all it asked and whether its words were shown."""

    state: RunState
    gates: tuple[GateRow, ...]
    shown: bool
    outcome: Outcome
    workspace: Path


@dataclass(slots=True)
class Conversation:
    """A session of a command: one run after another, each worked on until it ends."""

    app: App
    portal: BlockingPortal
    runtime: Runtime
    found: FoundCommand
    options: RunOptions
    console: Console
    automatic: bool = False
    session: str | None = None
    run: str | None = field(default=None, init=False)  # the last one

    def say(self, prompt: str) -> Finished:
        """Start a run with what the person says."""
        app, found = self.app, self.found
        prepare = partial(
            prepare_start, app, self.runtime, found, prompt, self.options, self.session
        )
        start = self._call(prepare)
        run = self._call(lambda: create_run(start.runtime, app.actor, start.new))
        self.session = run.session_id
        return self.go_on(run.id)

    def go_on(self, run: str) -> Finished:
        """Work on a run until it has ended, or asks somebody who is not there."""
        self.run = run
        watcher = Watcher(self.console) if self.console.watched else None
        try:
            state = self._work(run, watcher)
        except ModelError as error:
            error.hint = self._resume(error.hint)
            raise
        except KeyboardInterrupt as error:
            self.console.say()
            raise Interrupted("The run was interrupted", hint=self._resume()) from error
        except EOFError as error:
            raise Unanswered("The run waits for an answer", hint=self._resume()) from error
        finally:
            if watcher is not None:
                watcher.close()
        gates = self._call(
            lambda: self.runtime.db.read(queries.gates_of, self.app.actor, state.run.id)
        )
        if state.run.state == "ended" and self.runtime.memory is not None:
            spans = self._call(
                lambda: self.runtime.db.read(queries.spans_of, self.app.actor, state.run.id)
            )
            note_outcome(self.app.memory, self.app.actor, state.run, spans)
        said = watcher.said.strip() if watcher else ""
        outcome = self._call(lambda: self.runtime.db.read(read_outcome, self.app.actor, state.run))
        shown = said == (state.run.output or "").strip()
        return Finished(state, tuple(gates), shown, outcome, shown_below(self.app.settings))

    def _work(self, run: str, watcher: Watcher | None) -> RunState:
        runtime, actor = self.runtime, self.app.actor
        state = self._call(lambda: continue_run(runtime, actor, run, observe=watcher))
        while state.waiting:
            if self.automatic:
                answer = partial(run_with_automatic_replies, runtime, actor, state)
                return self._call(partial(answer, observe=watcher))
            if not self.console.interactive:
                return state
            if watcher is not None:
                watcher.close()
            self._ask(state)
            state = self._call(lambda: continue_run(runtime, actor, run, observe=watcher))
        return state

    def _ask(self, state: RunState) -> None:
        for gate in state.gates:
            reply = ask_person(gate.interaction, self.console)
            try:
                self._call(partial(reply_to, self.runtime, self.app.actor, gate, reply))
            except Conflict as error:
                self.console.say(error.message)

    def _resume(self, hint: str | None = None) -> str:
        go_on = f"Go on with `paige plan resume {self.run}`."
        return f"{hint} {go_on}" if hint else go_on

    def _call(self, work: Callable[[], Awaitable[T]]) -> T:
        return call(self.portal, work)


@contextmanager
def open_conversation(
    settings: Settings,
    found: FoundCommand,
    options: RunOptions,
    console: Console,
    *,
    automatic: bool = False,
    session: str | None = None,
) -> Iterator[Conversation]:
    """Open the application and the provider for a command; both are closed at the end."""
    check_command(settings, found, options)
    with open_app(settings, strict=False) as app, start_blocking_portal() as portal:
        opening = open_runtime(app, found, options)
        with portal.wrap_async_context_manager(opening) as runtime:
            conversation = Conversation(
                app, portal, runtime, found, options, console, automatic=automatic, session=session
            )
            if runtime.memory is not None:
                run_jobs(app.memory, "session_start")
            yield conversation
            if runtime.memory is not None:
                run_jobs(app.memory, "session_end", conversation.session)


def call(portal: BlockingPortal, work: Callable[[], Awaitable[T]]) -> T:
    """Run something in the event loop; whoever interrupts waits until it has cleaned up."""
    ended = threading.Event()

    async def watched() -> T:
        try:
            return await work()
        finally:
            ended.set()

    future = portal.start_task_soon(watched)
    try:
        return future.result()
    except BaseException:
        future.cancel()
        ended.wait(LONGEST_END)
        raise
