"""What the files of a project look like to the rest of Paige: plain values, no I/O."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple


@dataclass(frozen=True, slots=True)
class FileContent:
    """A file as it was read; a binary one comes with an empty text."""

    path: str
    content: str
    language: str
    line_count: int
    binary: bool
    size: int  # bytes on the disk


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save did."""

    path: str
    size: int  # bytes on the disk
    created: bool
    timestamp: datetime


@dataclass(frozen=True, slots=True)
class CursorPosition:
    """Where the cursor stands."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class BufferEntry:
    """The text of a file as the editor holds it."""

    content: str
    cursor_position: CursorPosition
    dirty: bool
    last_updated: datetime


class PathDiff(NamedTuple):
    """The unsaved changes of one file, as a unified diff."""

    path: str
    diff: str


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A file or a folder of the tree; the path of the root is empty."""

    name: str
    path: str
    type: Literal["file", "directory"]
    children: tuple["TreeNode", ...] = ()


@dataclass(frozen=True, slots=True)
class Tree:
    """The project's tree; `truncated` says that it has more entries than are shown."""

    root: TreeNode
    entries: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One change below the project folder; `new_path` is where a renamed file is now."""

    action: Literal["add", "change", "unlink", "addDir", "unlinkDir", "rename"]
    path: str
    new_path: str | None = None


@dataclass(frozen=True, slots=True)
class Overflow:
    """So many changes at once that the tree is better read again as a whole."""

    count: int


OnChanges = Callable[[list[Change] | Overflow], Awaitable[None]]
"""Whoever hears of changes: a short list of them, or `Overflow`."""
