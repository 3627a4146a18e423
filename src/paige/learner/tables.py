"""The tables of this room: stages by skill area, knowledge gaps, and katas for them."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    Text,
    UniqueConstraint,
    false,
)

from paige.store.tables import EMPTY, tenant_table
from paige.store.types import Json, UtcTime

DREYFUS_ASSESSMENTS = tenant_table(
    "dreyfus_assessments",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    Column("skill_area", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("confidence", Double, nullable=False),
    Column("evidence", Text, nullable=False),
    Column("assessed_at", UtcTime, nullable=False),
    CheckConstraint(
        "stage IN ('novice', 'advanced_beginner', 'competent', 'proficient', 'expert')",
        name="stage",
    ),
    UniqueConstraint("tenant", "person", "skill_area"),
)

KNOWLEDGE_GAPS = tenant_table(
    "knowledge_gaps",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    # A gap outlives the session it was found in.
    Column("session_id", Text, ForeignKey("sessions.id", ondelete="SET NULL")),
    Column("topic", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("evidence", Text, nullable=False),
    Column("related_concepts", Json, nullable=False, server_default="[]"),
    Column("frequency", Integer, nullable=False, server_default="1"),
    Column("last_encountered_at", UtcTime, nullable=False),
    Column("addressed", Boolean, nullable=False, server_default=false()),
    CheckConstraint("severity IN ('low', 'medium', 'high')", name="severity"),
    Index("ix_knowledge_gaps_tenant_person", "tenant", "person"),
    Index("ix_knowledge_gaps_session_id", "session_id"),
)

KATA_SPECS = tenant_table(
    "kata_specs",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    Column(
        "knowledge_gap_id",
        Text,
        ForeignKey("knowledge_gaps.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("scaffolding_code", Text, nullable=False),
    Column("instructor_notes", Text, nullable=False, server_default=EMPTY),
    Column("test_cases", Json, nullable=False, server_default="[]"),  # a list of texts
    # A list of {title, description, minLevel}.
    Column("constraints", Json, nullable=False, server_default="[]"),
    # Grows; nothing is ever taken out.
    Column("user_attempts", Json, nullable=False, server_default="[]"),
    Index("ix_kata_specs_tenant_person", "tenant", "person"),
    Index("ix_kata_specs_knowledge_gap_id", "knowledge_gap_id"),
)
