"""The tables of this room: plans with their phases, hints and progress, and the action log."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Text,
    UniqueConstraint,
    and_,
)

from paige.agent.tables import SESSIONS
from paige.models.tables import API_CALL_LOG
from paige.store.tables import tenant_table
from paige.store.types import Json, UtcTime

# Sessions are in one table for every door; of Coach's, one may be active in a project. On
# PostgreSQL the migration says so: naming it here would import that engine at every start.
_ACTIVE = and_(SESSIONS.c.door == "coach", SESSIONS.c.status == "active")
ONE_ACTIVE = Index(
    "uq_sessions_active_coach",
    SESSIONS.c.tenant,
    SESSIONS.c.person,
    SESSIONS.c.project_dir,
    unique=True,
    sqlite_where=_ACTIVE,
)
# What a person's model calls cost is read from the index alone, however many there are.
COST_OF_CALLS = Index(
    "ix_api_call_log_tenant_person_created_at_cost_estimate",
    API_CALL_LOG.c.tenant,
    API_CALL_LOG.c.person,
    API_CALL_LOG.c.created_at,
    API_CALL_LOG.c.cost_estimate,
)

PLANS = tenant_table(
    "plans",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    Column("session_id", Text, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("raw_plan_text", Text, nullable=False),
    Column("memory_connection", Text),
    Column("estimated_difficulty", Text),
    Column("created_at", UtcTime, nullable=False),
    Index("ix_plans_session_id_created_at", "session_id", "created_at"),
)

PHASES = tenant_table(
    "phases",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    Column("plan_id", Text, ForeignKey("plans.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),  # its place in the plan, from 1
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("hint_level", Text, nullable=False),
    Column("expected_files", Json, nullable=False, server_default="[]"),  # a list of paths
    Column("started_at", UtcTime),
    Column("completed_at", UtcTime),
    CheckConstraint("status IN ('pending', 'active', 'complete')", name="status"),
    UniqueConstraint("plan_id", "number"),
)

PHASE_HINTS = tenant_table(
    "phase_hints",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    Column("phase_id", Text, ForeignKey("phases.id", ondelete="CASCADE"), nullable=False),
    Column("type", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("start_line", Integer),  # NULL: the whole file
    Column("end_line", Integer),
    Column("style", Text, nullable=False),
    Column("hover_text", Text),
    CheckConstraint("type IN ('file', 'line')", name="type"),
    Index("ix_phase_hints_phase_id", "phase_id"),
)

PROGRESS_EVENTS = tenant_table(
    "progress_events",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    Column("phase_id", Text, ForeignKey("phases.id", ondelete="CASCADE"), nullable=False),
    Column("event_type", Text, nullable=False),
    Column("data", Json),
    Column("created_at", UtcTime, nullable=False),
    Index("ix_progress_events_phase_id_created_at", "phase_id", "created_at"),
)

ACTION_LOG = tenant_table(
    "action_log",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False, server_default="me"),
    # NULL: what is logged without a session, such as a tool that was called before one began.
    Column("session_id", Text, ForeignKey("sessions.id", ondelete="CASCADE")),
    Column("action_type", Text, nullable=False),
    Column("data", Json),
    Column("created_at", UtcTime, nullable=False),
    Index("ix_action_log_session_id_created_at", "session_id", "created_at"),
    Index(
        "ix_action_log_session_id_action_type_created_at", "session_id", "action_type", "created_at"
    ),
)
