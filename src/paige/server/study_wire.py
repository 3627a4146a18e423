"""Shapes of the Study door between sessions: courses, progress, settings."""

from datetime import date, datetime

from pydantic import Field

from paige.server.study_names import (
    Bloom,
    Domain,
    Modality,
    SessionKind,
    Stage,
    Status,
    StudyProblem,
    Style,
)
from paige.server.wire import Asked, Wire


class StudyOpenSession(Wire):
    """A session that somebody can go on with."""

    session: str
    kind: SessionKind
    step: int
    stage: Stage
    started: datetime
    moved: datetime
    minutes: int
    minutes_left: float
    title: str  # of the concept it is at
    modality: Modality | None  # of the exercise that is being done
    done: int  # things of the plan that are behind
    of: int
    stale: bool  # left so long ago that a new one begins instead


class StudyCourseSummary(Wire):
    """A course in numbers, and how far the learner is."""

    name: str
    title: str
    description: str
    domain: Domain
    concepts: int
    items: int
    vocabulary: int
    shipped: bool
    begun: bool
    due: int
    ready: int  # concepts that could be begun
    mastered: int
    minutes: int  # how long a session is
    exam: date | None
    open_session: StudyOpenSession | None
    problems: list[StudyProblem]


class StudyDay(Wire):
    """What was done on a day."""

    day: date
    exercises: int
    minutes: float


class StudyTemplate(Wire):
    """What a new course may begin as."""

    name: str
    title: str
    description: str


class StudyToday(Wire):
    """What the page needs first: courses, what is due, the last two weeks."""

    today: date
    courses: list[StudyCourseSummary]
    due: int
    streak: int  # days in a row with an exercise, today or yesterday the last
    days: list[StudyDay]  # the last fourteen, oldest first
    templates: list[StudyTemplate]
    provider: str
    local: bool  # whether exercises are made and marked by rules
    speaks: bool  # whether prompts can be read out
    hears: bool  # whether recordings can be written down
    folder: str  # where courses and files of learners are
    problems: list[StudyProblem]


class StudyConcept(Wire):
    """A concept of a course, and how well it is known. `layer` counts from 0."""

    id: str
    title: str
    unit: str
    type: str
    bloom: Bloom  # where the course wants to take it
    reached: Bloom
    description: str
    prerequisites: list[str]
    confused_with: list[str]
    status: Status
    mastery: float
    recall: float | None
    due: datetime | None
    ready: bool
    attempts: int
    items: int
    layer: int  # how many layers of prerequisites are below it


class StudyCourse(Wire):
    """A course: what it says about itself, its concepts, and what is wrong in its files."""

    name: str
    title: str
    description: str
    domain: Domain
    shipped: bool
    begun: bool
    folder: str
    minutes: int
    source_language: str | None
    target_language: str | None
    code_language: str
    weights: dict[str, float]  # of modalities, where the course has some
    units: list[str]
    vocabulary: int
    items: int
    due: int
    exam: date | None
    concepts: list[StudyConcept]
    open_session: StudyOpenSession | None
    problems: list[StudyProblem]


class StudyImported(Wire):
    """What an import did. `differing` are items that read otherwise in the file; they stayed."""

    course: StudyCourseSummary
    added: int
    there: int
    reviewed: int
    differing: list[str]
    left_out: list[str]
    remarks: list[str]


# --- how far -------------------------------------------------------------------------------------


class StudyReportConcept(Wire):
    """How well a concept is known. `recall` is how likely it is remembered now."""

    id: str
    title: str
    unit: str
    status: Status
    mastery: float
    bloom: Bloom
    target: Bloom
    attempts: int
    successes: int
    recall: float | None
    due: datetime | None
    prerequisites: list[str]
    ready: bool


class StudyRetention(Wire):
    """What was planned to be remembered, what was, and what would be now."""

    planned: float
    measured: float | None
    unaided: float | None
    reviews: int
    now: float | None


class StudyRecall(Wire):
    """The share that is remembered on a day if nothing is reviewed."""

    day: date
    share: float


class StudyForecast(Wire):
    """How much falls due on a day, and how much to expect with what follows."""

    day: date
    due: int
    expected: float


class StudyModality(Wire):
    """How it went in one modality."""

    modality: Modality
    attempts: int
    average: float


class StudyErrorPattern(Wire):
    """A kind of error: how often it came up, what it is, and what helps against it."""

    type: str
    count: int
    says: str | None
    practise: str | None


class StudyReport(Wire):
    """How far somebody is in a course."""

    course: str
    title: str
    today: date
    concepts: list[StudyReportConcept]
    counts: dict[str, int]  # by status
    due: list[str]
    next_new: list[str]
    retention: StudyRetention
    recall: list[StudyRecall]
    forecast: list[StudyForecast]
    calendar: list[StudyDay]  # days with exercises, oldest first
    modalities: list[StudyModality]
    errors: list[StudyErrorPattern]
    problems: list[StudyProblem]


class StudyCourseWish(Wire):
    """What the profile says about one course."""

    name: str
    title: str
    exam: date | None


class StudyProfile(Wire):
    """How somebody likes to study. `problems` say why usual values stand in for the file's."""

    learner: str | None
    file: str
    session_minutes: int
    explanation_style: str
    preferred: list[Modality]
    avoided: list[Modality]
    goes_best: Modality | None
    goes_worst: Modality | None
    used_most: Modality | None
    retention: float
    easy_days: list[float]  # seven shares, Monday first; 1 is an ordinary day
    balance: bool
    zone: str
    class_id: str  # empty where the learner is in no class
    courses: list[StudyCourseWish]
    problems: list[StudyProblem]


# --- what is asked for ---------------------------------------------------------------------------


class StudyNew(Asked):
    """A course to begin."""

    name: str = Field(min_length=1, max_length=100)
    template: str = Field(default="conceptual", min_length=1, max_length=100)
    title: str | None = Field(default=None, max_length=200)


class StudyProfileChange(Asked):
    """What should be otherwise in a profile; what is left out stays.

    `exams` are days by course, nothing for no exam. `preferred` and `avoided` are whole lists.
    """

    session_minutes: int | None = Field(default=None, ge=5, le=240)
    explanation_style: Style | None = None
    preferred: list[Modality] | None = None
    avoided: list[Modality] | None = None
    retention: float | None = None
    easy_days: list[float] | None = Field(default=None, min_length=7, max_length=7)
    balance: bool | None = None
    zone: str | None = Field(default=None, max_length=100)
    class_id: str | None = Field(default=None, max_length=60)
    exams: dict[str, date | None] | None = None


OUT = (
    StudyToday,
    StudyCourse,
    StudyImported,
    StudyReport,
    StudyProfile,
)
IN = (StudyNew, StudyProfileChange)
