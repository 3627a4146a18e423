"""Memory documents as values: their paths, their rows, and what happened to them."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from paige.base.errors import BadInput
from paige.memory.event import Provenance

MEMORY_LINES = 200
"""A MEMORY.md is an index: what stands below this line is read only when somebody asks."""


def prompt_text(text: str, topics: Sequence[str] = ()) -> str:
    """The first lines of a MEMORY.md; then what was left out, and which topic files there are."""
    lines = text.strip().split("\n")
    parts = ["\n".join(lines[:MEMORY_LINES])]
    if len(lines) > MEMORY_LINES:
        parts.append(f"(The first {MEMORY_LINES} of {len(lines)} lines; `read_memory` reads all.)")
    if topics:
        named = ", ".join(f"`{topic}`" for topic in topics)
        parts.append(f"(More is in {named}: `read_memory` reads them.)")
    return "\n\n".join(part for part in parts if part)


def line_count(text: str) -> int:
    """How many lines a document has for a prompt."""
    return len(text.strip().split("\n")) if text.strip() else 0


ENTRY = "MEMORY.md"
"""The document every scope begins with."""
FOLDER = "memory"
"""Where the documents are in a workspace; a path may begin with it."""
CLASSES = "classes"
NOWHERE = Provenance()
FileScope = Literal["teacher", "class"]
Happened = Literal[
    "read",
    "write",
    "capture_proposed",
    "capture_confirmed",
    "capture_edited",
    "capture_dismissed",
]
# A name that every file system takes: no separators, no signs with a meaning, no dot at an end.
_NAME = re.compile(r"[^\W_](?:[\w .()+&'-]{0,78}[\w()+&'-])?")
_HINT = f"Paths are `{ENTRY}`, `topic.md` and `{CLASSES}/3B/topic.md`."


@dataclass(frozen=True, slots=True)
class DocumentPath:
    """A path that a memory document may have."""

    path: str
    scope: FileScope
    class_id: str = ""

    @property
    def is_entry(self) -> bool:
        """Whether it is a MEMORY.md, which prompts begin with."""
        return self.path.rpartition("/")[2] == ENTRY


def read_path(text: str, class_id: str | None = None) -> DocumentPath:
    """Check a path; with a class it may be one inside that class. Raises: BadInput."""
    plain = unicodedata.normalize("NFC", text.strip()).removeprefix(f"{FOLDER}/")
    if class_id and not plain.startswith(f"{CLASSES}/"):
        plain = f"{CLASSES}/{unicodedata.normalize('NFC', class_id.strip())}/{plain}"
    match plain.split("/"):
        case [topic]:
            found = DocumentPath(plain, "teacher")
        case ["classes", name, topic] if _NAME.fullmatch(name):
            found = DocumentPath(plain, "class", name)
        case _:
            raise _wrong(text)
    _check_topic(text, topic)
    if class_id and found.class_id != unicodedata.normalize("NFC", class_id.strip()):
        raise BadInput(f"`{_shown(text)}` belongs to another class than `{_shown(class_id)}`")
    return found


def entry_of(class_id: str | None = None) -> str:
    """The path of the document that a prompt begins with."""
    return f"{CLASSES}/{class_id}/{ENTRY}" if class_id else ENTRY


def _check_topic(text: str, topic: str) -> None:
    name, dot, ending = topic.rpartition(".")
    if not dot or ending != "md" or not _NAME.fullmatch(name):
        raise _wrong(text)
    if topic != ENTRY and topic.lower() == ENTRY.lower():
        raise BadInput(f"`{_shown(text)}` must be written `{ENTRY}`")


def _wrong(text: str) -> BadInput:
    return BadInput(f"`{_shown(text)}` is not the path of a memory document", hint=_HINT)


def _shown(text: str) -> str:
    return text.encode(errors="replace").decode()[:200]


@dataclass(frozen=True, slots=True)
class FileRow:
    """A memory document as the projection holds it."""

    id: str
    teacher_id: str
    scope: str
    class_id: str
    path: str
    content: str
    version: str
    seq: int
    written_by: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """One thing that happened to a document or to a proposal."""

    id: str
    event_type: Happened
    scope: str
    class_id: str
    path: str
    created_at: datetime
    trace_id: str | None = None
    session_id: str | None = None
    memory_file_id: str | None = None
    proposed_text: str | None = None
    final_text: str | None = None
    version: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a projection has read which log."""

    log: str
    seq: int
    event_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """On whose account a document is read or written.

    `key` is the same whenever the same call is repeated, so that it counts once.
    """

    by: str = "web"
    key: str | None = None
    provenance: Provenance = NOWHERE
