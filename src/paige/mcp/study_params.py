"""What the tools of Study take and give, in the names that clients use."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from paige.app.study_asked import ActAsked, SessionAsked, Where
from paige.mcp.coach_params import MOST_TEXT, Out, Params

Course = Field(
    default=None, max_length=100, description="Name of the course; the last one when left out."
)
Learner = Field(
    default=None, max_length=100, description="Whose files; the usual learner when left out."
)
ModalityName = Literal[
    "worksheet",
    "conversation",
    "code",
    "long_form",
    "image_review",
    "flashcard",
    "repl",
    "audio",
    "collaborative",
]


# ---- what they take ----


class NextParams(Params):
    """Which session."""

    course: str | None = Course
    learner: str | None = Learner
    kind: Literal["study", "review", "quiz"] | None = Field(
        default=None,
        description=(
            "Which session to begin or go on with: `study` teaches and asks, `review` asks what is "
            "due, `quiz` asks without teaching. Left out: the open one, else `study`."
        ),
    )
    minutes: int | None = Field(default=None, ge=1, le=240, description="How long a new one is.")
    ahead: bool = Field(default=False, description="Go on with what is not due yet.")
    anew: bool = Field(default=False, description="End the open session of this kind first.")
    prefer: ModalityName | None = Field(
        default=None, description="The kind of exercise wanted throughout, where it can be."
    )
    concepts: list[str] = Field(
        default_factory=list, max_length=100, description="Ids a quiz is about."
    )
    unit: str = Field(default="", max_length=200, description="The unit a quiz is about.")

    @property
    def where(self) -> Where:
        """The learner and the course."""
        return Where(self.course, self.learner)

    @property
    def asked(self) -> SessionAsked:
        """The session that is wanted."""
        return SessionAsked(
            kind=self.kind or "study",
            minutes=self.minutes,
            ahead=self.ahead,
            prefer=self.prefer,
            anew=self.anew,
            concepts=tuple(self.concepts),
            unit=self.unit,
        )


class SubmitParams(Params):
    """What the person did with a step: one thing at a time."""

    step: int = Field(ge=0, description="The `step` that `study_next` or `study_submit` gave.")
    course: str | None = Course
    learner: str | None = Learner
    answer: str | None = Field(
        default=None, max_length=MOST_TEXT, description="What they say, in their own words."
    )
    parts: dict[str, str] = Field(
        default_factory=dict, max_length=500, description="Answers by question, of a worksheet."
    )
    rating: Literal[1, 2, 3, 4] | None = Field(
        default=None,
        description="Of a turned card or a photo: 1 wrong, 2 partly, 3 right, 4 at once.",
    )
    file: str | None = Field(
        default=None, max_length=1000, description="Path of a file of the exercise to hand in."
    )
    file_text: str | None = Field(
        default=None,
        max_length=MOST_TEXT,
        description="What they wrote, put into the exercise's file before it is handed in.",
    )
    done: bool = Field(default=False, description="The lesson is read, or the file is ready.")
    final: bool = Field(default=False, description="Hand it in for good, even if not right yet.")
    sure: bool = Field(default=False, description="They were sure.")
    hint: bool = Field(default=False, description="They ask for the next hint.")
    give_up: bool = Field(default=False, description="They want to see the answer.")
    skip: bool = Field(default=False, description="They leave this one out.")
    stop: bool = Field(default=False, description="They end the session.")
    instead: ModalityName | None = Field(
        default=None, description="They want it as another kind of exercise."
    )

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        wanted = [self._answers, self.hint, self.give_up, self.skip, self.stop]
        if sum((*wanted, self.instead is not None)) != 1:
            raise ValueError(
                "say one thing: an answer (`answer`, `parts`, `rating`, `file`, `fileText`, "
                "`done`), or `hint`, `giveUp`, `skip`, `stop`, `instead`"
            )
        return self

    @property
    def _answers(self) -> bool:
        given = (self.answer, self.rating, self.file, self.file_text)
        said = any(each is not None for each in given)
        return said or bool(self.parts) or self.done or self.final

    @property
    def where(self) -> Where:
        """The learner and the course."""
        return Where(self.course, self.learner)

    @property
    def asked(self) -> ActAsked:
        """What was done."""
        named = (
            ("hint", self.hint),
            ("give_up", self.give_up),
            ("skip", self.skip),
            ("stop", self.stop),
            ("instead", self.instead is not None),
        )
        chosen: Any = next((name for name, wanted in named if wanted), "answer")
        return ActAsked(
            step=self.step,
            act=chosen,
            text=self.answer or "",
            parts=self.parts,
            path=self.file or "",
            file_text=self.file_text,
            rating=self.rating,
            final=self.final,
            sure=self.sure,
            modality=self.instead,
        )


class ProgressParams(Params):
    """Whose progress."""

    course: str | None = Field(
        default=None, max_length=100, description="Name of the course; all when left out."
    )
    learner: str | None = Learner


# ---- what they give ----


class QuestionOut(Out):
    """A question, without its answer."""

    id: str
    prompt: str
    kind: str
    choices: list[str]
    parts: list[str]
    context: str | None
    starter: str | None
    audio: str | None


class ExerciseOut(Out):
    """The exercise that is being done, without its answers; `body` is markdown to show."""

    id: str
    modality: str
    why: list[str]
    instead: list[str]
    title: str
    body: str
    answered_by: str
    asking: str | None
    questions: list[QuestionOut]
    minutes: float
    file: str | None
    open: list[str]
    run: str | None
    pauses: bool
    optional: bool
    how_to_continue: str | None


class ItemOut(Out):
    """What of the plan is being done, and why."""

    number: int
    of: int
    type: str
    concept: str
    title: str
    bloom: str
    minutes: float
    reason: str
    opening: bool


class ScoreOut(Out):
    """Points; `percentage` is a share from 0 to 1."""

    correct: float
    total: int
    percentage: float


class ResultOut(Out):
    """What came of the exercise before."""

    exercise_id: str
    concept_id: str
    modality: str
    score: ScoreOut
    fsrs_rating: int
    message: str
    hints_used: int
    answer_shown: bool
    gradable: bool
    source: str


class SummaryOut(Out):
    """What a session came to."""

    minutes: float
    share: float | None
    unaided: int
    mastered: list[str]
    skipped: list[str]
    dropped: list[str]
    says: list[str]


class PreviewOut(Out):
    """What comes after this session."""

    next_due: str | None
    due_tomorrow: int
    due_this_week: int
    next_new: list[str]


class ProblemOut(Out):
    """A file that needs a hand."""

    file: str
    line: int | None
    message: str
    fix: str


class StepOut(Out):
    """The step a session is at. `says` is what to tell the person about what they did.

    `expects` is what the person does next: go on after reading (`go_on`), say something (`text`),
    choose (`choice`), have a file or folder ready, name a photo (`image`), type an entry at a
    prompt, recall a card, speak (`voice`), judge their own work (`self_check`), or nothing.
    """

    session: str | None
    course: str
    course_title: str
    kind: str
    step: int
    stage: str
    expects: str
    resumed: bool
    says: list[str]
    advice: str | None
    minutes: int
    minutes_left: float
    item: ItemOut | None
    lesson: list[str] | None
    question: str | None
    exercise: ExerciseOut | None
    result: ResultOut | None
    summary: SummaryOut | None
    next: PreviewOut | None
    root: str = Field(description="The folder that paths are relative to.")
    problems: list[ProblemOut]


class ConceptOut(Out):
    """How well a concept is known; `recall` is how likely it is remembered now."""

    id: str
    title: str
    unit: str
    status: str
    mastery: float
    recall: float | None
    due: str | None
    ready: bool
    attempts: int


class RetentionOut(Out):
    """What was planned to be remembered, what was, and what would be now."""

    planned: float
    measured: float | None
    unaided: float | None
    reviews: int
    now: float | None


class CountOut(Out):
    """How often an error came up."""

    type: str
    count: int


class CourseOut(Out):
    """How far the person is in a course."""

    course: str
    title: str
    begun: bool
    counts: dict[str, int]
    due: list[str]
    next_new: list[str]
    retention: RetentionOut
    concepts: list[ConceptOut]
    errors: list[CountOut]
    problems: list[ProblemOut]


class ProgressOut(Out):
    """How far the person is, course by course."""

    courses: list[CourseOut]
    due: int
    streak: int
