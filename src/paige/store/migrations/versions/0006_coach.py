"""What Coach keeps: plans, phases, hints, progress, the action log; one active session each."""

import sqlalchemy as sa
from alembic import op

from paige.store.types import Json, UtcTime

revision = "0006"
down_revision = "0005"


def tenant() -> sa.Column[str]:
    return sa.Column("tenant", sa.Text, nullable=False, server_default="local")


def upgrade() -> None:
    one_active_session()
    cost_of_calls()
    plans()
    phases()
    phase_hints()
    progress_events()
    action_log()


def one_active_session() -> None:
    active = sa.text("door = 'coach' AND status = 'active'")
    op.create_index(
        "uq_sessions_active_coach",
        "sessions",
        ["tenant", "person", "project_dir"],
        unique=True,
        sqlite_where=active,
        postgresql_where=active,
    )


def cost_of_calls() -> None:
    op.create_index(
        "ix_api_call_log_tenant_person_created_at_cost_estimate",
        "api_call_log",
        ["tenant", "person", "created_at", "cost_estimate"],
    )


def plans() -> None:
    op.create_table(
        "plans",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("raw_plan_text", sa.Text, nullable=False),
        sa.Column("memory_connection", sa.Text),
        sa.Column("estimated_difficulty", sa.Text),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_plans_session_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_plans_session_id_created_at", "plans", ["session_id", "created_at"])


def phases() -> None:
    op.create_table(
        "phases",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("plan_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("hint_level", sa.Text, nullable=False),
        sa.Column("expected_files", Json, nullable=False),
        sa.Column("started_at", UtcTime),
        sa.Column("completed_at", UtcTime),
        sa.CheckConstraint(
            "status IN ('pending', 'active', 'complete')", name=op.f("ck_phases_status")
        ),
        sa.ForeignKeyConstraint(
            ["plan_id"], ["plans.id"], name=op.f("fk_phases_plan_id"), ondelete="CASCADE"
        ),
        sa.UniqueConstraint("plan_id", "number", name=op.f("uq_phases_plan_id_number")),
    )


def phase_hints() -> None:
    op.create_table(
        "phase_hints",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("phase_id", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("start_line", sa.Integer),
        sa.Column("end_line", sa.Integer),
        sa.Column("style", sa.Text, nullable=False),
        sa.Column("hover_text", sa.Text),
        sa.CheckConstraint("type IN ('file', 'line')", name=op.f("ck_phase_hints_type")),
        sa.ForeignKeyConstraint(
            ["phase_id"], ["phases.id"], name=op.f("fk_phase_hints_phase_id"), ondelete="CASCADE"
        ),
    )
    op.create_index("ix_phase_hints_phase_id", "phase_hints", ["phase_id"])


def progress_events() -> None:
    op.create_table(
        "progress_events",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("phase_id", sa.Text, nullable=False),
        sa.Column("event_type", sa.Text, nullable=False),
        sa.Column("data", Json),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["phase_id"],
            ["phases.id"],
            name=op.f("fk_progress_events_phase_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_progress_events_phase_id_created_at", "progress_events", ["phase_id", "created_at"]
    )


def action_log() -> None:
    op.create_table(
        "action_log",
        tenant(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("session_id", sa.Text),
        sa.Column("action_type", sa.Text, nullable=False),
        sa.Column("data", Json),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_action_log_session_id"),
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_action_log_session_id_created_at", "action_log", ["session_id", "created_at"]
    )
    op.create_index(
        "ix_action_log_session_id_action_type_created_at",
        "action_log",
        ["session_id", "action_type", "created_at"],
    )
