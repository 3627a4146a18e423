"""Takes a document into the curriculum folder: as outcomes, or as material tagged with codes.

The original is kept byte for byte as it came, below `curriculum/originals/`. What is written beside
it is plain markdown for people to correct. Whatever the text of a document says, it is only copied
and read.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from paige.base.errors import BadInput, Conflict, NotFound
from paige.base.files import write_atomic
from paige.plan.curriculum.case import read_case
from paige.plan.curriculum.document_text import DocumentText, extract, find_outcomes, subject_of
from paige.plan.curriculum.library import MATERIALS, ORIGINALS, load_all
from paige.plan.curriculum.materials import MaterialHead, render_material, split
from paige.plan.curriculum.outcome_file import read_curriculum, render_curriculum
from paige.plan.curriculum.search import telling_words
from paige.plan.curriculum.values import (
    FOLDER,
    Curriculum,
    Library,
    MaterialKind,
    Outcome,
    WorkspaceProblem,
)
from paige.store.documents import NEW, Documents

Kind = Literal["outcomes", "specification", "paper", "marking", "guidance"]
KINDS: tuple[Kind, ...] = ("outcomes", "specification", "paper", "marking", "guidance")
UNDATED = "undated"
LEAST_OUTCOMES = 3  # fewer codes are mentions, not a list
Keep = Callable[[str, bytes], None]
"""Stores the bytes of an original under its path in the workspace; what is there must be equal."""
_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")
_DATED = re.compile(
    r"\b(?:edition|version)\s+(?P<edition>v?\d[\w.-]*)"
    r"|\b(?P<month>january|february|march|april|may|june|july|august|september|october|november"
    r"|december)\s+(?P<year>20\d\d)\b",
    re.I,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_KIND_WORDS: tuple[tuple[MaterialKind, re.Pattern[str]], ...] = (
    ("marking", re.compile(r"marking (?:instructions|scheme|guid)", re.I)),
    ("specification", re.compile(r"course specification|course support notes", re.I)),
    ("paper", re.compile(r"question paper|past paper|specimen|attempt all|total marks", re.I)),
)


def clashes(curriculum: Curriculum, library: Library) -> tuple[WorkspaceProblem, ...]:
    """A problem for every row that shares no word with the same code elsewhere."""
    return tuple(
        problem
        for outcome in curriculum.outcomes
        for other in library.named(outcome.code)
        if (problem := _clash(outcome, other)) is not None
    )


def _clash(outcome: Outcome, other: Outcome) -> WorkspaceProblem | None:
    known = telling_words(f"{other.about} {' '.join(other.topics)}")
    said = telling_words(outcome.about)
    if not said or said & known:
        return None
    return WorkspaceProblem(
        outcome.path,
        outcome.start,
        f"{outcome.code} says “{outcome.about}” here, but `{other.path}` says “{other.about}”.",
        "Check the official document: one of them may be wrong.",
    )


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a person says about a document; empty values are found out."""

    name: str = ""
    subject: str = ""
    edition: str = ""
    framework: str = ""
    kind: Kind | None = None
    replace: bool = False


