"""The tables of this room: the context graph.

`decisions` holds traces: what was refused, corrected, decided and approved. `decision_edges` joins
them to one another and to agents, features, files, rules, guards, memories and sessions. What was
last heard in a session is in `decision_sessions`, so that lines of hooks that come later can be
understood, and lines that come twice count once.
"""

from sqlalchemy import CheckConstraint, Column, Double, Index, Integer, LargeBinary, Text

from paige.store.tables import EMPTY, tenant_table
from paige.store.types import Json, UtcTime


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default=EMPTY)


DECISIONS = tenant_table(
    "decisions",
    Column("id", Text, primary_key=True),
    _text("project"),
    Column("at", UtcTime, nullable=False),
    Column("type", Text, nullable=False),
    _text("agent"),
    _text("feature"),
    _text("task"),
    _text("what_happened"),
    _text("what_was_correct"),
    _text("why"),
    Column("source", Text, nullable=False),
    _text("session"),
    _text("cli"),
    _text("event"),
    _text("tool"),
    _text("action"),
    _text("reason"),
    _text("target"),
    _text("shape"),
    _text("rule"),
    Column("confidence", Double, nullable=False),
    Column("scope", Text, nullable=False),
    Column("files", Json, nullable=False),
    Column("meta", Json, nullable=False),
    Column("retrieved", Integer, nullable=False, server_default="0"),
    Column("retrieved_at", UtcTime),
    Column("embedding", LargeBinary),  # 256 half-precision numbers; NULL: no known word in it
    CheckConstraint(
        "type IN ('correction', 'violation', 'decision', 'approval')",
        name="type",
    ),
    CheckConstraint(
        "source IN ('enforcement_hook', 'user_correction', 'auto_detected')", name="source"
    ),
    CheckConstraint("scope IN ('project', 'universal')", name="scope"),
    Index("ix_decisions_tenant_at", "tenant", "at"),
    Index("ix_decisions_tenant_project_at", "tenant", "project", "at"),
    Index("ix_decisions_tenant_type_at", "tenant", "type", "at"),
    Index("ix_decisions_tenant_agent_at", "tenant", "agent", "at"),
    Index("ix_decisions_tenant_feature_at", "tenant", "feature", "at"),
    Index("ix_decisions_tenant_rule_at", "tenant", "rule", "at"),
    Index("ix_decisions_tenant_session_at", "tenant", "session", "at"),
    Index("ix_decisions_tenant_scope_at", "tenant", "scope", "at"),
)

EDGES = tenant_table(
    "decision_edges",
    Column("source_kind", Text, primary_key=True),
    Column("source_id", Text, primary_key=True),
    Column("relation", Text, primary_key=True),
    Column("target_kind", Text, primary_key=True),
    Column("target_id", Text, primary_key=True),
    Column("at", UtcTime, nullable=False),
    Index(
        "ix_decision_edges_tenant_target_kind_target_id_at",
        "tenant",
        "target_kind",
        "target_id",
        "at",
    ),
    tenant_key=True,
)

SESSIONS_HEARD = tenant_table(
    "decision_sessions",
    Column("session", Text, primary_key=True),
    Column("recent", Json, nullable=False),  # the last things heard, oldest first
    Column("at", UtcTime, nullable=False),
    tenant_key=True,
)
