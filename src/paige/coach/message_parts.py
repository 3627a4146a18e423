"""Shapes that several of the coach's messages share: places in a file, phases, the dashboard.

They are parts of a payload, never messages by themselves. Field names are snake_case here and
camelCase on the wire. A field that a client need not expect is left out when it says nothing; one
that says "none" is null.
"""

from typing import Annotated, Literal

from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictInt,
)
from pydantic.alias_generators import to_camel

from paige.base.clock import to_iso
from paige.coach.records import PhaseStatus, SessionStatus
from paige.store.messages import Message

MOST_PATH = 4096
MOST_WORD = 200
# Of what a model writes.
MOST_TEXT = 40_000
MOST_LINE = 1_000
MOST_ITEMS = 100


class Part(BaseModel):
    """Base of everything inside a payload; read from inside values by attribute."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        frozen=True,
        defer_build=True,  # a server starts before anyone sends anything
        json_schema_serialization_defaults_required=True,
    )


class CoachMessage(Message):
    """Base of the coach's messages: like any other, but made ready only when it is used."""

    model_config = ConfigDict(defer_build=True)


def _is_none(value: object) -> bool:
    return value is None


# Fields that are left out of a payload unless someone set them.
LEFT_OUT = Field(default=None, exclude_if=_is_none)
OFF = Field(default=False, exclude_if=lambda value: not value)

# How much is shown of where to work; plans use none, file, region and line, sliders a number.
HintLevel = Annotated[str, Field(min_length=1, max_length=MOST_WORD)] | StrictInt
# Explorer hints are suggested, important or critical; highlights are hint, focus or warning.
Style = Annotated[str, Field(min_length=1, max_length=MOST_WORD)]
FilePath = Annotated[str, Field(min_length=1, max_length=MOST_PATH)]
LongText = Annotated[str, Field(max_length=MOST_TEXT)]
Line = Annotated[str, Field(max_length=MOST_LINE)]
Name = Annotated[str, Field(min_length=1, max_length=MOST_LINE)]
# A moment as text; inside it is a moment.
IsoText = Annotated[
    str, BeforeValidator(lambda moment: moment if isinstance(moment, str) else to_iso(moment))
]
Period = Literal["7d", "30d", "all"]
Difficulty = Literal["beginner", "intermediate", "advanced"]


def _line_of(side: str) -> AliasChoices:
    """The names editors have for the line at one side of a range."""
    nested = AliasPath(side, "line")
    return AliasChoices(f"{side}Line", f"{side}LineNumber", nested, side, f"{side}_line")


def _column_of(side: str) -> AliasChoices:
    nested = AliasPath(side, "column"), AliasPath(side, "character")
    return AliasChoices(f"{side}Col", f"{side}Column", *nested, f"{side}_col")


class TextRange(Part):
    """A stretch of text in a file; the names that other editors have for it are taken too."""

    start_line: int = Field(ge=0, validation_alias=_line_of("start"))
    start_col: int = Field(default=0, ge=0, validation_alias=_column_of("start"))
    end_line: int = Field(ge=0, validation_alias=_line_of("end"))
    end_col: int = Field(default=0, ge=0, validation_alias=_column_of("end"))


class Passage(Part):
    """Some code a person asks about; `range` is taken for `selection`."""

    path: FilePath
    language: str | None = None
    selection: TextRange = Field(validation_alias=AliasChoices("selection", "range"))
    selected_text: str
    surrounding_context: str = ""


class Anchor(Part):
    """Where in a file a message belongs; `line` is taken for `startLine`."""

    path: FilePath
    start_line: int = Field(ge=1, validation_alias=AliasChoices("startLine", "line", "start_line"))
    end_line: int | None = Field(default=None, ge=1, exclude_if=_is_none)


class Decoration(Part):
    """A highlighted stretch of lines."""

    start: int = Field(ge=1)
    end: int = Field(ge=1)
    style: Style
    hover_text: str | None = LEFT_OUT


class FileHint(Part):
    """A file that glows in the explorer; `directories` also lights the folders above it."""

    path: FilePath
    style: Style
    directories: bool | list[str] | None = LEFT_OUT


class IssueContext(Part):
    """The issue that is worked on."""

    number: int | None = None
    title: str
    summary: str = ""
    labels: list[str] = Field(default_factory=list)
    url: str | None = None


