"""Every message a client may send the coach: one class a message, `topic` is its type on the wire.

A payload is checked here, once; what a handler gets is right. Unknown fields are ignored.
"""

from typing import Annotated, Any, ClassVar, Self

from pydantic import AliasChoices, BeforeValidator, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from paige.coach.message_parts import (
    CoachMessage,
    CursorPosition,
    FilePath,
    HintLevel,
    Period,
    TextRange,
)
from paige.store.messages import Message

MOST_CELLS = 1000
COLS, ROWS = 80, 24  # of a terminal whose size nobody told
Cells = Field(ge=1, le=MOST_CELLS)


def _unread(_: object) -> list[object]:
    """Selections are not used, so one in a shape of an editor's own is no reason to lose a text."""
    return []


class FileOpen(CoachMessage):
    """A person opens a file."""

    topic: ClassVar[str] = "file:open"
    path: FilePath


class FileSave(CoachMessage):
    """A person saves a file."""

    topic: ClassVar[str] = "file:save"
    path: FilePath
    content: str


class FileClose(CoachMessage):
    """A person closes a file's tab."""

    topic: ClassVar[str] = "file:close"
    path: FilePath


class FsRequestTree(CoachMessage):
    """A client asks for the whole file tree."""

    topic: ClassVar[str] = "fs:request_tree"


class BufferUpdate(CoachMessage):
    """The text in an editor changed; nothing answers it."""

    topic: ClassVar[str] = "buffer:update"
    path: FilePath
    content: str
    cursor_position: CursorPosition = CursorPosition(line=1, column=1)
    selections: Annotated[list[TextRange], BeforeValidator(_unread)] = Field(default_factory=list)


class EditorTabSwitch(CoachMessage):
    """Another tab is in front."""

    topic: ClassVar[str] = "editor:tab_switch"
    from_path: str | None = None
    to_path: str | None = None


class EditorSelection(CoachMessage):
    """Text was selected; inside a highlight with a hover text it is answered with that text."""

    topic: ClassVar[str] = "editor:selection"
    path: FilePath
    range: TextRange
    sent_range: SkipJsonSchema[Any] = Field(validation_alias="range")  # as the editor wrote it
    text_length: int = Field(default=0, ge=0)


class EditorScroll(CoachMessage):
    """The editor was scrolled; only the time of the last activity is kept."""

    topic: ClassVar[str] = "editor:scroll"
    path: FilePath | None = None


class ExplorerExpandDir(CoachMessage):
    """A folder was opened in the explorer; only the time of the last activity is kept."""

    topic: ClassVar[str] = "explorer:expand_dir"
    path: str


class ExplorerCollapseDir(CoachMessage):
    """A folder was closed in the explorer; only the time of the last activity is kept."""

    topic: ClassVar[str] = "explorer:collapse_dir"
    path: str


class HintsLevelChange(CoachMessage):
    """The hint slider moved."""

    topic: ClassVar[str] = "hints:level_change"
    level: HintLevel
    previous_level: HintLevel | None = None


class UserExplain(CoachMessage):
    """A person asks what some code means; `range` is taken for `selection`."""

    topic: ClassVar[str] = "user:explain"
    path: FilePath
    language: str | None = None
    selection: TextRange = Field(validation_alias=AliasChoices("selection", "range"))
    selected_text: str
    surrounding_context: str = ""


class UserReview(CoachMessage):
    """A person asks for a review: of a kata's solution, or of the work in the active phase."""

    topic: ClassVar[str] = "user:review"
    kata_id: str | None = None
    user_code: str | None = None
    active_constraint_titles: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _with_code(self) -> Self:
        if (self.kata_id is None) != (self.user_code is None):
            raise ValueError("`kataId` and `userCode` go together")
        return self


class UserIdleStart(CoachMessage):
    """Nothing has been done for a while; the moment is in ms since 1970 or ISO 8601."""

    topic: ClassVar[str] = "user:idle_start"
    last_action_timestamp: int | float | str


class UserIdleEnd(CoachMessage):
    """The person is back."""

    topic: ClassVar[str] = "user:idle_end"


class ObserverMute(CoachMessage):
    """The observer is to be quiet, or may speak again."""

    topic: ClassVar[str] = "observer:mute"
    muted: bool


class PracticeOpen(CoachMessage):
    """A person opens a kata; answered with `practice:kata_load`."""

    topic: ClassVar[str] = "practice:open"
    kata_id: str


class PracticeSubmitSolution(CoachMessage):
    """A person hands in a solution of a kata."""

    topic: ClassVar[str] = "practice:submit_solution"
    kata_id: str
    code: str
    active_constraints: list[str] = Field(default_factory=list)


class SessionStart(CoachMessage):
    """A person starts to work on an issue, or without one."""

    topic: ClassVar[str] = "session:start"
    issue_number: int | None = Field(default=None, ge=0)
    issue_title: str | None = Field(default=None, max_length=500)


class SessionResume(CoachMessage):
    """A person goes on with an earlier session."""

    topic: ClassVar[str] = "session:resume"
    session_id: str


class SessionEnd(CoachMessage):
    """A person ends the session."""

    topic: ClassVar[str] = "session:end"


class DashboardRequest(CoachMessage):
    """A client asks for everything on the dashboard."""

    topic: ClassVar[str] = "dashboard:request"
    stats_period: Period = "all"


class DashboardRefreshIssues(CoachMessage):
    """A client asks for the issues again."""

    topic: ClassVar[str] = "dashboard:refresh_issues"


class TerminalReady(CoachMessage):
    """A client shows a terminal of this size; the shell is started when there is none."""

    topic: ClassVar[str] = "terminal:ready"
    cols: int = Field(default=COLS, ge=1, le=MOST_CELLS)
    rows: int = Field(default=ROWS, ge=1, le=MOST_CELLS)


class TerminalInput(CoachMessage):
    """A person types; the first time that starts the shell."""

    topic: ClassVar[str] = "terminal:input"
    input: str


class TerminalResize(CoachMessage):
    """The terminal has another size."""

    topic: ClassVar[str] = "terminal:resize"
    cols: int = Cells
    rows: int = Cells


INBOUND: tuple[type[Message], ...] = (
    FileOpen,
    FileSave,
    FileClose,
    FsRequestTree,
    BufferUpdate,
    EditorTabSwitch,
    EditorSelection,
    EditorScroll,
    ExplorerExpandDir,
    ExplorerCollapseDir,
    HintsLevelChange,
    UserExplain,
    UserReview,
    UserIdleStart,
    UserIdleEnd,
    ObserverMute,
    PracticeOpen,
    PracticeSubmitSolution,
    SessionStart,
    SessionResume,
    SessionEnd,
    DashboardRequest,
    DashboardRefreshIssues,
    TerminalReady,
    TerminalInput,
    TerminalResize,
)
