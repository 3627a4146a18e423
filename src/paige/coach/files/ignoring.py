"""What of a project is not worth showing: noise, and what its `.gitignore` files name.

The rules are git's: the file nearest to an entry decides, a later line wins over an earlier one,
and nothing inside an ignored folder comes back. The lines come from the project and may be hostile,
so a pattern becomes an expression whose cost grows with the length of a name, not with its powers.
"""

import os
import re
from typing import NamedTuple

from pathspec.patterns.gitignore.base import GitIgnorePatternError
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from paige.base.errors import Conflict, NotFound, Refused
from paige.coach.files.folders import Folder, Root
from paige.coach.files.opening import NOT_FOR_US, Place, open_folder
from paige.coach.files.reading import read_place
from paige.coach.files.writing import TEMPORARY

GITIGNORE = ".gitignore"
NOISE = frozenset(
    ("node_modules", ".git", "dist", "build", "coverage", ".next", ".cache", "__pycache__", ".venv")
)
"""Folders that are never shown."""
MAX_BYTES = 256 * 2**10  # of one `.gitignore`; a larger one is not meant for people
MAX_LINE = 1_000
_MAX_DEEP = 2  # wildcards for any number of folders; each one multiplies the work
_ANY = "[^/]*"


class _Translator(GitIgnoreSpecPattern):
    """Turns a line into an expression that is matched without going back and forth."""

    __slots__ = ()

    @staticmethod
    def _translate_segment_glob(pattern: str, range_error: str) -> str:  # type: ignore[override]
        """Between two stars the first fit is as good as any, so no other one is tried."""
        plain = GitIgnoreSpecPattern._translate_segment_glob(pattern, range_error)  # type: ignore[arg-type]
        first, *rest = plain.split(_ANY)
        if not rest:
            return first
        *between, last = rest
        fits = "".join(f"(?>{_ANY}?{piece})" for piece in between if piece)
        return f"{first}{fits}{_ANY}{last}"


class Rule(NamedTuple):
    """One line of a `.gitignore`."""

    expression: re.Pattern[str]
    ignores: bool  # not so if the line starts with `!`
    only_folders: bool


class Rules:
    """The lines of one `.gitignore`, asked about one entry at a time."""

    def __init__(self, rules: list[Rule]) -> None:
        self._rules = rules[::-1]  # the last one that fits decides
        # Most entries fit none, and one expression for all finds that out at once.
        self._any = re.compile("|".join(rule.expression.pattern for rule in rules))

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """Whether an entry is ignored; `None` when no line is about it."""
        if self._any.match(path) is None:
            return None
        for rule in self._rules:
            if (folder or not rule.only_folders) and rule.expression.match(path):
                return rule.ignores
        return None


def read_rules(data: bytes) -> Rules | None:
    """The rules of a `.gitignore`; lines that cannot be used are left out."""
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    rules = [rule for line in lines if (rule := _rule(line.removesuffix("\r"))) is not None]
    return Rules(rules) if rules else None


def _rule(line: str) -> Rule | None:
    text = line if line.endswith("\\ ") else line.rstrip(" ")
    pattern = text.removesuffix("/")
    if len(line) > MAX_LINE or pattern.split("/")[:-1].count("**") > _MAX_DEEP:
        return None
    try:
        source, ignores = _Translator.pattern_to_regex(pattern)
        if source is None or ignores is None:
            return None
        # The library asks whether a path or a folder above it fits. Here the folders above were
        # asked before, so only the whole path counts.
        whole = source.replace("(?:(?P<ps_d>/)|$)", r"\Z")
        expression = re.compile(whole if whole.startswith("^") else f"^.*?{whole}")
    except (GitIgnorePatternError, re.error):
        return None
    return Rule(expression, ignores, pattern != text)


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
