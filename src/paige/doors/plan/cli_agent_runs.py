"""Runs an agent for someone at a terminal, who is asked its questions there, or for a script.

The event loop has a thread of its own, so that Ctrl+C reaches the question that is open, and
nothing of a run is lost: it can be resumed by its id.
"""

import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar, assert_never

from anyio.from_thread import BlockingPortal, start_blocking_portal

from paige.agent import queries
from paige.agent.interactions import (
    Choices,
    FreeText,
    Interaction,
    Option,
    PickedOption,
    Questions,
    Reply,
    Section,
    Sections,
    check_reply,
)
from paige.agent.library.plugins import FoundCommand
from paige.agent.runs import (
    RunState,
    continue_run,
    create_run,
    reply_to,
    run_with_automatic_replies,
)
from paige.agent.segment import AnswerPiece, Note, Runtime, ToolEnded, ToolStarted, TurnTaken
from paige.agent.tables import GateRow
from paige.app.application import App, open_app
from paige.app.lazy_memory import note_outcome, run_jobs
from paige.app.places import shown_below
from paige.app.plan_changes import tell_state
from paige.app.plugin_runs import (
    RunOptions,
    check_command,
    open_runtime,
    prepare_start,
)
from paige.base.errors import BadInput, Conflict, PaigeError
from paige.base.settings import Settings
from paige.doors.frame.console import Console
from paige.models.errors import ModelError
from paige.models.requests import TextDelta
from paige.plan.results import Outcome, read_outcome
from paige.plan.sessions import State, Viewer


