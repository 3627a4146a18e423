"""What every part of the live coach stands on: the project, the people in it, the log, the outlet.

Each person has a place of their own (editor, files with unsaved text, counts for the log); the
project is one. Paths that come from outside become the project's own here, once.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, NotFound
from paige.coach.editor_state import EditorState
from paige.coach.log.action_log import ActionLog, ActionType, BufferLog
from paige.coach.messages import MessageSink
from paige.coach.model import CoachModel
from paige.coach.observer.loop import Observer
from paige.coach.phases import ProgressKind, add_progress
from paige.coach.records import NO_SESSION, Action, CoachSession, Ids, ProgressEvent, random_ids
from paige.coach.sessions import active
from paige.models.wrappers import Sleep
from paige.store.bus import Bus
from paige.store.engine import Database

if TYPE_CHECKING:
    from paige.coach.files.project import ProjectFiles

logger = logging.getLogger(__name__)
SUMMARY_SECONDS = 30.0
REWATCH_SECONDS = 5.0  # until files are watched again after that did not work


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the coach is given to work with."""

    database: Database
    bus: Bus
    outlet: MessageSink
    now: Clock
    ids: Ids = random_ids
    model: CoachModel = field(default_factory=CoachModel)
    summary_seconds: float = SUMMARY_SECONDS
    rewatch_seconds: float = REWATCH_SECONDS
    sleep: Sleep = anyio.sleep  # between two looks of the observer
    own_folder: Path | None = None  # where Paige keeps its data; its changes are no news


@dataclass(slots=True)
class Place:
    """Where one person works."""

    actor: Actor
    files: "ProjectFiles"
    editor: EditorState = field(default_factory=EditorState)
    typing: BufferLog = field(default_factory=BufferLog)
    session: CoachSession | None = None  # the one this state belongs to
    session_known: bool = False  # false: the database is asked again
    turn: anyio.Lock = field(default_factory=anyio.Lock)  # sessions change one at a time


class ProjectContext:
    """The shared state of the live coach, and the few things all its parts do."""

    observer: Observer

    def __init__(self, project_dir: Path | None, around: Surroundings) -> None:
        self.project_dir = project_dir
        self.around = around
        self.database = around.database
        self.outlet = around.outlet
        self.model = around.model
        self.now = around.now
        self.ids = around.ids
        self.log = ActionLog(around.database, around.now, around.ids)
        self.tree_told = False  # whether a window knows the tree
        self._project: ProjectFiles | None = None
        self._places: dict[tuple[str, str], Place] = {}

    def place(self, actor: Actor) -> Place:
        """A person's place. Raises: BadInput when there is no project."""
        key = (actor.tenant, actor.person)
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = Place(actor, open_project(self.root()))
        return found

    def project_files(self) -> "ProjectFiles":
        """The project as nobody's in particular: its tree and its changes."""
        if self._project is None:
            self._project = open_project(self.root())
        return self._project

    def places(self) -> list[Place]:
        """Everyone who has been here."""
        return list(self._places.values())

    def root(self) -> Path:
        """The project's folder. Raises: BadInput when there is none."""
        if self.project_dir is None:
            raise BadInput(
                "Paige was started without a project",
                hint="Set `PROJECT_DIR`, or start Paige in the project's folder.",
            )
        return self.project_dir

    async def active_session(self, actor: Actor) -> CoachSession | None:
        """The session a person works in, if there is one, whichever process began it."""
        if self.project_dir is None:
            return None
        return await self.database.read(active, actor, str(self.project_dir))

    async def known_session(self, actor: Actor) -> CoachSession | None:
        """The same, as far as this process has heard: for what happens too often to ask."""
        if self.project_dir is None:
            return None
        place = self.place(actor)
        if not place.session_known:
            place.session_known = True  # first: an event that comes meanwhile asks again
            try:
                place.session = await self.active_session(actor)
            except BaseException:
                place.session_known = False
                raise
            self.observer.follow(actor, place.session)
        return place.session

    async def need_session(self, actor: Actor) -> CoachSession:
        """The session a person works in. Raises: NotFound with the sentence that clients know."""
        session = await self.active_session(actor)
        if session is None:
            raise NotFound(NO_SESSION)
        return session

    async def note(
        self, actor: Actor, action_type: ActionType, data: Mapping[str, Any] | None = None
    ) -> Action | None:
        """Log what a person or the coach did in the active session, if there is one."""
        session = await self.active_session(actor)
        return await self.log.log(actor, session.id if session else None, action_type, data)

    async def progress(self, actor: Actor, kind: ProgressKind, data: Mapping[str, Any]) -> None:
        """Note what a person needed or reached, in the active phase of the session if there is."""
        session = await self.active_session(actor)
        if session is None:
            return
        now = self.now()
        identity = self.ids(now)

        def event_in(phase_id: str) -> ProgressEvent:
            return ProgressEvent(identity, phase_id, kind, data, now)

        await self.database.write(add_progress, actor, session.id, event_in)

    def action(
        self, session_id: str | None, action_type: ActionType, data: Mapping[str, Any] | None = None
    ) -> Action:
        """An action that is stored with a change of its own."""
        now = self.now()
        return Action(self.ids(now), session_id, action_type, data, now)


def open_project(root: Path) -> "ProjectFiles":
    """The files of a project, for one person."""
    # The rules of `.gitignore` and all that take a while to import; a server starts without them.
    from paige.coach.files.project import ProjectFiles  # noqa: PLC0415

    return ProjectFiles(root)
