"""Builds the coach's model from an application, when somebody first asks.

Models, engines and memory import much, which a server that nobody asks anything can do without.
"""

import os
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from anyio import to_thread

from paige.app.application import App
from paige.app.lazy_memory import LazyMemory
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.messages import Reply
from paige.coach.model import CoachModel
from paige.sandbox.terms import run_terms
from paige.store.messages import Message

if TYPE_CHECKING:
    from paige.coach.inquiry.services import MemoryDraft, Recollection, Services


def open_services(app: App) -> "Services":
    """What the model works with, from an application; to be called in a thread."""
    from paige.app.coach_study import CoachInStudy  # noqa: PLC0415 - see above
    from paige.coach.inquiry.questions import register  # noqa: PLC0415
    from paige.coach.inquiry.services import Services  # noqa: PLC0415
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


def open_coach_model(app: App) -> CoachModel:
    """Whoever answers for the coach of an application; nothing is opened before a question."""
    return CoachModel(partial(open_services, app))


class CoachMemory:
    """The coach's memory of a project, in threads; opened when it is first asked."""

    def __init__(self, memory: LazyMemory, settings: Settings) -> None:
        self._memory = memory
        self._settings = settings

    async def query(
        self, actor: Actor, text: str, n_results: int, *, here: bool = True
    ) -> "list[Recollection]":
        """The memories of a person nearest in meaning.

        A Chroma server that was away is looked for again.
        """
        from paige.coach.inquiry.services import Recollection  # noqa: PLC0415 - see above

        def look() -> list[Recollection]:
            coach = self._memory.open().coach
            if not (coach.is_memory_available() or coach.connect()):
                return []
            project = self._project() if here else None
            found = coach.query_memories(text, n_results, project, person=actor.person)
            return [
                Recollection(
                    content=each.content,
                    metadata={
                        "session_id": each.metadata.session_id,
                        "project": each.metadata.project,
                        "created_at": each.metadata.created_at,
                        "importance": each.metadata.importance,
                        "tags": each.metadata.tags,
                    },
                )
                for each in found
            ]

        return await to_thread.run_sync(look)

    async def add(self, actor: Actor, notes: "Sequence[MemoryDraft]", session_id: str) -> int:
        """Remember something of a session in this project."""

        def keep() -> int:
            from paige.memory.coach_memory import MemoryInput  # noqa: PLC0415 - imports NumPy

            given = [MemoryInput(each.content, each.tags, each.importance) for each in notes]
            coach = self._memory.open().coach
            added = coach.add_memories(given, session_id, self._project(), person=actor.person)
            return added["added"]

        return await to_thread.run_sync(keep)

    def _project(self) -> str:
        from paige.memory.setup import project_of  # noqa: PLC0415 - imports NumPy

        here = project_of(self._settings)
        return here.id if here else ""


class NoWindows:
    """A sink of messages that nobody looks at."""

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Nobody sees it."""

    def answer(self, message: Message, reply: Reply) -> None:
        """Nobody asked."""

    async def room(self, actor: Actor | None) -> None:
        """There is always room."""

    async def after_events(self) -> None:
        """Nobody waits."""
