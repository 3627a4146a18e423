"""What the memory is asked for and what it answers, where its room has no value for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from paige.base.wire import wire
from paige.memory.documents.records import FileScope
from paige.memory.event import Scope
from paige.memory.imports.detection import SourceReader
from paige.memory.imports.sources import ImportReport
from paige.memory.lifecycle.policies import MemoryPolicyNow, MemoryPolicyStep
from paige.memory.lifecycle.retention import MemoryGoing

MOST_RESULTS = 500
# Said in full: some clients take a schema without a type for a mistake.
_KINDS = ("object", "array", "string", "number", "boolean", "null")
Anything = Annotated[Any, WithJsonSchema({"anyOf": [{"type": kind} for kind in _KINDS]})]
Text = Annotated[str, Field(min_length=1)]
Reason = Annotated[str, Field(max_length=1000)]


# --- what is taken -------------------------------------------------------------------------------


@wire(kw_only=True)
class MemoryAsk:
    """A question to the memory; what is left out does not narrow it."""

    query: Annotated[str, Field(max_length=10_000)]
    """What to look for, in plain words."""
    k: Annotated[int | None, Field(ge=1, le=MOST_RESULTS)] = None
    """How many; 10 unless there is a budget, then as many as fit."""
    budget_tokens: Annotated[int | None, Field(ge=1)] = None
    """The most tokens the texts may have together."""
    scope: Scope | None = None
    """Only memories of this scope."""
    project: str | None = None
    """Only memories of this project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySearch(MemoryAsk):
    """The same in a session, or through what was superseded too."""

    session: str | None = None
    history: bool = False


@wire(kw_only=True)
class MemoryNewest:
    """How many of the newest, and of which."""

    limit: Annotated[int, Field(ge=1, le=MOST_RESULTS)] = 50
    scope: Scope | None = None
    project: str | None = None


@wire(kw_only=True)
class MemoryNote:
    """Something to remember."""

    text: Text
    """One thing, in a sentence that stands alone."""
    scope: Scope | None = None
    """Who it is for; the project Paige was started for if left out."""
    project: str | None = None
    """The project it is about."""
    type: str | None = None
    """note, fact, preference, episode, …"""
    key: str | None = None
    """What a fact states; a later one with the same key replaces it."""
    importance: Annotated[float | None, Field(ge=0, le=1)] = None
    """From 0 to 1."""
    session: str | None = None
    """The session it was said in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAdd(MemoryNote):
    """The same with who said it, when, and whatever whoever adds it wants back."""

    speaker: str | None = None
    at: str | None = None
    meta: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAddAs(MemoryAdd):
    """The same from whoever sits at this machine; `reader` is who they say they are."""

    reader: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySource:
    """Memories of another program that are being read; `watch` hears how many are in so far."""

    reading: SourceReader
    name: str
    dry_run: bool
    watch: Callable[[int], None]


@wire(kw_only=True)
class MemoryImport:
    """JSON lines as they come, each its own memory."""

    lines: Annotated[Any, WithJsonSchema({"type": "string"})]


@wire(kw_only=True)
class MemoryForget:
    """What to forget: these, or all of an owner, or all before a moment, or both."""

    ids: Annotated[tuple[str, ...], Field(max_length=10_000)] = ()
    owner: str | None = None
    before: str | None = None
    reason: Reason = "asked for"
    dry_run: bool = False


@wire(kw_only=True)
class MemoryId:
    """One memory."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEdit(MemoryId):
    """A better text; the old one stays in the log."""

    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryForgetOne(MemoryId):
    """A memory to forget, and why."""

    reason: Reason = "asked for"


