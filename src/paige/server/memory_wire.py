"""Shapes of the memory's part of the REST API."""

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from paige.memory.event import Scope
from paige.server.wire import Asked, Wire

MOST_RESULTS = 500
MOST_QUERY = 10_000


class MemoryAgent(Wire):
    """Which agent wrote a memory."""

    id: str | None
    role: str | None
    tool: str | None


class MemoryItem(Wire):
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


class MemoryResult(MemoryItem):
    """A memory that was found: its score from 0 to 1, and what that is made of."""

    score: float
    why: dict[str, float]
    tokens: int


class MemoryFound(Wire):
    """The answer to a search, the best first; `vectors`: whether meaning was compared too."""

    results: list[MemoryResult]
    took_ms: float
    left_out: int
    vectors: bool


class MemoryRecent(Wire):
    """The newest memories, the latest first; `total` is how many there are like these."""

    memories: list[MemoryItem]
    total: int


class MemoryLine(Wire):
    """Where a memory stands in its log: number, hash, and the hash of the line before it."""

    seq: int
    hash: str | None
    prev: str | None


class MemoryVersion(Wire):
    """A memory that was replaced, or that replaced another."""

    id: str
    text: str
    at: datetime


class MemoryRecall(Wire):
    """When a memory was put into a prompt, for which question, and for whom."""

    at: datetime
    query: str
    reader: str | None
    session: str | None


class MemoryShown(MemoryItem):
    """One memory with where it comes from and what became of it; `later` has the newest last."""

    key: str | None
    task: str | None
    outcome: str | None
    acl: list[str]
    evidence: list[str]
    agent: MemoryAgent
    session_id: str | None
    trace_id: str | None
    payload: dict[str, Any]
    line: MemoryLine
    earlier: list[MemoryVersion]
    later: list[MemoryVersion]
    recalls: list[MemoryRecall]
    mine: bool


class MemoryTotals(Wire):
    """How many memories hold now and may be seen, by what they have in common."""

    memories: int
    superseded: int
    scopes: dict[str, int]
    types: dict[str, int]
    tiers: dict[str, int]
    projects: dict[str, int]


class MemoryLog(Wire):
    """A log, its last number, and how far the index has read it."""

    path: str
    last_seq: int
    indexed: int


class MemoryPhase(Wire):
    """One phase of the cycle: how many events it wrote, and when the last."""

    phase: Literal["record", "organise", "recall", "improve"]
    events: int
    last: datetime | None
    types: dict[str, int]


class MemoryTasks(Wire):
    """How tasks ended: their number, the share that ended well, and means of what they took."""

    tasks: int
    success_rate: float
    retries: float
    corrections: float
    tool_calls: float


class MemoryOutcomes(Wire):
    """Tasks with memories in the prompt against tasks without, since a moment."""

    since: datetime
    with_memory: MemoryTasks
    without_memory: MemoryTasks
    success_lift: float
    verdict: Literal["better", "worse", "unclear"]
    reason: str


class MemoryOverview(Wire):
    """The memory at a glance."""

    totals: MemoryTotals
    logs: list[MemoryLog]
    index: str
    embedder: str | None
    backends: list[str]
    cycle: list[MemoryPhase]
    outcomes: MemoryOutcomes


class MemoryStats(Wire):
    """What happened in this memory, and what came of it."""

    events: int
    types: dict[str, int]
    cycle: list[MemoryPhase]
    cycle_complete: bool
    outcomes: MemoryOutcomes
    policies_in_production: int
    index: dict[str, int]


class MemorySearch(Asked):
    """A question to the memory; what is left out does not narrow it."""

    query: str = Field(max_length=MOST_QUERY)
    k: int | None = Field(default=None, ge=1, le=MOST_RESULTS)
    budget_tokens: int | None = Field(default=None, ge=1)
    scope: Scope | None = None
    project: str | None = None
    session: str | None = None
    history: bool = False


