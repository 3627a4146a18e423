"""The ground: the event stream and leases."""

import sqlalchemy as sa
from alembic import op

from paige.store.types import Json, UtcTime

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("tenant", sa.Text, nullable=False, server_default="local"),
        sa.Column(
            "seq",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("person", sa.Text),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("payload", Json, nullable=False),
        sa.Column("at", UtcTime, nullable=False),
    )
    op.create_index("ix_events_tenant_seq", "events", ["tenant", "seq"])
    op.create_table(
        "leases",
        sa.Column("tenant", sa.Text, nullable=False, server_default="local", primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("pid", sa.Integer, nullable=False),
        sa.Column("started", sa.Text, nullable=False),
        sa.Column("fence", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("until", UtcTime, nullable=False),
    )
