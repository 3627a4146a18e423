"""Every message the coach sends: one class a message, `topic` is its type on the wire.

`session:*`, `coaching:*` and `observer:status` are events: they are published with the change they
tell of and sent again after a reconnect. All others pass by and are not stored. What clients send
is in `client_messages.py`.
"""

import operator
from typing import ClassVar, Literal, NamedTuple, Protocol

from pydantic import Field

from paige.base.actor import Actor
from paige.coach.files.values import TreeNode
from paige.coach.message_parts import (
    LEFT_OUT,
    OFF,
    Anchor,
    CoachMessage,
    Constraint,
    DashboardStats,
    Decoration,
    DreyfusRow,
    FileHint,
    FollowUp,
    InProgressSession,
    IssueContext,
    Kata,
    KataSummary,
    LockedConstraint,
    NudgeContext,
    PhaseInfo,
    RankedIssue,
    Recommendation,
    RestoredState,
    SessionSummary,
    SkillArea,
    Style,
    TextRange,
)
from paige.coach.records import PhaseStatus
from paige.store.messages import Message


class CoachEvent(CoachMessage):
    """Base of the events: they are stored in the transaction of the change they tell of."""


class PassingMessage(CoachMessage):
    """Base of what is not stored."""


# ---- to a client: files and editor ----


class FsTree(PassingMessage):
    """The whole file tree; `truncated` is there when the project has more files than are listed."""

    topic: ClassVar[str] = "fs:tree"
    root: TreeNode
    truncated: bool = OFF


class FsTreeUpdate(PassingMessage):
    """A file or folder came, changed or went."""

    topic: ClassVar[str] = "fs:tree_update"
    action: Literal["add", "change", "unlink", "addDir", "unlinkDir", "rename"]
    path: str
    new_path: str | None = LEFT_OUT


class FsContent(PassingMessage):
    """A file that was opened; a binary one has no content, and says so."""

    topic: ClassVar[str] = "fs:content"
    path: str
    content: str
    language: str
    line_count: int
    binary: bool = OFF


class FsSaveAck(PassingMessage):
    """A file was saved, at a moment in ms since 1970."""

    topic: ClassVar[str] = "fs:save_ack"
    path: str
    success: Literal[True] = True
    timestamp: int


class FsSaveError(PassingMessage):
    """A file could not be saved; what was there is still there."""

    topic: ClassVar[str] = "fs:save_error"
    path: str
    error: str


class EditorOpenFile(PassingMessage):
    """Paige opens a file for the person."""

    topic: ClassVar[str] = "editor:open_file"
    path: str
    content: str
    language: str
    line_count: int
    binary: bool = OFF


class EditorHighlightLines(PassingMessage):
    """Paige highlights lines, besides those that are highlighted already."""

    topic: ClassVar[str] = "editor:highlight_lines"
    path: str
    start: int
    end: int
    style: Style
    hover_text: str | None = LEFT_OUT


class EditorClearHighlights(PassingMessage):
    """Paige's highlights go: of one file, or all."""

    topic: ClassVar[str] = "editor:clear_highlights"
    path: str | None = LEFT_OUT


class EditorDecorations(PassingMessage):
    """Every highlight of a file, in place of those that are shown."""

    topic: ClassVar[str] = "editor:decorations"
    path: str
    decorations: list[Decoration]


class EditorClearDecorations(PassingMessage):
    """Decorations go: of one file, or all."""

    topic: ClassVar[str] = "editor:clear_decorations"
    path: str | None = LEFT_OUT


class EditorHoverHint(PassingMessage):
    """What Paige says about the lines that were selected."""

    topic: ClassVar[str] = "editor:hover_hint"
    path: str
    range: TextRange
    hint_text: str


class ExplorerHintFiles(PassingMessage):
    """Files that are to glow in the explorer, besides those that do."""

    topic: ClassVar[str] = "explorer:hint_files"
    hints: list[FileHint]


class ExplorerClearHints(PassingMessage):
    """No file glows any more."""

    topic: ClassVar[str] = "explorer:clear_hints"


# ---- to a client: sessions and coaching (events) ----


class SessionStarted(CoachEvent):
    """A session has begun."""

    topic: ClassVar[str] = "session:started"
    session_id: str
    issue_context: IssueContext | None = None
    phases: list[PhaseInfo] = Field(default_factory=list)
    hint_level: str
    open_files: list[str] = Field(default_factory=list)


class SessionResumed(CoachEvent):
    """An earlier session goes on."""

    topic: ClassVar[str] = "session:resumed"
    restored_state: RestoredState


class SessionEnded(CoachEvent):
    """A session is over."""

    topic: ClassVar[str] = "session:ended"
    summary: SessionSummary


class SessionCompleted(CoachEvent):
    """What was learnt from a session."""

    topic: ClassVar[str] = "session:completed"
    session_id: str
    knowledge_gaps: int = 0
    kata_specs: int = 0
    dreyfus_updates: int = 0
    memories_stored: int = 0
    # What nobody judged, and what there is to judge by; left out where somebody did.
    note: str = Field(default="", exclude_if=operator.not_)


class CoachingPhaseUpdate(CoachEvent):
    """A phase has another status; `phase` is its number."""

    topic: ClassVar[str] = "coaching:phase_update"
    phase: int
    status: PhaseStatus
    description: str
    id: str
    title: str
    hint_level: str


