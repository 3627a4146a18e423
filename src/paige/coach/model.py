"""What the coach asks a model for, and the answers.

`CoachModel` answers and stores what it alone knows (gaps, katas, assessments, memories); the live
coach does the rest: it finds the session, stores the plan, logs, and tells the windows.
"""

import operator
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal, Self

from anyio import CancelScope
from anyio.to_thread import run_sync
from pydantic import Field

from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.base.wire import wire
from paige.coach.message_parts import (
    Constraint,
    FollowUp,
    Passage,
    RankedIssue,
    Recommendation,
)
from paige.coach.records import CoachSession

if TYPE_CHECKING:
    from paige.coach.answers import CoachedPhase, Explanation, TriageAnswer
    from paige.coach.inquiry.services import Services
    from paige.coach.observer.loop import Moment

# How far a long task is: steps done, steps in all, what is done now.
Progress = Callable[[int, int, str], Awaitable[None]]
MAX_TEXT = 1_000_000
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
IssueNumber = Annotated[int | None, Field(ge=0)]


@wire
class PlanText:
    """A plan that a coding CLI made, to be turned into phases."""

    plan_text: Text
    """The plan in Markdown, as it was made for the issue."""
    issue_summary: Text
    """What the issue is about, in a few sentences."""
    issue_number: IssueNumber = None


@dataclass(frozen=True, slots=True)
class CoachedPlan:
    """A plan made into phases for one person."""

    phases: "tuple[CoachedPhase, ...]"
    memory_connection: str | None
    estimated_difficulty: str


@wire
class WrapUp:
    """How much was learnt from a session."""

    knowledge_gaps: int = 0
    kata_specs: int = 0
    dreyfus_updates: int = 0
    memories_stored: int = 0
    note: Annotated[str, Field(exclude_if=operator.not_)] = ""
    """What nobody judged, and what there is to judge by."""


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


class CoachModel:
    """Whoever answers for the coach: a model, or rules where there is none.

    What it works with is opened, and all that thinks imported, when somebody first asks.
    """

    _services: "Services | None" = None

    def __init__(self, open_services: "Callable[[], Services] | None" = None) -> None:
        """`open_services` is called once, in a thread; without it every question is refused."""
        self._open_services = open_services
        self._lock = threading.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        """Close the models at the end, if they were opened."""
        try:
            yield self
        finally:
            if self._services is not None:
                with CancelScope(shield=True):
                    await self._services.models.aclose()

    async def run_pipeline(
        self, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
    ) -> CoachedPlan:
        """Turn a plan into phases for this person. Raises: Unavailable, ModelError."""
        services = await self._opened()
        return await _questions().run_pipeline(services, actor, session, plan, progress)

    async def wrap_up(self, actor: Actor, session: CoachSession, transcript: str) -> WrapUp:
        """Find and store what was learnt from a session; what fails is left out."""
        services = await self._opened()
        return await _questions().wrap_up(services, actor, session, transcript)

    async def explain(
        self, actor: Actor, session: CoachSession | None, passage: Passage
    ) -> "Explanation":
        """Explain a passage at the person's level. Raises: Unavailable, ModelError."""
        services = await self._opened()
        return await _questions().explain(services, actor, session, passage)

    async def review(self, actor: Actor, session: CoachSession | None, work: Work) -> Review:
        """Review some work; an attempt at a kata is stored with it.

        Raises: NotFound, Unavailable, ModelError.
        """
        services = await self._opened()
        return await _questions().review_work(services, actor, session, work)

    async def rank_issues(self, actor: Actor) -> list[RankedIssue]:
        """Judge the open issues of the project for this person. Raises: Unavailable, ModelError."""
        services = await self._opened()
        return await _questions().rank_issues(services, actor)

    async def find_materials(self, actor: Actor) -> list[Recommendation] | None:
        """Find something to read for the person's gaps; `None` when there is no gap.

        Raises: Unavailable, ModelError.
        """
        services = await self._opened()
        return await _questions().find_materials(services, actor)

    async def triage(self, actor: Actor, session: CoachSession, moment: "Moment") -> "TriageAnswer":
        """Decide whether the person should be spoken to at this moment.

        Raises: Unavailable, ModelError.
        """
        services = await self._opened()
        return await _questions().triage(services, actor, session, moment)

    async def _opened(self) -> "Services":
        return self._services if self._services is not None else await run_sync(self._open)

    def _open(self) -> "Services":
        if self._open_services is None:
            raise Unavailable("Nobody answers the coach's questions here")
        with self._lock:
            if self._services is None:
                _questions()  # imports much: here, in a thread
                self._services = self._open_services()
            return self._services


def _questions():
    from paige.coach.inquiry import questions  # noqa: PLC0415 - a server may never be asked

    return questions
