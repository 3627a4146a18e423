"""The context graph: traces, what joins them, and what was last heard in a session."""

import sqlalchemy as sa
from alembic import op

from paige.store.fulltext import create_index
from paige.store.types import Json, UtcTime

revision = "0008"
down_revision = "0007"

EMPTY = sa.text("''")
SEARCHED = (
    *("agent", "feature", "task", "what_happened", "what_was_correct", "why"),
    *("action", "target", "rule"),
)


def tenant(*, key: bool = False) -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, nullable=False, server_default="local", primary_key=key)


def empty(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default=EMPTY)


def upgrade() -> None:
    decisions()
    edges()
    heard()
    create_index(op.get_bind(), "decisions", SEARCHED)


def decisions() -> None:
    op.create_table(
        "decisions",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        empty("project"),
        sa.Column("at", UtcTime, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        *map(empty, ("agent", "feature", "task", "what_happened", "what_was_correct", "why")),
        sa.Column("source", sa.Text, nullable=False),
        *map(empty, ("session", "cli", "event", "tool")),
        *map(empty, ("action", "reason", "target", "shape", "rule")),
        sa.Column("confidence", sa.Double, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("files", Json, nullable=False),
        sa.Column("meta", Json, nullable=False),
        sa.Column("retrieved", sa.Integer, nullable=False, server_default="0"),
        sa.Column("retrieved_at", UtcTime),
        sa.Column("embedding", sa.LargeBinary),
        sa.CheckConstraint(
            "type IN ('correction', 'violation', 'decision', 'approval')",
            name=op.f("ck_decisions_type"),
        ),
        sa.CheckConstraint(
            "source IN ('enforcement_hook', 'user_correction', 'auto_detected')",
            name=op.f("ck_decisions_source"),
        ),
        sa.CheckConstraint("scope IN ('project', 'universal')", name=op.f("ck_decisions_scope")),
    )
    op.create_index("ix_decisions_tenant_at", "decisions", ["tenant", "at"])
    for column in ("project", "type", "agent", "feature", "rule", "session", "scope"):
        op.create_index(f"ix_decisions_tenant_{column}_at", "decisions", ["tenant", column, "at"])


def edges() -> None:
    op.create_table(
        "decision_edges",
        tenant(key=True),
        sa.Column("source_kind", sa.Text, primary_key=True),
        sa.Column("source_id", sa.Text, primary_key=True),
        sa.Column("relation", sa.Text, primary_key=True),
        sa.Column("target_kind", sa.Text, primary_key=True),
        sa.Column("target_id", sa.Text, primary_key=True),
        sa.Column("at", UtcTime, nullable=False),
    )
    op.create_index(
        "ix_decision_edges_tenant_target_kind_target_id_at",
        "decision_edges",
        ["tenant", "target_kind", "target_id", "at"],
    )


def heard() -> None:
    op.create_table(
        "decision_sessions",
        tenant(key=True),
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("recent", Json, nullable=False),
        sa.Column("at", UtcTime, nullable=False),
    )
