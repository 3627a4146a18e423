"""Which courses have something to review: the part of the notices that needs the study room."""

from dataclasses import dataclass
from datetime import date, datetime

from paige.base.errors import PaigeError
from paige.learner.files import LearnerFiles
from paige.learner.scheduling import day_of
from paige.store.documents import DirectoryDocuments
from paige.study.courses.loading import course_names, load_course
from paige.study.planning import due_concepts
from paige.study.session.room import LearnerView, read_learner


@dataclass(frozen=True, slots=True)
class Due:
    """A course with how much of it is due on a day, and since when."""

    course: str
    title: str
    count: int
    day: date
    since: datetime | None


def due_reviews(documents: DirectoryDocuments, now: datetime) -> list[Due]:
    """Every begun course of the usual learner with something due; files are read, none written."""
    who = read_learner(documents)
    known = set(course_names(documents))
    found: list[Due] = []
    for name in LearnerFiles(documents).courses():
        if name not in known:
            continue
        try:
            due = _due(documents, name, who, now)
        except PaigeError:  # the Study door says what is wrong with it
            continue
        if due.count:
            found.append(due)
    return found


def _due(documents: DirectoryDocuments, name: str, who: LearnerView, now: datetime) -> Due:
    course = load_course(documents, name)
    scheduling = who.preferences.scheduling(name)
    progress = LearnerFiles(documents, who.preferences.thresholds(name)).read(name).progress
    due = due_concepts(course, progress, now, scheduling)
    cards = [progress[each].card for each in due]
    since = min((card.due for card in cards if card is not None), default=None)
    return Due(name, course.title, len(due), day_of(now, scheduling.zone), since)
