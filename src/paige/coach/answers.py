"""What models answer when the coach asks: one frozen type per question.

Fields carry the names that prompts use. What a model leaves out although it need not be there is
filled in before the answer is checked, so that the schema itself has no defaults; what is out of
bounds is refused, and nothing of such an answer is stored.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

MOST_PHASES = 40
MOST_HINTS = 400
MOST_TEXT = 40_000
MOST_LINE = 1_000
MOST_ITEMS = 100

Text = Annotated[str, Field(max_length=MOST_TEXT)]
Line = Annotated[str, Field(max_length=MOST_LINE)]
Name = Annotated[str, Field(min_length=1, max_length=MOST_LINE)]
HintLevel = Literal["none", "file", "region", "line"]
Stage = Literal["novice", "advanced_beginner", "competent", "proficient", "expert"]
Severity = Literal["low", "medium", "high"]
Difficulty = Literal["beginner", "intermediate", "advanced"]
Signal = Literal["wrong_file", "scope_drift", "idle", "phase_complete", "edit_loop", "no_nudge"]


class Answer(BaseModel):
    """Base of all answers and their parts; `FILLED` are the values of fields left out."""

    model_config = ConfigDict(frozen=True, defer_build=True)
    FILLED: ClassVar[dict[str, Any]] = {}

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, given: object) -> object:
        if isinstance(given, dict) and cls.FILLED:
            return {**cls.FILLED, **given}
        return given


class RelevantMemory(Answer):
    """A memory that helps with this issue, and how."""

    FILLED: ClassVar[dict[str, Any]] = {"connection": "", "use_in_coaching": ""}

    content: Text = Field(description="The memory, word for word as it was given")
    relevance: Literal["direct", "related", "contextual"]
    connection: Text = Field(description="What joins this memory and the issue")
    use_in_coaching: Text = Field(description="How the coach should bring it up")


class DiscardedMemory(Answer):
    """A memory that does not help, and why."""

    content: Text
    reason: Text


class MemoryFilterAnswer(Answer):
    """Which of the memories that were found help."""

    FILLED: ClassVar[dict[str, Any]] = {"discarded": []}

    relevant_memories: list[RelevantMemory] = Field(max_length=MOST_ITEMS)
    discarded: list[DiscardedMemory] = Field(max_length=MOST_ITEMS)


class PlannedFileHint(Answer):
    """A file to look into."""

    path: Name
    style: Literal["suggested", "important", "critical"]


class PlannedLineHint(Answer):
    """Some lines to look at."""

    FILLED: ClassVar[dict[str, Any]] = {"hover_text": ""}

    path: Name
    start: int = Field(ge=1)
    end: int = Field(ge=1)
    style: Literal["hint", "focus", "warning"]
    hover_text: Text = Field(description="What is shown when the pointer rests there")


class PlannedHints(Answer):
    """Everything a phase points at."""

    FILLED: ClassVar[dict[str, Any]] = {"file_hints": [], "line_hints": []}

    file_hints: list[PlannedFileHint] = Field(max_length=MOST_HINTS)
    line_hints: list[PlannedLineHint] = Field(max_length=MOST_HINTS)


class CoachedPhase(Answer):
    """One phase of the work, as the coach gives it to the learner."""

    FILLED: ClassVar[dict[str, Any]] = {
        "expected_files": [],
        "hints": {},
        "knowledge_gap_opportunities": [],
    }

    number: int = Field(ge=1)
    title: Name
    description: Text = Field(description="What to do in this phase and why, said to the learner")
    expected_files: list[Line] = Field(max_length=MOST_ITEMS)
    hint_level: HintLevel
    hints: PlannedHints
    knowledge_gap_opportunities: list[Line] = Field(max_length=MOST_ITEMS)


class CoachAgentAnswer(Answer):
    """A plan made into phases."""

    FILLED: ClassVar[dict[str, Any]] = {"memory_connection": None}

    phases: list[CoachedPhase] = Field(max_length=MOST_PHASES)
    memory_connection: Text | None = Field(description="What joins this and earlier work, or null")
    estimated_difficulty: Difficulty


class FoundGap(Answer):
    """Something the learner did not know well enough, with what shows it."""

    FILLED: ClassVar[dict[str, Any]] = {"related_concepts": []}

    topic: Name
    evidence: Text = Field(description="What was seen in the session")
    severity: Severity
    related_concepts: list[Line] = Field(max_length=MOST_ITEMS)


def _as_constraint(given: object) -> object:
    """Some models name a constraint by a sentence alone."""
    if isinstance(given, str):
        title = given.strip().rstrip(".")
        return {"title": title[:80] or "Constraint", "description": given, "min_level": None}
    if isinstance(given, dict) and "minLevel" in given:
        return {**given, "min_level": given["minLevel"]}
    return given


class KataConstraint(Answer):
    """Something that makes a kata harder, from a level on; no level: by its place in the list."""

    FILLED: ClassVar[dict[str, Any]] = {"min_level": None}

    title: Name
    description: Text
    min_level: Annotated[int, Field(ge=1, le=10)] | None


class KataDraft(Answer):
    """An exercise for a gap, as it was made up."""

    FILLED: ClassVar[dict[str, Any]] = {
        "knowledge_gap": "",
        "constraints": [],
        "follow_up_constraint": None,
        "instructor_notes": "",
    }

    title: Name
    knowledge_gap: Line = Field(description="The topic of the gap that this kata is for")
    description: Text
    scaffolding_code: Text = Field(description="The code the learner starts from")
    test_cases: list[Text] = Field(
        max_length=MOST_ITEMS, description="Executable checks, such as `assert add(1, 2) == 3`"
    )
    constraints: list[Annotated[KataConstraint, BeforeValidator(_as_constraint)]] = Field(
        max_length=MOST_ITEMS
    )
    follow_up_constraint: Text | None
    instructor_notes: Text = Field(description="What the reviewer must know; never shown")


class SessionCounts(Answer):
    """A session in numbers."""

    phases_completed: int = Field(ge=0)
    total_time_minutes: float = Field(ge=0)
    hints_used: int = Field(ge=0)
    independent_completions: int = Field(ge=0)


NO_COUNTS = {
    "phases_completed": 0,
    "total_time_minutes": 0,
    "hints_used": 0,
    "independent_completions": 0,
}


class GapExtractionAnswer(Answer):
    """What a session showed to be missing, and what to practise."""

    FILLED: ClassVar[dict[str, Any]] = {"kata_specs": [], "session_summary": NO_COUNTS}

    knowledge_gaps: list[FoundGap] = Field(max_length=MOST_ITEMS)
    kata_specs: list[KataDraft] = Field(max_length=MOST_ITEMS)
    session_summary: SessionCounts


class AssessedSkill(Answer):
    """The stage of one skill, and what it rests on."""

    FILLED: ClassVar[dict[str, Any]] = {"previous_stage": None, "recommendation": ""}

    skill_area: Name
    stage: Stage
    previous_stage: Stage | None
    confidence: float = Field(ge=0, le=1)
    evidence: Text
    recommendation: Text = Field(description="How coaching should change for this skill")


class DreyfusAnswer(Answer):
    """Stages that should be stored; a skill that is not named stays as it is."""

    assessments: list[AssessedSkill] = Field(max_length=MOST_ITEMS)


class MemoryNote(Answer):
    """One thing worth knowing in a later session."""

    FILLED: ClassVar[dict[str, Any]] = {"tags": [], "importance": "medium"}

    content: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    tags: list[Line] = Field(max_length=MOST_ITEMS)
    importance: Severity


class MemorySummaryAnswer(Answer):
    """What to remember of a session."""

    memories: list[MemoryNote] = Field(max_length=MOST_ITEMS)


class NudgeAbout(Answer):
    """What a nudge is about."""

    FILLED: ClassVar[dict[str, Any]] = dict.fromkeys(
        ("current_file", "expected_file", "time_in_file", "phase_description")
    )

    current_file: Text | None
    expected_file: Text | None
    time_in_file: Text | None
    phase_description: Text | None


class TriageAnswer(Answer):
    """Whether to speak up now, and about what."""

    FILLED: ClassVar[dict[str, Any]] = {"reasoning": "", "suggested_context": {}}

    should_nudge: bool
    confidence: float = Field(ge=0, le=1)
    signal: Signal
    reasoning: Text = Field(description="For the log only; the learner never sees it")
    suggested_context: NudgeAbout


class ExplainAnswer(Answer):
    """What some code does."""

    FILLED: ClassVar[dict[str, Any]] = {
        "key_concepts": [],
        "analogy": None,
        "related_files": None,
        "phase_connection": None,
    }

    explanation: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    key_concepts: list[Line] = Field(max_length=MOST_ITEMS)
    analogy: Text | None
    related_files: list[Line] | None
    phase_connection: Text | None


class ReviewFollowUp(Answer):
    """What comes after an attempt."""

    FILLED: ClassVar[dict[str, Any]] = {"constraint": None, "reason": None}

    type: Literal["constraint_escalation", "retry_hint", "completed"]
    constraint: Text | None
    reason: Text | None


class ReviewAnswer(Answer):
    """What is good about an attempt and what is missing."""

    FILLED: ClassVar[dict[str, Any]] = {"follow_up": None, "dreyfus_signal": "stable"}

    correct: bool
    feedback: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    level: int = Field(ge=1, le=10)
    passed: bool
    follow_up: ReviewFollowUp | None
    dreyfus_signal: Literal["advancing", "stable", "struggling"]


class IssuePriority(Answer):
    """Why an issue stands where it does."""

    user_tagged: bool
    similar_to_recent_work: bool
    addresses_knowledge_gap: bool
    team_urgency: Severity


class AssessedIssue(Answer):
    """An issue, judged for one person."""

    FILLED: ClassVar[dict[str, Any]] = {"relevant_skills": [], "learning_opportunities": []}

    number: int = Field(ge=1)
    title: Text
    summary: Text
    suitability: Literal["good_fit", "stretch", "too_advanced"]
    suitability_reason: Text
    estimated_difficulty: Difficulty
    relevant_skills: list[Line] = Field(max_length=MOST_ITEMS)
    priority_score: float = Field(ge=0, le=1)
    priority_factors: IssuePriority
    learning_opportunities: list[Line] = Field(max_length=MOST_ITEMS)


class IssueAssessmentAnswer(Answer):
    """The issues worth looking at, best first."""

    issues: list[AssessedIssue] = Field(max_length=10)


class FoundResource(Answer):
    """Something to read or watch."""

    type: Literal["documentation", "article", "video", "tutorial"]
    title: Name
    url: Annotated[str, Field(pattern=r"^https?://[^\s<>\"]+$", max_length=2_000)]
    description: Text
    relevance: Literal["direct", "deep_dive", "supplementary"]
    estimated_time: Line


class MaterialsForGap(Answer):
    """What helps with one gap."""

    FILLED: ClassVar[dict[str, Any]] = {"study_order": "", "practice_connection": None}

    knowledge_gap: Name
    resources: list[FoundResource] = Field(max_length=MOST_ITEMS)
    study_order: Text
    practice_connection: Text | None


class MaterialsAnswer(Answer):
    """What to read for the gaps."""

    recommendations: list[MaterialsForGap] = Field(max_length=MOST_ITEMS)
