"""Row-level security: PostgreSQL itself keeps tenants and people apart; SQLite has none.

Each table with the column that says whose a row is, if there is one. Accounts and what is kept
about them belong to the tenant: who may see them, the rights of a role say.
"""

from alembic import op

from paige.store.row_security import latest_event_function, secured

revision = "0011"
down_revision = "0010"

SECURED: dict[str, str | None] = {
    "events": "person",
    "leases": None,
    "api_call_log": "person",
    "sessions": "person",
    "runs": "person",
    "journal": None,
    "gates": "person",
    "spans": None,
    "blobs": None,
    "memory_files": "teacher_id",
    "memory_events": "teacher_id",
    "memory_cursors": None,
    "dreyfus_assessments": "person",
    "knowledge_gaps": "person",
    "kata_specs": "person",
    "plans": "person",
    "phases": "person",
    "phase_hints": "person",
    "progress_events": "person",
    "action_log": "person",
    "decisions": None,
    "decision_edges": None,
    "decision_sessions": None,
    "tenants": None,
    "people": None,
    "sign_ins": None,
    "sign_in_tries": None,
    "oidc_starts": None,
    "audit_log": None,
    "spend_limits": None,
}


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table, person in SECURED.items():
        for statement in secured(table, person):
            op.execute(statement)
    op.execute(latest_event_function())
