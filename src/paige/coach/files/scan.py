"""Looking through the folders of a project, without following links.

Folders are read level by level, so that a project with too many entries loses the deepest ones
first. A link to a file of the project counts as that file; a link to a folder of it is shown, but
what lies in it is shown in its own place only; other links are not shown.

Noise is left out, and what `.gitignore` files name. The rules are git's: the file nearest to an
entry decides, a later line wins over an earlier one, and nothing inside an ignored folder comes
back. The lines come from the project and may be hostile, so they are matched by an engine whose
cost grows with the length of a name, not with its powers.
"""

import os
import stat
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, NamedTuple

from pathspec.patterns.gitignore.base import GitIgnorePatternError
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from paige.base.errors import BadInput, Conflict, NotFound, Refused, Unavailable
from paige.coach.files.folders import Folder, Root
from paige.coach.files.project_path import MAX_LENGTH, ProjectPath, can_be_shown
from paige.coach.files.safe_walk import NOT_FOR_US, Place, located, open_folder
from paige.coach.files.text_files import TEMPORARY, read_place
from paige.language.patterns import LinearPattern

GITIGNORE = ".gitignore"
NOISE = frozenset(
    ("node_modules", ".git", "dist", "build", "coverage", ".next", ".cache", "__pycache__", ".venv")
)
"""Folders that are never shown."""
MAX_BYTES = 256 * 2**10  # of one `.gitignore`; a larger one is not meant for people
MAX_LINE = 1_000
_MAX_LINES, _TOGETHER = 2_000, 100


class Rule(NamedTuple):
    """One line of a `.gitignore`."""

    expression: str
    pattern: LinearPattern
    ignores: bool  # not so if the line starts with `!`
    only_folders: bool


class Rules:
    """The lines of one `.gitignore`, asked about one entry at a time."""

    def __init__(self, rules: list[Rule]) -> None:
        last = rules[::-1]  # the last one that fits decides
        # Most entries fit none, and one pattern for many lines finds that out at once.
        together = [last[at : at + _TOGETHER] for at in range(0, len(last), _TOGETHER)]
        self._groups = [(_any_of(group), group) for group in together]

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """Whether an entry is ignored; `None` when no line is about it."""
        for some, group in self._groups:
            if some is not None and not some.matches(path):
                continue
            for rule in group:
                if (folder or not rule.only_folders) and rule.pattern.matches(path):
                    return rule.ignores
        return None


def read_rules(data: bytes) -> Rules | None:
    """The rules of a `.gitignore`; lines that cannot be used are left out."""
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    last = dict.fromkeys(line.removesuffix("\r") for line in reversed(text.split("\n")))
    rules = (rule for line in islice(last, _MAX_LINES) if (rule := _rule(line)) is not None)
    return Rules(found[::-1]) if (found := list(rules)) else None


def _rule(line: str) -> Rule | None:
    text = line if line.endswith("\\ ") else line.rstrip(" ")
    pattern = text.removesuffix("/")
    if len(line) > MAX_LINE:
        return None
    try:
        source, ignores = GitIgnoreSpecPattern.pattern_to_regex(pattern)
        if source is None or ignores is None:
            return None
        # The library asks whether a path or a folder above it fits. Here the folders above were
        # asked before, so only the whole path counts.
        whole = str(source).replace("(?:(?P<ps_d>/)|$)", r"\z").replace("(?P<ps_d>/)", "/")
        expression = rf"\A{whole[1:]}" if whole.startswith("^") else rf"\A.*{whole}"
        return Rule(expression, LinearPattern(expression), ignores, pattern != text)
    except (GitIgnorePatternError, BadInput):
        return None


def _any_of(rules: list[Rule]) -> LinearPattern | None:
    try:
        return LinearPattern("|".join(f"(?:{rule.expression})" for rule in rules))
    except BadInput:  # together they are too large; each of them was not
        return None


def is_noise(name: str, *, folder: bool) -> bool:
    """Whether a name is never shown, whatever the project says."""
    return (folder and name in NOISE) or name == ".git" or name.startswith(TEMPORARY)


class Ignores:
    """The `.gitignore` files of a project, each read once."""

    def __init__(self, root: Root) -> None:
        self._root = root
        # For each folder the rules that hold in it, the nearest first, with the depth they are at.
        self._known: dict[tuple[str, ...], list[tuple[int, Rules]]] = {}

    def hides(self, parts: tuple[str, ...], *, folder: bool) -> bool:
        """Whether an entry of a folder that is shown is itself not shown."""
        if is_noise(parts[-1], folder=folder):
            return True
        for depth, rules in self._rules_in(parts[:-1]):
            verdict = rules.verdict("/".join(parts[depth:]), folder=folder)
            if verdict is not None:
                return verdict
        return False

    def _rules_in(self, parts: tuple[str, ...]) -> list[tuple[int, Rules]]:
        if parts not in self._known:
            above = self._rules_in(parts[:-1]) if parts else []
            own = self._read(parts)
            self._known[parts] = above if own is None else [(len(parts), own), *above]
        return self._known[parts]

    def _read(self, parts: tuple[str, ...]) -> Rules | None:
        try:
            with open_folder(self._root, parts) as folder:
                return read_rules(_content(folder, (*parts, GITIGNORE)))
        except OSError as error:
            if error.errno in NOT_FOR_US:
                return None
            raise
        except (NotFound, Refused, Conflict):  # not a plain file, or not one that may be read
            return None


def _content(folder: Folder, parts: tuple[str, ...]) -> bytes:
    # As in git, a link does not count: it could name a file of somebody else.
    status: os.stat_result = folder.status(GITIGNORE)
    if status.st_size > MAX_BYTES:
        return b""
    return read_place(Place(folder, parts, status), GITIGNORE)


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
