"""Builds the one who thinks for the coach from an application, when somebody first asks.

Models, engines and memory import much, which a server that nobody asks anything can do without.
"""

import os
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from anyio import CancelScope, to_thread

from paige.app.application import App
from paige.app.remembering import LazyMemory
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.message_parts import RankedIssue, Recommendation
from paige.coach.mind import (
    CoachedPlan,
    Explanation,
    Passage,
    PlanText,
    Progress,
    Review,
    Work,
    WrapUp,
)
from paige.coach.records import CoachSession
from paige.sandbox.terms import run_terms

if TYPE_CHECKING:
    from paige.coach.answers import TriageAnswer
    from paige.coach.observer.moment import Moment
    from paige.coach.thinking.services import Noted, Recalled, Services
    from paige.coach.thinking.thinker import Thinker


def open_services(app: App) -> "Services":
    """What thinking works with, from an application; to be called in a thread."""
    from paige.app.coach_study import CoachInStudy  # noqa: PLC0415 - see above
    from paige.coach.local import register  # noqa: PLC0415
    from paige.coach.thinking.services import Services  # noqa: PLC0415
    from paige.models.local import Registry  # noqa: PLC0415
    from paige.models.setup import open_models  # noqa: PLC0415

    engines = Registry()
    register(engines)
    models = open_models(app.settings, app.database, engines, strict=app.strict, now=app.now)
    return Services(
        database=app.database,
        models=models,
        now=app.now,
        memories=CoachMemory(app.memory, app.settings),
        studying=CoachInStudy(app.settings, app.now),
        project_dir=app.settings.project_dir,
        environ=app.settings.environ or dict(os.environ),
        terms=lambda actor: run_terms(app.settings, actor, app.runs),
    )


def open_thinker(app: App) -> "Thinker":
    """The one who thinks, at once."""
    from paige.coach.thinking.thinker import Thinker  # noqa: PLC0415 - see above

    return Thinker(open_services(app))


class CoachMemory:
    """The coach's memory of a project, in threads; opened when it is first asked."""

    def __init__(self, memory: LazyMemory, settings: Settings) -> None:
        self._memory = memory
        self._settings = settings

    async def available(self) -> bool:
        """Whether anything can be found now; a Chroma server that was away is looked for again."""

        def look() -> bool:
            coach = self._memory.open().coach
            return coach.is_memory_available() or coach.connect()

        return await to_thread.run_sync(look)

    async def query(
        self, actor: Actor, text: str, n_results: int, *, here: bool = True
    ) -> "list[Recalled]":
        """The memories of a person nearest in meaning."""
        from paige.coach.thinking.services import Recalled  # noqa: PLC0415 - see above

        def look() -> list[Recalled]:
            coach = self._memory.open().coach
            project = self._project() if here else None
            found = coach.query_memories(text, n_results, project, person=actor.person)
            return [
                Recalled(
                    content=each.content,
                    metadata={
                        "session_id": each.metadata.session_id,
                        "project": each.metadata.project,
                        "created_at": each.metadata.created_at,
                        "importance": each.metadata.importance,
                        "tags": each.metadata.tags,
                    },
                    distance=each.distance,
                )
                for each in found
            ]

        return await to_thread.run_sync(look)

    async def add(self, actor: Actor, notes: "Sequence[Noted]", session_id: str) -> int:
        """Remember something of a session in this project."""

        def keep() -> int:
            from paige.memory.coaching import MemoryInput  # noqa: PLC0415 - imports NumPy

            given = [MemoryInput(each.content, each.tags, each.importance) for each in notes]
            coach = self._memory.open().coach
            added = coach.add_memories(given, session_id, self._project(), person=actor.person)
            return added["added"]

        return await to_thread.run_sync(keep)

    def _project(self) -> str:
        from paige.memory.opening import project_of  # noqa: PLC0415 - imports NumPy

        here = project_of(self._settings)
        return here.id if here else ""


class LazyMind:
    """A `Mind` that is built when somebody first asks it something."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._lock = threading.Lock()
        self._thinker: Thinker | None = None

    async def thinker(self) -> "Thinker":
        """The one who thinks."""
        if self._thinker is None:
            return await to_thread.run_sync(self._open)
        return self._thinker

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Close the models at the end, if they were opened."""
        try:
            yield
        finally:
            if self._thinker is not None:
                with CancelScope(shield=True):
                    await self._thinker.services.models.aclose()

    async def run_pipeline(
        self, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
    ) -> CoachedPlan:
        """Turn a plan into phases for this person."""
        return await (await self.thinker()).run_pipeline(actor, session, plan, progress)

    async def wrap_up(self, actor: Actor, session: CoachSession, transcript: str) -> WrapUp:
        """Find and store what was learnt from a session."""
        return await (await self.thinker()).wrap_up(actor, session, transcript)

    async def explain(
        self, actor: Actor, session: CoachSession | None, passage: Passage
    ) -> Explanation:
        """Explain a passage at the person's level."""
        return await (await self.thinker()).explain(actor, session, passage)

    async def review(self, actor: Actor, session: CoachSession | None, work: Work) -> Review:
        """Review some work."""
        return await (await self.thinker()).review(actor, session, work)

    async def rank_issues(self, actor: Actor) -> list[RankedIssue]:
        """Judge the open issues of the project for this person."""
        return await (await self.thinker()).rank_issues(actor)

    async def find_materials(self, actor: Actor) -> list[Recommendation] | None:
        """Find something to read for the person's gaps."""
        return await (await self.thinker()).find_materials(actor)

    async def triage(self, actor: Actor, session: CoachSession, moment: "Moment") -> "TriageAnswer":
        """Whether the person should be spoken to now."""
        return await (await self.thinker()).triage(actor, session, moment)

    def _open(self) -> "Thinker":
        with self._lock:
            if self._thinker is None:
                self._thinker = open_thinker(self._app)
            return self._thinker
