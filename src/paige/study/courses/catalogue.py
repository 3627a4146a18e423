"""Finding courses and reading them: those of the person first, then those that come with Paige."""

import difflib
import re
import threading
from collections import OrderedDict
from functools import cache

from paige.base.errors import BadInput, NotFound
from paige.base.paths import SHIPPED
from paige.store.documents import DirectoryDocuments, Documents, Stamp
from paige.study.courses.fields import shown
from paige.study.courses.reading import FOLDER, read_course
from paige.study.courses.values import Course

MAX_KNOWN = 64
_known: OrderedDict[tuple[str, str], tuple[tuple[Stamp, ...], Course]] = OrderedDict()
_lock = threading.Lock()
_TAKEN = ("courses", "settings")
_NAME = re.compile(r"[^\W_][\w.-]{0,99}")


def load_course(documents: Documents, name: str, *, shipped: Documents | None = None) -> Course:
    """The course of that name: the person's own, else the shipped one. Raises: NotFound, BadInput.

    `documents` is the teaching folder: a course is in `courses/<name>/`.
    """
    checked_name(name)
    own = _paths(documents, name)
    if own:
        return _read(documents, name, own, is_shipped=False)
    theirs = shipped if shipped is not None else shipped_documents()
    paths = _paths(theirs, name)
    if not paths:
        known = course_names(documents, shipped=shipped)
        raise NotFound(f"There is no course `{name}`", hint=_which(name, known))
    return _read(theirs, name, paths, is_shipped=True)


def _read(documents: Documents, name: str, paths: list[str], *, is_shipped: bool) -> Course:
    """A course that was read before is not read again until one of its files has changed."""
    if not isinstance(documents, DirectoryDocuments):
        return read_course(documents, name, paths, is_shipped=is_shipped)
    key = (str(documents.root), name)
    stamps = documents.stamps(paths)
    with _lock:
        known = _known.get(key)
        if known is not None and known[0] == stamps:
            _known.move_to_end(key)
            return known[1]
    course = read_course(documents, name, paths, is_shipped=is_shipped)
    if stamps is not None:
        with _lock:
            _known[key] = (stamps, course)
            while len(_known) > MAX_KNOWN:
                _known.popitem(last=False)
    return course


def course_names(documents: Documents, *, shipped: Documents | None = None) -> list[str]:
    """The names of all courses, the person's and the shipped ones, sorted."""
    theirs = shipped if shipped is not None else shipped_documents()
    found: set[str] = set()
    for each in (documents, theirs):
        parts = (path.split("/") for path in each.paths(FOLDER))
        found |= {part[1] for part in parts if len(part) > 2 and _NAME.fullmatch(part[1])}
    return sorted(found)


def load_courses(documents: Documents, *, shipped: Documents | None = None) -> list[Course]:
    """Every course, by name."""
    return [
        load_course(documents, name, shipped=shipped)
        for name in course_names(documents, shipped=shipped)
    ]


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
