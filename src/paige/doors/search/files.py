"""What is searched in files: the workspace of Plan and the courses of Study.

Both are read once and again only where a file changed. Nothing is made on the way: a workspace that
nobody has opened yet stays empty. Everything here is synchronous; call it in a thread.
"""

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from paige.base.errors import PaigeError
from paige.doors.search.finder import Hit, Query
from paige.doors.search.words import fold, holds, line_of, rank, snippet
from paige.plan.curriculum.library import ORIGINALS
from paige.plan.files import is_memory, kind_of
from paige.plan.products import title_of
from paige.store.document_table import TableDocuments
from paige.store.documents import DirectoryDocuments, Documents, folder_of
from paige.study.courses.catalogue import load_courses
from paige.study.courses.reader import FOLDER as COURSES
from paige.study.courses.values import Course, CourseConcept

MOST_BYTES = 2**20
MOST_FILES = 5_000
_Stamp = tuple[int | str, int]
_SIGNS = re.compile(r"^[#>*|\s-]+|[*`|]+|^---+$")


@dataclass(frozen=True, slots=True)
class _Text:
    """A file as it was read: its title and text, folded for the search, and when that was so."""

    stamp: _Stamp
    title: str
    text: str
    folded: str


class WorkspaceFiles:
    """Finds lessons and other files of a workspace by their path and their words."""

    def __init__(self, existing: Callable[[], Documents | None]) -> None:
        """`existing` gives the workspace, or nothing while nobody has opened it."""
        self._existing = existing
        self._known: dict[str, _Text] = {}
        self._lock = threading.Lock()

    def search(self, asked: Query) -> list[Hit]:
        """Files that hold all words, those with them in title or path first."""
        documents = self._existing()
        if documents is None:
            return []
        with self._lock:
            texts = self._read(documents)
        found = [path for path, each in texts.items() if holds(each.folded, asked.terms)]
        found.sort(key=lambda path: -_worth(path, texts[path], asked))
        # Many files may hold a word; only those that are shown are looked at closely.
        most = asked.limit + 1
        lessons = [path for path in found if kind_of(path) == "lesson"][:most]
        others = [path for path in found if kind_of(path) != "lesson"][:most]
        return [_file_hit(path, texts[path], asked) for path in (*lessons, *others)]

    def _read(self, documents: Documents) -> dict[str, _Text]:
        found: dict[str, _Text] = {}
        for path, stamp in _stamps(documents):
            if is_memory(path) or path.startswith(ORIGINALS):
                continue
            if stamp is None or stamp[1] > MOST_BYTES:
                continue
            known = self._known.get(path)
            if known is None or known.stamp != stamp:
                try:
                    text = documents.read(path).text
                except PaigeError:  # not text, or gone meanwhile
                    continue
                known = _Text(stamp, _title(path, text), text, fold(f"{path}\n{text}"))
            found[path] = known
        self._known = found
        return found


class CourseFiles:
    """Finds courses and their concepts by title and description, never by what they ask."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stamps: dict[str, _Stamp | None] | None = None
        self._courses: list[Course] = []
        self._lock = threading.Lock()

    def search(self, asked: Query) -> list[Hit]:
        """Courses and concepts that hold all words."""
        with self._lock:
            courses = self._read()
        return [hit for course in courses for hit in _course_hits(course, asked)]

    def _read(self) -> list[Course]:
        documents = DirectoryDocuments(self._root)
        stamps = {path: _stamp(documents.root / path) for path in documents.paths(COURSES)}
        if stamps != self._stamps:
            self._courses = load_courses(documents)
            self._stamps = stamps
        return self._courses


def _title(path: str, text: str) -> str:
    if kind_of(path) != "lesson":
        return path
    return title_of(text) or PurePosixPath(path).stem


def _worth(path: str, each: _Text, asked: Query) -> int:
    return 2 * rank(each.title, asked.terms) + holds(fold(path), asked.terms)


def _file_hit(path: str, each: _Text, asked: Query) -> Hit:
    if kind_of(path) == "lesson":
        about = snippet(plain(each.text, without=each.title), asked.terms)
        return Hit(kind="lesson", id=path, title=each.title, snippet=about, within=path)
    about = snippet(plain(each.text), asked.terms)
    line = line_of(each.text, asked.terms)
    return Hit(kind="file", id=path, title=path, snippet=about, line=line)


def plain(markdown: str, without: str = "") -> str:
    """A text as people read it, without signs and without the heading that is shown already."""
    lines = (_SIGNS.sub("", line).strip() for line in markdown.splitlines())
    return "\n".join(line for line in lines if line and line != without)


def _course_hits(course: Course, asked: Query) -> Iterator[Hit]:
    about = course.config.description
    if holds(fold(f"{course.title} {course.name} {about}"), asked.terms):
        yield Hit(
            kind="course", id=course.name, title=course.title, snippet=snippet(about, asked.terms)
        )
    for concept in course.concepts.values():
        if holds(fold(f"{concept.title} {concept.description} {concept.unit}"), asked.terms):
            yield _concept_hit(course, concept, asked)


def _concept_hit(course: Course, concept: CourseConcept, asked: Query) -> Hit:
    return Hit(
        kind="concept",
        id=concept.id,
        title=concept.title,
        snippet=snippet(concept.description, asked.terms),
        within=course.name,
    )


def _stamps(documents: Documents) -> Iterator[tuple[str, _Stamp | None]]:
    """What changes when a document does, without reading it."""
    if isinstance(documents, TableDocuments):
        for each in documents.listed()[:MOST_FILES]:
            yield each.path, (each.version, each.size)
        return
    folder = folder_of(documents)
    for path in documents.paths()[:MOST_FILES]:
        yield path, None if folder is None else _stamp(folder / path)


def _stamp(place: Path) -> _Stamp | None:
    try:
        about = place.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