class PhaseInfo(Part):
    """One phase of a plan."""

    number: int
    title: str
    description: str
    hint_level: str
    status: PhaseStatus


class LineHint(Part):
    """A stored hint for some lines."""

    path: str
    start: int
    end: int
    style: str
    hover_text: str | None = LEFT_OUT


class PhaseHints(Part):
    """The stored hints of a phase."""

    file_hints: list[FileHint] = Field(default_factory=list)
    line_hints: list[LineHint] = Field(default_factory=list)


class RestoredState(Part):
    """What a resumed session brings back."""

    session_id: str
    issue_context: IssueContext | None = None
    phases: list[PhaseInfo] = Field(default_factory=list)
    hints: PhaseHints = Field(default_factory=PhaseHints)
    open_files: list[str] = Field(default_factory=list)
    hint_level: str


class SessionSummary(Part):
    """A session that has ended."""

    session_id: str
    status: SessionStatus
    issue_number: int | None = None
    issue_title: str | None = None
    duration_ms: int = Field(ge=0)
    phases_completed: int = 0
    phases_total: int = 0


class NudgeContext(Part):
    """What a nudge is about."""

    model_config = ConfigDict(alias_generator=None)  # snake_case on the wire, too

    current_file: LongText | None = None
    expected_file: LongText | None = None
    time_in_file: LongText | None = None
    phase_description: LongText | None = None


class Constraint(Part):
    """Something that makes a kata harder, from a level on."""

    title: str
    description: str
    min_level: int = Field(ge=1, le=10)


class LockedConstraint(Part):
    """A constraint that opens at a higher level; what it asks is told then."""

    title: str
    min_level: int = Field(ge=1, le=10)


class Kata(Part):
    """An exercise as a learner may see it: without the instructor's notes."""

    id: str
    title: str
    topic: str
    description: str
    scaffolding_code: str
    attempts_count: int = 0
    best_level: int | None = None


class FollowUp(Part):
    """What comes after a reviewed attempt."""

    type: Literal["constraint_escalation", "retry_hint", "completed"]
    constraint: LongText | None = LEFT_OUT
    reason: LongText | None = LEFT_OUT


class SkillArea(Part):
    """One axis of the skills chart; `score` is from 0 to 1."""

    name: str
    stage: str
    score: float


class DreyfusRow(Part):
    """One assessed skill."""

    skill_area: str
    stage: str
    confidence: float
    assessed_at: IsoText


class DashboardStats(Part):
    """Counts of a period."""

    period: Period
    sessions_completed: int = 0
    total_coaching_minutes: float = 0.0
    issues_worked_on: int = 0
    knowledge_gaps_identified: int = 0
    knowledge_gaps_addressed: int = 0
    hints_used: int = 0
    api_cost_total: float = 0.0


class InProgressSession(Part):
    """A session that has not ended."""

    id: str
    issue_number: int | None = None
    issue_title: str | None = None
    started_at: IsoText


class KataSummary(Part):
    """A kata on the dashboard."""

    id: str
    title: str
    topic: str
    attempts_count: int = 0
    best_level: int | None = None
    constraint_count: int = 0


class PriorityFactors(Part):
    """Why an issue is placed where it is."""

    user_tagged: bool
    similar_to_recent_work: bool
    addresses_knowledge_gap: bool
    team_urgency: Literal["low", "medium", "high", "unknown"]


class RankedIssue(Part):
    """An issue, judged for the person; `unknown` where nobody judged it."""

    number: int
    title: str
    summary: str
    suitability: Literal["good_fit", "stretch", "too_advanced", "unknown"]
    suitability_reason: str
    estimated_difficulty: Difficulty | Literal["unknown"]
    relevant_skills: list[str]
    priority_score: float
    priority_factors: PriorityFactors
    learning_opportunities: list[str]


class Resource(Part):
    """Something to read or watch."""

    type: Literal["documentation", "article", "video", "tutorial"]
    title: Name
    url: Annotated[str, Field(pattern=r"^https?://[^\s<>\"]+$", max_length=2_000)]
    description: LongText
    relevance: Literal["direct", "deep_dive", "supplementary"]
    estimated_time: Line


class Recommendation(Part):
    """What helps with one gap."""

    knowledge_gap: Name
    resources: list[Resource] = Field(max_length=MOST_ITEMS)
    study_order: LongText = ""
    practice_connection: LongText | None = None
