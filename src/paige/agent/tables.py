"""The tables of this room: sessions, runs, their journal, gates and spans."""

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
