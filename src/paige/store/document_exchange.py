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


@dataclass(slots=True)
class Exchange:
    """What an import or export did; every path is in one of these."""

    taken: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # where it is: that side is newer
    conflicts: list[str] = field(default_factory=list)  # changed on both sides
    problems: list[str] = field(default_factory=list)  # what could not be used, as sentences


def import_folder(
    documents: TableDocuments, folder: Path, *, without: Without | None = None
) -> Exchange:
    """Take into the table what is newer in a folder; the folder's files stay as they are.

    `without` says which paths are not to be looked at.
    """
    files = DirectoryDocuments(folder)
    texts, done = _texts(files, without)
    exported, newest, known = _read_list(folder), documents.newest(), documents.known()
    for path, text in texts.items():
        there = newest.get(path)
        newer = who_is_newer(
            version_of(text), there, base=exported.get(path), known=known.get(path, set())
        )
        if newer == "folder":
            _take(done, path, lambda p=path, t=text, b=there: documents.write(p, t, base=b or NEW))
        else:
            _note(done, path, newer)
    _write_list(folder, {**exported, **{path: version_of(texts[path]) for path in done.taken}})
    return done


def export_folder(documents: TableDocuments, folder: Path) -> Exchange:
    """Bring a folder to what is newer in the table; what was only changed there stays."""
    files = DirectoryDocuments(folder)
    texts, done = _texts(files, None)
    exported, newest, known = _read_list(folder), documents.newest(), documents.known()
    unreadable = set(files.paths()) - set(texts)
    for path, there in sorted(newest.items()):
        if path in unreadable:
            continue  # told as a problem; it is not ours to replace
        here = version_of(texts[path]) if path in texts else None
        if here is None:
            if there:
                _take(done, path, lambda p=path: _into_folder(documents, files, p, NEW))
            continue
        newer = who_is_newer(here, there, base=exported.get(path), known=known.get(path, set()))
        if newer != "table":
            _note(done, path, newer)
        elif there:
            _take(done, path, lambda p=path, h=here: _into_folder(documents, files, p, h))
        else:
            files.delete(path, base=here)
            done.removed.append(path)
    current = {path: newest[path] for path in (*done.taken, *done.same)}
    gone = set(done.removed)
    kept = {path: version for path, version in exported.items() if path not in gone}
    _write_list(folder, {**kept, **current})
    done.kept += sorted(texts.keys() - newest.keys())
    return done


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


def _note(done: Exchange, path: str, newer: Newer) -> None:
    {"same": done.same, "both": done.conflicts}.get(newer, done.kept).append(path)


def _take(done: Exchange, path: str, work: Callable[[], object]) -> None:
    try:
        work()
        done.taken.append(path)
    except Conflict:  # someone was quicker
        done.conflicts.append(path)
    except PaigeError as error:
        done.problems.append(error.message)


def _into_folder(
    documents: TableDocuments, files: DirectoryDocuments, path: str, here: str
) -> object:
    return files.write(path, documents.read(path).text, base=here)


def _texts(files: DirectoryDocuments, without: Without | None) -> tuple[dict[str, str], Exchange]:
    texts: dict[str, str] = {}
    done = Exchange()
    for path in files.paths():
        if without is not None and without(path):
            continue
        try:
            texts[path] = files.read(path).text
        except PaigeError as error:
            done.problems.append(error.message)
    return texts, done


def _read_list(folder: Path) -> dict[str, str]:
    try:
        found = orjson.loads((folder / LIST).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}  # without it more is a conflict, and nothing is lost
    return found if isinstance(found, dict) else {}


def _write_list(folder: Path, versions: Mapping[str, str]) -> None:
    write_atomic(folder / LIST, orjson.dumps(dict(versions), option=orjson.OPT_SORT_KEYS))
