"""Rows of this room's tables as values."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, PlainSerializer

from paige.base.clock import to_iso
from paige.base.ids import new_id
from paige.base.wire import wire

Ids = Callable[[datetime], str]
"""Makes an id for something that begins now."""


def random_ids(now: datetime) -> str:
    """An id nobody else has; later ones sort after earlier ones."""
    return new_id(now, os.urandom(10))


SessionStatus = Literal["active", "completed", "abandoned"]
PhaseStatus = Literal["pending", "active", "complete"]
HintType = Literal["file", "line"]

Moment = Annotated[datetime, PlainSerializer(to_iso, return_type=str)]
Here = Field(exclude=True)
"""Of a field that does not leave this room."""
NO_SESSION = "No active session"


@wire
class CoachSession:
    """Work on one issue of a project, coached; at most one is active for a person and project."""

    id: str
    project_dir: str
    issue_number: int | None
    issue_title: str | None
    status: SessionStatus
    started_at: Moment
    ended_at: Moment | None = None

    @property
    def about(self) -> str:
        """Its issue in a few words."""
        return issue_words(self.issue_number, self.issue_title)


def issue_words(number: int | None, title: str | None) -> str:
    """An issue in a few words."""
    if number is None:
        return title or "no issue"
    return f"#{number} {title}" if title else f"#{number}"


@wire
class PlanRow:
    """A plan for a session, as it was written; the phases are made from it."""

    id: str
    session_id: Annotated[str, Here]
    raw_plan_text: Annotated[str, Here]
    created_at: Annotated[datetime, Here]
    memory_connection: str | None = None  # what it is like, of what was done before
    estimated_difficulty: str | None = None  # beginner, intermediate, advanced


@wire
class PhaseRow:
    """One step of a plan; numbers begin at 1."""

    id: str
    plan_id: Annotated[str, Here]
    number: int
    title: str
    description: str
    status: PhaseStatus = "pending"
    hint_level: str = "none"
    expected_files: tuple[str, ...] = ()
    started_at: Annotated[datetime | None, Here] = None
    completed_at: Annotated[datetime | None, Here] = None


@dataclass(frozen=True, slots=True)
class PhaseHint:
    """A file, or some lines of one, that a phase points at."""

    id: str
    phase_id: str
    type: HintType
    path: str
    style: str
    start_line: int | None = None
    end_line: int | None = None
    hover_text: str | None = None


@wire
class ProgressEvent:
    """Something that happened in a phase: `hint_used`, `review_passed`, …"""

    id: Annotated[str, Here]
    phase_id: Annotated[str, Here]
    event_type: str
    data: Mapping[str, Any] | None
    created_at: Moment


@wire
class Action:
    """Something a person or the coach did; the types and their data are in `actions`."""

    id: str
    session_id: str | None
    action_type: str
    data: Mapping[str, Any] | None
    created_at: Moment


@wire
class CoachCost:
    """What model calls cost, in dollars, and how long they took."""

    total_cost: float
    by_model: Mapping[str, float]
    average_latency_ms: float | None  # of the calls that were answered
    calls: int
    failed: int
