"""What a run knows of memory: a person's documents, a search if there is one, and the two tools.

`read_memory` and `update_memory` work on the documents of the person a run works for.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple

import anyio.to_thread
from pydantic import BaseModel, Field

from paige.agent import queries
from paige.agent.library.prompt import ClassMemory
from paige.agent.tools import MAX_OUTPUT, Tool, ToolFailed, ToolScope, TryAgain
from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound, Refused
from paige.memory.documents import queries as memory_queries
from paige.memory.documents.documents import MemoryDocuments, WriteResult
from paige.memory.documents.records import (
    ENTRY,
    FOLDER,
    MEMORY_LINES,
    DocumentPath,
    FileRow,
    Use,
    entry_of,
    line_count,
    read_path,
)
from paige.memory.event import Provenance
from paige.store.documents import NEW, version_of

VERSION_LENGTH = len(version_of(""))
NO_NAMES = "Memory names no learner: say “the advanced group” or “one learner”."


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


class _SeenVersion(NamedTuple):
    """The version of a document that an agent has seen, if any."""

    version: str
    from_prompt: bool  # only its beginning, then


class ReadMemory(BaseModel):
    """A document by its path, or whatever fits some words; nothing for a list."""

    path: str = Field(default="", description="`MEMORY.md`, `topic.md` or `classes/3B/topic.md`.")
    query: str = Field(default="", description="Words to search all memories for.")
    class_id: str | None = Field(default=None, description="A class such as 3B.")


class UpdateMemory(BaseModel):
    """Text for a document, which is made when it is missing."""

    path: str = Field(description="`MEMORY.md`, `topic.md` or `classes/3B/topic.md`.")
    text: str = Field(min_length=1, description="What to add, or the whole new text.")
    mode: Literal["append", "replace"] = "append"
    class_id: str | None = Field(
        default=None, description="A class such as 3B, if the path does not name it."
    )


async def read(scope: ToolScope, params: ReadMemory) -> str:
    """A document, what a search found, or the list of documents."""
    access = _access(scope)
    if params.query:
        return await _search(scope, access, params)
    if not params.path:
        return await anyio.to_thread.run_sync(_listing, scope, access, params.class_id)
    place = read_path(params.path, params.class_id)
    work = partial(access.documents.read, scope.segment.actor, place.path, use=_use(scope))
    try:
        row = await anyio.to_thread.run_sync(work)
    except NotFound as error:
        there = await anyio.to_thread.run_sync(_listing, scope, access, None)
        raise ToolFailed(f"{error.message}. {there}") from error
    return row.content or f"`{row.path}` is empty."


async def update(scope: ToolScope, params: UpdateMemory) -> str:
    """Add to a document or replace it; an agent that does so twice in one step does it once."""
    access, actor = _access(scope), scope.segment.actor
    place = read_path(params.path, params.class_id)
    use = _use(scope)
    before = partial(access.documents.repeated, actor, place.path, use)
    if done := await anyio.to_thread.run_sync(before):
        return _said(place, params.mode, done)
    known = await _version_known(scope, place)
    if params.mode == "append":
        work = partial(access.documents.append, actor, place.path, params.text, use=use)
    else:
        base = await _version_to_replace(scope, access, place, known)
        work = partial(access.documents.write, actor, place.path, params.text, base=base, use=use)
    try:
        written = await anyio.to_thread.run_sync(work)
    except Refused as error:
        reason = error.message.rstrip(".")
        raise TryAgain(f"Nothing was written: {reason}. {NO_NAMES}") from error
    if not written.merged and (params.mode == "replace" or known.version == written.base):
        # It knows the whole text now: the next replacement is made from this one.
        note = partial(access.documents.note_read, actor, written.document, use)
        await anyio.to_thread.run_sync(note)
    return _said(place, params.mode, written)


def _said(place: DocumentPath, mode: str, written: WriteResult) -> str:
    verb = "Added to" if mode == "append" else "Replaced"
    said = [f"{verb} `{place.path}`, which has {written.lines} lines now."]
    if written.conflicts:
        said.append("Somebody else changed the same lines; both texts are in it. Tidy them up.")
    elif written.merged:
        said.append("Somebody else changed it meanwhile; both changes are in it.")
    if place.is_entry and written.lines > MEMORY_LINES:
        said.append(
            f"Only the first {MEMORY_LINES} lines are read at the start of a session: move detail "
            "into a topic file and leave one line about it here."
        )
    return " ".join(said)


async def _version_known(scope: ToolScope, place: DocumentPath) -> _SeenVersion:
    """What an agent knows of a document: what it read last, or what its prompt was made from."""
    segment = scope.segment
    actor, database = segment.actor, segment.runtime.db
    seen = await database.read(memory_queries.last_seen, actor, segment.run, place.path)
    if seen is not None:
        return _SeenVersion(seen, from_prompt=False)
    run = await database.read(queries.get_run, actor, segment.run)
    digest = run.header["files"].get(f"{FOLDER}/{place.path}", "")
    return _SeenVersion(digest[:VERSION_LENGTH], from_prompt=True)  # a version begins the digest


async def _version_to_replace(
    scope: ToolScope, access: MemoryAccess, place: DocumentPath, known: _SeenVersion
) -> str:
    """The version a whole new text stands for. Raises: TryAgain when the agent saw only a part."""
    actor = scope.segment.actor
    row = await anyio.to_thread.run_sync(access.documents.find, actor, place.path)
    if row is None:
        return NEW
    if not known.version or (known.from_prompt and line_count(row.content) > MEMORY_LINES):
        raise TryAgain(f"`{place.path}` was not replaced: read it first, you have not seen all.")
    if len(row.content) > MAX_OUTPUT:
        raise TryAgain(f"`{place.path}` is too long to be replaced: append to it instead.")
    return known.version


async def _search(scope: ToolScope, access: MemoryAccess, params: ReadMemory) -> str:
    if access.search is None:
        raise ToolFailed("Memory cannot be searched here. Read documents by their paths.")
    search = access.search
    found = await anyio.to_thread.run_sync(
        search, scope.segment.actor, params.query, params.class_id
    )
    return "\n\n".join(found) or "Nothing in memory fits these words."


def _listing(scope: ToolScope, access: MemoryAccess, class_id: str | None) -> str:
    rows = access.documents.files(scope.segment.actor, class_id=class_id)
    if not rows:
        return "There are no memory documents yet."
    return "There are: " + ", ".join(map(_listed, rows)) + "."


def _listed(row: FileRow) -> str:
    return f"`{row.path}` ({line_count(row.content)} lines)"


def _use(scope: ToolScope) -> Use:
    segment = scope.segment
    return Use(by="tool", key=scope.key, provenance=Provenance(segment.session, segment.run))


def _access(scope: ToolScope) -> MemoryAccess:
    access = scope.segment.runtime.memory
    if access is None:
        raise ToolFailed("There is no memory in this run.")
    return access


def _read_attributes(params: ReadMemory) -> dict[str, object]:
    if params.query:
        return {"memory_query": params.query}
    return {"memory_read": read_path(params.path, params.class_id).path} if params.path else {}


def _written_attributes(params: UpdateMemory) -> dict[str, object]:
    return {"memory_written": read_path(params.path, params.class_id).path}


MEMORY_TOOLS = (
    Tool(
        "read_memory",
        "Read a memory document, search memory, or with neither see which documents there are.",
        ReadMemory,
        "pure",
        read,
        attributes=_read_attributes,
    ),
    Tool(
        "update_memory",
        "Note something for later sessions in a memory document: append lines, or replace it. "
        "Keep MEMORY.md an index below 200 lines; detail belongs in topic files. No names of "
        "learners.",
        UpdateMemory,
        "keyed",
        update,
        attributes=_written_attributes,
    ),
)
