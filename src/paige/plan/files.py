"""The files of a workspace as people see them: by kind, with what is wrong in each by line.

Saved lessons come with their sections and evidence as well. Memory documents are apart: they have
versions, merges and a log of their own, and are never read or written here.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

from paige.agent.library.library import IDENTITY
from paige.base.errors import BadInput, Conflict, PaigeError, Refused
from paige.base.wire import wire
from paige.plan.classes import FOLDER as CLASSES
from paige.plan.classes import ClassProfile, read_class
from paige.plan.curriculum.front import split_lines
from paige.plan.curriculum.library import (
    ORIGINALS,
    broken_links,
    curriculum_paths,
    load_all,
)
from paige.plan.curriculum.materials import is_material, read_material
from paige.plan.curriculum.outcome_file import read_curriculum
from paige.plan.curriculum.values import FOLDER as CURRICULUM
from paige.plan.curriculum.values import Library, WorkspaceProblem
from paige.plan.evidence import PlanEvidence, Report, check
from paige.plan.lessons.faults import faults_in
from paige.plan.lessons.sections import sections
from paige.plan.lessons.text import facts_of
from paige.plan.products import title_of
from paige.plan.workspace import Classes, is_memory, missing_curricula
from paige.store.document_table import TableDocuments
from paige.store.documents import MAX_BYTES, NEW, Document, Documents, folder_of

FileKind = Literal["identity", "profile", "class", "curriculum", "lesson", "other"]
LESSONS = "lessons"
SAVED = (LESSONS, "units", "worksheets")
"""Folders that results are saved in."""
PROFILES = ("teacher.md", "pedagogy.md")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
AROUND = 4
"""How many lines are shown before and after those that are asked for."""


@wire
class PlanProblem:
    """What is wrong with a file, and where if that is known."""

    path: str
    line: int | None
    message: str


@wire
class PlanFile:
    """A file of the workspace, as the tree shows it."""

    path: str
    kind: FileKind
    size: int
    version: str
    text: bool = True
    """False for what no editor can open, as a PDF."""


@wire
class PlanText:
    """A file with its text and what is wrong with it; `version` goes back with a change."""

    path: str
    kind: FileKind
    text: str
    version: str
    problems: tuple[PlanProblem, ...]


@wire
class PlanLines:
    """Some lines of a file with what is around them."""

    path: str
    first: int
    """The number of the first line in `lines`."""
    start: int
    end: int
    lines: tuple[str, ...]


@wire
class PlanLessonItem:
    """A saved lesson, as lists show it."""

    path: str
    title: str
    class_id: str | None
    date: str | None


@wire
class PlanSection:
    """A section of a lesson."""

    id: str
    title: str
    text: str


@wire(kw_only=True)
class PlanLesson:
    """A saved lesson: its text, sections, and the state of its evidence."""

    path: str
    title: str
    class_id: str | None
    text: str
    version: str
    source: str | None
    sections: tuple[PlanSection, ...]
    evidence: tuple[PlanEvidence, ...]
    faults: tuple[PlanProblem, ...]


def kind_of(path: str) -> FileKind:
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


def list_files(documents: Documents) -> list[PlanFile]:
    """Every file of the workspace but memory documents, by path."""
    if isinstance(documents, TableDocuments):
        return [
            PlanFile(each.path, kind_of(each.path), each.size, each.version)
            for each in documents.listed()
            if not is_memory(each.path)
        ]
    return [_listed(documents, path) for path in documents.paths() if not is_memory(path)]


def open_file(documents: Documents, path: str) -> PlanText:
    """One file with its text. Raises: NotFound, Refused, BadInput when it is not text."""
    document = documents.read(workspace_path(documents, path))
    return _opened(documents, document)


def write_file(documents: Documents, path: str, text: str, version: str | None) -> PlanText:
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


def delete_file(documents: Documents, path: str, version: str | None) -> PlanFile:
    """Remove a file of a version, or whatever is there without one. Raises: NotFound, Conflict."""
    path = workspace_path(documents, path)
    now = documents.read(path)
    documents.delete(path, base=now.version if version is None else version)
    return PlanFile(path, kind_of(path), len(now.text.encode()), now.version)


def read_lines(documents: Documents, path: str, start: int, end: int) -> PlanLines:
    """Lines of a file, counted from 1 as pointers do, with some around them. Raises: BadInput."""
    path = workspace_path(documents, path)
    every = split_lines(documents.read(path).text)
    if not 1 <= start <= end <= len(every):
        raise BadInput(f"`{path}` has lines 1 to {len(every)}, not {start} to {end}")
    first = max(1, start - AROUND)
    return PlanLines(path, first, start, end, every[first - 1 : end + AROUND])


def list_lessons(documents: Documents) -> list[PlanLessonItem]:
    """Every saved lesson, unit and worksheet: the latest day first."""
    items: list[PlanLessonItem] = []
    for folder in SAVED:
        for path in documents.paths(folder):
            if kind_of(path) == "lesson":
                try:
                    items.append(_item(documents.read(path)))
                except PaigeError:  # not text, or gone meanwhile; the tree shows it
                    continue
    return sorted(items, key=lambda item: (item.date or "", item.path), reverse=True)


def open_lesson(documents: Documents, path: str) -> PlanLesson:
    """One lesson. Raises: NotFound, Refused."""
    document = documents.read(workspace_path(documents, path))
    report = check(document.text, load_all(documents))
    item = _item(document)
    return PlanLesson(
        path=document.path,
        title=item.title,
        class_id=item.class_id,
        text=document.text,
        version=document.version,
        source=facts_of(document.text).get("Source", "").partition(" (")[0] or None,
        sections=tuple(
            PlanSection(each.id, each.title, each.text) for each in sections(document.text)
        ),
        evidence=report.pointers,
        faults=tuple(_of_lesson(document.path, document.text, report)),
    )


def all_troubles(documents: Documents, classes: Classes) -> list[PlanProblem]:
    """What is wrong with the profiles and the curriculum, whether or not anybody opens them."""
    library = load_all(documents)
    found = list(map(_shown, (*library.problems, *broken_links(library))))
    for profile in classes.profiles:
        found += _of_class(profile, library)
    return found


def troubles_in(documents: Documents, path: str, text: str) -> list[PlanProblem]:
    """What is wrong with one text, if it stood at this path."""
    match kind_of(path):
        case "class":
            return list(_of_class(read_class(text, path), load_all(documents)))
        case "curriculum" if curriculum_paths([path]):
            material = is_material(text)
            read = read_material(text, path) if material else read_curriculum(text, path)
            return list(map(_shown, read.problems))
        case "lesson":
            report = check(text, load_all(documents))
            wrong = [
                PlanProblem(path, each.line, each.reason or "")
                for each in report.pointers
                if not each.valid
            ]
            return _by_line([*_of_lesson(path, text, report), *wrong])
        case _:
            return []


def _of_class(profile: ClassProfile, library: Library) -> Iterator[PlanProblem]:
    yield from map(_shown, profile.problems)
    for name in missing_curricula(library, profile):
        message = f"there is no curriculum file `{CURRICULUM}/{name}.md`"
        yield PlanProblem(
            profile.path, None, _joined(message, "Write the name of one that is there.")
        )


def _of_lesson(path: str, text: str, report: Report) -> list[PlanProblem]:
    """What is wrong with a lesson besides its pointers, which are shown one by one."""
    found = [PlanProblem(path, each.line, each.reason) for each in report.claims_without_pointer]
    if path.startswith(f"{LESSONS}/"):  # units and worksheets have other forms
        found = [*(PlanProblem(path, each.line, each.message) for each in faults_in(text)), *found]
    return _by_line(found)


def _by_line(problems: list[PlanProblem]) -> list[PlanProblem]:
    return sorted(problems, key=lambda each: each.line or 0)


def _shown(problem: WorkspaceProblem) -> PlanProblem:
    return PlanProblem(problem.path, problem.line, _joined(problem.message, problem.hint))


def _joined(message: str, fix: str) -> str:
    sentence = message if message.endswith((".", "!", "?")) else f"{message}."
    return f"{sentence[:1].upper()}{sentence[1:]} {fix}".rstrip()


def _opened(documents: Documents, document: Document) -> PlanText:
    return PlanText(
        document.path,
        kind_of(document.path),
        document.text,
        document.version,
        tuple(troubles_in(documents, document.path, document.text)),
    )


def _listed(documents: Documents, path: str) -> PlanFile:
    folder = folder_of(documents)
    kind, size = kind_of(path), _size(folder / path) if folder is not None else 0
    # Originals are kept as they came, and may be large: nobody edits them.
    if path.startswith(ORIGINALS) or size > MAX_BYTES:
        return PlanFile(path, kind, size, NEW, text=False)
    try:
        document = documents.read(path)
    except PaigeError:  # not text, not ours to read, or gone meanwhile
        return PlanFile(path, kind, size, NEW, text=False)
    return PlanFile(path, kind, len(document.text.encode()), document.version)


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


def _item(document: Document) -> PlanLessonItem:
    facts = facts_of(document.text)
    stem = PurePosixPath(document.path).stem
    day = _DAY.match(facts.get("Date", "")) or _DAY.match(stem)
    return PlanLessonItem(
        document.path,
        title_of(document.text) or stem,
        facts.get("Class"),
        day[0] if day else None,
    )
