"""Sessions, runs, journals, gates, spans and blobs."""

import sqlalchemy as sa
from alembic import op

from paige.store.fulltext import create_index
from paige.store.types import Json, UtcTime

revision = "0003"
down_revision = "0002"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def tenant(*, key: bool = False) -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, nullable=False, server_default="local", primary_key=key)


def upgrade() -> None:
    sessions()
    runs()
    gates()
    traces()
    create_index(op.get_bind(), "sessions", ("title", "messages_text"))


def sessions() -> None:
    op.create_table(
        "sessions",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("door", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("title", sa.Text),
        sa.Column("plugin", sa.Text),
        sa.Column("command", sa.Text),
        sa.Column("agent", sa.Text),
        sa.Column("class_id", sa.Text),
        sa.Column("tasks", Json, nullable=False),
        sa.Column("decisions", Json, nullable=False),
        sa.Column("messages_text", sa.Text, nullable=False),
        sa.Column("project_dir", sa.Text),
        sa.Column("issue_number", sa.Integer),
        sa.Column("issue_title", sa.Text),
        sa.Column("forked_from", sa.Text),
        sa.Column("started_at", UtcTime, nullable=False),
        sa.Column("updated_at", UtcTime, nullable=False),
        sa.Column("ended_at", UtcTime),
    )
    op.create_index("ix_sessions_tenant_updated_at", "sessions", ["tenant", "updated_at"])
    op.create_index("ix_sessions_tenant_class_id", "sessions", ["tenant", "class_id"])


def runs() -> None:
    op.create_table(
        "runs",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("format", sa.Integer, nullable=False),
        sa.Column("header", Json, nullable=False),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("status", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("output", sa.Text),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("cost_usd", sa.Double),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.Column("updated_at", UtcTime, nullable=False),
    )
    op.create_index("ix_runs_tenant_session_id_number", "runs", ["tenant", "session_id", "number"])
    op.create_table(
        "journal",
        tenant(),
        sa.Column("run_id", sa.Text, primary_key=True),
        sa.Column("seq", BIG, primary_key=True, autoincrement=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )


def gates() -> None:
    op.create_table(
        "gates",
        tenant(),
        sa.Column("run_id", sa.Text, primary_key=True),
        sa.Column("gate", sa.Text, primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("interaction", Json, nullable=False),
        sa.Column("reply", Json),
        sa.Column("opened_at", UtcTime, nullable=False),
        sa.Column("answered_at", UtcTime),
    )
    op.create_index("ix_gates_tenant_answered_at", "gates", ["tenant", "answered_at"])


def traces() -> None:
    op.create_table(
        "spans",
        tenant(),
        sa.Column("trace", sa.Text, primary_key=True),
        sa.Column("step", sa.Text, primary_key=True),
        sa.Column("parent", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("failed", sa.Boolean, nullable=False),
        sa.Column("started_us", BIG, nullable=False),
        sa.Column("ended_us", BIG, nullable=False),
        sa.Column("attributes", sa.Text, nullable=False),
    )
    op.create_table(
        "blobs",
        tenant(key=True),
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
