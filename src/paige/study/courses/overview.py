"""What there is to study, in short: every course with its numbers."""

from collections.abc import Collection
from dataclasses import dataclass

from paige.exercise.values import Domain
from paige.learner.files import LearnerFiles
from paige.learner.json_files import FileProblem
from paige.store.documents import Documents
from paige.study.courses.loading import load_courses
from paige.study.courses.values import Course


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """A course in numbers. `items` counts words too, each once; `begun`: somebody studied it."""

    name: str
    title: str
    description: str
    domain: Domain
    concepts: int
    items: int
    vocabulary: int
    problems: tuple[FileProblem, ...]
    begun: bool
    shipped: bool


def overview(course: Course, begun: Collection[str]) -> Overview:
    """A course in numbers; `begun` are the names of those that were studied."""
    return Overview(
        name=course.name,
        title=course.title,
        description=course.config.description,
        domain=course.domain,
        concepts=len(course.concepts),
        items=course.item_count,
        vocabulary=len(course.vocabulary),
        problems=course.problems,
        begun=course.name in begun,
        shipped=course.is_shipped,
    )


def list_courses(documents: Documents, *, shipped: Documents | None = None) -> list[Overview]:
    """Every course in numbers, by name."""
    begun = LearnerFiles(documents).courses()
    return [overview(course, begun) for course in load_courses(documents, shipped=shipped)]


def dump_overview(each: Overview) -> dict[str, object]:
    """The numbers as JSON values."""
    return {
        "name": each.name,
        "title": each.title,
        "description": each.description,
        "domain": each.domain,
        "concepts": each.concepts,
        "items": each.items,
        "vocabulary": each.vocabulary,
        "problems": [dump_problem(problem) for problem in each.problems],
        "begun": each.begun,
        "shipped": each.shipped,
    }


def dump_problem(problem: FileProblem) -> dict[str, object]:
    """A problem as JSON values."""
    return {
        "file": problem.path,
        "line": problem.line,
        "message": problem.message,
        "fix": problem.fix,
    }
