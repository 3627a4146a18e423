"""Reads what a report needs and makes it."""

from dataclasses import dataclass
from datetime import datetime

from paige.learner.files import LearnerFiles
from paige.learner.json_files import FileProblem
from paige.store.documents import Documents
from paige.study.courses.loading import load_course
from paige.study.preferences import Preferences
from paige.study.report import Report, report


@dataclass(frozen=True, slots=True)
class Reported:
    """A report, and files that need a hand."""

    report: Report
    problems: tuple[FileProblem, ...]


def course_report(
    documents: Documents, name: str, preferences: Preferences, *, root: str, now: datetime
) -> Reported:
    """How far a learner is in a course. Raises: NotFound."""
    course = load_course(documents, name)
    files = LearnerFiles(documents, preferences.thresholds(name), root=root)
    known = files.read(name)
    made = report(
        course,
        known.progress,
        files.changes(name),
        files.evidence(name),
        preferences.scheduling(name),
        now,
    )
    return Reported(made, (*known.problems, *course.problems))
