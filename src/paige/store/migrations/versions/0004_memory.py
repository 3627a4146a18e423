"""Memory documents, the audit of their use, and how far the log has been read."""

import sqlalchemy as sa
from alembic import op

from paige.store.types import UtcTime

revision = "0004"
down_revision = "0003"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def tenant(*, key: bool = False) -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, nullable=False, server_default="local", primary_key=key)


def upgrade() -> None:
    files()
    events()
    op.create_table(
        "memory_cursors",
        tenant(key=True),
        sa.Column("projection", sa.Text, primary_key=True),
        sa.Column("log", sa.Text, nullable=False),
        sa.Column("seq", BIG, nullable=False),
        sa.Column("event_id", sa.Text, nullable=False),
    )


def files() -> None:
    op.create_table(
        "memory_files",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("teacher_id", sa.Text, nullable=False),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("class_id", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("seq", BIG, nullable=False),
        sa.Column("written_by", sa.Text, nullable=False),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.Column("updated_at", UtcTime, nullable=False),
        sa.CheckConstraint("scope IN ('teacher', 'class')", name=op.f("ck_memory_files_scope")),
        sa.UniqueConstraint(
            "tenant",
            "teacher_id",
            "scope",
            "class_id",
            "path",
            name=op.f("uq_memory_files_tenant_teacher_id_scope_class_id_path"),
        ),
    )
    columns = ["tenant", "teacher_id", "class_id"]
    op.create_index("ix_memory_files_tenant_teacher_id_class_id", "memory_files", columns)


def events() -> None:
    op.create_table(
        "memory_events",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("trace_id", sa.Text),
        sa.Column("session_id", sa.Text),
        sa.Column("teacher_id", sa.Text, nullable=False),
        sa.Column("memory_file_id", sa.Text),
        sa.Column("event_type", sa.Text, nullable=False),
        sa.Column("proposed_text", sa.Text),
        sa.Column("final_text", sa.Text),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("class_id", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("version", sa.Text),
        sa.Column("seq", BIG),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.CheckConstraint(
            "event_type IN ('read', 'write', 'capture_proposed', 'capture_confirmed', "
            "'capture_edited', 'capture_dismissed')",
            name=op.f("ck_memory_events_event_type"),
        ),
    )
    op.create_index("ix_memory_events_tenant_trace_id", "memory_events", ["tenant", "trace_id"])
    op.create_index("ix_memory_events_tenant_session_id", "memory_events", ["tenant", "session_id"])
    columns = ["tenant", "teacher_id", "path", "seq"]
    op.create_index("ix_memory_events_tenant_teacher_id_path_seq", "memory_events", columns)
