"""Looking through the folders of a project, without following links.

Folders are read level by level, so that a project with too many entries loses the deepest ones
first. A link to a file of the project counts as that file; a link to a folder of it is shown, but
what lies in it is shown in its own place only; other links are not shown.
"""

import os
import stat
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from paige.base.errors import Conflict, NotFound, Refused, Unavailable
from paige.coach.files.folders import Folder, Root
from paige.coach.files.ignoring import Ignores
from paige.coach.files.opening import NOT_FOR_US, located, open_folder
from paige.coach.files.project_path import MAX_LENGTH, ProjectPath, can_be_shown

MAX_ENTRIES = 20_000
_MAX_READ = 100_000  # names of one folder
_MAX_DEPTH = 64  # folders in folders; nobody looks further


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or a folder as it was found: enough to see later whether it changed."""

    kind: Literal["file", "directory"]
    inode: int
    changed: int  # nanoseconds, of a file only
    size: int


@dataclass(slots=True)
class Scan:
    """All entries by their path, and the folders (as parts) that were looked through."""

    ignores: Ignores
    entries: dict[str, Entry] = field(default_factory=dict)
    folders: set[tuple[str, ...]] = field(default_factory=set)
    truncated: bool = False


def scan(root: Root, *, max_entries: int = MAX_ENTRIES) -> Scan:
    """Look through the project. Raises: NotFound when its folder is gone, Unavailable."""
    root.open().close()
    found = Scan(Ignores(root))
    try:
        _look_into(root, found, max_entries)
    except OSError as error:  # not about one folder: too many open files, a broken disk
        raise Unavailable(f"`{root.given}` cannot be looked through: {error.strerror}") from error
    return found


def _look_into(root: Root, found: Scan, max_entries: int) -> None:
    todo = deque[tuple[str, ...]]([()])
    while todo:
        folder = todo.popleft()
        found.folders.add(folder)
        for name, entry in _entries_of(root, found.ignores, folder):
            if len(found.entries) >= max_entries:
                found.truncated = True
                return
            parts = (*folder, name)
            found.entries["/".join(parts)] = entry
            if entry.kind == "directory" and entry.inode and len(parts) < _MAX_DEPTH:
                todo.append(parts)


def look_at(root: Root, ignores: Ignores, parts: tuple[str, ...]) -> Entry | None:
    """One entry of a folder that is shown; `None` when it is gone or not to be shown."""
    try:
        with open_folder(root, parts[:-1]) as folder:
            return _entry(root, ignores, parts, folder.status(parts[-1]))
    except OSError as error:
        if error.errno in NOT_FOR_US:
            return None
        raise Unavailable(f"`{'/'.join(parts)}` cannot be looked at: {error.strerror}") from error


def _entries_of(
    root: Root, ignores: Ignores, parts: tuple[str, ...]
) -> Iterator[tuple[str, Entry]]:
    found: list[tuple[str, Entry]] = []
    try:
        with open_folder(root, parts) as folder:
            for name, status in _statuses(folder):
                entry = _entry(root, ignores, (*parts, name), status)
                if entry is not None:
                    found.append((name, entry))
    except OSError as error:
        if error.errno not in NOT_FOR_US:
            raise
    return iter(sorted(found, key=lambda each: each[0]))


def _statuses(folder: Folder) -> Iterator[tuple[str, os.stat_result]]:
    with folder.entries() as entries:
        for entry in islice(entries, _MAX_READ):
            try:
                yield entry.name, entry.stat(follow_symlinks=False)
            except OSError:  # deleted since
                continue


def _entry(
    root: Root, ignores: Ignores, parts: tuple[str, ...], status: os.stat_result
) -> Entry | None:
    if not can_be_shown(parts[-1]) or sum(map(len, parts)) + len(parts) > MAX_LENGTH:
        return None
    link = stat.S_ISLNK(status.st_mode)
    # To git a link is never a folder, whatever it leads to.
    if ignores.hides(parts, folder=stat.S_ISDIR(status.st_mode)):
        return None
    if link:
        target = _behind(root, parts)
        if target is None:
            return None
        status = target
    if stat.S_ISDIR(status.st_mode):
        return Entry("directory", 0 if link else status.st_ino, 0, 0)
    if stat.S_ISREG(status.st_mode):
        return Entry("file", status.st_ino, status.st_mtime_ns, status.st_size)
    return None


def _behind(root: Root, parts: tuple[str, ...]) -> os.stat_result | None:
    try:
        with located(root, ProjectPath(parts)) as place:
            return place.status
    except (NotFound, Refused, Conflict):
        return None
