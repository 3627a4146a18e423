"""Branches of a session are found by what they branched off from."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_index("ix_sessions_tenant_forked_from", "sessions", ["tenant", "forked_from"])
