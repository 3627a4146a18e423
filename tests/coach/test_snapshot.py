"""What the database knows of a session, as clients read it."""

from datetime import timedelta

import pytest

from paige.coach import queries
from paige.coach.records import PhaseHint, ProgressEvent
from paige.coach.snapshot import STATE_ITEMS, overview, session_state
from paige.learner.queries import Assessment, upsert_assessment
from paige.store.engine import Database
from tests.coach.making import ME, YOU, phase, planned, session, told
from tests.conftest import NOON
from tests.store.running import read, write

pytestmark = pytest.mark.db


@pytest.fixture
def stocked(db: Database) -> Database:
    """A session in its second phase, with hints, progress and an assessment."""
    write(db, planned)
    active = phase(2, status="active", started_at=NOON)
    write(db, queries.set_phase_status, ME, active)
    hints = [
        PhaseHint("h1", "ph2", "file", "b.py", "suggested"),
        PhaseHint("h2", "ph2", "line", "a.py", "focus", 3, 9, "Here"),
        PhaseHint("h3", "ph1", "file", "past.py", "suggested"),
    ]
    write(db, queries.insert_hints, ME, hints)
    event = ProgressEvent("e1", "ph1", "hint_used", {"path": "a.py"}, NOON)
    write(db, queries.insert_progress, ME, event)
    judged = Assessment("d1", "me", "React state", "competent", 0.75, "Three times", NOON)
    write(db, upsert_assessment, ME, judged)
    return db


def test_every_item_has_the_shape_that_clients_know(stocked: Database) -> None:
    assert told(read(stocked, session_state, ME, session())) == {
        "phase": {
            "id": "ph2",
            "number": 2,
            "title": "Phase 2",
            "status": "active",
            "hintLevel": "none",
        },
        "plan": {
            "id": "p1",
            "phases": [
                {"number": 1, "title": "Phase 1", "status": "pending"},
                {"number": 2, "title": "Phase 2", "status": "active"},
                {"number": 3, "title": "Phase 3", "status": "pending"},
            ],
        },
        "progress": [
            {
                "eventType": "hint_used",
                "data": {"path": "a.py"},
                "createdAt": "2026-03-02T12:00:00.000000Z",
            }
        ],
        "hints": {
            "fileHints": [{"path": "b.py", "style": "suggested"}],
            "lineHints": [
                {"path": "a.py", "style": "focus", "start": 3, "end": 9, "hoverText": "Here"}
            ],
        },
        "session": {
            "id": "s1",
            "projectDir": "/projects/shop",
            "issueNumber": 12,
            "issueTitle": "Fix the race",
            "startedAt": "2026-03-02T12:00:00.000000Z",
        },
        "dreyfus": [{"skillArea": "React state", "stage": "competent", "confidence": 0.75}],
    }


@pytest.mark.parametrize("item", STATE_ITEMS)
def test_only_what_is_asked_for_is_read(stocked: Database, item: str) -> None:
    assert list(read(stocked, session_state, ME, session(), [item, "buffers"])) == [item]


def test_a_session_without_a_plan_has_empty_items(db: Database) -> None:
    write(db, queries.insert_session, ME, session())
    found = told(read(db, session_state, ME, session()))
    assert (found["phase"], found["plan"], found["progress"]) == (None, None, [])
    assert found["hints"] == {"fileHints": [], "lineHints": []}
    assert found["dreyfus"] == []


def test_an_overview_has_the_active_session_and_those_before_it(stocked: Database) -> None:
    write(stocked, queries.insert_session, ME, session("other", project="/projects/other"))
    write(stocked, queries.end_session, ME, "s1", "abandoned", now=NOON)
    write(stocked, queries.insert_session, ME, session("s2", day=1))
    write(stocked, queries.end_session, ME, "s2", "completed", now=NOON + timedelta(days=1))

    left = read(stocked, overview, ME, "/projects/shop")
    assert (left.session, left.plan, left.phases) == (None, None, ())
    assert [each.id for each in left.earlier] == ["s2", "s1"]

    write(stocked, queries.reopen_session, ME, "s1", now=NOON)
    found = read(stocked, overview, ME, "/projects/shop")
    assert found.session == session()
    assert [each.number for each in found.phases] == [1, 2, 3]
    assert [each.id for each in found.earlier] == ["s2"]
    assert read(stocked, overview, YOU, "/projects/shop").earlier == ()
