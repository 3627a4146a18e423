"""What everyone who thinks for the coach works with; tests give their own clock, ids and sleep."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import anyio

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.coach.ids import Ids, random_ids
from paige.learner.records import KataRow
from paige.models.calls import Models
from paige.models.retrying import Sleep
from paige.sandbox.terms import RunTerms
from paige.store.engine import Database


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that was found; the lower the distance, the nearer in meaning."""

    content: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    distance: float = 0.0


@dataclass(frozen=True, slots=True)
class Noted:
    """Something to remember; `importance` is high, medium or low."""

    content: str
    tags: tuple[str, ...] = ()
    importance: str = "medium"


class Memories(Protocol):
    """The coach's memory from session to session; it never raises, it finds or keeps nothing."""

    async def available(self) -> bool:
        """Whether anything can be found now."""
        ...

    async def query(
        self, actor: Actor, text: str, n_results: int, *, here: bool = True
    ) -> list[Recalled]:
        """The memories of a person nearest in meaning; `here` looks in this project only."""
        ...

    async def add(self, actor: Actor, notes: Sequence[Noted], session_id: str) -> int:
        """Remember something of a session in this project; how many can be found now."""
        ...


class NoMemories:
    """Nothing is remembered."""

    async def available(self) -> bool:
        """Never."""
        return False

    async def query(
        self, actor: Actor, text: str, n_results: int, *, here: bool = True
    ) -> list[Recalled]:
        """Nothing."""
        return []

    async def add(self, actor: Actor, notes: Sequence[Noted], session_id: str) -> int:
        """Nothing is kept."""
        return 0


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
class Practised:
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


class Studying(Protocol):
    """Where gaps come back for review: Study. What fails there is logged and breaks nothing."""

    async def give(self, actor: Actor, session_id: str, found: Sequence[ToPractise]) -> None:
        """Make concepts of gaps, each with a first review date."""
        ...

    async def note(self, actor: Actor, done: Practised) -> None:
        """Tell of an attempt, which moves the date of the next review."""
        ...

    async def reviews(self, actor: Actor) -> Mapping[str, Reviews]:
        """What became of gaps in Study, by their topics."""
        ...


class NoStudying:
    """Nothing comes back."""

    async def give(self, actor: Actor, session_id: str, found: Sequence[ToPractise]) -> None:
        """Nobody takes it."""

    async def note(self, actor: Actor, done: Practised) -> None:
        """Nobody hears it."""

    async def reviews(self, actor: Actor) -> Mapping[str, Reviews]:
        """Nothing was recalled."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Models, database, memory, Study, the project's folder, and time, ids and waiting."""

    database: Database
    models: Models
    now: Clock
    memories: Memories = field(default_factory=NoMemories)
    studying: Studying = field(default_factory=NoStudying)
    project_dir: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    terms: Callable[[Actor], RunTerms] = lambda _: RunTerms()
    ids: Ids = random_ids
    sleep: Sleep = anyio.sleep
    random: Callable[[int], bytes] = os.urandom
