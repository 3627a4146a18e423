"""Rows that others insert with the columns they know: the rest has a default, on both engines."""

import pytest
from sqlalchemy import Connection, text

from paige.coach.queries import active_session, get_session
from paige.learner.queries import get_kata
from paige.store.engine import Database
from tests.coach.making import ME
from tests.store.running import read, write

AT = "2026-03-02T12:00:00.000000Z"
ROWS = (
    "INSERT INTO sessions (id, project_dir, issue_number, issue_title, status, started_at) "
    f"VALUES ('s', '/shop', 1, 'One', 'active', '{AT}')",
    "INSERT INTO plans (id, session_id, raw_plan_text, created_at) "
    f"VALUES ('p', 's', 'text', '{AT}')",
    "INSERT INTO phases (id, plan_id, number, title, description, status, hint_level, "
    "expected_files) VALUES ('f', 'p', 1, 'T', 'D', 'pending', 'line', '[]')",
    "INSERT INTO phase_hints (id, phase_id, type, path, style) "
    "VALUES ('h', 'f', 'file', 'a.py', 'suggested')",
    "INSERT INTO progress_events (id, phase_id, event_type, created_at) "
    f"VALUES ('e', 'f', 'hint_used', '{AT}')",
    "INSERT INTO dreyfus_assessments (id, skill_area, stage, confidence, evidence, assessed_at) "
    f"VALUES ('d', 'loops', 'novice', 0.5, 'seen', '{AT}')",
    "INSERT INTO knowledge_gaps (id, session_id, topic, severity, evidence, related_concepts, "
    f"last_encountered_at) VALUES ('g', 's', 'loops', 'low', 'seen', '[]', '{AT}')",
    "INSERT INTO kata_specs (id, knowledge_gap_id, title, description, scaffolding_code, "
    "instructor_notes, constraints) VALUES ('k', 'g', 'T', 'D', '', 'N', '[]')",
    "INSERT INTO action_log (id, session_id, action_type, created_at) "
    f"VALUES ('a', 's', 'file_open', '{AT}')",
    "INSERT INTO api_call_log (id, session_id, call_type, model, input_hash, latency_ms, "
    "input_tokens, output_tokens, cost_estimate, created_at) "
    f"VALUES ('c', 's', 'coach_agent', 'm', 'x', 12, 1, 2, 0.1, '{AT}')",
)


@pytest.mark.db
def test_rows_with_the_known_columns_only_are_rows_of_the_usual_person(db: Database) -> None:
    def insert(connection: Connection) -> None:
        for statement in ROWS:
            connection.execute(text(statement))

    write(db, insert)
    session = read(db, get_session, ME, "s")
    assert session.issue_title == "One"
    assert read(db, active_session, ME, "/shop") == session
    kata = read(db, get_kata, ME, "k")
    assert (kata.test_cases, kata.user_attempts) == ((), ())
    stamp = read(db, Connection.scalar, text("SELECT CAST(updated_at AS TEXT) FROM sessions"))
    assert str(stamp).startswith("20")
