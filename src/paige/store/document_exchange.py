"""Documents between a table and a folder, in both directions, without losing anyone's text.

Whoever exports leaves a hidden list of what was exported. With it, and with the versions that the
table keeps, it is known who changed what since: what only one side changed goes to the other, what
both changed is told as a conflict and left alone on both sides. Importing never deletes anything;
exporting removes a file only when its text is a version the table knows and the document was
deleted there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import orjson

from paige.base.errors import Conflict, PaigeError
from paige.base.files import write_atomic
from paige.store.document_table import TableDocuments
from paige.store.documents import NEW, DirectoryDocuments, version_of

LIST = ".paige-documents.json"
"""What was exported, and as which version: hidden, so it is no document itself."""
Without = Callable[[str], bool]
Newer = Literal["same", "folder", "table", "both"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What an import or export did; every path is in one of these."""

    taken: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # where it is: that side is newer
    conflicts: tuple[str, ...] = ()  # changed on both sides
    problems: tuple[str, ...] = ()  # what could not be used, as sentences


@dataclass(slots=True)
class _Doing:
    taken: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def done(self) -> Exchange:
        return Exchange(
            *map(tuple, (self.taken, self.removed, self.same)),
            *map(tuple, (self.kept, self.conflicts, self.problems)),
        )


def import_folder(
    documents: TableDocuments, folder: Path, *, without: Without | None = None
) -> Exchange:
    """Take into the table what is newer in a folder; the folder's files stay as they are.

    `without` says which paths are not to be looked at.
    """
    files = DirectoryDocuments(folder)
    texts, doing = _texts(files, without)
    exported, newest, known = _read_list(folder), documents.newest(), documents.known()
    for path, text in texts.items():
        there = newest.get(path)
        newer = who_is_newer(
            version_of(text), there, base=exported.get(path), known=known.get(path, set())
        )
        if newer == "folder":
            _take(doing, path, lambda p=path, t=text, b=there: _into_table(documents, p, t, b))
        else:
            _note(doing, path, newer)
    _write_list(folder, {**exported, **{path: version_of(texts[path]) for path in doing.taken}})
    return doing.done()


def export_folder(documents: TableDocuments, folder: Path) -> Exchange:
    """Bring a folder to what is newer in the table; what was only changed there stays."""
    files = DirectoryDocuments(folder)
    texts, doing = _texts(files, None)
    exported, newest, known = _read_list(folder), documents.newest(), documents.known()
    unreadable = set(files.paths()) - set(texts)
    for path, there in sorted(newest.items()):
        if path in unreadable:
            continue  # told as a problem; it is not ours to replace
        here = version_of(texts[path]) if path in texts else None
        if here is None:
            if there:
                _take(doing, path, lambda p=path: _into_folder(documents, files, p, NEW))
            continue
        newer = who_is_newer(here, there, base=exported.get(path), known=known.get(path, set()))
        if newer != "table":
            _note(doing, path, newer)
        elif there:
            _take(doing, path, lambda p=path, h=here: _into_folder(documents, files, p, h))
        else:
            files.delete(path, base=here)
            doing.removed.append(path)
    current = {path: newest[path] for path in (*doing.taken, *doing.same)}
    gone = set(doing.removed)
    kept = {path: version for path, version in exported.items() if path not in gone}
    _write_list(folder, {**kept, **current})
    doing.kept += sorted(texts.keys() - newest.keys())
    return doing.done()


def who_is_newer(here: str, there: str | None, *, base: str | None, known: set[str]) -> Newer:
    """Which side changed a document since both had the same text.

    `here` is the version in the folder, `there` the newest in the table (`None`: it never was
    there, empty: it is deleted), `base` the one that was exported, `known` all the table ever had.
    """
    if here == there:
        return "same"
    if there is None:
        return "folder"
    if here == base or (base is None and here in known):
        return "table"
    if there == base:
        return "folder"
    return "both"


def _note(doing: _Doing, path: str, newer: Newer) -> None:
    {"same": doing.same, "both": doing.conflicts}.get(newer, doing.kept).append(path)


def _take(doing: _Doing, path: str, work: Callable[[], object]) -> None:
    try:
        work()
        doing.taken.append(path)
    except Conflict:  # someone was quicker
        doing.conflicts.append(path)
    except PaigeError as error:
        doing.problems.append(error.message)


def _into_table(documents: TableDocuments, path: str, text: str, there: str | None) -> object:
    return documents.write(path, text, base=there or NEW)


def _into_folder(
    documents: TableDocuments, files: DirectoryDocuments, path: str, here: str
) -> object:
    return files.write(path, documents.read(path).text, base=here)


def _texts(files: DirectoryDocuments, without: Without | None) -> tuple[dict[str, str], _Doing]:
    texts: dict[str, str] = {}
    doing = _Doing()
    for path in files.paths():
        if without is not None and without(path):
            continue
        try:
            texts[path] = files.read(path).text
        except PaigeError as error:
            doing.problems.append(error.message)
    return texts, doing


def _read_list(folder: Path) -> dict[str, str]:
    try:
        found = orjson.loads((folder / LIST).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}  # without it more is a conflict, and nothing is lost
    return found if isinstance(found, dict) else {}


def _write_list(folder: Path, versions: Mapping[str, str]) -> None:
    write_atomic(folder / LIST, orjson.dumps(dict(versions), option=orjson.OPT_SORT_KEYS))
