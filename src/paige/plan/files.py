"""The files of a workspace as people see them: by kind, with what is wrong in each by line.

Memory documents are apart: they have versions, merges and a log of their own, and are never read
or written here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from paige.agent.library import IDENTITY
from paige.base.errors import BadInput, Conflict, PaigeError, Refused
from paige.plan.classes import FOLDER as CLASSES
from paige.plan.classes import ClassProfile, read_class
from paige.plan.curriculum.front import split_lines
from paige.plan.curriculum.loading import (
    ORIGINALS,
    broken_links,
    curriculum_paths,
    load_all,
)
from paige.plan.curriculum.materials import is_material, read_material
from paige.plan.curriculum.reading import read_curriculum
from paige.plan.curriculum.values import FOLDER as CURRICULUM
from paige.plan.curriculum.values import Library
from paige.plan.curriculum.values import Problem as CurriculumProblem
from paige.plan.evidence import check
from paige.plan.lesson_faults import faults_in
from paige.plan.workspace import is_memory, missing_curricula, read_classes
from paige.store.document_places import folder_of
from paige.store.document_table import TableDocuments
from paige.store.documents import MAX_BYTES, NEW, Document, Documents

Kind = Literal["identity", "profile", "class", "curriculum", "lesson", "other"]
LESSONS = "lessons"
SAVED = (LESSONS, "units", "worksheets")
"""Folders that results are saved in."""
PROFILES = ("teacher.md", "pedagogy.md")
AROUND = 4
"""How many lines are shown before and after those that are asked for."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A file as a tree shows it; `text` is false for what no editor can open."""

    path: str
    kind: Kind
    size: int
    version: str
    text: bool = True


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with a file, and where if that is known."""

    path: str
    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file with its text and what is wrong with it."""

    document: Document
    kind: Kind
    troubles: tuple[Trouble, ...] = ()


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of a file with what is around them; `first` is the number of the first one."""

    path: str
    first: int
    start: int
    end: int
    lines: tuple[str, ...]


def kind_of(path: str) -> Kind:
    """What a file of the workspace is, by its place."""
    folder = path.partition("/")[0]
    if path == IDENTITY:
        return "identity"
    if path in PROFILES:
        return "profile"
    if folder == CLASSES and path.count("/") == 1 and path.endswith(".md"):
        return "class"
    if folder == CURRICULUM:
        return "curriculum"
    return "lesson" if folder in SAVED and path.endswith(".md") else "other"


def workspace_path(documents: Documents, path: str) -> str:
    """A path in its plain form, which does not lead into memory. Raises: Refused."""
    plain = PurePosixPath(path).as_posix()
    if is_memory(plain) or _leads_into_memory(folder_of(documents), plain):
        raise Refused(
            f"`{plain}` is a memory document",
            hint="Memory documents are read and written at `/api/memory/files`.",
        )
    return plain


def list_files(documents: Documents) -> list[Listed]:
    """Every file of the workspace but memory documents, by path."""
    if isinstance(documents, TableDocuments):
        return [
            Listed(each.path, kind_of(each.path), each.size, each.version)
            for each in documents.listed()
            if not is_memory(each.path)
        ]
    return [_listed(documents, path) for path in documents.paths() if not is_memory(path)]


def open_file(documents: Documents, path: str) -> OpenFile:
    """One file with its text. Raises: NotFound, Refused, BadInput when it is not text."""
    document = documents.read(workspace_path(documents, path))
    return _opened(documents, document)


def write_file(documents: Documents, path: str, text: str, version: str | None) -> OpenFile:
    """Store a text made from a version, or a new file without one. Raises: Conflict."""
    path = workspace_path(documents, path)
    if version is None and not path.endswith(".md"):
        raise BadInput(
            f"`{path}` is not the name of a markdown file", hint="End its name with `.md`."
        )
    try:
        document = documents.write(path, text, base=NEW if version is None else version)
    except Conflict as error:
        if version is not None:
            raise
        hint = "Open it, or choose another name."
        raise Conflict(f"There is a file `{path}` already", hint=hint) from error
    return _opened(documents, document)


def delete_file(documents: Documents, path: str, version: str | None) -> Listed:
    """Remove a file of a version, or whatever is there without one. Raises: NotFound, Conflict."""
    path = workspace_path(documents, path)
    now = documents.read(path)
    documents.delete(path, base=now.version if version is None else version)
    return Listed(path, kind_of(path), len(now.text.encode()), now.version)


def read_lines(documents: Documents, path: str, start: int, end: int) -> Lines:
    """Lines of a file, counted from 1 as pointers do, with some around them. Raises: BadInput."""
    path = workspace_path(documents, path)
    every = split_lines(documents.read(path).text)
    if not 1 <= start <= end <= len(every):
        raise BadInput(f"`{path}` has lines 1 to {len(every)}, not {start} to {end}")
    first = max(1, start - AROUND)
    return Lines(path, first, start, end, every[first - 1 : end + AROUND])


def all_troubles(documents: Documents) -> list[Trouble]:
    """What is wrong with the profiles and the curriculum, whether or not anybody opens them."""
    library = load_all(documents)
    found = list(_of_curriculum((*library.problems, *broken_links(library))))
    for profile in read_classes(documents).profiles:
        found += _of_class(profile, library)
    return found


def troubles_in(documents: Documents, path: str, text: str) -> list[Trouble]:
    """What is wrong with one text, if it stood at this path."""
    match kind_of(path):
        case "class":
            return list(_of_class(read_class(text, path), load_all(documents)))
        case "curriculum" if curriculum_paths([path]):
            material = is_material(text)
            read = read_material(text, path) if material else read_curriculum(text, path)
            return list(_of_curriculum(read.problems))
        case "lesson":
            return list(_of_lesson(path, text, load_all(documents)))
        case _:
            return []


def lesson_troubles(path: str, text: str, library: Library) -> list[Trouble]:
    """What is wrong with a lesson besides its pointers, which are shown one by one."""
    claims = check(text, library).claims_without_pointer
    unproven = [Trouble(path, claim.line, claim.reason) for claim in claims]
    return sorted([*_limits(path, text), *unproven], key=lambda each: each.line or 0)


def _of_class(profile: ClassProfile, library: Library) -> Iterator[Trouble]:
    for each in profile.problems:
        yield Trouble(each.path, each.line, _joined(each.message, each.fix))
    for name in missing_curricula(library, profile):
        message = f"there is no curriculum file `{CURRICULUM}/{name}.md`"
        yield Trouble(profile.path, None, _joined(message, "Write the name of one that is there."))


def _of_curriculum(problems: Iterable[CurriculumProblem]) -> Iterator[Trouble]:
    for each in problems:
        yield Trouble(each.path, each.line, _joined(each.message, each.hint))


def _of_lesson(path: str, text: str, library: Library) -> list[Trouble]:
    report = check(text, library)
    wrong = [
        Trouble(path, each.pointer.at_line, each.reason)
        for each in report.pointers
        if not each.valid
    ]
    return sorted([*lesson_troubles(path, text, library), *wrong], key=lambda each: each.line or 0)


def _limits(path: str, text: str) -> list[Trouble]:
    """Only a lesson has the form of a lesson: units and worksheets have others."""
    if not path.startswith(f"{LESSONS}/"):
        return []
    return [Trouble(path, each.line, each.message) for each in faults_in(text)]


def _joined(message: str, fix: str) -> str:
    sentence = message if message.endswith((".", "!", "?")) else f"{message}."
    return f"{sentence[:1].upper()}{sentence[1:]} {fix}".rstrip()


def _opened(documents: Documents, document: Document) -> OpenFile:
    troubles = troubles_in(documents, document.path, document.text)
    return OpenFile(document, kind_of(document.path), tuple(troubles))


def _listed(documents: Documents, path: str) -> Listed:
    folder = folder_of(documents)
    kind, size = kind_of(path), _size(folder / path) if folder is not None else 0
    # Originals are kept as they came, and may be large: nobody edits them.
    if path.startswith(ORIGINALS) or size > MAX_BYTES:
        return Listed(path, kind, size, NEW, text=False)
    try:
        document = documents.read(path)
    except PaigeError:  # not text, not ours to read, or gone meanwhile
        return Listed(path, kind, size, NEW, text=False)
    return Listed(path, kind, len(document.text.encode()), document.version)


def _size(place: Path) -> int:
    try:
        return place.stat().st_size
    except OSError:
        return 0


def _leads_into_memory(root: Path | None, path: str) -> bool:
    """Whether a link takes a path there by another name; in the database there are no links."""
    if root is None:
        return False
    try:
        place = (root / path).resolve()
    except (OSError, ValueError, RuntimeError):  # documents refuse it with their own words
        return False
    return place.is_relative_to(root) and is_memory(place.relative_to(root).as_posix())
