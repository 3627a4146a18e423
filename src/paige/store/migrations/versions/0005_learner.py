"""What a person knows: stages by skill area, knowledge gaps, katas for gaps."""

import sqlalchemy as sa
from alembic import op

from paige.store.types import Json, UtcTime

revision = "0005"
down_revision = "0004"


def tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, nullable=False, server_default="local")


def upgrade() -> None:
    assessments()
    gaps()
    katas()


def assessments() -> None:
    op.create_table(
        "dreyfus_assessments",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("skill_area", sa.Text, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("confidence", sa.Double, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("assessed_at", UtcTime, nullable=False),
        sa.CheckConstraint(
            "stage IN ('novice', 'advanced_beginner', 'competent', 'proficient', 'expert')",
            name=op.f("ck_dreyfus_assessments_stage"),
        ),
        sa.UniqueConstraint(
            "tenant",
            "person",
            "skill_area",
            name=op.f("uq_dreyfus_assessments_tenant_person_skill_area"),
        ),
    )


def gaps() -> None:
    op.create_table(
        "knowledge_gaps",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("session_id", sa.Text),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("severity", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("related_concepts", Json, nullable=False),
        sa.Column("frequency", sa.Integer, nullable=False, server_default="1"),
        sa.Column("last_encountered_at", UtcTime, nullable=False),
        sa.Column("addressed", sa.Boolean, nullable=False),
        sa.CheckConstraint(
            "severity IN ('low', 'medium', 'high')", name=op.f("ck_knowledge_gaps_severity")
        ),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_knowledge_gaps_session_id"),
            ondelete="SET NULL",
        ),
    )
    op.create_index("ix_knowledge_gaps_tenant_person", "knowledge_gaps", ["tenant", "person"])
    op.create_index("ix_knowledge_gaps_session_id", "knowledge_gaps", ["session_id"])


def katas() -> None:
    op.create_table(
        "kata_specs",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("knowledge_gap_id", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("scaffolding_code", sa.Text, nullable=False),
        sa.Column("instructor_notes", sa.Text, nullable=False),
        sa.Column("test_cases", Json, nullable=False),
        sa.Column("constraints", Json, nullable=False),
        sa.Column("user_attempts", Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["knowledge_gap_id"],
            ["knowledge_gaps.id"],
            name=op.f("fk_kata_specs_knowledge_gap_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_kata_specs_tenant_person", "kata_specs", ["tenant", "person"])
    op.create_index("ix_kata_specs_knowledge_gap_id", "kata_specs", ["knowledge_gap_id"])
