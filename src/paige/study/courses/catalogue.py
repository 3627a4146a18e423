"""Finding courses and reading them: those of the person first, then those that come with Paige.

The overview says what there is to study, in short: every course with its numbers.
"""

import difflib
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, partial

from paige.base.errors import BadInput, NotFound
from paige.base.file_cache import FileCache
from paige.base.paths import SHIPPED
from paige.exercise.values import Domain
from paige.learner.files import LearnerFiles
from paige.learner.json_files import StudyProblem
from paige.store.documents import DirectoryDocuments, Documents
from paige.study.courses.fields import shown
from paige.study.courses.reader import FOLDER, read_course
from paige.study.courses.values import Course

_known: FileCache[Course] = FileCache()
_TAKEN = ("courses", "settings")
_NAME = re.compile(r"[^\W_][\w.-]{0,99}")


def load_course(documents: Documents, name: str) -> Course:
    """The course of that name: the person's own, else the shipped one. Raises: NotFound, BadInput.

    `documents` is the teaching folder: a course is in `courses/<name>/`.
    """
    checked_name(name)
    own = _paths(documents, name)
    if own:
        return _read(documents, name, own, is_shipped=False)
    theirs = shipped_documents()
    paths = _paths(theirs, name)
    if not paths:
        known = course_names(documents)
        raise NotFound(f"There is no course `{name}`", hint=_which(name, known))
    return _read(theirs, name, paths, is_shipped=True)


def _read(documents: Documents, name: str, paths: list[str], *, is_shipped: bool) -> Course:
    """A course that was read before is not read again until one of its files has changed."""
    read = partial(read_course, documents, name, paths, is_shipped=is_shipped)
    if not isinstance(documents, DirectoryDocuments):
        return read()
    root = documents.root
    return _known.get((str(root), name), [root / path for path in paths], read)


def course_names(documents: Documents) -> list[str]:
    """The names of all courses, the person's and the shipped ones, sorted."""
    theirs = shipped_documents()
    found: set[str] = set()
    for each in (documents, theirs):
        parts = (path.split("/") for path in each.paths(FOLDER))
        found |= {part[1] for part in parts if len(part) > 2 and _NAME.fullmatch(part[1])}
    return sorted(found)


def load_courses(documents: Documents) -> list[Course]:
    """Every course, by name."""
    return [load_course(documents, name) for name in course_names(documents)]


@cache
def shipped_documents() -> Documents:
    """The folder that comes with Paige. Nobody writes to it."""
    return DirectoryDocuments(SHIPPED)


def checked_name(name: str) -> str:
    """A name of a course that can be a folder's too. Raises: BadInput."""
    if name in _TAKEN:
        raise BadInput(
            f"No course can be called `{name}`: a page of its own has that address",
            hint="Add a word to the name.",
        )
    if _NAME.fullmatch(name):
        return name
    raise BadInput(
        f"`{shown(name)}` cannot be the name of a course",
        hint="Use letters, digits, dots and dashes, a letter or digit first.",
    )


def _which(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f"Did you mean `{close[0]}`?"
    if known:
        return f"There are: {', '.join(f'`{each}`' for each in known)}."
    return "Begin one: `paige study new NAME`."


def _paths(documents: Documents, name: str) -> list[str]:
    return documents.paths(f"{FOLDER}/{name}")


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
    problems: tuple[StudyProblem, ...]
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


def list_courses(documents: Documents) -> list[Overview]:
    """Every course in numbers, by name."""
    begun = LearnerFiles(documents).courses()
    return [overview(course, begun) for course in load_courses(documents)]