@dataclass(frozen=True, slots=True)
class Import:
    """What came of a document."""

    path: str
    original: str
    kind: Kind
    subject: str
    edition: str
    outcomes: tuple[Outcome, ...] = ()
    parts: int = 0
    tagged: int = 0
    problems: tuple[WorkspaceProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    """A document while it is taken in."""

    file: str
    name: str
    found: DocumentText
    options: ImportOptions

    @property
    def original(self) -> str:
        ending = self.file.rsplit(".", 1)[-1].lower()
        return f"{ORIGINALS}{self.name}.{ending}"


def import_file(
    file: str, data: bytes, options: ImportOptions, *, documents: Documents, keep: Keep
) -> Import:
    """Take a document into the workspace. Raises: BadInput, Conflict."""
    name = file_name(options.name or file.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    library = load_all(documents)
    if file.lower().endswith(".json"):
        source = _Source(file, name, DocumentText(()), options)
        made = _restated(read_case(data, f"{FOLDER}/{name}.md", file), options)
        return _write_outcomes(source, data, made, library, documents, keep)
    source = _Source(file, name, extract(file, data), options)
    ready = _ready(source)
    if ready is not None:
        return _write_outcomes(source, data, ready, library, documents, keep)
    found = _outcomes(source)
    if options.kind == "outcomes" or (
        options.kind is None and len(found.outcomes) >= LEAST_OUTCOMES
    ):
        if not found.outcomes:
            raise BadInput(
                f"No outcomes were found in `{file}`",
                hint="Codes such as `TCH 3-15a` with a statement beside them are read.",
            )
        return _write_outcomes(source, data, found, library, documents, keep)
    return _write_material(source, data, library, documents, keep)


def file_name(text: str) -> str:
    """A name that is safe everywhere: small letters, digits, hyphens. Raises: BadInput."""
    lowered = text.lower().removesuffix(".md")
    plain = re.sub(r"[^a-z0-9.]+", "-", lowered).strip("-.")[:60].strip("-.")
    if not _NAME.fullmatch(plain):
        raise BadInput(f"`{text}` gives no name for a file", hint="Say `--as NAME`.")
    return plain


def edition_in(text: str) -> str:
    """The edition that a document states near its beginning, or `undated`."""
    match = _DATED.search(text[:6_000])
    if match is None:
        return UNDATED
    if match["edition"]:
        return match["edition"].rstrip(".-")
    month = _MONTHS.index(match["month"].lower()[:3]) + 1
    return f"{match['year']}-{month:02d}"


def kind_in(name: str, text: str) -> MaterialKind:
    """What sort of material a document is, from its name and its first page."""
    start = f"{name.replace('-', ' ').replace('_', ' ')}\n{text[:4_000]}"
    for kind, words in _KIND_WORDS:
        if words.search(start):
            return kind
    return "guidance"


def _ready(source: _Source) -> Curriculum | None:
    """A file that has our own form already: only what a person says is changed in it."""
    text = source.found.text
    if source.options.kind not in (None, "outcomes") or not text.startswith("---"):
        return None
    read = read_curriculum(text, f"{FOLDER}/{source.name}.md")
    if not read.outcomes:
        return None
    return _restated(read, source.options)


def _restated(read: Curriculum, options: ImportOptions) -> Curriculum:
    """The file with what a person says about it, or what can be told from its rows."""
    edition = options.edition or read.edition or UNDATED
    return replace(
        read,
        subject=options.subject or read.subject or subject_of([e.code for e in read.outcomes]),
        edition=edition,
        framework=options.framework or read.framework or "Curriculum for Excellence",
        outcomes=tuple(
            replace(each, edition=edition) if each.edition == read.edition else each
            for each in read.outcomes
        ),
    )


def _outcomes(source: _Source) -> Curriculum:
    path = f"{FOLDER}/{source.name}.md"
    options = source.options
    edition = options.edition or edition_in(source.found.text)
    lines = source.found.lines
    found, problems = find_outcomes(lines, source.file, subject=options.subject, edition=edition)
    subject = options.subject or subject_of([each.code for each in found])
    return Curriculum(
        path=path,
        framework=options.framework or "Curriculum for Excellence",
        subject=subject,
        edition=edition,
        source=source.found.title or source.file.rsplit("/", 1)[-1],
        about="Imported by machine: compare every row with the original, then raise its grade.",
        outcomes=tuple(found),
        problems=tuple(problems),
    )


def _write_outcomes(
    source: _Source,
    data: bytes,
    made: Curriculum,
    library: Library,
    documents: Documents,
    keep: Keep,
) -> Import:
    if not made.subject:
        raise BadInput(f"The subject of `{source.file}` is not known", hint="Say `--subject NAME`.")
    if not made.outcomes:
        raise BadInput(f"No outcomes were found in `{source.file}`")
    others = Library(tuple(each for each in library.curricula if each.path != made.path))
    said = (made.framework, made.subject, made.edition)
    own = read_curriculum(source.found.text, made.path)
    # A file in our own form keeps every line as its author wrote it.
    same = said == (own.framework, own.subject, own.edition) and bool(own.outcomes)
    text = source.found.text if same else render_curriculum(made)
    _write(made.path, text, source, data, documents, keep)
    read = read_curriculum(documents.read(made.path).text, made.path)
    return Import(
        path=made.path,
        original=source.original,
        kind="outcomes",
        subject=read.subject,
        edition=read.edition,
        outcomes=read.outcomes,
        problems=(*made.problems, *read.problems, *clashes(read, others)),
    )


def _write_material(
    source: _Source, data: bytes, library: Library, documents: Documents, keep: Keep
) -> Import:
    options = source.options
    given = options.kind if options.kind != "outcomes" else None
    kind = given or kind_in(source.name, source.found.text)
    subject = options.subject
    edition = options.edition or edition_in(source.found.text)
    title = source.found.title or source.name.replace("-", " ").capitalize()
    head = MaterialHead(kind, title, subject, edition, source.original)
    pieces = split(source.found.lines, kind)
    text = render_material(head, pieces, library)
    path = f"{MATERIALS}{source.name}.md"
    _write(path, text, source, data, documents, keep)
    tagged = text.count("\n- codes: ") + text.count("\n- suggested codes: ")
    return Import(path, source.original, kind, subject, edition, parts=len(pieces), tagged=tagged)


def _write(
    path: str, text: str, source: _Source, data: bytes, documents: Documents, keep: Keep
) -> None:
    try:
        base = documents.read(path).version
    except NotFound:
        base = NEW
    if base != NEW and not source.options.replace:
        raise Conflict(
            f"`{path}` is there already", hint="Say `--as NAME` for another, or `--replace`."
        )
    # The original first: without it nobody could check what was made from it.
    keep(source.original, data)
    documents.write(path, text, base=base)


def keep_in(root: Path, *, replace: bool = False) -> Callable[[str, bytes], None]:
    """Stores originals below a workspace; another file of that name is not overwritten unasked."""

    def keep(path: str, data: bytes) -> None:
        place = root / path
        if place.exists():
            if place.read_bytes() == data:
                return
            if not replace:
                raise Conflict(
                    f"`{path}` is there already and differs",
                    hint="Say `--as NAME` for another, or `--replace`.",
                )
        write_atomic(place, data)

    return keep
