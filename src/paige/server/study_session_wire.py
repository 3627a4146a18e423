"""Shapes of study sessions: a step with everything in it, and what somebody does with it."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from paige.server.study_names import (
    MOST_PARTS,
    MOST_TEXT,
    AnsweredBy,
    Bloom,
    Expects,
    Modality,
    SessionKind,
    Stage,
    StudyProblem,
)
from paige.server.wire import Asked, ErrorDetail, Wire


class StudyItem(Wire):
    """What of the plan is being done, and why."""

    number: int
    of: int
    type: Literal["new", "review", "assess"]
    concept: str
    title: str
    bloom: Bloom
    minutes: float
    reason: str
    opening: bool


class StudyQuestion(Wire):
    """A question as a learner sees it. `parts` each want an answer of their own."""

    id: str
    prompt: str
    kind: str
    choices: list[str]
    parts: list[str]
    context: str | None
    starter: str | None  # code that ran before the prompt
    audio: str | None  # path of the recording, when there is one


class StudyDimension(Wire):
    """One thing that a text is judged by. `weight` is its share of the whole."""

    name: str
    description: str
    weight: float


class StudyUpload(Wire):
    """A photo or a recording that was uploaded for the exercise."""

    path: str
    name: str
    bytes: int


class StudyExercise(Wire):
    """The exercise that is being done, without its answers. `body` is markdown."""

    id: str
    modality: Modality
    why: list[str]
    offer: Modality | None  # another kind that is offered
    instead: list[Modality]  # other kinds that may be asked for now
    title: str
    body: str
    answered_by: AnsweredBy
    asking: str | None  # the id of the question that is being asked
    number: int  # of that question, from 1
    count: int  # of questions in the whole exercise
    questions: list[StudyQuestion]
    minutes: float
    file: str | None
    open: list[str]  # files to edit; the address `session/file` gives and takes their text
    run: str | None
    pauses: bool
    optional: bool
    how_to_continue: str | None
    language: str  # of code, or of what is read out
    min_words: int
    points: list[str]  # what a text has to address
    rubric: list[StudyDimension]
    criteria: list[str]  # what a photo is looked at for
    partner: Literal["pupil", "pair"] | None
    attempts: int  # of the question being asked
    hints_used: int
    uploads: list[StudyUpload]


class StudyScore(Wire):
    """Points. `percentage` is a share from 0 to 1."""

    correct: float
    total: int
    percentage: float


class StudyError(Wire):
    """One thing that went wrong."""

    question: str
    error_type: str | None
    expected: str | None
    actual: str | None
    detail: str


class StudyVerdict(Wire):
    """What one question came to."""

    question: str
    prompt: str
    expected: str | None
    actual: str | None
    verdict: Literal["correct", "partial", "incorrect", "unanswered"]
    score: float
    feedback: str


class StudyTest(Wire):
    """What one test of a code exercise came to."""

    name: str
    status: Literal["passed", "failed", "error", "skipped", "timeout"]
    description: str
    message: str
    output: str


class StudyResult(Wire):
    """What came of the exercise before."""

    exercise_id: str
    concept_id: str
    modality: Modality
    score: StudyScore
    fsrs_rating: Literal[1, 2, 3, 4]
    message: str
    errors: list[StudyError]
    strengths: list[str]
    improvements: list[str]
    answers: list[StudyVerdict]
    tests: list[StudyTest]
    hints_used: int
    answer_shown: bool
    gradable: bool
    remarks: list[str]
    source: str  # `local`, or the name of a model


class StudyDone(Wire):
    """An exercise of the session that is finished. `share` is from 0 to 1."""

    exercise_id: str
    change_id: str  # of the record, so that it can be undone
    concept: str
    type: Literal["new", "review", "assess"]
    modality: Modality
    bloom: Bloom
    share: float
    rating: Literal[1, 2, 3, 4]
    hints_used: int
    answer_shown: bool
    seconds: float
    due: datetime | None
    mastered: bool


class StudyChecks(Wire):
    """How the questions after lessons went."""

    right: int
    asked: int


class StudyCount(Wire):
    """How often an error came up."""

    type: str
    count: int


class StudyPreview(Wire):
    """What comes after this session."""

    next_due: datetime | None
    due_tomorrow: int
    due_this_week: int
    next_new: list[str]


class StudySummary(Wire):
    """What a session came to."""

    session: str
    minutes: float
    planned_minutes: int
    exercises: list[StudyDone]
    share: float | None
    unaided: int
    checks: StudyChecks
    mastered: list[str]
    skipped: list[str]
    dropped: list[str]
    modalities: dict[str, int]
    errors: list[StudyCount]
    says: list[str]


class StudyStep(Wire):
    """The step a session is at. `stage` is `nothing` when none is open or nothing is to do.

    `step` goes back with an answer. `says` is what the learner is told about what they did.
    """

    session: str | None
    course: str
    course_title: str
    kind: SessionKind
    step: int
    stage: Stage
    expects: Expects
    resumed: bool
    says: list[str]
    advice: str | None  # for somebody who has been stuck for a while
    minutes: int
    minutes_left: float
    item: StudyItem | None
    lesson: list[str] | None  # parts of markdown
    question: str | None  # the check after a lesson
    exercise: StudyExercise | None
    result: StudyResult | None
    summary: StudySummary | None
    next: StudyPreview | None
    concepts: dict[str, str]  # titles of the concepts of the course, by id
    root: str  # the folder that paths are relative to
    problems: list[StudyProblem]


class StudyFile(Wire):
    """A file of the open exercise; `version` goes back with a change."""

    path: str
    text: str
    version: str
    editable: bool  # tests are shown, and not for editing


class StudyFileConflict(Wire):
    """The file was changed meanwhile: what stands there now, and what was sent."""

    error: ErrorDetail
    current: StudyFile
    yours: str


class StudyRun(Wire):
    """What the tests say about the code as it is; nothing was handed in."""

    passed: int
    total: int
    output: str
    tests: list[StudyTest]


class StudyStopped(Wire):
    """How many runs of one's own code were stopped."""

    stopped: int