@wire(kw_only=True)
class MemoryPath:
    """One memory document."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWrite(MemoryPath):
    """A text, and the version it was made from; empty for a new document."""

    text: str
    base: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDelete(MemoryPath):
    """The version of the document that is deleted."""

    base: str


# --- what is given -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryItem:
    """One memory, as lists show it."""

    id: str
    text: str
    type: str
    scope: Scope
    owner: str
    project: str | None
    session: str | None
    speaker: str | None
    at: datetime
    importance: float
    meta: Any
    superseded_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryResult(MemoryItem):
    """A memory that was found: its score from 0 to 1, and what that is made of."""

    score: float
    why: Mapping[str, float]
    tokens: int


@wire
class MemoryFound:
    """The answer to a search, the best first; `vectors`: whether meaning was compared too."""

    results: tuple[MemoryResult, ...]
    took_ms: float
    left_out: int
    vectors: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHit:
    """One memory; `meta` is what whoever imported it said about it."""

    id: str
    text: str
    score: float
    scope: Scope
    meta: Anything


@wire
class MemoryHits:
    """What was found, the best first, in few words."""

    results: tuple[MemoryHit, ...]
    took_ms: Annotated[float, Field(alias="took_ms")]


@wire
class MemoryRecent:
    """The newest memories, the latest first; `total` is how many there are like these."""

    memories: tuple[MemoryItem, ...]
    total: int


@dataclass(frozen=True, slots=True)
class MemoryAgent:
    """Which agent wrote a memory."""

    id: str | None
    role: str | None
    tool: str | None


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """Where a memory stands in its log: number, hash, and the hash of the line before it."""

    seq: int
    hash: str | None
    prev: str | None


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """A memory that was replaced, or that replaced another."""

    id: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecall:
    """When a memory was put into a prompt, for which question, and for whom."""

    at: datetime
    query: str
    reader: str | None
    session: str | None


@wire(kw_only=True)
class MemoryShown(MemoryItem):
    """One memory with where it comes from and what became of it; `later` has the newest last."""

    key: str | None
    task: str | None
    outcome: str | None
    acl: tuple[str, ...]
    evidence: tuple[str, ...]
    agent: MemoryAgent
    session_id: str | None
    trace_id: str | None
    payload: Mapping[str, Any]
    line: MemoryLine
    earlier: tuple[MemoryVersion, ...]
    later: tuple[MemoryVersion, ...]
    recalls: tuple[MemoryRecall, ...]
    mine: bool


@wire
class MemoryAdded:
    """What became of it; `duplicate` and `recalled` name the memory that was there already."""

    id: str | None
    status: Literal["stored", "duplicate", "recalled"]
    reason: str | None


@dataclass(frozen=True, slots=True)
class MemoryProblem:
    """A line of an import that was not taken in."""

    line: int
    message: str


@wire(kw_only=True)
class MemoryImported:
    """How many lines of an import were taken in, and what was wrong with the others."""

    added: int
    problems: tuple[MemoryProblem, ...]
    ids: Annotated[tuple[str, ...], Field(exclude=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportResult:
    """What was found, how much of it was taken in, and why the rest was not; a few ids of it."""

    report: ImportReport
    added: int
    refused: tuple[str, ...]
    ids: tuple[str, ...]


@wire(kw_only=True)
class MemoryForgotten:
    """What goes, and how many lines lost their words: 0 for a plan that was not carried out.

    `remains` says where the same words still stand that are not Paige's to change.
    """

    going: tuple[MemoryGoing, ...]
    refused: tuple[str, ...]
    missing: tuple[str, ...]
    lines: int
    remains: tuple[str, ...]


@wire(kw_only=True)
class MemoryFile:
    """A memory document in a list; `promptLines` is how many of its lines a prompt shows."""

    path: str
    scope: FileScope
    class_id: str | None
    version: str
    lines: int
    prompt_lines: int
    written_by: str
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryDocument(MemoryFile):
    """A memory document with its text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryWritten(MemoryDocument):
    """A document after a save: `merged` when someone else had changed it meanwhile.

    `conflicts` says at how many places both texts were kept.
    """

    changed: bool
    merged: bool
    conflicts: int


@wire
class MemoryDeleted:
    """The document that was deleted; its texts stay in the log."""

    path: str


@wire
class MemoryPolicies:
    """What holds now, and every step so far, the newest last."""

    current: tuple[MemoryPolicyNow, ...]
    history: tuple[MemoryPolicyStep, ...]
