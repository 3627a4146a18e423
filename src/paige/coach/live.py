"""The live coach: one object for everything that goes on in the coached project while Paige runs.

Sockets, the REST API and MCP tools all call it, so that whatever one of them does is seen by the
others. Its methods are grouped by what they are about: files (`file_work.py`), what Paige shows
(`display.py`), sessions (`session_flow.py`), questions to a model (`questions.py`). `running` keeps
what goes on by itself: the watcher, the summaries of typing, and sessions that others change.
"""

import logging
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from anyio.abc import TaskStatus
from anyio.to_thread import run_sync

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.paths import shipped
from paige.coach.message_parts import NudgeContext
from paige.coach.observer.loop import Observer, Senses
from paige.coach.observer.runner_output import RunReader
from paige.coach.project_context import Surroundings
from paige.coach.questions import Questions
from paige.coach.terminals import Terminals
from paige.models.prompts import fill
from paige.store.queries import StoredEvent

FILE = "coach/nudge.md"
CODING_CLIS = frozenset({"claude", "codex", "gemini", "copilot"})
PASTE, PASTED, ENTER = "\x1b[200~", "\x1b[201~", "\r"
LONGEST = 400
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def takes_nudges(program: str | None) -> bool:
    """Whether a program in the foreground is a coding CLI."""
    if program is None:
        return False
    return program.lower().removesuffix(".js").removesuffix(".exe") in CODING_CLIS


def pasted(signal: str, context: NudgeContext) -> str:
    """What is typed into a coding CLI, one paste and the key that sends it."""
    text = fill(
        shipped(FILE).read_text(encoding="utf-8").strip(),
        {"signal": _plain(signal.replace("_", " ")), "about": _about(context)},
        source=FILE,
    )
    return f"{PASTE}{text}{PASTED}{ENTER}"


def _about(context: NudgeContext) -> str:
    parts = (
        ("They are in", context.current_file),
        ("The phase is about", context.expected_file),
        ("Time there:", context.time_in_file),
        ("The phase:", context.phase_description),
    )
    return " ".join(f"{words} {_plain(value)}." for words, value in parts if value)


def _plain(text: str) -> str:
    return _CONTROL.sub(" ", text)[:LONGEST].strip().rstrip(".")


logger = logging.getLogger(__name__)
EVENTS = 1024
SESSION_EVENTS = "session:"


class LiveCoach(Questions):
    """The coach of one project, for everyone who works in it."""

    def __init__(
        self,
        project_dir: Path | None,
        around: Surroundings,
        *,
        environ: Mapping[str, str] | None = None,
        shut_off_from: Path | None = None,
    ) -> None:
        """`environ` is what shells in the terminal start with; they may not see a folder."""
        super().__init__(project_dir, around)
        senses = Senses(self.database, self.log, self.model, self.now, around.sleep)
        self.observer = Observer(senses, self.speak_up)
        self._runs: dict[tuple[str, str], RunReader] = {}
        self.terminals = Terminals(
            project_dir, around.outlet, environ, heard=self.heard, shut_off_from=shut_off_from
        )
        self._work: anyio.CancelScope | None = None
        self._stopped = anyio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["LiveCoach"]:
        """Watch, sum up and follow until the block is left; then end what was started."""
        async with anyio.create_task_group() as tasks:
            await tasks.start(self._carry_on)
            try:
                yield self
            finally:
                with anyio.CancelScope(shield=True):
                    await self.close()

    async def speak_up(
        self, actor: Actor, signal: str, confidence: float, context: NudgeContext
    ) -> None:
        """The observer has something to say: in the windows, and to a coding CLI that listens."""
        await self.nudge(actor, signal=signal, confidence=confidence, context=context)
        shell = self.terminals.find(actor)
        if shell is not None and takes_nudges(await run_sync(shell.terminal.foreground)):
            self.terminals.type(actor, pasted(signal, context))

    def heard(self, actor: Actor, text: str) -> None:
        """Look for the end of a test run in what a terminal shows, and log it."""
        reader = self._runs.setdefault((actor.tenant, actor.person), RunReader())
        for run in reader.feed(text):
            self.observer.ran_tests(actor, passed=run.passed, failed=run.failed)

    async def close(self) -> None:
        """End what goes on by itself, once; each step is logged."""
        if self._work is None:
            return
        work, self._work = self._work, None
        logger.info("Closed %d terminals", await self.terminals.close())
        work.cancel()
        await self._stopped.wait()
        logger.info("Closed the watcher and the timers")
        await self.log.close()
        logger.info("Closed the action log")

    async def _carry_on(self, *, task_status: TaskStatus[None]) -> None:
        # A task of its own: what is cancelled at the end must not be whoever runs the server.
        self._stopped = anyio.Event()
        try:
            async with anyio.create_task_group() as tasks:
                self._work = tasks.cancel_scope
                self.begin(tasks)
                self.observer.begin(tasks)
                self.terminals.begin(tasks)
                tasks.start_soon(self._follow)
                tasks.start_soon(self._sum_up)
                if self.project_dir is not None:
                    tasks.start_soon(self._watch)
                task_status.started()
        finally:
            self._stopped.set()

    async def _sum_up(self) -> None:
        while True:
            await anyio.sleep(self.around.summary_seconds)
            try:
                await self.write_summaries()
            except PaigeError as error:  # the database may answer again at the next one
                logger.warning("No summary of what was typed: %s", error.message)

    async def _follow(self) -> None:
        while True:
            with self.around.bus.subscribe(EVENTS) as events:
                async for event in events:
                    if event.topic.startswith(SESSION_EVENTS):
                        await self._session_changed(event)
            # Too many at once: whatever was missed, the database knows.
            for place in self.places():
                place.session_known = False

    async def _session_changed(self, event: StoredEvent) -> None:
        for place in self.places():
            own = (place.actor.tenant, place.actor.person)
            if own == (event.tenant, event.person):
                try:
                    await self.follow_session(place)
                except PaigeError as error:
                    logger.warning("The session is not known: %s", error.message)

    async def _watch(self) -> None:
        """Watch the project for as long as Paige runs, again when it did not work."""
        files = await run_sync(self.project_files)  # in a thread: the first one imports much
        said = ""
        while True:
            try:
                async with anyio.create_task_group() as tasks:
                    await tasks.start(files.watch, self.files_changed)
                    said = ""
                    if self.tree_told:  # what changed since then is told by nobody
                        await self.send_tree_to_all()
            except Exception as error:  # noqa: BLE001 - whatever a folder of others may hold
                said = _warn(_reason(error), said)
            await anyio.sleep(self.around.rewatch_seconds)


def _reason(error: BaseException) -> str:
    """What went wrong, without the groups it went through."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error.message if isinstance(error, PaigeError) else repr(error)


def _warn(reason: str, said: str) -> str:
    """Tell of a reason, but not twice in a row."""
    if reason != said:
        logger.warning("Changes of files are not shown for a while: %s", reason)
    return reason
