"""What `paige doctor` asks about studying: courses and learners' files that cannot be used."""

from paige.base.checks import Check
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.learner.files import LearnerFiles
from paige.learner.json_files import StudyProblem
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_courses

MOST_SHOWN = 10


def checks(settings: Settings) -> list[Check]:
    """Every file of every course of one's own and of the learner; nothing is created."""
    if not settings.teaching_dir.is_dir():
        return []
    documents = DirectoryDocuments(settings.teaching_dir)
    wrong = [each for course in load_courses(documents) for each in course.problems]
    wrong += _learner(LearnerFiles(documents))
    if not wrong:
        return [Check("study files", "ok", f"`{settings.teaching_dir}`")]
    found = [
        Check("study files", "warn", f"{each.file}:{each.line}: {each.message}", each.fix or None)
        for each in wrong[:MOST_SHOWN]
    ]
    left = len(wrong) - MOST_SHOWN
    more = [Check("study files", "warn", f"and {left} more problems")] if left > 0 else []
    return [*found, *more]


def _learner(files: LearnerFiles) -> list[StudyProblem]:
    found: list[StudyProblem] = []
    try:
        files.profile()
    except PaigeError as error:
        found.append(StudyProblem("profile.json", 1, error.message, error.hint or ""))
    for course in files.courses():
        try:
            found += files.read(course).problems
        except PaigeError as error:
            found.append(StudyProblem(course, 1, error.message, error.hint or ""))
    return found
