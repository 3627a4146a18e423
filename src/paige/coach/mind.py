"""What the coach asks a model for, and the answers; the room works without anyone who answers.

A `Mind` thinks and stores what it alone knows (gaps, katas, assessments, memories); the live coach
does the rest: it finds the session, stores the plan, logs, and tells the windows.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, NoReturn, Protocol

from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.coach.answers import TriageAnswer
from paige.coach.message_parts import (
    Constraint,
    FileHint,
    FollowUp,
    LineHint,
    RankedIssue,
    Recommendation,
    TextRange,
)
from paige.coach.observer.moment import Moment
from paige.coach.records import CoachSession

# How far a long task is: steps done, steps in all, what is done now.
Progress = Callable[[int, int, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class PlanText:
    """A plan that a coding CLI made, to be turned into phases."""

    plan_text: str
    issue_summary: str
    issue_number: int | None = None


@dataclass(frozen=True, slots=True)
class PlannedPhase:
    """One phase as the coach wants it."""

    number: int
    title: str
    description: str
    hint_level: str
    expected_files: tuple[str, ...] = ()
    file_hints: tuple[FileHint, ...] = ()
    line_hints: tuple[LineHint, ...] = ()


@dataclass(frozen=True, slots=True)
class CoachedPlan:
    """A plan made into phases for one person."""

    phases: tuple[PlannedPhase, ...]
    memory_connection: str | None
    estimated_difficulty: str


@dataclass(frozen=True, slots=True)
class WrapUp:
    """How much was learnt from a session."""

    knowledge_gaps: int = 0
    kata_specs: int = 0
    dreyfus_updates: int = 0
    memories_stored: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """Some code a person asks about."""

    path: str
    selection: TextRange
    selected_text: str
    language: str | None = None
    surrounding_context: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a passage means."""

    explanation: str
    key_concepts: tuple[str, ...] = ()
    analogy: str | None = None
    related_files: tuple[str, ...] | None = None
    phase_connection: str | None = None
    model: str | None = None  # who said so


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be reviewed: the solution of a kata, or (without one) the diffs of a phase."""

    code: str
    kata_id: str | None = None
    constraints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Review:
    """What is good and what is missing."""

    correct: bool
    feedback: str
    level: int
    passed: bool
    dreyfus_signal: Literal["advancing", "stable", "struggling"]
    follow_up: FollowUp | None = None
    unlocked_constraints: tuple[Constraint, ...] = field(default_factory=tuple)
    model: str | None = None  # who said so


class Mind(Protocol):
    """Whoever thinks for the coach. Every method may raise Unavailable."""

    async def run_pipeline(
        self, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
    ) -> CoachedPlan:
        """Turn a plan into phases for this person."""
        ...

    async def wrap_up(self, actor: Actor, session: CoachSession, transcript: str) -> WrapUp:
        """Find and store what was learnt from a session; what fails is left out."""
        ...

    async def explain(
        self, actor: Actor, session: CoachSession | None, passage: Passage
    ) -> Explanation:
        """Explain a passage at the person's level."""
        ...

    async def review(self, actor: Actor, session: CoachSession | None, work: Work) -> Review:
        """Review some work; an attempt at a kata is stored with it."""
        ...

    async def rank_issues(self, actor: Actor) -> list[RankedIssue]:
        """Judge the open issues of the project for this person."""
        ...

    async def find_materials(self, actor: Actor) -> list[Recommendation] | None:
        """Find something to read for the person's gaps; `None` when there is no gap."""
        ...

    async def triage(self, actor: Actor, session: CoachSession, moment: Moment) -> TriageAnswer:
        """Decide whether the person should be spoken to at this moment."""
        ...


class NoMind:
    """Nobody thinks: every question says so."""

    async def run_pipeline(
        self, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
    ) -> CoachedPlan:
        """Say that plans are not made into phases here."""
        _missing("coaching pipeline")

    async def wrap_up(self, actor: Actor, session: CoachSession, transcript: str) -> WrapUp:
        """Say that sessions are not analysed here."""
        _missing("session analysis")

    async def explain(
        self, actor: Actor, session: CoachSession | None, passage: Passage
    ) -> Explanation:
        """Say that nothing is explained here."""
        _missing("explanation")

    async def review(self, actor: Actor, session: CoachSession | None, work: Work) -> Review:
        """Say that nothing is reviewed here."""
        _missing("review")

    async def rank_issues(self, actor: Actor) -> list[RankedIssue]:
        """Say that issues are not judged here."""
        _missing("issue assessment")

    async def find_materials(self, actor: Actor) -> list[Recommendation] | None:
        """Say that nothing is recommended here."""
        _missing("search for learning materials")

    async def triage(self, actor: Actor, session: CoachSession, moment: Moment) -> TriageAnswer:
        """Say that nobody is watched here."""
        _missing("observer")


def _missing(what: str) -> NoReturn:
    raise Unavailable(
        f"The coach's {what} is not part of this version",
        hint="Everything else of the coach works without it.",
    )
