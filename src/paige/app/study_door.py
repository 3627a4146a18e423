"""The Study door of a server: whatever windows and agents do in sessions.

It exists once while the server runs. Whoever changes something through it tells every window.
"""

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from anyio.to_thread import run_sync

from paige.app.application import App
from paige.app.places import teaching_documents
from paige.app.study_acts import act_of, wish_of
from paige.app.study_asked import ActAsked, SessionAsked, Where
from paige.app.study_files import ExerciseFiles, OpenedFile, Uploaded
from paige.app.study_room import (
    Around,
    models_of,
    room_of,
    speech_of,
    tell_coach_in,
    untell_coach_in,
)
from paige.app.study_shelf import StudyShelf
from paige.base.errors import Conflict, NotFound, PaigeError
from paige.exercise.result import Attempt, Result
from paige.models.local import LOCAL
from paige.store.messages import publish
from paige.study.delivering.coding import run_tests
from paige.study.messages import StudyChanged
from paige.study.session.room import Room
from paige.study.session.running import Turn, act, look, start
from paige.study.session.state import SessionState
from paige.study.session.views import View, dump_view, view

logger = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen:
    """A step as a door shows it, with what else belongs to it.

    `titles` are those of the course's concepts, `root` is the folder that paths are relative to.
    """

    view: View
    state: SessionState | None
    titles: Mapping[str, str]
    uploads: tuple[Uploaded, ...]
    root: Path

    def dump(self) -> dict[str, Any]:
        """The step as JSON values, as every door shows it."""
        return dump_view(self.view)


