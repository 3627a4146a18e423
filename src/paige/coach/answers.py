"""What models answer when the coach asks: one frozen type per question.

A model is asked for every field; one that it leaves out although it need not be there has the
default that stands here. What is out of bounds is refused, and nothing of such an answer is stored.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from paige.coach.message_parts import (
    MOST_ITEMS,
    MOST_TEXT,
    Decoration,
    Difficulty,
    FollowUp,
    Line,
    LongText,
    Name,
    NudgeContext,
    Part,
    Recommendation,
)
from paige.coach.observer.trace import Signal
from paige.learner.gaps import Severity
from paige.learner.stages import Stage

MOST_PHASES = 40
MOST_HINTS = 400
HintLevel = Literal["none", "file", "region", "line"]


class Answer(Part):
    """Base of all answers and their parts."""

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - pydantic's own
        """What a model is asked for: all fields, by the names that prompts use."""
        schema = super().model_json_schema(*args, **{**options, "by_alias": False})
        for part in (schema, *schema.get("$defs", {}).values()):
            properties = part.get("properties", {})
            if properties:
                part["required"] = list(properties)
            for each in properties.values():
                each.pop("default", None)
        return schema


class RelevantMemory(Answer):
    """A memory that helps with this issue, and how."""

    content: LongText = Field(description="The memory, word for word as it was given")
    relevance: Literal["direct", "related", "contextual"]
    connection: LongText = Field(default="", description="What joins this memory and the issue")
    use_in_coaching: LongText = Field(default="", description="How the coach should bring it up")


class DiscardedMemory(Answer):
    """A memory that does not help, and why."""

    content: LongText
    reason: LongText


class MemoryFilterAnswer(Answer):
    """Which of the memories that were found help."""

    relevant_memories: list[RelevantMemory] = Field(max_length=MOST_ITEMS)
    discarded: list[DiscardedMemory] = Field(default=[], max_length=MOST_ITEMS)


class PlannedFileHint(Answer):
    """A file to look into."""

    path: Name
    style: Literal["suggested", "important", "critical"]


class PlannedLineHint(Answer):
    """Some lines to look at."""

    path: Name
    start: int = Field(ge=1)
    end: int = Field(ge=1)
    style: Literal["hint", "focus", "warning"]
    hover_text: LongText = Field(
        default="", description="What is shown when the pointer rests there"
    )

    @property
    def decoration(self) -> Decoration:
        """The highlight that it asks for."""
        first, last = sorted((self.start, self.end))  # some mix them up
        return Decoration(
            start=first, end=last, style=self.style, hover_text=self.hover_text or None
        )


class PlannedHints(Answer):
    """Everything a phase points at."""

    file_hints: list[PlannedFileHint] = Field(default=[], max_length=MOST_HINTS)
    line_hints: list[PlannedLineHint] = Field(default=[], max_length=MOST_HINTS)


class CoachedPhase(Answer):
    """One phase of the work, as the coach gives it to the learner."""

    number: int = Field(ge=1)
    title: Name
    description: LongText = Field(
        description="What to do in this phase and why, said to the learner"
    )
    expected_files: list[Line] = Field(default=[], max_length=MOST_ITEMS)
    hint_level: HintLevel
    hints: PlannedHints = Field(default_factory=PlannedHints)
    knowledge_gap_opportunities: list[Line] = Field(default=[], max_length=MOST_ITEMS)


class CoachAgentAnswer(Answer):
    """A plan made into phases."""

    phases: list[CoachedPhase] = Field(max_length=MOST_PHASES)
    memory_connection: LongText | None = Field(
        default=None, description="What joins this and earlier work, or null"
    )
    estimated_difficulty: Difficulty


class FoundGap(Answer):
    """Something the learner did not know well enough, with what shows it."""

    topic: Name
    evidence: LongText = Field(description="What was seen in the session")
    severity: Severity
    related_concepts: list[Line] = Field(default=[], max_length=MOST_ITEMS)


def _as_constraint(given: object) -> object:
    """Some models name a constraint by a sentence alone."""
    if isinstance(given, str):
        return {"title": given.strip().rstrip(".")[:80] or "Constraint", "description": given}
    return given


class KataConstraint(Answer):
    """Something that makes a kata harder, from a level on; no level: by its place in the list."""

    title: Name
    description: LongText
    min_level: Annotated[int, Field(ge=1, le=10)] | None = None


class KataDraft(Answer):
    """An exercise for a gap, as it was made up."""

    title: Name
    knowledge_gap: Line = Field(
        default="", description="The topic of the gap that this kata is for"
    )
    description: LongText
    scaffolding_code: LongText = Field(description="The code the learner starts from")
    test_cases: list[LongText] = Field(
        max_length=MOST_ITEMS, description="Executable checks, such as `assert add(1, 2) == 3`"
    )
    constraints: list[Annotated[KataConstraint, BeforeValidator(_as_constraint)]] = Field(
        default=[], max_length=MOST_ITEMS
    )
    follow_up_constraint: LongText | None = None
    instructor_notes: LongText = Field(
        default="", description="What the reviewer must know; never shown"
    )


class SessionCounts(Answer):
    """A session in numbers."""

    phases_completed: int = Field(default=0, ge=0)
    total_time_minutes: float = Field(default=0, ge=0)
    hints_used: int = Field(default=0, ge=0)
    independent_completions: int = Field(default=0, ge=0)


class GapExtractionAnswer(Answer):
    """What a session showed to be missing, and what to practise."""

    knowledge_gaps: list[FoundGap] = Field(max_length=MOST_ITEMS)
    kata_specs: list[KataDraft] = Field(default=[], max_length=MOST_ITEMS)
    session_summary: SessionCounts = Field(default_factory=SessionCounts)


class AssessedSkill(Answer):
    """The stage of one skill, and what it rests on."""

    skill_area: Name
    stage: Stage
    previous_stage: Stage | None = None
    confidence: float = Field(ge=0, le=1)
    evidence: LongText
    recommendation: LongText = Field(
        default="", description="How coaching should change for this skill"
    )


class DreyfusAnswer(Answer):
    """Stages that should be stored; a skill that is not named stays as it is."""

    assessments: list[AssessedSkill] = Field(max_length=MOST_ITEMS)


class MemoryNote(Answer):
    """One thing worth knowing in a later session."""

    content: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    tags: list[Line] = Field(default=[], max_length=MOST_ITEMS)
    importance: Severity = "medium"


class MemorySummaryAnswer(Answer):
    """What to remember of a session."""

    memories: list[MemoryNote] = Field(max_length=MOST_ITEMS)


class TriageAnswer(Answer):
    """Whether to speak up now, and about what."""

    should_nudge: bool
    confidence: float = Field(ge=0, le=1)
    signal: Signal
    reasoning: LongText = Field(
        default="", description="For the log only; the learner never sees it"
    )
    suggested_context: NudgeContext = Field(default_factory=NudgeContext)


class ExplainAnswer(Answer):
    """What some code does."""

    explanation: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    key_concepts: list[Line] = Field(default=[], max_length=MOST_ITEMS)
    analogy: LongText | None = None
    related_files: list[Line] | None = None
    phase_connection: LongText | None = None


class Explanation(ExplainAnswer):
    """An explanation, and who gave it."""

    model: str | None = None


class ReviewAnswer(Answer):
    """What is good about an attempt and what is missing."""

    correct: bool
    feedback: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    level: int = Field(ge=1, le=10)
    passed: bool
    follow_up: FollowUp | None = None
    dreyfus_signal: Literal["advancing", "stable", "struggling"] = "stable"


class IssuePriority(Answer):
    """Why an issue stands where it does."""

    user_tagged: bool
    similar_to_recent_work: bool
    addresses_knowledge_gap: bool
    team_urgency: Severity


class AssessedIssue(Answer):
    """An issue, judged for one person."""

    number: int = Field(ge=1)
    title: LongText
    summary: LongText
    suitability: Literal["good_fit", "stretch", "too_advanced"]
    suitability_reason: LongText
    estimated_difficulty: Difficulty
    relevant_skills: list[Line] = Field(default=[], max_length=MOST_ITEMS)
    priority_score: float = Field(ge=0, le=1)
    priority_factors: IssuePriority
    learning_opportunities: list[Line] = Field(default=[], max_length=MOST_ITEMS)


class IssueAssessmentAnswer(Answer):
    """The issues worth looking at, best first."""

    issues: list[AssessedIssue] = Field(max_length=10)


class MaterialsAnswer(Answer):
    """What to read for the gaps."""

    recommendations: list[Recommendation] = Field(max_length=MOST_ITEMS)
