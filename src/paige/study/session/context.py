"""Where a session takes place: one learner, one course, and whoever makes and marks exercises."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from paige.base.errors import BadInput
from paige.exercise.values import Marker
from paige.learner.files import CourseState, LearnerFiles
from paige.learner.json_files import BrokenFile, FileProblem
from paige.learner.profile import Profile
from paige.learner.scheduling import Scheduling
from paige.store.documents import DirectoryDocuments, Documents
from paige.study.courses.loading import load_course
from paige.study.courses.values import Course
from paige.study.preferences import Preferences, preferences_of
from paige.study.session.keeping import Sessions
from paige.study.session.ports import Exercises, PracticeHeard
from paige.study.session.recording import Logbook

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
    problems: tuple[FileProblem, ...] = ()
    heard: PracticeHeard | None = None

    @property
    def sessions(self) -> Sessions:
        """The sessions of this learner in this course."""
        return Sessions(self.documents, self.course.name, root=self.root)

    @property
    def logbook(self) -> Logbook:
        """Where results go."""
        return Logbook(
            documents=self.documents,
            course=self.course.name,
            thresholds=self.preferences.thresholds(self.course.name),
            root=self.root,
        )

    @property
    def scheduling(self) -> Scheduling:
        """How this course is scheduled for this learner."""
        return self.preferences.scheduling(self.course.name)

    def known(self) -> CourseState:
        """What is known of the course."""
        return self.logbook.files.read(self.course.name)


class LearnerView(NamedTuple):
    """A learner's profile and preferences; what could not be read is a problem, not an end."""

    profile: Profile
    preferences: Preferences
    problems: tuple[FileProblem, ...]


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
        problem = FileProblem(path, 1, error.message, error.hint or "Repair it by hand.")
        return LearnerView(Profile(), Preferences(), (problem,))
    try:
        return LearnerView(profile, preferences_of(profile), ())
    except BadInput as error:
        problem = FileProblem(path, 1, error.message, error.hint or "Change it, or take it out.")
        return LearnerView(profile, Preferences(), (problem,))


def open_session_context(
    documents: DirectoryDocuments,
    course: str | Course,
    *,
    exercises: Exercises,
    mark: Marker,
    learner: str | None = None,
    heard: PracticeHeard | None = None,
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