class StudyUndone(Wire):
    """The result that was taken back."""

    change_id: str
    exercise_id: str
    concept: str
    title: str
    modality: Modality | None
    recorded: datetime


class StudyQuiz(Asked):
    """What a quiz is about; nothing means what is known already."""

    concepts: list[str] = Field(default_factory=list, max_length=MOST_PARTS)
    unit: str = ""
    count: int | None = Field(default=None, ge=1, le=100)


class StudyStart(Asked):
    """A session to begin, or to go on with if one of its kind is open."""

    course: str = Field(min_length=1, max_length=100)
    learner: str | None = None
    kind: SessionKind = "study"
    minutes: int | None = Field(default=None, ge=1, le=240)
    ahead: bool = False
    prefer: Modality | None = None
    anew: bool = False
    quiz: StudyQuiz | None = None


class StudyAct(Asked):
    """Something done in the open session. `step` is the step that was seen.

    `answer` takes `text`, `parts` by question, `path` of a file of the exercise, `file_text` that
    is written to the exercise's file first, or `rating` of what `expects` a self-check, or of a
    photo: 1 wrong, 2 partly, 3 right, 4 right at once. With none of these, the lesson is read or
    the file is ready.
    """

    course: str = Field(min_length=1, max_length=100)
    learner: str | None = None
    step: int = Field(ge=0)
    act: Literal["answer", "hint", "give_up", "skip", "stop", "instead"]
    text: str = Field(default="", max_length=MOST_TEXT)
    question: str = Field(default="", max_length=100)
    parts: dict[str, str] = Field(default_factory=dict, max_length=MOST_PARTS)
    path: str = Field(default="", max_length=1000)
    file_text: str | None = Field(default=None, max_length=MOST_TEXT)
    file_version: str | None = Field(default=None, max_length=200)
    rating: Literal[1, 2, 3, 4] | None = None
    done: bool = False
    final: bool = False
    sure: bool = False
    seconds: float | None = Field(default=None, ge=0, le=86_400)
    modality: Modality | None = None


class StudyWrite(Asked):
    """A new text for a file of the open exercise."""

    text: str = Field(max_length=MOST_TEXT)
    version: str = Field(max_length=200)


class StudyIn(Asked):
    """The course that is meant."""

    course: str = Field(min_length=1, max_length=100)
    learner: str | None = None


class StudyUndo(StudyIn):
    """The course whose last result is taken back; `change` is that result, if it was seen."""

    change: str | None = Field(default=None, max_length=300)


OUT = (StudyStep, StudyFile, StudyFileConflict, StudyRun, StudyStopped, StudyUndone)
IN = (StudyStart, StudyAct, StudyWrite, StudyIn, StudyUndo)
