"""The Plan door of a server: its runs, its workspace and what waits, under one roof.

It brings the agent loop and the whole plan room along, so a server opens it late.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import PurePosixPath

from paige.agent.interactions import load_reply
from paige.agent.records import GateRow, RunRow
from paige.app.application import App
from paige.app.plan_asked import AnswerAsked, RunAsked
from paige.app.plan_changes import Answer
from paige.app.plan_files import PlanFiles
from paige.app.plan_lessons import LessonItem, OpenLesson, list_lessons, open_lesson
from paige.app.plan_overview import Overlooking, Overview
from paige.app.plan_proposals import Proposals
from paige.app.plan_runs import PlanRuns, SendTo, Wanted
from paige.app.plan_workspace import (
    Lines,
    Listed,
    OpenFile,
    list_files,
    open_file,
    read_lines,
    workspace_path,
)
from paige.app.running import RunOptions
from paige.plan.outputs.exporting import Exported, Format, export_lesson
from paige.plan.session_queries import SessionsWanted
from paige.plan.sessions import (
    RunsWanted,
    SeenSession,
    SeenTranscript,
    list_sessions,
    read_transcript,
)
from paige.store.documents import Documents

MOST_AGAIN = 3


class PlanDoor:
    """Everything a teacher does in the web app."""

    def __init__(self, app: App, send: SendTo) -> None:
        """`send` takes passing messages to the windows of a person."""
        self._app = app
        self._overlooking = Overlooking(app)
        self.runs = PlanRuns(app, send)
        self.files = PlanFiles(app)
        self.proposals = Proposals(app)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["PlanDoor"]:
        """Work until the block is left."""
        async with self.files.running(), self.runs.running():
            yield self

    async def overview(self) -> Overview:
        """The door at a glance."""
        return await self._overlooking.look()

    async def list_files(self) -> list[Listed]:
        """Every file of the workspace."""
        return await self.files.use(list_files)

    async def read_file(self, path: str) -> OpenFile:
        """One file. Raises: NotFound, Refused, BadInput."""
        return await self.files.use(partial(open_file, path=path))

    async def read_lines(self, path: str, start: int, end: int) -> Lines:
        """Some lines of a file. Raises: NotFound, Refused, BadInput."""
        return await self.files.use(partial(read_lines, path=path, start=start, end=end))

    async def sessions(
        self,
        words: str = "",
        *,
        class_id: str | None = None,
        plugin: str | None = None,
        limit: int = 50,
    ) -> list[SeenSession]:
        """Sessions that fit, each with where it stands."""
        wanted = SessionsWanted(words=words, class_id=class_id, plugin=plugin, limit=limit)
        return await self._app.database.read(list_sessions, self.runs.looking, wanted)

    async def transcript(self, session: str, start: int | None, limit: int) -> SeenTranscript:
        """What happened in a session, a page at a time. Raises: NotFound."""
        wanted = RunsWanted(start, limit)
        before, seen = self.runs.answers, await self._seen(session, wanted)
        # An answer that was complete meanwhile is neither written any more nor seen as said.
        for _ in range(MOST_AGAIN):
            if self.runs.answers == before:
                break
            before, seen = self.runs.answers, await self._seen(session, wanted)
        return seen

    async def _seen(self, session: str, wanted: RunsWanted) -> SeenTranscript:
        return await self._app.database.read(read_transcript, self.runs.looking, session, wanted)

    async def start(self, asked: RunAsked) -> RunRow:
        """Start a run. Raises: NotFound, BadInput, Conflict, Unavailable."""
        options = RunOptions(
            class_id=asked.class_id,
            provider=asked.provider,
            model=asked.model,
            memory=asked.memory,
        )
        return await self.runs.start(
            Wanted(
                command=asked.command, prompt=asked.prompt, session=asked.session, options=options
            )
        )

    async def answer(self, asked: AnswerAsked) -> GateRow:
        """Answer a gate. Raises: NotFound, BadInput, Conflict."""
        reply = load_reply(asked.reply)
        return await self.runs.answer(Answer(asked.run, asked.gate, asked.revision, reply))

    async def lessons(self) -> list[LessonItem]:
        """What was saved, the latest day first."""
        return await self.files.use(list_lessons)

    async def lesson(self, path: str) -> OpenLesson:
        """One lesson with its evidence. Raises: NotFound, Refused."""
        return await self.files.use(partial(open_lesson, path=path))

    async def export(self, path: str, to: Format) -> Exported:
        """A lesson in another form. Raises: NotFound, Refused, BadInput."""
        now = self._app.now()

        def make(documents: Documents) -> Exported:
            document = documents.read(workspace_path(documents, path))
            stem = PurePosixPath(document.path).stem
            return export_lesson(document.text, to, stem=stem, now=now)

        return await self.files.use(make)
