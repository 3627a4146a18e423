"""Every message a client may send the coach: one class a message, `topic` is its type on the wire.

A payload is checked here, once; what a handler gets is right. Unknown fields are ignored.
"""

from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from paige.coach.files.values import CursorPosition
from paige.coach.message_parts import (
    CoachMessage,
    FilePath,
    HintLevel,
    Passage,
    Period,
    TextRange,
)
from paige.coach.model import Work
from paige.store.messages import Message

MOST_CELLS = 1000
COLS, ROWS = 80, 24  # of a terminal whose size nobody told
Cells = Field(ge=1, le=MOST_CELLS)


class WindowMessage(CoachMessage):
    """Base of what windows send."""


def _unread(_: object) -> list[object]:
    """Selections are not used, so one in a shape of an editor's own is no reason to lose a text."""
    return []


class FileOpen(WindowMessage):
    """A person opens a file."""

    topic: ClassVar[str] = "file:open"
    path: FilePath


class FileSave(WindowMessage):
    """A person saves a file."""

    topic: ClassVar[str] = "file:save"
    path: FilePath
    content: str


class FileClose(WindowMessage):
    """A person closes a file's tab."""

    topic: ClassVar[str] = "file:close"
    path: FilePath


class FsRequestTree(WindowMessage):
    """A client asks for the whole file tree."""

    topic: ClassVar[str] = "fs:request_tree"


class BufferUpdate(WindowMessage):
    """The text in an editor changed; nothing answers it."""

    topic: ClassVar[str] = "buffer:update"
    path: FilePath
    content: str
    cursor_position: CursorPosition = CursorPosition(line=1, column=1)
    selections: Annotated[list[TextRange], BeforeValidator(_unread)] = Field(default_factory=list)


class EditorTabSwitch(WindowMessage):
    """Another tab is in front."""

    topic: ClassVar[str] = "editor:tab_switch"
    from_path: str | None = None
    to_path: str | None = None


class EditorSelection(WindowMessage):
    """Text was selected; inside a highlight with a hover text it is answered with that text."""

    topic: ClassVar[str] = "editor:selection"
    path: FilePath
    range: TextRange
    sent_range: SkipJsonSchema[Any] = Field(validation_alias="range")  # as the editor wrote it
    text_length: int = Field(default=0, ge=0)


class EditorScroll(WindowMessage):
    """The editor was scrolled; only the time of the last activity is kept."""

    topic: ClassVar[str] = "editor:scroll"
    path: FilePath | None = None


class ExplorerExpandDir(WindowMessage):
    """A folder was opened in the explorer; only the time of the last activity is kept."""

    topic: ClassVar[str] = "explorer:expand_dir"
    path: str


class ExplorerCollapseDir(WindowMessage):
    """A folder was closed in the explorer; only the time of the last activity is kept."""

    topic: ClassVar[str] = "explorer:collapse_dir"
    path: str


class HintsLevelChange(WindowMessage):
    """The hint slider moved."""

    topic: ClassVar[str] = "hints:level_change"
    level: HintLevel
    previous_level: HintLevel | None = None


class UserExplain(WindowMessage, Passage):
    """A person asks what some code means."""

    topic: ClassVar[str] = "user:explain"


class UserReview(WindowMessage):
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

    @property
    def work(self) -> Work:
        """What is to be reviewed."""
        return Work(self.user_code or "", self.kata_id, tuple(self.active_constraint_titles))


class UserIdleStart(WindowMessage):
    """Nothing has been done for a while; the moment is in ms since 1970 or ISO 8601."""

    topic: ClassVar[str] = "user:idle_start"
    last_action_timestamp: int | float | str


class UserIdleEnd(WindowMessage):
    """The person is back."""

    topic: ClassVar[str] = "user:idle_end"


class ObserverMute(WindowMessage):
    """The observer is to be quiet, or may speak again."""

    topic: ClassVar[str] = "observer:mute"
    muted: bool


class PracticeOpen(WindowMessage):
    """A person opens a kata; answered with `practice:kata_load`."""

    topic: ClassVar[str] = "practice:open"
    kata_id: str


class PracticeSubmitSolution(WindowMessage):
    """A person hands in a solution of a kata."""

    topic: ClassVar[str] = "practice:submit_solution"
    kata_id: str
    code: str
    active_constraints: list[str] = Field(default_factory=list)

    @property
    def work(self) -> Work:
        """What is to be reviewed."""
        return Work(self.code, self.kata_id, tuple(self.active_constraints))


class SessionStart(WindowMessage):
    """A person starts to work on an issue, or without one."""

    topic: ClassVar[str] = "session:start"
    issue_number: int | None = Field(default=None, ge=0)
    issue_title: str | None = Field(default=None, max_length=500)


class SessionResume(WindowMessage):
    """A person goes on with an earlier session."""

    topic: ClassVar[str] = "session:resume"
    session_id: str


class SessionEnd(WindowMessage):
    """A person ends the session."""

    topic: ClassVar[str] = "session:end"


class DashboardRequest(WindowMessage):
    """A client asks for everything on the dashboard."""

    topic: ClassVar[str] = "dashboard:request"
    stats_period: Period = "all"


class DashboardRefreshIssues(WindowMessage):
    """A client asks for the issues again."""

    topic: ClassVar[str] = "dashboard:refresh_issues"


class TerminalReady(WindowMessage):
    """A client shows a terminal of this size; the shell is started when there is none."""

    topic: ClassVar[str] = "terminal:ready"
    cols: int = Field(default=COLS, ge=1, le=MOST_CELLS)
    rows: int = Field(default=ROWS, ge=1, le=MOST_CELLS)


class TerminalInput(WindowMessage):
    """A person types; the first time that starts the shell."""

    topic: ClassVar[str] = "terminal:input"
    input: str


class TerminalResize(WindowMessage):
    """The terminal has another size."""

    topic: ClassVar[str] = "terminal:resize"
    cols: int = Cells
    rows: int = Cells


INBOUND: tuple[type[Message], ...] = tuple(WindowMessage.__subclasses__())
