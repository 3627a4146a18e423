"""Defaults for columns that only Paige itself knows, so that others can insert rows of the coach.

On SQLite a default is text in the schema and nothing on the disk depends on it, so the schema is
edited in place, as SQLite's own manual describes it. Building the tables anew would drop the old
ones, and with `ON DELETE CASCADE` everything that points at them.
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

ME, EMPTY, LIST, NONE = "'me'", "''", "'[]'", "'0'"
SQLITE_NOW = "(strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z')"
OWNED = (
    *("sessions", "plans", "phases", "phase_hints", "progress_events", "action_log"),
    *("dreyfus_assessments", "knowledge_gaps", "kata_specs", "api_call_log"),
)
DEFAULTS: dict[str, dict[str, str]] = {
    "sessions": {
        "door": "'coach'",
        "tasks": LIST,
        "decisions": LIST,
        "messages_text": EMPTY,
        "updated_at": "CURRENT_TIMESTAMP",
    },
    "phases": {"expected_files": LIST},
    "knowledge_gaps": {"related_concepts": LIST, "addressed": "false"},
    "kata_specs": {
        "instructor_notes": EMPTY,
        "test_cases": LIST,
        "constraints": LIST,
        "user_attempts": LIST,
    },
    "api_call_log": {
        "provider": EMPTY,
        "request_id": EMPTY,
        "cache_write_tokens": NONE,
        "cache_read_tokens": NONE,
    },
}
ON_SQLITE = {"CURRENT_TIMESTAMP": SQLITE_NOW, "false": "0"}


def upgrade() -> None:
    wanted = {table: {"person": ME, **DEFAULTS.get(table, {})} for table in OWNED}
    if op.get_bind().dialect.name == "sqlite":
        in_place(wanted)
        return
    for table, defaults in wanted.items():
        for column, default in defaults.items():
            op.alter_column(table, column, server_default=sa.text(default))


def in_place(wanted: dict[str, dict[str, str]]) -> None:
    connection = op.get_bind()
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql("PRAGMA writable_schema=ON")
    for table, defaults in wanted.items():
        made = connection.exec_driver_sql(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
        ).scalar_one()
        connection.exec_driver_sql(
            "UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?",
            (with_defaults(made, defaults), table),
        )
    connection.exec_driver_sql(f"PRAGMA schema_version={version + 1}")
    connection.exec_driver_sql("PRAGMA writable_schema=OFF")


def with_defaults(made: str, defaults: dict[str, str]) -> str:
    for column, default in defaults.items():
        value = ON_SQLITE.get(default, default)
        pattern = rf"(?m)^(\s*{column} [A-Z]+(?:\(\d+\))?) NOT NULL"
        made, count = re.subn(pattern, rf"\g<1> DEFAULT {value} NOT NULL", made)
        if count != 1:
            raise RuntimeError(f"The column `{column}` is not where it was made")
    return made
