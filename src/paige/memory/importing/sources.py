"""What all readers share: wishes of the person who imports, ids that stay, texts read with care.

An id is made from where a memory stands and what it says, not from its line number: a bullet added
further up must not make every memory below it new.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid5

from paige.base.errors import NotFound
from paige.memory.event import Scope
from paige.memory.importing.report import Problem

# What was personal elsewhere stays personal: only its owner may read this scope.
PRIVATE: Scope = "learner"
MOST_BYTES = 64 * 2**20  # of one file that has to be read whole
_IDS = UUID("9d2f6c1e-6f0b-5c53-9a54-6d656d6f7279")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """How someone wants memories taken over; whatever is left out is taken from the source."""

    project: str | None = None
    scope: Scope | None = None
    # Names of people elsewhere, and the owners they are here.
    people: Mapping[str, str] = field(default_factory=dict)
    # The id of the project that lives in a folder.
    name_project: Callable[[Path], str] = str
    home: Path | None = None  # where `~` is; without it nothing there is followed

    def scope_or(self, usual: Scope) -> Scope:
        """The wished scope, or the one the source suggests; a wished project suggests itself."""
        if self.scope is not None:
            return self.scope
        return "project" if self.project is not None else usual


def stable_id(*parts: object) -> str:
    """An id that is the same for the same parts, in every run and on every machine."""
    return str(uuid5(_IDS, json.dumps(parts, ensure_ascii=True, default=str)))


class Repeats:
    """Numbers things that are the same, so that the second gets an id of its own."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[object, ...]] = Counter()

    def number(self, *parts: object) -> int:
        """How often the same was asked before."""
        self._seen[parts] += 1
        return self._seen[parts] - 1


def read_text(path: Path, name: str | None = None) -> str | Problem:
    """The text of a file, or why it cannot be used."""
    shown = name or str(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            fix = "Cut it into smaller files and import those."
            return Problem(shown, None, f"it is larger than {MOST_BYTES // 2**20} MB", fix)
        content = path.read_bytes()
    except OSError as error:
        return unreadable(shown, error)
    if not content.strip():
        return is_empty(shown)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Problem(shown, line, "it is not UTF-8 text", "Save the file as UTF-8.")


def is_empty(shown: str) -> Problem:
    """What is said of an empty file; nothing is lost by it."""
    fix = "There is nothing to take over from it."
    return Problem(shown, None, "the file is empty", fix, lost=False)


def unreadable(shown: str, error: OSError) -> Problem:
    """Why a file could not be opened."""
    what = f"it cannot be read: {error.strerror or error}"
    return Problem(shown, None, what, "Check that it exists and who owns it.")


def must_exist(path: Path) -> None:
    """Raises: NotFound."""
    if not path.exists():
        raise NotFound(f"There is no `{path}`", hint="Give a file or a folder to import.")
