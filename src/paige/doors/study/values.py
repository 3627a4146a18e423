"""What Study is asked for and what it answers, where a room has no value for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from paige.base.wire import wire
from paige.exercise.values import Modality, Rating
from paige.learner.json_files import StudyProblem
from paige.study.courses.catalogue import Overview
from paige.study.courses.export import ExportForm
from paige.study.courses.intake import ImportForm
from paige.study.courses.values import Course as AnyCourse
from paige.study.overview import StudyCourseSummary
from paige.study.report import StudyReport
from paige.study.session.view import StudyTest
from paige.study.values import MAX_PARTS, SessionKind, SessionRequest

MAX_TEXT = 1_000_000
Name = Annotated[str, Field(min_length=1, max_length=100)]
Course = Annotated[str | None, Field(max_length=100)]
Learner = Annotated[str | None, Field(max_length=100)]
Path = Annotated[str, Field(min_length=1, max_length=1000)]


# --- what is taken -------------------------------------------------------------------------------


@wire(kw_only=True)
class LearnerRequest:
    """Whose files."""

    learner: Learner = None
    """The usual learner when left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseRequest(LearnerRequest):
    """A learner in a course."""

    course: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedCourse(LearnerRequest):
    """A course by its name."""

    name: str


@wire(kw_only=True)
class NewCourse:
    """A course to begin."""

    name: Name
    template: Name = "conceptual"
    """A kind of course, or the name of one to copy."""
    title: Annotated[str | None, Field(max_length=200)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseImport(LearnerRequest):
    """A deck, a table or a zipped Exercism track; `file` is its name."""

    kind: ImportForm
    name: Annotated[str, Field(max_length=100)] = ""
    file: Annotated[str, Field(max_length=200)] = ""
    both_ways: bool = False
    """Whether every card is asked from its back too."""
    reviews: bool = True
    """Whether reviews of the cards are taken over."""
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseExport(CourseRequest):
    """A course for another program; `home` is the address that statements are made for."""

    to: ExportForm
    home: str = "http://localhost"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartRequest(SessionRequest):
    """Whose session to begin, and in which course."""

    learner: Learner = None
    """The usual learner when left out."""
    course: Course = None
    """The last one when left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartHere(StartRequest):
    """The same at this machine."""

    seed: int | None = None
    """To draw the same exercises again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyStart(StartRequest):
    """The same in a course that is named."""

    course: Name  # type: ignore[reportGeneralTypeIssues] - it has to be said here


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep(LearnerRequest):
    """Which session."""

    course: Course = None
    """Name of the course; the last one when left out."""
    kind: SessionKind | None = None
    """Which session to begin or go on with: `study` teaches and asks, `review` asks what is due,
    `quiz` asks without teaching. Left out: the open one, else `study`."""
    minutes: Annotated[int | None, Field(ge=1, le=240)] = None
    """How long a new one is."""
    ahead: bool = False
    """Go on with what is not due yet."""
    anew: bool = False
    """End the open session of this kind first."""
    prefer: Modality | None = None
    """The kind of exercise wanted throughout, where it can be."""
    concepts: Annotated[tuple[str, ...], Field(max_length=100)] = ()
    """Ids a quiz is about."""
    unit: Annotated[str, Field(max_length=200)] = ""
    """The unit a quiz is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHere(NextStep):
    """The same at this machine."""

    seed: int | None = None
    """To draw the same exercises again."""


ActName = Literal["answer", "hint", "give_up", "skip", "stop", "instead"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActRequest(LearnerRequest):
    """Something done in the open session.

    `answer` takes `text`, `parts` by question, `path` of a file of the exercise, `file_text` that
    is written to the exercise's file first, or `rating` of what `expects` a self-check, or of a
    photo: 1 wrong, 2 partly, 3 right, 4 right at once. With none of these, the lesson is read or
    the file is ready.
    """

    course: Course = None
    step: Annotated[int | None, Field(ge=0)] = None
    """The step that was seen; nothing means whichever it is at."""
    act: ActName = "answer"
    text: Annotated[str, Field(max_length=MAX_TEXT)] = ""
    question: Annotated[str, Field(max_length=100)] = ""
    parts: Annotated[Mapping[str, str], Field(max_length=MAX_PARTS)] = field(default_factory=dict)
    path: Annotated[str, Field(max_length=1000)] = ""
    file_text: Annotated[str | None, Field(max_length=MAX_TEXT)] = None
    file_version: Annotated[str | None, Field(max_length=200)] = None
    rating: Rating | None = None
    done: bool = False
    final: bool = False
    """Hand it in for good, even if it is not right yet."""
    sure: bool = False
    seconds: Annotated[float | None, Field(ge=0, le=86_400)] = None
    modality: Modality | None = None
    """The kind that is wanted instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyAct(ActRequest):
    """The same for whoever saw a step: it is meant for that one."""

    course: Name  # type: ignore[reportGeneralTypeIssues] - these have to be said here
    step: Annotated[int, Field(ge=0)]  # type: ignore[reportGeneralTypeIssues] - as above
    act: ActName  # type: ignore[reportGeneralTypeIssues] - as above


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission(LearnerRequest):
    """What the person did with a step: one thing at a time."""

    step: Annotated[int, Field(ge=0)]
    """The `step` that `study_next` or `study_submit` gave."""
    course: Course = None
    """Name of the course; the last one when left out."""
    answer: Annotated[str | None, Field(max_length=MAX_TEXT)] = None
    """What they say, in their own words."""
    parts: Annotated[Mapping[str, str], Field(max_length=MAX_PARTS)] = field(default_factory=dict)
    """Answers by question, of a worksheet."""
    rating: Rating | None = None
    """Of a turned card, photo or text: 1 wrong, 2 partly, 3 right, 4 at once."""
    file: Annotated[str | None, Field(max_length=1000)] = None
    """Path of a file of the exercise to hand in."""
    file_text: Annotated[str | None, Field(max_length=MAX_TEXT)] = None
    """What they wrote, put into the exercise's file before it is handed in."""
    done: bool = False
    """The lesson is read, or the file is ready."""
    final: bool = False
    """Hand it in for good, even if not right yet."""
    sure: bool = False
    """They were sure."""
    hint: bool = False
    """They ask for the next hint."""
    give_up: bool = False
    """They want to see the answer."""
    skip: bool = False
    """They leave this one out."""
    stop: bool = False
    """They end the session."""
    instead: Modality | None = None
    """They want it as another kind of exercise."""

    def __post_init__(self) -> None:
        """Say one thing at a time. Raises: ValueError."""
        wanted = (self.is_answer, self.hint, self.give_up, self.skip, self.stop)
        if sum((*wanted, self.instead is not None)) != 1:
            raise ValueError(
                "say one thing: an answer (`answer`, `parts`, `rating`, `file`, `fileText`, "
                "`done`), or `hint`, `giveUp`, `skip`, `stop`, `instead`"
            )

    @property
    def is_answer(self) -> bool:
        """Whether something is answered."""
        given = (self.answer, self.rating, self.file, self.file_text)
        said = any(each is not None for each in given)
        return said or bool(self.parts) or self.done or self.final

    @property
    def act(self) -> ActRequest:
        """What was done."""
        named: tuple[tuple[ActName, bool], ...] = (
            ("hint", self.hint),
            ("give_up", self.give_up),
            ("skip", self.skip),
            ("stop", self.stop),
            ("instead", self.instead is not None),
        )
        chosen: list[ActName] = [name for name, wanted in named if wanted]
        return ActRequest(
            learner=self.learner,
            course=self.course,
            step=self.step,
            act=chosen[0] if chosen else "answer",
            text=self.answer or "",
            parts=self.parts,
            path=self.file or "",
            file_text=self.file_text,
            rating=self.rating,
            final=self.final,
            sure=self.sure,
            modality=self.instead,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRequest(CourseRequest):
    """A file of the open exercise."""

    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWrite(FileRequest):
    """A new text for a file of the open exercise, over the version that was seen."""

    text: Annotated[str, Field(max_length=MAX_TEXT)]
    version: Annotated[str, Field(max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadRequest(CourseRequest):
    """A photo or a recording for the step that was seen."""

    step: Annotated[int, Field(ge=0)]
    name: Annotated[str, Field(min_length=1, max_length=200)]
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class AudioRequest(CourseRequest):
    """The recording of a question."""

    question: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest(CourseRequest):
    """The course whose last result is taken back; `change` is that result, if it was seen."""

    change: Annotated[str | None, Field(max_length=300)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressRequest(LearnerRequest):
    """Whose progress."""

    course: Course = None
    """Name of the course; all when left out."""


# --- what is given -------------------------------------------------------------------------------


@wire(kw_only=True)
class StudyImported:
    """What an import did."""

    course: StudyCourseSummary
    added: int
    there: int
    reviewed: int
    differing: tuple[str, ...]
    """Items that read otherwise in the file; they stayed."""
    left_out: tuple[str, ...]
    remarks: tuple[str, ...]


@wire(kw_only=True)
class StudyRun:
    """What the tests say about the code as it is; nothing was handed in."""

    passed: int
    total: int
    output: str
    tests: tuple[StudyTest, ...]


@wire
class StudyStopped:
    """How many runs of one's own code were stopped."""

    stopped: int


@wire(kw_only=True)
class StudyProgress:
    """How far the person is, course by course."""

    courses: tuple[StudyReport, ...]
    due: int
    streak: int


@wire(kw_only=True)
class CoursesRequest:
    """All courses, or one."""

    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PathImport(LearnerRequest):
    """A deck, a table or the folder of a track that lies on this machine."""

    kind: ImportForm
    path: str
    name: str = ""
    both_ways: bool = False
    reviews: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FitRequest(LearnerRequest):
    """A forgetting curve of one's own, or the usual one again."""

    reset: bool = False


@dataclass(frozen=True, slots=True)
class CourseList:
    """Courses in numbers; `one` is the course itself where only one was asked for."""

    courses: tuple[Overview, ...]
    one: AnyCourse | None = None


@dataclass(frozen=True, slots=True)
class CourseReports:
    """How far somebody is in several courses, and files that need a hand."""

    reports: tuple[StudyReport, ...]
    problems: tuple[StudyProblem, ...]