class CoachingMessage(CoachEvent):
    """Paige says something, by itself or beside some lines."""

    topic: ClassVar[str] = "coaching:message"
    message: str
    type: str
    anchor: Anchor | None = LEFT_OUT


class CoachingIssueContext(CoachEvent):
    """The issue that is worked on."""

    topic: ClassVar[str] = "coaching:issue_context"
    number: int | None = None
    title: str
    summary: str = ""
    labels: list[str] = Field(default_factory=list)
    url: str | None = None


class CoachingPlanReady(CoachEvent):
    """A plan was made into phases."""

    topic: ClassVar[str] = "coaching:plan_ready"
    plan_id: str
    phases: list[PhaseInfo]
    memory_connection: str | None = None
    estimated_difficulty: str


class ObserverStatus(CoachEvent):
    """Whether the observer watches, and whether it may speak."""

    topic: ClassVar[str] = "observer:status"
    active: bool
    muted: bool
    last_evaluation: str | None = None


# ---- to a client: answers that are asked for ----


class ObserverNudge(PassingMessage):
    """The observer thinks that a word would help."""

    topic: ClassVar[str] = "observer:nudge"
    signal: str
    confidence: float
    context: NudgeContext


class ExplainResponse(PassingMessage):
    """What some code means."""

    topic: ClassVar[str] = "explain:response"
    explanation: str
    path: str
    key_concepts: list[str] = Field(default_factory=list)
    analogy: str | None = None
    related_files: list[str] | None = None
    phase_connection: str | None = None


class ExplainError(PassingMessage):
    """Nothing could be explained."""

    topic: ClassVar[str] = "explain:error"
    path: str
    error: str


class ReviewResponse(PassingMessage):
    """What is good and what is missing; `kataId` is null for work in a phase."""

    topic: ClassVar[str] = "review:response"
    kata_id: str | None = None
    correct: bool
    feedback: str
    level: int = Field(ge=1, le=10)
    passed: bool
    follow_up: FollowUp | None = None
    dreyfus_signal: Literal["advancing", "stable", "struggling"]
    unlocked_constraints: list[Constraint] = Field(default_factory=list)


class ReviewError(PassingMessage):
    """Nothing could be reviewed."""

    topic: ClassVar[str] = "review:error"
    kata_id: str | None = None
    error: str


class PracticeKataLoad(PassingMessage):
    """A kata, what may make it harder at the level reached so far, and what opens later."""

    topic: ClassVar[str] = "practice:kata_load"
    kata: Kata
    constraints: list[Constraint]
    locked: list[LockedConstraint] = Field(default_factory=list)


class PracticeSolutionReview(PassingMessage):
    """A handed-in solution was reviewed."""

    topic: ClassVar[str] = "practice:solution_review"
    kata_id: str
    review: str
    level: int
    passed: bool
    constraints_unlocked: list[Constraint] = Field(default_factory=list)


class DashboardState(PassingMessage):
    """Everything on the dashboard that is known here."""

    topic: ClassVar[str] = "dashboard:state"
    dreyfus: list[DreyfusRow]
    stats: DashboardStats
    in_progress_sessions: list[InProgressSession]
    katas: list[KataSummary]
    open_gaps: int  # without any, nobody looks for material


class DashboardDreyfus(PassingMessage):
    """The skills chart."""

    topic: ClassVar[str] = "dashboard:dreyfus"
    skill_areas: list[SkillArea]
    overall_stage: str | None = None


class DashboardIssues(PassingMessage):
    """Issues, best first."""

    topic: ClassVar[str] = "dashboard:issues"
    issues: list[RankedIssue]


class DashboardIssuesError(PassingMessage):
    """There are no issues to show, and why."""

    topic: ClassVar[str] = "dashboard:issues_error"
    error: str


class DashboardMaterials(PassingMessage):
    """What to read for the gaps that were found."""

    topic: ClassVar[str] = "dashboard:materials"
    recommendations: list[Recommendation]


class DashboardMaterialsError(PassingMessage):
    """There is nothing to read, and why."""

    topic: ClassVar[str] = "dashboard:materials_error"
    error: str


class TerminalOpened(PassingMessage):
    """The terminal is there; what it showed last follows as output."""

    topic: ClassVar[str] = "terminal:ready"
    cols: int
    rows: int
    shell: str


class TerminalOutput(PassingMessage):
    """What the terminal shows."""

    topic: ClassVar[str] = "terminal:output"
    output: str


class TerminalExit(PassingMessage):
    """The shell has ended."""

    topic: ClassVar[str] = "terminal:exit"
    code: int | None = None


DURABLE: tuple[type[Message], ...] = tuple(CoachEvent.__subclasses__())
OUTBOUND: tuple[type[Message], ...] = (*DURABLE, *PassingMessage.__subclasses__())


class Reply(NamedTuple):
    """The question that a message answers: who asked, and the id that joins both."""

    connection: str
    id: str | None = None


class MessageSink(Protocol):
    """Sends messages that are not stored."""

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Send to every connection of a person (`None` is everyone); whoever asked gets its id."""
        ...

    def answer(self, message: Message, reply: Reply) -> None:
        """Send to the one connection that asked; nothing happens when it has gone."""
        ...

    async def room(self, actor: Actor | None) -> None:
        """Wait while connections of a person (`None` is everyone) have much left to read."""
        ...

    async def after_events(self) -> None:
        """Wait until the events committed so far are on their way to the windows."""
        ...
