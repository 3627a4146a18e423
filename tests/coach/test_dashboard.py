"""The dashboard's counts, against the same rows counted by hand."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, delete

from paige.agent.tables import SESSIONS
from paige.coach import queries
from paige.coach.dashboard import dashboard_state, stats
from paige.coach.history_queries import count_sessions
from paige.coach.records import CoachSession, PhaseRow, PlanRow, ProgressEvent
from paige.learner.gaps import Attempt, Constraint, Gap
from paige.learner.queries import (
    Assessment,
    NewKata,
    add_attempt,
    address_gap,
    insert_kata,
    record_gap,
    upsert_assessment,
)
from paige.models.log import ApiCall
from paige.models.queries import insert_api_call
from paige.store.engine import Database
from tests.coach.making import ELSEWHERE, ME, YOU
from tests.conftest import NOON
from tests.store.running import read, write

pytestmark = pytest.mark.db

DAY = timedelta(days=1)


def worked(
    connection: Connection,
    identity: str,
    started: datetime,
    *,
    issue: int | None = 1,
    minutes: float | None = None,
    status: str = "completed",
) -> None:
    """A session of some minutes, or one that goes on."""
    ended = None if minutes is None else started + timedelta(minutes=minutes)
    state = "active" if ended is None else status
    row = CoachSession(identity, f"/{identity}", issue, None, state, started, ended)  # type: ignore[arg-type]
    queries.insert_session(connection, ME, row)


def hinted(connection: Connection, session: str, count: int) -> None:
    """Hints used in a session, and something else that is none."""
    queries.insert_plan(connection, ME, PlanRow(f"p{session}", session, "", NOON))
    phase = PhaseRow(f"f{session}", f"p{session}", 1, "t", "d")
    queries.insert_phases(connection, ME, [phase])
    for number in range(count):
        used = ProgressEvent(f"e{session}{number}", phase.id, "hint_used", None, NOON)
        queries.insert_progress(connection, ME, used)
    other = ProgressEvent(f"o{session}", phase.id, "review_passed", None, NOON)
    queries.insert_progress(connection, ME, other)


def called(identity: str, at: datetime, cost: float | None) -> ApiCall:
    return ApiCall(
        id=identity,
        session_id=None,
        call_type="x",
        model="m",
        input_hash="0",
        created_at=at,
        provider="p",
        latency_ms=5,
        cost_estimate=cost,
    )


def stock(connection: Connection) -> None:
    """Work of two months: some of this week, some of this month, some before."""
    worked(connection, "week", NOON - 2 * DAY, issue=1, minutes=30)
    worked(connection, "month", NOON - 20 * DAY, issue=2, minutes=45.5)
    worked(connection, "old", NOON - 60 * DAY, issue=3, minutes=10)
    worked(connection, "left", NOON - DAY, issue=1, minutes=99, status="abandoned")
    worked(connection, "now", NOON - DAY / 2, issue=None)
    for session, count in (("week", 2), ("month", 3), ("old", 1)):
        hinted(connection, session, count)
    for identity, at in (("g1", NOON - DAY), ("g2", NOON - 10 * DAY), ("g3", NOON - 90 * DAY)):
        gap = Gap(topic=f"topic {identity} {identity}", severity="low", evidence="x")
        record_gap(connection, ME, gap, gap_id=identity, now=at)
    address_gap(connection, ME, "g2")
    insert_api_call(connection, ME, called("c1", NOON - DAY, 0.25))
    insert_api_call(connection, ME, called("c2", NOON - 8 * DAY, 0.5))
    insert_api_call(connection, ME, called("c3", NOON - 80 * DAY, 1.0))
    insert_api_call(connection, ME, called("c4", NOON, None))
    insert_api_call(connection, YOU, called("c5", NOON, 100.0))


@pytest.mark.parametrize(
    ("period", "expected"),
    [
        ("7d", (1, 30.0, 1, 1, 0, 2, 0.25)),
        ("30d", (2, 75.5, 2, 2, 1, 5, 0.75)),
        ("all", (3, 85.5, 3, 3, 1, 6, 1.75)),
    ],
)
def test_the_counts_are_those_of_the_period(db: Database, period: str, expected: tuple) -> None:
    write(db, stock)
    found = read(db, stats, ME, period, NOON)
    assert found.period == period
    assert (
        found.sessions_completed,
        found.total_coaching_minutes,
        found.issues_worked_on,
        found.knowledge_gaps_identified,
        found.knowledge_gaps_addressed,
        found.hints_used,
        found.api_cost_total,
    ) == expected


def test_a_period_begins_exactly_so_many_days_ago(db: Database) -> None:
    def at_the_edge(connection: Connection) -> None:
        worked(connection, "in", NOON - 7 * DAY - timedelta(minutes=5), issue=1, minutes=5)
        before = NOON - 7 * DAY - timedelta(minutes=5, microseconds=1)
        worked(connection, "out", before, issue=2, minutes=5)

    write(db, at_the_edge)
    found = read(db, stats, ME, "7d", NOON)
    assert (found.sessions_completed, found.issues_worked_on) == (1, 0), "both began before"


def test_an_empty_dashboard_has_zeros(db: Database) -> None:
    state = read(db, dashboard_state, ME, "all", NOON).payload()
    assert state == {
        "dreyfus": [],
        "stats": {
            "period": "all",
            "sessionsCompleted": 0,
            "totalCoachingMinutes": 0.0,
            "issuesWorkedOn": 0,
            "knowledgeGapsIdentified": 0,
            "knowledgeGapsAddressed": 0,
            "hintsUsed": 0,
            "apiCostTotal": 0.0,
        },
        "inProgressSessions": [],
        "katas": [],
        "openGaps": 0,
    }


def test_the_dashboard_shows_skills_open_sessions_and_katas(db: Database) -> None:
    write(db, stock)
    judged = Assessment("d1", "me", "React state", "competent", 0.75, "Three times", NOON)
    write(db, upsert_assessment, ME, judged)
    kata = NewKata(title="Flatten", description="…", constraints=(Constraint("a", "b", 2),))
    write(db, insert_kata, ME, "g1", kata, kata_id="k1")
    write(db, insert_kata, ME, "g2", kata, kata_id="k2")
    for level in (3, 7, 5):
        write(db, add_attempt, ME, "k1", Attempt("x", level=level))

    state = read(db, dashboard_state, ME, "7d", NOON).payload()

    assert state["dreyfus"] == [
        {
            "skillArea": "React state",
            "stage": "competent",
            "confidence": 0.75,
            "assessedAt": "2026-03-02T12:00:00.000000Z",
        }
    ]
    assert state["openGaps"] > 0
    assert state["inProgressSessions"] == [
        {
            "id": "now",
            "issueNumber": None,
            "issueTitle": None,
            "startedAt": "2026-03-02T00:00:00.000000Z",
        }
    ]
    first, second = state["katas"]
    assert first == {
        "id": "k1",
        "title": "Flatten",
        "topic": "topic g1 g1",
        "attemptsCount": 3,
        "bestLevel": 7,
        "constraintCount": 1,
    }
    assert (second["attemptsCount"], second["bestLevel"]) == (0, None)


@pytest.mark.parametrize("other", [YOU, ELSEWHERE])
def test_nobody_sees_what_others_did(db: Database, other: object) -> None:
    write(db, stock)
    mine = read(db, dashboard_state, other, "all", NOON)
    assert mine.stats.sessions_completed == mine.stats.hints_used == 0
    assert mine.in_progress_sessions == []


SESSIONS_DONE = st.lists(
    st.tuples(
        st.integers(0, 40 * 24 * 60),  # minutes before noon it began
        st.none() | st.integers(0, 300),  # how long it took; none: it goes on
        st.none() | st.integers(1, 4),
        st.sampled_from(["completed", "abandoned"]),
    ),
    max_size=12,
)


@given(SESSIONS_DONE, st.sampled_from([None, 7, 30]))
def test_sessions_are_counted_as_by_hand(
    db: Database, done: list[tuple[int, int | None, int | None, str]], days: int | None
) -> None:
    def store(connection: Connection) -> None:
        connection.execute(delete(SESSIONS))
        for number, (before, minutes, issue, status) in enumerate(done):
            started = NOON - timedelta(minutes=before)
            worked(connection, f"s{number}", started, issue=issue, minutes=minutes, status=status)

    write(db, store)
    since = None if days is None else NOON - timedelta(days=days)

    rows = read(db, queries.recent_sessions, ME, limit=50)
    completed = [
        row
        for row in rows
        if row.status == "completed" and row.ended_at and (since is None or row.ended_at >= since)
    ]
    spent = [(row.ended_at or NOON) - row.started_at for row in completed]
    begun = {
        row.issue_number
        for row in rows
        if row.issue_number is not None and (since is None or row.started_at >= since)
    }
    found = read(db, count_sessions, ME, since)
    assert (found.completed, found.issues) == (len(completed), len(begun))
    assert found.minutes == pytest.approx(sum(spent, timedelta()) / timedelta(minutes=1), abs=0.001)
