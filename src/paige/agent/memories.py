"""What a run knows of memory: a person's documents, and a search if there is one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from paige.agent.prompt import ClassMemory
from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.memory.documents.documents import MemoryDocuments
from paige.memory.documents.records import ENTRY, FOLDER, FileRow, entry_of, read_path


@dataclass(frozen=True, slots=True)
class Request:
    """What an agent is asked, and in which session and run; empty where nobody asks yet."""

    text: str = ""
    session: str | None = None
    trace: str | None = None


NO_REQUEST = Request()


@dataclass(frozen=True, slots=True)
class MemoryAccess:
    """Memory as runs use it.

    `search` gives texts that fit some words, best first, for a person and perhaps a class; `recall`
    gives what a prompt should hold for a request. Both may be missing.
    """

    documents: MemoryDocuments
    search: Callable[[Actor, str, str | None], Sequence[str]] | None = None
    recall: Callable[[Actor, Request, str | None], str] | None = None


@dataclass(frozen=True, slots=True)
class PromptMemory:
    """What of memory goes into a prompt: the two MEMORY.md, and the names of what else there is."""

    teacher: str = ""
    topics: tuple[str, ...] = ()
    of_class: ClassMemory | None = None
    recall: Callable[[Request], str] | None = None
    files: dict[str, str] = field(default_factory=dict)


def prompt_memory(access: MemoryAccess, actor: Actor, class_id: str | None = None) -> PromptMemory:
    """Read what a prompt begins with; a class whose name no document can have has no memory."""
    class_id = _readable(class_id)
    entries = {ENTRY, entry_of(class_id)}
    rows = {row.path: row for row in access.documents.files(actor)}
    search = access.recall
    return PromptMemory(
        teacher=_text(rows.get(ENTRY)),
        topics=_topics(rows, ""),
        of_class=_class_memory(rows, class_id) if class_id else None,
        recall=None if search is None else lambda request: search(actor, request, class_id),
        files={f"{FOLDER}/{path}": rows[path].content for path in entries if path in rows},
    )


def _readable(class_id: str | None) -> str | None:
    try:
        return read_path(entry_of(class_id)).class_id or None
    except BadInput:
        return None


def _class_memory(rows: dict[str, FileRow], class_id: str) -> ClassMemory | None:
    text, topics = _text(rows.get(entry_of(class_id))), _topics(rows, class_id)
    return ClassMemory(class_id, text, topics) if text or topics else None


def _topics(rows: dict[str, FileRow], class_id: str) -> tuple[str, ...]:
    entry = entry_of(class_id)
    return tuple(p for p, row in rows.items() if row.class_id == class_id and p != entry)


def _text(row: FileRow | None) -> str:
    return row.content if row else ""
