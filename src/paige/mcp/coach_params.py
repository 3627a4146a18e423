"""What the coach's tools take and give, in the names that clients use."""

import operator
from typing import Annotated, Any, Literal, NotRequired, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel
from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

from paige.coach.message_parts import Anchor, FileHint, FilePath, PhaseStatus, Style

MOST_TEXT = 1_000_000
MOST_HINTS = 500
Text = Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
File = Annotated[FilePath, Field(description="Path of a file, relative to the project's folder.")]
StateItem = Literal[
    "open_files",
    "buffers",
    "diffs",
    "phase",
    "plan",
    "progress",
    "hints",
    "session",
    "dreyfus",
]


class Params(BaseModel):
    """Base of what a tool takes; an argument that does not exist is an error."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Out(BaseModel):
    """Base of what a tool gives."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
    )


# ---- what they take ----


class NoParams(Params):
    """Nothing."""


class PathParams(Params):
    """A file."""

    path: File


class MaybePathParams(Params):
    """A file, or all of them."""

    path: File | None = Field(default=None, description="Only this file; all when left out.")


class StateParams(Params):
    """Which items of the state."""

    include: list[StateItem] | None = Field(
        default=None, description="Only these items; all when left out or empty."
    )


class HighlightParams(Params):
    """Lines to highlight."""

    path: File
    start: int = Field(ge=1, description="First line, counted from 1.")
    end: int = Field(ge=1, description="Last line, included.")
    style: Style = Field(description="`hint`, `focus` or `warning`.")
    hover_text: str | None = Field(
        default=None, max_length=MOST_TEXT, description="Shown when the person points at the lines."
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"`end` ({self.end}) is before `start` ({self.start})")
        return self


class HintParams(Params):
    """Files to point out: each with its style, or several with one."""

    hints: list[FileHint] | None = Field(
        default=None, max_length=MOST_HINTS, description="Files, each with its style."
    )
    paths: list[File] | None = Field(
        default=None, max_length=MOST_HINTS, description="In place of `hints`: files of one style."
    )
    style: Style | None = Field(
        default=None,
        description="Style of `paths`: `suggested` (when left out), `important` or `critical`.",
    )

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if not self.hints and not self.paths:
            raise ValueError("`hints` must name at least one file")
        if self.hints and self.paths:
            raise ValueError("`hints` and `paths` say the same; send one of them")
        return self

    def as_hints(self) -> list[FileHint]:
        """The files with their styles, whichever way they were sent."""
        style = self.style or "suggested"
        return self.hints or [FileHint(path=path, style=style) for path in self.paths or []]


class PhaseParams(Params):
    """A phase and its new status."""

    phase: int = Field(ge=1, description="Number of the phase in the plan, from 1.")
    status: PhaseStatus


class MessageParams(Params):
    """Something to say."""

    message: Text
    type: Style = Field(
        description="What kind of message: `info`, `hint`, `success`, `warning`, `question`, …"
    )
    anchor: Anchor | None = Field(
        default=None, description="Lines it belongs to; it stands beside them then."
    )


class IssueParams(Params):
    """What the issue is about."""

    number: int | None = Field(default=None, ge=0)
    title: Annotated[Text, Field(max_length=500)]
    summary: str = Field(default="", max_length=MOST_TEXT)
    labels: list[str] | None = None
    url: str | None = Field(default=None, max_length=4096)


class PipelineParams(Params):
    """A plan to be coached on."""

    plan_text: Text = Field(description="The plan in Markdown, as it was made for the issue.")
    issue_summary: Text = Field(description="What the issue is about, in a few sentences.")
    issue_number: int | None = Field(default=None, ge=0)


class EndParams(Params):
    """The end of a session."""

    session_transcript: str = Field(
        max_length=MOST_TEXT, description="What was said and done in the session, condensed."
    )


# ---- what they give ----


class Position(Out):
    """Where the cursor is."""

    line: int
    column: int


class BufferOut(Out):
    """The text of a file as the editor holds it."""

    path: str
    content: str
    cursor_position: Position
    dirty: bool
    last_updated: str


class OpenFilesOut(Out):
    """Open files, in the order they were opened."""

    files: list[str]


class DiffOut(Out):
    """Unsaved changes of one file, as a unified diff."""

    path: str
    diff: str


class DiffsOut(Out):
    """Unsaved changes."""

    diffs: list[DiffOut]


class DoneOut(Out):
    """It is done."""

    success: Literal[True] = True


class FileDoneOut(DoneOut):
    """It is done, with this file."""

    path: str


class FilesDoneOut(DoneOut):
    """It is done, with these files."""

    paths: list[str]


class PhaseOut(Out):
    """A phase."""

    id: str
    number: int
    title: str
    status: PhaseStatus


class PhaseDoneOut(DoneOut):
    """It is done; the phase as it is now."""

    phase: PhaseOut


class PlannedOut(Out):
    """A phase of a new plan."""

    number: int
    title: str
    description: str
    hint_level: str


class PipelineOut(Out):
    """A plan made into phases."""

    plan_id: str
    phases: list[PlannedOut]
    memory_connection: str | None
    estimated_difficulty: str


class EndOut(Out):
    """What was learnt from the session."""

    knowledge_gaps: int
    kata_specs: int
    dreyfus_updates: int
    memories_stored: int
    note: str = Field(default="", exclude_if=operator.not_)
    session_status: Literal["completed"] = "completed"


class ActivePhaseOut(PhaseOut):
    """The phase that is worked on."""

    hint_level: str


class PhaseLineOut(Out):
    """A phase in the list of a plan."""

    number: int
    title: str
    status: PhaseStatus


class PlanOut(Out):
    """The plan of the session."""

    id: str
    phases: list[PhaseLineOut]


class ProgressOut(Out):
    """Something that happened in a phase."""

    event_type: str
    data: dict[str, Any] | None
    created_at: str


class FileHintOut(Out):
    """A file that the active phase points at."""

    path: str
    style: str


class LineHintOut(FileHintOut):
    """Lines that the active phase points at."""

    start: int
    end: int
    hover_text: str | None = None


class HintsOut(Out):
    """What the active phase points at."""

    file_hints: list[FileHintOut]
    line_hints: list[LineHintOut]


class SessionOut(Out):
    """The session."""

    id: str
    project_dir: str
    issue_number: int | None
    issue_title: str | None
    started_at: str


class SkillOut(Out):
    """How well the person knows something."""

    skill_area: str
    stage: str
    confidence: float


class StateBufferOut(Out):
    """The text of a file as the editor holds it."""

    path: str
    content: str
    cursor_position: Position
    dirty: bool


class StateOut(TypedDict):
    """The items that were asked for."""

    open_files: NotRequired[list[str]]
    buffers: NotRequired[list[StateBufferOut]]
    diffs: NotRequired[list[DiffOut]]
    phase: NotRequired[ActivePhaseOut | None]
    plan: NotRequired[PlanOut | None]
    progress: NotRequired[list[ProgressOut]]
    hints: NotRequired[HintsOut]
    session: NotRequired[SessionOut | None]
    dreyfus: NotRequired[list[SkillOut]]
