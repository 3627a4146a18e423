"""The action types: what is logged, what is told with each, and who listens.

The keys of the data are camelCase, as they are stored and as clients read them. A type may be given
more keys than are listed here; those that are listed without a default must be there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

from paige.base.errors import BadInput

ActionType = Literal[
    "file_open",
    "file_save",
    "file_close",
    "buffer_summary",
    "buffer_significant_change",
    "tab_switch",
    "selection",
    "hint_level_change",
    "explain_requested",
    "review_requested",
    "idle_start",
    "idle_end",
    "session_started",
    "session_resumed",
    "session_ended",
    "phase_started",
    "phase_completed",
    "coaching_message",
    "nudge_sent",
    "nudge_suppressed",
    "observer_muted",
    "mcp_tool_call",
    "decorations_applied",
    "file_hints_applied",
    "explain_completed",
    "review_completed",
    "dashboard_loaded",
    "coaching_pipeline",
    "test_run",
]


class Nothing(TypedDict):
    """An action that says everything by its type."""


class AtPath(TypedDict):
    """A file was opened or closed."""

    path: str


class Saved(TypedDict):
    """A file was saved."""

    path: str
    charCount: int


class BufferSummary(TypedDict):
    """What was typed in a file since the last summary."""

    path: str
    editCount: int
    charDelta: int
    charCount: int


class BufferSignificantChange(TypedDict):
    """A file grew or shrank much at once."""

    path: str
    previousCharCount: int
    newCharCount: int
    delta: int


class TabSwitch(TypedDict):
    """Another file came to the front; either may be none."""

    fromPath: str | None
    toPath: str | None


class Selection(TypedDict):
    """A range was selected."""

    path: str
    range: object
    textLength: int


class HintLevelChange(TypedDict):
    """The person asked for more or fewer hints."""

    level: str | int
    previousLevel: str | int | None


class ExplainRequested(TypedDict):
    """The person asked what some code means."""

    path: str
    range: object


class ReviewRequested(TypedDict):
    """The person asked for a review, of a kata if one is named."""

    kataId: NotRequired[str]


class IdleStart(TypedDict):
    """Nothing has been done for a while."""

    lastActionTimestamp: str | int | float


class SessionStarted(TypedDict):
    """A session began."""

    issueNumber: int | None


class SessionResumed(TypedDict):
    """A session went on."""

    previousSessionId: str


class SessionEnded(TypedDict):
    """A session ended, so or so."""

    status: str
    durationMs: int


class PhaseMoved(TypedDict):
    """A phase began or was completed."""

    phaseId: str
    phaseNumber: int
    title: str


class CoachingMessage(TypedDict):
    """The coach said something."""

    messageType: str


class NudgeSent(TypedDict):
    """The observer spoke."""

    signal: str
    confidence: float


class NudgeSuppressed(TypedDict):
    """The observer did not speak; what it had to say is only known when it was asked."""

    signal: NotRequired[str]
    confidence: NotRequired[float]
    reason: str


class ObserverMuted(TypedDict):
    """The person silenced the observer, or let it speak again."""

    muted: bool


class McpToolCall(TypedDict):
    """A coding CLI called a tool; the ids tell which of its turns it was."""

    toolName: str
    sessionId: str | None
    toolUseId: NotRequired[str]
    agentSessionId: NotRequired[str]
    turnId: NotRequired[str]
    error: NotRequired[str]


class DecorationsApplied(TypedDict):
    """Lines of a file were highlighted."""

    path: str
    count: int


class FileHintsApplied(TypedDict):
    """Files were pointed out in the tree."""

    paths: list[str]


class ExplainCompleted(TypedDict):
    """An explanation was given, or could not be."""

    path: str
    success: bool
    model: NotRequired[str]
    latency_ms: NotRequired[int]
    error: NotRequired[str]


class ReviewCompleted(TypedDict):
    """A review was given, or could not be."""

    kataId: str | None
    success: bool
    level: NotRequired[int | None]
    passed: NotRequired[bool | None]
    model: NotRequired[str]
    latency_ms: NotRequired[int]
    error: NotRequired[str]


class DashboardLoaded(TypedDict):
    """Everything the dashboard shows has come, or failed to."""

    statsPeriod: str
    issuesLoaded: bool
    materialsLoaded: bool


class CoachingPipeline(TypedDict):
    """A plan became phases."""

    planId: NotRequired[str]
    phaseCount: NotRequired[int]


class TestsRan(TypedDict):
    """Tests ran in the terminal or under a coding CLI."""

    passed: int
    failed: int


@dataclass(frozen=True, slots=True)
class ActionKind:
    """One type of action."""

    name: ActionType
    data: type[Any]  # a TypedDict
    observed: bool  # whether the observer looks at it
    needs_session: bool = True

    @property
    def required(self) -> frozenset[str]:
        """The keys its data must have."""
        return self.data.__required_keys__


KINDS = (
    ActionKind("file_open", AtPath, observed=True),
    ActionKind("file_save", Saved, observed=True),
    ActionKind("file_close", AtPath, observed=True),
    ActionKind("buffer_summary", BufferSummary, observed=True),
    ActionKind("buffer_significant_change", BufferSignificantChange, observed=True),
    ActionKind("tab_switch", TabSwitch, observed=True),
    ActionKind("selection", Selection, observed=True),
    ActionKind("hint_level_change", HintLevelChange, observed=True),
    ActionKind("explain_requested", ExplainRequested, observed=True, needs_session=False),
    ActionKind("review_requested", ReviewRequested, observed=True, needs_session=False),
    ActionKind("idle_start", IdleStart, observed=True),
    ActionKind("idle_end", Nothing, observed=True),
    ActionKind("session_started", SessionStarted, observed=False),
    ActionKind("session_resumed", SessionResumed, observed=False),
    ActionKind("session_ended", SessionEnded, observed=False),
    ActionKind("phase_started", PhaseMoved, observed=True),
    ActionKind("phase_completed", PhaseMoved, observed=True),
    ActionKind("coaching_message", CoachingMessage, observed=False),
    ActionKind("nudge_sent", NudgeSent, observed=False),
    ActionKind("nudge_suppressed", NudgeSuppressed, observed=False),
    ActionKind("observer_muted", ObserverMuted, observed=False),
    ActionKind("mcp_tool_call", McpToolCall, observed=False, needs_session=False),
    ActionKind("decorations_applied", DecorationsApplied, observed=False),
    ActionKind("file_hints_applied", FileHintsApplied, observed=False),
    ActionKind("explain_completed", ExplainCompleted, observed=False, needs_session=False),
    ActionKind("review_completed", ReviewCompleted, observed=False, needs_session=False),
    ActionKind("dashboard_loaded", DashboardLoaded, observed=False, needs_session=False),
    ActionKind("coaching_pipeline", CoachingPipeline, observed=False, needs_session=False),
    ActionKind("test_run", TestsRan, observed=True),
)
BY_NAME: Mapping[str, ActionKind] = {kind.name: kind for kind in KINDS}


def kind_of(action_type: str, data: Mapping[str, Any] | None) -> ActionKind:
    """What is known about a type. Raises: BadInput when there is none, or its data lacks a key."""
    kind = BY_NAME.get(action_type)
    if kind is None:
        raise BadInput(
            f"There is no action type `{action_type}`",
            hint="The types are listed in `paige.coach.actions`.",
        )
    missing = kind.required.difference(data or ())
    if missing:
        names = ", ".join(f"`{name}`" for name in sorted(missing))
        raise BadInput(f"An action `{action_type}` must say {names}")
    return kind
