"""Rows of this room's tables as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

SessionStatus = Literal["active", "completed", "abandoned"]
PhaseStatus = Literal["pending", "active", "complete"]
HintType = Literal["file", "line"]

NO_SESSION = "No active session"


@dataclass(frozen=True, slots=True)
class CoachSession:
    """Work on one issue of a project, coached; at most one is active for a person and project."""

    id: str
    project_dir: str
    issue_number: int | None
    issue_title: str | None
    status: SessionStatus
    started_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A plan for a session, as it was written; the phases are made from it."""

    id: str
    session_id: str
    raw_plan_text: str
    created_at: datetime
    memory_connection: str | None = None  # what it is like, of what was done before
    estimated_difficulty: str | None = None  # beginner, intermediate, advanced


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """One step of a plan; numbers begin at 1."""

    id: str
    plan_id: str
    number: int
    title: str
    description: str
    status: PhaseStatus = "pending"
    hint_level: str = "none"
    expected_files: tuple[str, ...] = ()
    started_at: datetime | None = None
    completed_at: datetime | None = None


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


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """Something that happened in a phase: `hint_used`, `review_passed`, …"""

    id: str
    phase_id: str
    event_type: str
    data: Mapping[str, Any] | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person or the coach did; the types and their data are in `actions`."""

    id: str
    session_id: str | None
    action_type: str
    data: Mapping[str, Any] | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Budget:
    """What model calls cost, in dollars, and how long they took."""

    total_cost: float
    by_model: Mapping[str, float]
    average_latency_ms: float | None  # of the calls that were answered
    calls: int
    failed: int