class StudyDoor:
    """Study sessions of everybody who uses this server."""

    def __init__(self, app: App, *, seed: Callable[[], int] | None = None) -> None:
        """`seed` draws exercises."""
        self._app = app
        self._seed = seed or (lambda: int.from_bytes(os.urandom(4)))
        self._models = models_of(app) if app.provider != LOCAL else None
        self.around = Around(
            documents=teaching_documents(app),
            speech=speech_of(app.settings),
            models=self._models,
            heard=partial(tell_coach_in, app),
            unheard=partial(untell_coach_in, app),
            actor=app.actor,
            terms=app.run_terms(),
        )
        self.shelf = StudyShelf(self.around, app.now, self.tell)

    @property
    def app(self) -> App:
        """The application whose door this is."""
        return self._app

    async def aclose(self) -> None:
        """Close what was opened."""
        if self._models is not None:
            await self._models.aclose()

    async def start(self, where: Where, asked: SessionAsked) -> Seen:
        """Begin a session, or go on with one of its kind. Raises: NotFound, BadInput."""
        room = await self._room(where)
        turn = await start(room, wish_of(asked), now=self._app.now(), seed=self._seed())
        if not turn.resumed and turn.state is not None:
            await self._tell(room, where, turn.state)
        return await self._seen(room, turn)

    async def look(self, where: Where) -> Seen:
        """The step the open session is at, if there is one. Raises: NotFound, BadInput."""
        room = await self._room(where)
        return await self._seen(room, await look(room, now=self._app.now()))

    async def go_on(self, where: Where, asked: SessionAsked) -> Seen:
        """The step of whichever session is open, else the first step of a new one."""
        room = await self._room(where)
        turn = await look(room, now=self._app.now())
        if turn.state is not None and not turn.state.is_over:
            return await self._seen(room, turn)
        return await self.start(Where(room.course.name, where.learner), asked)

    async def act(self, where: Where, asked: ActAsked) -> Seen:
        """Do something in the open session. Raises: NotFound, BadInput, Conflict, Refused."""
        room = await self._room(where)
        state = await run_sync(_open_state, room)
        if state.step != asked.step:
            raise Conflict(
                f"The session is at step {state.step} by now, not at step {asked.step}",
                hint="Look at where it stands, and answer that.",
            )
        asked = await self._files_first(room, state, asked)
        try:
            turn = await act(room, act_of(asked), now=self._app.now(), at_step=asked.step)
        except PaigeError:
            await self._tell(room, where, state)  # an answer may have been put down or judged
            raise
        await self._tell(room, where, turn.state)
        return await self._seen(room, turn)

    async def read_file(self, where: Where, path: str) -> OpenedFile:
        """A text of the open exercise. Raises: NotFound, Refused."""
        return await self._with_files(where, lambda files: files.read(path))

    async def write_file(self, where: Where, path: str, text: str, version: str) -> OpenedFile:
        """Write a text of the open exercise. Raises: FileChanged, NotFound, Refused."""
        written = await self._with_files(where, lambda files: files.write(path, text, version))
        await self._tell_where(where)
        return written

    async def upload(self, where: Where, step: int, name: str, data: bytes) -> Seen:
        """Keep a photo or a recording. Raises: NotFound, Conflict, BadInput, Refused."""
        room = await self._room(where)
        state = await run_sync(_open_state, room)
        if state.step != step:
            raise Conflict(
                f"The session is at step {state.step} by now, not at step {step}",
                hint="Look at where it stands before you upload a file.",
            )
        files = self._files(room, state)
        await run_sync(files.keep, name, data)
        await self._tell(room, where, state)
        return await self._seen(room, await look(room, now=self._app.now()))

    async def uploaded(self, where: Where, path: str) -> tuple[bytes, str]:
        """A photo or a recording with its type. Raises: NotFound."""
        return await self._with_files(where, lambda files: files.upload(path))

    async def recording(self, where: Where, question: str) -> bytes:
        """What is to be heard of a question. Raises: NotFound."""
        return await self._with_files(where, lambda files: files.recording(question))

    async def run_code(self, where: Where) -> Result:
        """Run the tests of the open exercise and hand nothing in. Raises: BadInput, Unavailable."""
        now = self._app.now()

        def run(files: ExerciseFiles) -> Result:
            attempt = Attempt(now=now, exercise_id=files.exercise.id)
            return run_tests(files.code(), files.exercise, attempt, terms=self.around.terms)

        return await self._with_files(where, run)

    async def tell(self, message: StudyChanged) -> None:
        """Let every window know that something changed."""
        app = self._app
        tell = partial(publish, actor=app.actor, message=message, now=app.now())
        try:
            await app.database.write(tell)
        except PaigeError as error:
            # What was done is safe in the learner's files: it must not become an error for this.
            logger.warning("Windows were not told of a change: %s", error.message)

    async def _room(self, where: Where) -> Room:
        return await run_sync(room_of, self.around, where.course, where.learner)

    async def _with_files(self, where: Where, work: Callable[[ExerciseFiles], T]) -> T:
        room = await self._room(where)

        def carry_out() -> T:
            return work(self._files(room, _open_state(room)))

        return await self.around.terms.in_thread(carry_out)

    def _files(self, room: Room, state: SessionState) -> ExerciseFiles:
        """The files of the exercise a session is at. Raises: NotFound."""
        if state.stage != "exercise" or state.sitting is None:
            raise NotFound("No exercise is being done", hint="Go on with the session first.")
        return ExerciseFiles(self.around.documents, state.sitting.exercise, room.root)

    async def _files_first(self, room: Room, state: SessionState, asked: ActAsked) -> ActAsked:
        """What has to be right about files before something is done."""
        text = asked.file_text
        if asked.act != "answer" or (text is None and not asked.path):
            return replace(asked, path="")
        files = self._files(room, state)
        if text is not None:
            await run_sync(_write_first, files, text, asked.file_version)
        path = await run_sync(files.own, asked.path) if asked.path else ""
        return replace(asked, path=path)

    async def _seen(self, room: Room, turn: Turn) -> Seen:
        shown = await view(room, turn, now=self._app.now())
        state = turn.state
        uploads: tuple[Uploaded, ...] = ()
        if state is not None and state.stage == "exercise" and state.sitting is not None:
            uploads = await run_sync(self._files(room, state).handed_over)
        titles = {each.id: each.title for each in room.course.concepts.values()}
        return Seen(shown, state, titles, uploads, self.around.documents.root)

    async def _tell(self, room: Room, where: Where, state: SessionState | None) -> None:
        await self.tell(
            StudyChanged(
                course=room.course.name,
                session=state.session if state else None,
                learner=where.learner,
                step=state.step if state else None,
            )
        )

    async def _tell_where(self, where: Where) -> None:
        await self.tell(StudyChanged(course=where.course, learner=where.learner))


def _open_state(room: Room) -> SessionState:
    kept, _ = room.sessions.open_one()
    if kept is None:
        raise NotFound("No session is open", hint="Begin one.")
    return kept.state


def _write_first(files: ExerciseFiles, text: str, version: str | None) -> None:
    if not files.editable:
        raise NotFound("This exercise has no file to write", hint="Answer it with `text`.")
    files.write(files.editable[0], text, version)