class Watcher:
    """Writes to the console what a run notes; `said` is the text of the last turn as shown."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._place = ("", 0)
        self._open = False  # the cursor stands behind some words
        self.said = ""

    def __call__(self, note: Note) -> None:
        """Show one note; what subagents say stays with them, only their tools are named."""
        match note:
            case AnswerPiece(step=step, attempt=attempt, delta=TextDelta(text=text)):
                if "sub/" not in step:
                    self._text(text, (step, attempt))
            case ToolStarted(tool=tool):
                self._line(f"[{tool}]")
            case ToolEnded(tool=tool, failed=True):
                self._line(f"[{tool} failed]")
            case AnswerPiece() | ToolEnded() | TurnTaken():
                pass
            case _:
                assert_never(note)

    def close(self) -> None:
        """End the line that is open."""
        if self._open:
            self._console.say()
        self._open = False

    def _text(self, text: str, place: tuple[str, int]) -> None:
        if place != self._place:
            self.close()
            self._place, self.said = place, ""
        self.said += text
        self._open = not self.said.endswith("\n")
        self._console.say(text, end="")

    def _line(self, text: str) -> None:
        self.close()
        self.said = ""
        self._console.say(text)


T = TypeVar("T")
LONGEST_END = 10.0


class Interrupted(PaigeError):
    """The person left in the middle of a run; it can go on later."""

    exit_code = 130


class Unanswered(PaigeError):
    """The person did not answer a question; it stays open."""

    exit_code = 4


@dataclass(frozen=True, slots=True)
class RunResult:
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

    def say(self, prompt: str) -> RunResult:
        """Start a run with what the person says."""
        app, found = self.app, self.found
        prepare = partial(
            prepare_start, app, self.runtime, found, prompt, self.options, self.session
        )
        start = self._call(prepare)
        run = self._call(lambda: create_run(start.runtime, app.actor, start.new))
        self.session = run.session_id
        return self.go_on(run.id)

    def go_on(self, run: str) -> RunResult:
        """Work on a run until it has ended, or asks somebody who is not there."""
        self.run = run
        self._tell(run, "running")
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
            self._tell(run)
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
        return RunResult(state, tuple(gates), shown, outcome, shown_below(self.app.settings))

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

    def _tell(self, run: str, state: State | None = None) -> None:
        """Tell open windows where a run stands."""
        app = self.app
        looking = Viewer(app.actor, app.now(), shared=app.database.kind == "postgresql")
        with suppress(PaigeError):  # whatever keeps the run from going on is said by itself
            self._call(lambda: app.database.write(tell_state, looking, run, state))

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


ANSWER = "> "
FOR_ALL = "*"
"""Behind a number: the same for every section that is left."""


def ask_person(interaction: Interaction, console: Console) -> Reply:
    """Ask until the answer fits. Raises: EOFError when there is nobody to answer."""
    show_question(interaction, console.say)
    while True:
        reply = _answer(interaction, console)
        try:
            check_reply(interaction, reply)
        except BadInput as error:
            console.say(f"{error.message}. {error.hint or ''}".rstrip())
        else:
            return reply


def show_question(interaction: Interaction, say: Callable[[str], None]) -> None:
    """The question with everything that is needed to answer it."""
    say("")
    say(interaction.title)
    if interaction.text.strip():
        say(interaction.text.strip())
    match interaction:
        case Questions(questions=questions):
            for number, question in enumerate(questions, 1):
                say(f"  {number}. {question}")
        case Choices(options=options):
            _show_options(options, say)
        case FreeText(initial=initial):
            if initial.strip():
                say(_indented(initial))
        case Sections(sections=sections, options=options):
            for number, section in enumerate(sections, 1):
                say(f"[{number}/{len(sections)}] {section.title}")
                say(_indented(section.text))
            _show_options(options, say)
            say(f"`1{FOR_ALL}` means 1 for this section and every one that is left.")
        case _:
            assert_never(interaction)


def _answer(interaction: Interaction, console: Console) -> Reply:
    match interaction:
        case Questions(questions=questions):
            return Reply(texts=tuple(_question(text, console) for text in questions))
        case Choices(options=options):
            return Reply(picked={"": _pick(options, console, ANSWER)[0]})
        case FreeText(initial=initial):
            return Reply(texts=(_text(initial, console),))
        case Sections(sections=sections, options=options):
            return Reply(picked=_pick_each(sections, options, console))
        case _:
            assert_never(interaction)


def _question(question: str, console: Console) -> str:
    console.say(question)
    return console.read(ANSWER).strip()


def _text(initial: str, console: Console) -> str:
    keep = " Nothing at all keeps the text above." if initial.strip() else ""
    console.say(f"Write the text and end it with an empty line.{keep}")
    lines: list[str] = []
    while line := console.read(ANSWER).rstrip():
        lines.append(line)
    return "\n".join(lines) or initial


def _pick_each(
    sections: tuple[Section, ...], options: tuple[Option, ...], console: Console
) -> dict[str, PickedOption]:
    """A decision on every section; a lesson has a dozen, so one may hold for all that are left."""
    picked: dict[str, PickedOption] = {}
    for section in sections:
        if section.id not in picked:
            chosen, for_all = _pick(options, console, f"{section.title} {ANSWER}")
            left = [each.id for each in sections if each.id not in picked]
            picked |= dict.fromkeys(left if for_all else left[:1], chosen)
    return picked


def _pick(options: tuple[Option, ...], console: Console, prompt: str) -> tuple[PickedOption, bool]:
    """One option by its number or its name, perhaps followed by words; whether it is for all."""
    while True:
        first, _, words = console.read(prompt).strip().partition(" ")
        option = _find(options, first.removesuffix(FOR_ALL))
        if option is None:
            console.say(f"`{first}` is none of 1 to {len(options)}.")
            continue
        words = words.strip()
        while option.wants_text and not words:
            console.say(f"{option.label}: say how.")
            words = console.read(ANSWER).strip()
        return PickedOption(option.id, words), first.endswith(FOR_ALL)


def _find(options: tuple[Option, ...], word: str) -> Option | None:
    if word.isdecimal():
        number = int(word) if len(word) < 5 else 0
        return options[number - 1] if 1 <= number <= len(options) else None
    return next((option for option in options if option.id.lower() == word.lower()), None)


def _show_options(options: tuple[Option, ...], say: Callable[[str], None]) -> None:
    for number, option in enumerate(options, 1):
        say(f"  {number}  {option.label}{' (and say how)' if option.wants_text else ''}")
    say("Answer with a number; words after it are kept.")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines())
