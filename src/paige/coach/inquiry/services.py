"""What everyone who thinks for the coach works with; tests give their own clock, ids and sleep."""

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol, TypeVar

import anyio
from pydantic import BaseModel

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError
from paige.coach.files.values import TreeNode
from paige.coach.project_context import open_project
from paige.coach.records import Ids, random_ids
from paige.learner.queries import KataRow
from paige.models.calls import Call, CallResult, Models, call_api_with_retry
from paige.models.wrappers import Sleep
from paige.sandbox.terms import RunTerms
from paige.store.engine import Database

logger = logging.getLogger(__name__)
T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Recollection:
    """A memory that was found."""

    content: str
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """Something to remember; `importance` is high, medium or low."""

    content: str
    tags: tuple[str, ...] = ()
    importance: str = "medium"


class Memories(Protocol):
    """The coach's memory from session to session; it never raises, it finds or keeps nothing."""

    async def query(
        self, actor: Actor, text: str, n_results: int, *, here: bool = True
    ) -> list[Recollection]:
        """The memories of a person nearest in meaning; `here` looks in this project only."""
        ...

    async def add(self, actor: Actor, notes: Sequence[MemoryDraft], session_id: str) -> int:
        """Remember something of a session in this project; how many can be found now."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToPractise:
    """A gap that was met, with its kata where there is one, as Study takes it in.

    `solution` is known for katas of the catalogue only; `again` says that the gap was known before.
    """

    gap_id: str
    topic: str
    evidence: str
    kata: KataRow | None = None
    solution: str = ""
    imports: tuple[str, ...] = ()
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeResult:
    """An attempt at a kata that was judged; `level` is 1 to 10, `first` that it was the first."""

    gap_id: str
    kata_id: str
    topic: str
    level: int
    passed: bool
    first: bool = False


@dataclass(frozen=True, slots=True)
class Reviews:
    """How often a topic was recalled in Study: at which levels without help, and how often not.

    Levels are those of attempts at a kata, 1 to 10.
    """

    passed: tuple[int, ...] = ()
    failed: int = 0


class StudyLink(Protocol):
    """Where gaps come back for review: Study. What fails there is logged and breaks nothing."""

    async def give(self, actor: Actor, session_id: str, found: Sequence[ToPractise]) -> None:
        """Make concepts of gaps, each with a first review date."""
        ...

    async def note(self, actor: Actor, done: PracticeResult) -> None:
        """Tell of an attempt, which moves the date of the next review."""
        ...

    async def reviews(self, actor: Actor) -> Mapping[str, Reviews]:
        """What became of gaps in Study, by their topics."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Models, database, memory, Study, the project's folder, and time, ids and waiting."""

    database: Database
    models: Models
    now: Clock
    memories: Memories
    studying: StudyLink
    project_dir: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    terms: Callable[[Actor], RunTerms] = lambda _: RunTerms()
    ids: Ids = random_ids
    sleep: Sleep = anyio.sleep

    def project_files(self) -> tuple[str, ...]:
        """The paths of the project's files; none when there is no project or it cannot be read."""
        if self.project_dir is None:
            return ()
        try:
            return tuple(_paths(open_project(self.project_dir).tree().root))
        except PaigeError as error:
            logger.warning("The project's files are not known: %s", error.message)
            return ()

    def project_text(self, path: str) -> str | None:
        """The text of a file of the project; to be called in a thread.

        Nothing when it cannot be read or is no text.
        """
        if self.project_dir is None:
            return None
        try:
            found = open_project(self.project_dir).read(path)
        except PaigeError:
            return None
        return None if found.binary else found.content


def _paths(node: TreeNode) -> list[str]:
    if node.type == "file":
        return [node.path]
    return [path for child in node.children or () for path in _paths(child)]


async def ask(services: Services, actor: Actor, call: Call[T]) -> CallResult[T]:
    """The answer to a question. Raises: ModelError when nobody gives one."""
    models = replace(services.models, sleep=services.sleep)
    return await call_api_with_retry(models, actor, call)
