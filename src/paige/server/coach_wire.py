"""Shapes of the coach's part of the REST API."""

from datetime import datetime
from typing import Any

from pydantic import Field, field_serializer

from paige.base.clock import to_iso
from paige.coach.message_parts import Period, PhaseStatus, SessionStatus, TreeNode
from paige.learner.gaps import Severity
from paige.learner.stages import Stage
from paige.server.wire import Asked, Wire

MOST_ACTIONS = 500


class CoachSessionInfo(Wire):
    """A coached session."""

    id: str
    project_dir: str
    issue_number: int | None
    issue_title: str | None
    status: SessionStatus
    started_at: datetime
    ended_at: datetime | None

    @field_serializer("started_at", "ended_at")
    def _moment(self, moment: datetime | None) -> str | None:
        return None if moment is None else to_iso(moment)


class CoachPlan(Wire):
    """The plan a session follows."""

    id: str
    memory_connection: str | None
    estimated_difficulty: str | None


class CoachPhase(Wire):
    """One phase of the plan."""

    id: str
    number: int
    title: str
    description: str
    status: PhaseStatus
    hint_level: str
    expected_files: list[str]


class CoachSessionSeen(Wire):
    """A session to look back at: its phases, and the topics of the gaps that it showed."""

    session: CoachSessionInfo
    phases: list[CoachPhase]
    gaps: list[str]


class CoachObserver(Wire):
    """Whether the observer watches, and whether it may speak."""

    active: bool
    muted: bool


class CoachOverview(Wire):
    """Where a person is."""

    project: str | None
    session: CoachSessionInfo | None
    plan: CoachPlan | None
    phases: list[CoachPhase]
    open_files: list[str]
    observer: CoachObserver


class CoachTree(Wire):
    """The project's folders and files."""

    root: TreeNode
    truncated: bool


class CoachFile(Wire):
    """A file; a binary one has no content."""

    path: str
    content: str
    language: str
    line_count: int
    binary: bool
    size: int


class CoachAction(Wire):
    """Something that was done."""

    id: str
    session_id: str | None
    action_type: str
    data: dict[str, Any] | None
    created_at: datetime

    @field_serializer("created_at")
    def _moment(self, moment: datetime) -> str:
        return to_iso(moment)


class CoachActions(Wire):
    """Actions, newest first."""

    actions: list[CoachAction]


class CoachCost(Wire):
    """What model calls cost, in dollars."""

    total_cost: float
    by_model: dict[str, float]
    average_latency_ms: float | None
    calls: int
    failed: int


class CoachBudget(Wire):
    """What model calls cost: in the active session, if there is one, and ever."""

    session: CoachCost | None
    total: CoachCost


class CoachGap(Wire):
    """A gap: the session that showed it, the stage of its topic, its next review in Study."""

    topic: str
    severity: Severity
    frequency: int
    closed: bool
    stage: Stage
    kata_id: str | None
    session_id: str | None
    session_title: str | None
    session_at: datetime | None
    course: str
    concept: str
    next_review: datetime | None
    due: bool
    reviews: int

    @field_serializer("session_at", "next_review")
    def _moment(self, moment: datetime | None) -> str | None:
        return None if moment is None else to_iso(moment)


class CoachGaps(Wire):
    """The gaps of a person, the most urgent first."""

    gaps: list[CoachGap]


class CoachFileAsked(Asked):
    """Which file is wanted."""

    path: str = Field(min_length=1, max_length=4096)


class CoachActionsAsked(Asked):
    """How many actions are wanted."""

    limit: int = Field(default=20, ge=1, le=MOST_ACTIONS)


class CoachDashboardAsked(Asked):
    """Which period is wanted."""

    period: Period = "all"


OUT = (
    CoachOverview,
    CoachSessionSeen,
    CoachTree,
    CoachFile,
    CoachActions,
    CoachBudget,
    CoachGaps,
)
IN = (CoachFileAsked, CoachActionsAsked, CoachDashboardAsked)
