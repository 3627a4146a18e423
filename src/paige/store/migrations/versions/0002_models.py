"""Model calls: one row each."""

import sqlalchemy as sa
from alembic import op

from paige.store.types import UtcTime

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "api_call_log",
        sa.Column("tenant", sa.Text, nullable=False, server_default="local"),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("session_id", sa.Text),
        sa.Column("call_type", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("input_hash", sa.Text, nullable=False),
        sa.Column("latency_ms", sa.Integer, nullable=False),
        sa.Column("input_tokens", sa.Integer, nullable=False),
        sa.Column("output_tokens", sa.Integer, nullable=False),
        sa.Column("cost_estimate", sa.Double),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.Column("provider", sa.Text, nullable=False),
        sa.Column("cache_write_tokens", sa.Integer, nullable=False),
        sa.Column("cache_read_tokens", sa.Integer, nullable=False),
        sa.Column("request_id", sa.Text, nullable=False),
        sa.Column("stop_reason", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("billed_usd", sa.Double),
    )
    op.create_index("ix_api_call_log_tenant_created_at", "api_call_log", ["tenant", "created_at"])
    op.create_index("ix_api_call_log_tenant_session_id", "api_call_log", ["tenant", "session_id"])
