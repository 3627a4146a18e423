"""The errors of the learners of a class, read from their files.

Each learner's progress holds what went wrong lately. What somebody has mastered since no longer
counts: a class that has understood something should not be told of it for ever. Files that cannot
be read are left out here; whoever they belong to is told by their own pages.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from paige.base.errors import PaigeError
from paige.learner.files import LearnerFiles
from paige.learner.progress import ErrorSeen, Progress
from paige.store.documents import Documents
from paige.study.belonging import class_of, same_class
from paige.study.class_errors import LearnerError
from paige.study.preferences import Preferences
from paige.study.session.context import LEARNER, OTHERS, read_learner

_PROFILE = "profile.json"


@dataclass(frozen=True, slots=True)
class Classmate:
    """A learner of a class: the name they have in one place, and where their files are."""

    place: str
    name: str
    documents: Documents
    root: str
    preferences: Preferences


def named_classmates(documents: Documents, class_id: str, place: str) -> Iterator[Classmate]:
    """Every learner of one teaching folder who is in the class."""
    roots = {LEARNER}
    for path in documents.paths(OTHERS):
        parts = path.split("/")
        if len(parts) == 3 and parts[2] == _PROFILE:
            roots.add(f"{OTHERS}/{parts[1]}")
    for root in sorted(roots):
        name = root.rpartition("/")[2] if root != LEARNER else ""
        yield from own_classmate(documents, class_id, place, name=name, root=root)


def own_classmate(
    documents: Documents, class_id: str, place: str, *, name: str, root: str = LEARNER
) -> Iterator[Classmate]:
    """One learner, if they are in the class."""
    seen = read_learner(documents, root)
    if same_class(class_of(seen.profile), class_id):
        yield Classmate(place, name, documents, root, seen.preferences)


def errors_of(mate: Classmate) -> Iterator[LearnerError]:
    """What a learner got wrong lately and has not mastered since."""
    for course in LearnerFiles(mate.documents, root=mate.root).courses():
        rules = mate.preferences.thresholds(course)
        try:
            known = LearnerFiles(mate.documents, rules, root=mate.root).read(course).progress
        except PaigeError:
            continue
        for progress in known.values():
            if progress.status != "mastered":
                yield from _errors(mate, course, progress)


def _errors(mate: Classmate, course: str, progress: Progress) -> Iterator[LearnerError]:
    for seen in progress.error_history:
        yield LearnerError(
            place=mate.place,
            learner=mate.name,
            concept=progress.concept_id,
            course=course,
            error_type=seen.error_type,
            what=_what(seen),
            detail=seen.detail,
            at=seen.at,
        )


def _what(seen: ErrorSeen) -> str:
    wrote, wanted = (seen.actual or "").strip(), (seen.expected or "").strip()
    if not wrote:
        return ""
    return f"“{wrote}” instead of “{wanted}”" if wanted else f"“{wrote}”"
