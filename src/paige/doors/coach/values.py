"""What the coach is asked for and what it answers, where its room has no value for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

from paige.app.coach_study import CoachGap
from paige.base.wire import wire
from paige.coach.files.values import BufferEntry, PathDiff
from paige.coach.message_parts import Anchor, FileHint, FilePath, Period, Style
from paige.coach.model import MAX_TEXT, IssueNumber, Text, WrapUp
from paige.coach.records import Action, CoachSession, PhaseRow, ProgressEvent
from paige.coach.session_flow import LiveItem
from paige.coach.snapshot import HintState, PlanState, SkillState, StateItem

MAX_ACTIONS = 500
MAX_HINTS = 500
File = Annotated[FilePath, Field(description="Path of a file, relative to the project's folder.")]


# --- what is taken -------------------------------------------------------------------------------


@wire
class CoachFilePath:
    """A file of the project."""

    path: File


@wire
class CoachFileOrAll:
    """A file, or all of them."""

    path: File | None = None
    """Only this file; all when left out."""


@wire
class CoachSessionId:
    """A session."""

    id: str


@wire
class CoachNewest:
    """How many of the newest."""

    limit: Annotated[int, Field(ge=1, le=MAX_ACTIONS)] = 20


@wire
class CoachPeriod:
    """A period to look back at."""

    period: Period = "all"


@wire
class CoachItems:
    """Items of what is known of a session."""

    include: list[Literal[LiveItem, StateItem]] | None = None
    """Only these items; all when left out or empty."""


@wire(kw_only=True)
class CoachHighlight:
    """Lines to highlight."""

    path: File
    start: Annotated[int, Field(ge=1)]
    """First line, counted from 1."""
    end: Annotated[int, Field(ge=1)]
    """Last line, included."""
    style: Style
    """`hint`, `focus` or `warning`."""
    hover_text: Annotated[str | None, Field(max_length=MAX_TEXT)] = None
    """Shown when the person points at the lines."""

    def __post_init__(self) -> None:
        """Raises: ValueError when the lines are in no order."""
        if self.end < self.start:
            raise ValueError(f"`end` ({self.end}) is before `start` ({self.start})")


@wire(kw_only=True)
class CoachHints:
    """Files to point out: each with its style, or several with one."""

    hints: Annotated[list[FileHint] | None, Field(max_length=MAX_HINTS)] = None
    """Files, each with its style."""
    paths: Annotated[list[File] | None, Field(max_length=MAX_HINTS)] = None
    """In place of `hints`: files of one style."""
    style: Style | None = None
    """Style of `paths`: `suggested` (when left out), `important` or `critical`."""

    def __post_init__(self) -> None:
        """Raises: ValueError when files are named in no way or in both."""
        if not self.hints and not self.paths:
            raise ValueError("`hints` must name at least one file")
        if self.hints and self.paths:
            raise ValueError("`hints` and `paths` say the same; send one of them")

    @property
    def files(self) -> list[FileHint]:
        """The files with their styles, whichever way they were sent."""
        style = self.style or "suggested"
        return self.hints or [FileHint(path=path, style=style) for path in self.paths or []]


@wire(kw_only=True)
class CoachSaying:
    """Something to say."""

    message: Text
    type: Style
    """What kind of message: `info`, `hint`, `success`, `warning`, `question`, …"""
    anchor: Anchor | None = None
    """Lines it belongs to; it stands beside them then."""


@wire(kw_only=True)
class CoachIssue:
    """What the issue is about."""

    number: IssueNumber = None
    title: Annotated[Text, Field(max_length=500)]
    summary: Annotated[str, Field(max_length=MAX_TEXT)] = ""
    labels: list[str] | None = None
    url: Annotated[str | None, Field(max_length=4096)] = None


@wire
class CoachTranscript:
    """The end of a session."""

    session_transcript: Annotated[str, Field(max_length=MAX_TEXT)]
    """What was said and done in the session, condensed."""


# --- what is given -------------------------------------------------------------------------------


@wire
class CoachActions:
    """Actions, newest first."""

    actions: Sequence[Action]


@wire
class CoachGaps:
    """The gaps of a person, the most urgent first."""

    gaps: tuple[CoachGap, ...]


@wire
class CoachOpenFiles:
    """Open files, in the order they were opened."""

    files: list[str]


@wire
class CoachDiffs:
    """Unsaved changes."""

    diffs: list[PathDiff]


@wire
class CoachDone:
    """It is done."""

    success: Literal[True] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachFileDone(CoachDone):
    """It is done, with this file."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachFilesDone(CoachDone):
    """It is done, with these files."""

    paths: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachPhaseDone(CoachDone):
    """It is done; the phase as it is now."""

    phase: PhaseRow


@wire
class CoachPlanned:
    """A plan made into phases."""

    plan_id: str
    phases: tuple[PhaseRow, ...]
    memory_connection: str | None
    estimated_difficulty: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachEnd(WrapUp):
    """What was learnt from a session that is complete."""

    session_status: Literal["completed"] = "completed"


class CoachState(TypedDict, total=False):
    """The items that were asked for."""

    open_files: list[str]
    buffers: list[BufferEntry]
    diffs: list[PathDiff]
    phase: PhaseRow | None
    plan: PlanState | None
    progress: list[ProgressEvent]
    hints: HintState
    session: CoachSession
    dreyfus: list[SkillState]
