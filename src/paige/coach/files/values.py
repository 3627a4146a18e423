"""What the files of a project look like, inside and on the wire: plain values, no I/O."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from paige.base.wire import WIRE, wire
from paige.coach.records import Here, Moment


@wire
class CoachFile:
    """A file as it was read; a binary one comes with an empty text."""

    path: str
    content: str
    language: str
    line_count: int
    binary: bool
    size: int  # bytes on the disk


@dataclass(frozen=True, slots=True)
class SavedFile:
    """What a save did."""

    path: str
    size: int  # bytes on the disk
    created: bool
    timestamp: datetime


@dataclass(frozen=True, slots=True)
class CursorPosition:
    """Where the cursor stands; editors count from 1. `lineNumber` is taken for `line`."""

    __pydantic_config__ = {**WIRE, "extra": "ignore"}

    line: Annotated[int, Field(ge=0, validation_alias=AliasChoices("line", "lineNumber"))]
    column: Annotated[int, Field(ge=0)]


@wire
class BufferEntry:
    """The text of a file as the editor holds it."""

    path: str
    content: str
    cursor_position: CursorPosition
    dirty: bool
    last_updated: Moment


@wire
class PathDiff:
    """The unsaved changes of one file, as a unified diff."""

    path: str
    diff: str


def _is_none(value: object) -> bool:
    return value is None


@wire
class TreeNode:
    """A file or a folder of the project; only a folder has children."""

    name: str
    path: str
    type: Literal["file", "directory"]
    children: "Annotated[tuple[TreeNode, ...] | None, Field(exclude_if=_is_none)]" = None


@wire
class CoachTree:
    """The project's tree; `truncated` says that it has more entries than are shown."""

    root: TreeNode
    entries: Annotated[int, Here]
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
