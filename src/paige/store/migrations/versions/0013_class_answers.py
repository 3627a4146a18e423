"""Worksheets that were handed out to a class, and what came back under anonymous tokens."""

import sqlalchemy as sa
from alembic import op

from paige.store.row_security import secured
from paige.store.types import Json, UtcTime

revision = "0013"
down_revision = "0012"


def text(name: str, *, key: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, primary_key=key)


def tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, nullable=False, server_default="local", primary_key=True)


def upgrade() -> None:
    handouts()
    answers()
    if op.get_bind().dialect.name == "postgresql":
        for table in ("class_handouts", "class_answers"):
            for statement in secured(table, "person"):
                op.execute(statement)


def handouts() -> None:
    op.create_table(
        "class_handouts",
        tenant(),
        text("id", key=True),
        text("person"),
        text("class_id"),
        text("title"),
        text("source"),
        text("worksheet"),
        text("salt"),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.Column("closes_at", UtcTime, nullable=False),
        sa.Column("closed_at", UtcTime),
        sa.Column("kept_at", UtcTime),
    )
    op.create_index(
        "ix_class_handouts_tenant_person_class_id",
        "class_handouts",
        ["tenant", "person", "class_id"],
    )


def answers() -> None:
    op.create_table(
        "class_answers",
        tenant(),
        text("token", key=True),
        text("handout_id"),
        text("person"),
        text("origin"),
        sa.Column("answers", Json, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("updated_at", UtcTime),
        sa.Column("handed_in_at", UtcTime),
    )
    op.create_index("ix_class_answers_tenant_handout_id", "class_answers", ["tenant", "handout_id"])
