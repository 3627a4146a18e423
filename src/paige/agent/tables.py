"""The tables of this room (sessions, runs, their journal, gates and spans), and rows as values."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Column, Double, Index, Integer, Text

from paige.store.tables import EMPTY, BigNumber, tenant_table
from paige.store.types import Json, UtcNow, UtcTime

# One table for every door; columns that only one door fills may be NULL.
SESSIONS = tenant_table(
    "sessions",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    Column("door", Text, nullable=False, server_default="coach"),
    Column("status", Text, nullable=False),  # active, completed, abandoned
    Column("title", Text),
    Column("plugin", Text),
    Column("command", Text),
    Column("agent", Text),
    Column("class_id", Text),
    Column("tasks", Json, nullable=False, server_default="[]"),
    # Feedforward, adjudication, memory capture.
    Column("decisions", Json, nullable=False, server_default="[]"),
    # What people and agents said, for search.
    Column("messages_text", Text, nullable=False, server_default=EMPTY),
    Column("project_dir", Text),
    Column("issue_number", Integer),
    Column("issue_title", Text),
    Column("forked_from", Text),
    Column("started_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False, server_default=UtcNow()),
    Column("ended_at", UtcTime),
    Index("ix_sessions_tenant_updated_at", "tenant", "updated_at"),
    Index("ix_sessions_tenant_class_id", "tenant", "class_id"),
    Index("ix_sessions_tenant_forked_from", "tenant", "forked_from"),
)

RUNS = tenant_table(
    "runs",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("number", Integer, nullable=False),  # its place in the session, from 1
    Column("format", Integer, nullable=False),
    Column("header", Json, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("state", Text, nullable=False),  # running, waiting, ended
    Column("status", Text),  # one of the loop's status codes, once it has ended
    Column("reason", Text),
    Column("output", Text),
    Column("turns", Integer, nullable=False),
    Column("cost_usd", Double),
    Column("source", Text, nullable=False),  # who answered: a provider, or `local`
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    Index("ix_runs_tenant_session_id_number", "tenant", "session_id", "number"),
)

JOURNAL = tenant_table(
    "journal",
    Column("run_id", Text, primary_key=True),
    Column("seq", BigNumber, primary_key=True, autoincrement=False),
    Column("step", Text, nullable=False),
    Column("kind", Text, nullable=False),  # intent, result
    Column("body", Text, nullable=False),  # JSON, written and read whole
)

GATES = tenant_table(
    "gates",
    Column("run_id", Text, primary_key=True),
    Column("gate", Text, primary_key=True),  # the step that asks
    Column("revision", Integer, nullable=False),
    Column("person", Text, nullable=False),
    Column("interaction", Json, nullable=False),
    Column("reply", Json),
    Column("opened_at", UtcTime, nullable=False),
    Column("answered_at", UtcTime),
    Index("ix_gates_tenant_answered_at", "tenant", "answered_at"),
)

SPANS = tenant_table(
    "spans",
    Column("trace", Text, primary_key=True),  # the run
    Column("step", Text, primary_key=True),
    Column("parent", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("failed", Boolean, nullable=False),
    Column("started_us", BigNumber, nullable=False),  # microseconds since 1970
    Column("ended_us", BigNumber, nullable=False),
    Column("attributes", Text, nullable=False),  # JSON, written and read whole
)

BLOBS = tenant_table(
    "blobs",
    Column("hash", Text, primary_key=True),
    Column("text", Text, nullable=False),
    tenant_key=True,
)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A conversation that may go on over days."""

    id: str
    person: str
    door: str
    status: str
    started_at: datetime
    updated_at: datetime
    title: str | None = None
    plugin: str | None = None
    command: str | None = None
    agent: str | None = None
    class_id: str | None = None
    tasks: list[dict[str, Any]] = field(default_factory=list)
    decisions: list[dict[str, Any]] = field(default_factory=list)
    messages_text: str = ""
    project_dir: str | None = None
    issue_number: int | None = None
    issue_title: str | None = None
    forked_from: str | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SessionSearch:
    """What is looked for among sessions: words that must all be there, a class, days."""

    words: str = ""
    class_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 10


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of the loop in a session."""

    id: str
    person: str
    session_id: str
    number: int
    format: int
    header: dict[str, Any]
    prompt: str
    state: str
    source: str
    created_at: datetime
    updated_at: datetime
    status: str | None = None
    reason: str | None = None
    output: str | None = None
    turns: int = 0
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class GateRow:
    """A question to a person, and the answer if there is one."""

    run_id: str
    gate: str
    revision: int
    interaction: dict[str, Any]
    reply: dict[str, Any] | None
    opened_at: datetime
    answered_at: datetime | None


@dataclass(frozen=True, slots=True)
class SpanRow:
    """One thing that took time."""

    trace: str
    step: str
    parent: str
    kind: str
    name: str
    failed: bool
    started_us: int
    ended_us: int
    attributes: str