class MemoryAdd(Asked):
    """Something to remember; `key` says what a fact states, so that a later one replaces it."""

    text: str = Field(min_length=1)
    scope: Scope | None = None
    project: str | None = None
    session: str | None = None
    speaker: str | None = None
    type: str | None = None
    at: str | None = None
    importance: float | None = Field(default=None, ge=0, le=1)
    key: str | None = None
    meta: Any = None


class MemoryAdded(Wire):
    """What became of it; `duplicate` and `recalled` name the memory that was there already."""

    id: str | None
    status: Literal["stored", "duplicate", "recalled"]
    reason: str | None


class MemoryEdit(Asked):
    """A better text; the old one stays in the log."""

    text: str = Field(min_length=1)


class MemoryProblem(Wire):
    """A line of an import that was not taken in."""

    line: int
    message: str


class MemoryImported(Wire):
    """How many lines of an import were taken in, and what was wrong with the others."""

    added: int
    problems: list[MemoryProblem]


class MemoryForget(Asked):
    """What to forget: these, or all of an owner, or all before a moment, or both."""

    ids: list[str] = Field(default_factory=list, max_length=10_000)
    owner: str | None = None
    before: str | None = None
    reason: str = Field(default="asked for", max_length=1000)
    dry_run: bool = False


class MemoryForgetOne(Asked):
    """Why a memory is forgotten."""

    reason: str = Field(default="asked for", max_length=1000)


class MemoryGoing(Wire):
    """One memory that goes, or would go."""

    id: str
    type: str
    at: datetime
    shown: str
    why: str


class MemoryForgotten(Wire):
    """What goes, and how many lines lost their words: 0 for a plan that was not carried out.

    `remains` says where the same words still stand that are not Paige's to change.
    """

    going: list[MemoryGoing]
    refused: list[str]
    missing: list[str]
    lines: int
    remains: list[str]


class MemoryFile(Wire):
    """A memory document in a list; `promptLines` is how many of its lines a prompt shows."""

    path: str
    scope: Literal["teacher", "class"]
    class_id: str | None
    version: str
    lines: int
    prompt_lines: int
    written_by: str
    updated_at: datetime


class MemoryDocument(MemoryFile):
    """A memory document with its text."""

    text: str


class MemoryWritten(MemoryDocument):
    """A document after a save: `merged` when someone else had changed it meanwhile.

    `conflicts` says at how many places both texts were kept.
    """

    changed: bool
    merged: bool
    conflicts: int


class MemoryWrite(Asked):
    """A text, and the version it was made from; empty for a new document."""

    text: str
    base: str = ""


class MemoryDelete(Asked):
    """The version of the document that is deleted."""

    base: str


class MemoryDeleted(Wire):
    """The document that was deleted; its texts stay in the log."""

    path: str


class MemoryWeights(Wire):
    """How much each signal counts."""

    relevance: float
    importance: float
    recency: float
    access: float


class MemoryPolicy(Wire):
    """What retrieval is told: weights, the least score, tokens by class, memories by scope."""

    weights: MemoryWeights
    min_score: float
    budget: dict[str, int]
    k: dict[str, int]


class MemoryPolicyNow(Wire):
    """The policy that holds for a role and a scope, `*` for any."""

    role: str
    scope: str
    version: int
    stage: str
    reason: str
    policy: MemoryPolicy


class MemoryPolicyStep(Wire):
    """One step of one version of a policy, with the numbers it was decided by."""

    at: datetime
    role: str
    scope: str
    version: int
    stage: str
    reason: str
    policy: MemoryPolicy
    metrics: dict[str, Any]


class MemoryPolicies(Wire):
    """What holds now, and every step so far, the newest last."""

    current: list[MemoryPolicyNow]
    history: list[MemoryPolicyStep]


OUT = (
    MemoryOverview,
    MemoryFound,
    MemoryRecent,
    MemoryShown,
    MemoryAdded,
    MemoryImported,
    MemoryForgotten,
    MemoryFile,
    MemoryDocument,
    MemoryWritten,
    MemoryDeleted,
    MemoryPolicies,
    MemoryStats,
)
IN = (
    MemorySearch,
    MemoryAdd,
    MemoryEdit,
    MemoryForget,
    MemoryForgetOne,
    MemoryWrite,
    MemoryDelete,
)
