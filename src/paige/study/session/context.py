"""Where a session takes place: one learner, one course, and whoever makes and marks exercises."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from paige.base.errors import BadInput
from paige.exercise.values import Marker, Modality
from paige.learner.files import CourseState, LearnerFiles
from paige.learner.json_files import BrokenFile, StudyProblem
from paige.learner.profile import Profile
from paige.learner.progress import Evidence, Progress
from paige.learner.schedule import Scheduling
from paige.store.documents import DirectoryDocuments, Documents
from paige.study.courses.catalogue import load_course
from paige.study.courses.values import Course
from paige.study.delivery import open_exercise as sittings
from paige.study.delivery.presentation import show
from paige.study.delivery.round_trip import place
from paige.study.exercise_tools import ExerciseTools
from paige.study.generation.by_model import make_exercise
from paige.study.generation.material import possible
from paige.study.preferences import Preferences, preferences_of
from paige.study.session.session_store import Sessions
from paige.study.values import (
    Event,
    Exercise,
    ExerciseRequest,
    OpenExercise,
    StepOutcome,
    StudyExercise,
)


class Exercises:
    """Exercises made and marked with tools. Tests put simpler ones in their place."""

    def __init__(self, tools: ExerciseTools) -> None:
        self._tools = tools

    def possible(self, course: Course, concept_id: str) -> frozenset[Modality]:
        """The modalities in which something can be asked about a concept."""
        return possible(course, concept_id)

    async def make(
        self, course: Course, wanted: ExerciseRequest, *, now: datetime, seed: int
    ) -> Exercise:
        """A new exercise. Raises: NotFound when there is nothing to make it from."""
        return await make_exercise(self._tools, course, wanted, seed=seed, now=now)

    async def begin(self, exercise: Exercise, *, now: datetime) -> OpenExercise:
        """Give an exercise: its files are written, and it is at its first question."""
        return sittings.begin(await place(self._tools, exercise, now), now)

    async def show(self, sitting: OpenExercise) -> StudyExercise:
        """What the learner sees now."""
        return show(sitting)

    async def take(self, sitting: OpenExercise, event: Event, *, now: datetime) -> StepOutcome:
        """What an answer, or a wish for help, leads to."""
        return await sittings.take(self._tools, sitting, event, now)

    async def finish(self, sitting: OpenExercise, *, now: datetime) -> StepOutcome:
        """The end of an exercise as it is."""
        return await sittings.finish(self._tools, sitting, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeOutcome:
    """What came of an exercise, and what is known of its concept since."""

    course: str
    concept_id: str
    title: str
    modality: Modality
    progress: Progress
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction:
    """A result of `at` that does not count any more: what was known with it, and what is left."""

    course: str
    concept_id: str
    title: str
    exercise_id: str
    at: datetime
    had: Progress
    left: Progress


class PracticeListener(Protocol):
    """Is told what came of every exercise, so that others may act on it.

    It may be told of the same one twice: whoever was stopped in between tells it again.
    """

    async def __call__(self, practised: PracticeOutcome, /) -> None:
        """Note it."""
        ...


class RetractionListener(Protocol):
    """Is told which result was taken back, so that others may take back what they made of it."""

    async def __call__(self, taken: Retraction, /) -> None:
        """Act on it."""
        ...


LEARNER = "learner"
OTHERS = "learners"
_NAME = re.compile(r"[^\W_][\w.-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionContext:
    """Everything a session needs. `problems` are files of the learner that need a hand."""

    documents: DirectoryDocuments
    course: Course
    exercises: Exercises
    mark: Marker
    profile: Profile
    preferences: Preferences
    root: str = LEARNER
    problems: tuple[StudyProblem, ...] = ()
    heard: PracticeListener | None = None

    @property
    def sessions(self) -> Sessions:
        """The sessions of this learner in this course."""
        return Sessions(self.documents, self.course.name, root=self.root)

    @property
    def files(self) -> LearnerFiles:
        """The learner's files: results go there."""
        rules = self.preferences.thresholds(self.course.name)
        return LearnerFiles(self.documents, rules, root=self.root)

    @property
    def scheduling(self) -> Scheduling:
        """How this course is scheduled for this learner."""
        return self.preferences.scheduling(self.course.name)

    def known(self) -> CourseState:
        """What is known of the course."""
        return self.files.read(self.course.name)


class LearnerView(NamedTuple):
    """A learner's profile and preferences; what could not be read is a problem, not an end."""

    profile: Profile
    preferences: Preferences
    problems: tuple[StudyProblem, ...]


def learner_root(learner: str | None) -> str:
    """The folder of a learner; nobody named is the usual one. Raises: BadInput."""
    if learner is None:
        return LEARNER
    if _NAME.fullmatch(learner):
        return f"{OTHERS}/{learner}"
    raise BadInput(
        f"`{learner}` cannot be the name of a learner", hint="Use letters, digits, dots and dashes."
    )


def read_learner(documents: Documents, root: str = LEARNER) -> LearnerView:
    """What a learner has set; the usual values where the file cannot be read."""
    path = f"{root}/profile.json"
    try:
        profile = LearnerFiles(documents, root=root).profile()
    except BrokenFile as error:
        return LearnerView(Profile(), Preferences(), (error.problem,))
    except BadInput as error:
        problem = StudyProblem(path, 1, error.message, error.hint or "Repair it by hand.")
        return LearnerView(Profile(), Preferences(), (problem,))
    try:
        return LearnerView(profile, preferences_of(profile), ())
    except BadInput as error:
        problem = StudyProblem(path, 1, error.message, error.hint or "Change it, or take it out.")
        return LearnerView(profile, Preferences(), (problem,))


def open_session_context(
    documents: DirectoryDocuments,
    course: str | Course,
    *,
    exercises: Exercises,
    mark: Marker,
    learner: str | None = None,
    heard: PracticeListener | None = None,
) -> SessionContext:
    """The context of a learner in a course, read already or not. Raises: NotFound, BadInput."""
    root = learner_root(learner)
    view = read_learner(documents, root)
    return SessionContext(
        documents=documents,
        course=load_course(documents, course) if isinstance(course, str) else course,
        exercises=exercises,
        mark=mark,
        profile=view.profile,
        preferences=view.preferences,
        root=root,
        problems=view.problems,
        heard=heard,
    )
