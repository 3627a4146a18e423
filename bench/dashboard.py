"""The dashboard of somebody with 1,000,000 logged actions, beside that of one with 1,000.

Everything else is the same on both sides: sessions, plans, hints, gaps, katas, model calls. What
the dashboard counts must not depend on how much was logged.
"""

import json
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection

from bench.harness import Benchmark, Pair
from paige.base.actor import Actor
from paige.coach import queries
from paige.coach.dashboard import dashboard_state
from paige.coach.records import CoachSession, PhaseRow, PlanRow, ProgressEvent
from paige.learner.gaps import Attempt, Constraint, Gap
from paige.learner.queries import (
    Assessment,
    NewKata,
    add_attempt,
    insert_kata,
    record_gap,
    upsert_assessment,
)
from paige.models.log import ApiCall
from paige.models.queries import insert_api_call
from paige.store.engine import Database, open_sqlite
from paige.store.migrate import migrate

MANY, FEW = 1_000_000, 1_000
SESSIONS = 60
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ME = Actor()
PERIODS = ("7d", "30d", "all")
_INSERT = """INSERT INTO action_log (tenant, id, person, session_id, action_type, data, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)"""
_TYPES = ("file_open", "file_save", "tab_switch", "selection", "buffer_summary", "test_run")


@contextmanager
def dashboard() -> Iterator[Pair]:
    """Both sides on a file each."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {count: Path(folder) / f"{count}.db" for count in (MANY, FEW)}
        for count, path in paths.items():
            _fill(path, count)
        with closing(open_sqlite(paths[MANY])) as many, closing(open_sqlite(paths[FEW])) as few:
            yield Pair(lambda: _look(many), lambda: _look(few))


def _look(database: Database) -> float:
    """Milliseconds for the dashboard of every period."""
    begun = time.perf_counter()
    for period in PERIODS:
        with database.transaction(write=False) as connection:
            state = dashboard_state(connection, ME, period, NOW)  # type: ignore[arg-type]
        assert state.stats.period == period
        assert len(state.katas) == 40
    return (time.perf_counter() - begun) * 1000


def _fill(path: Path, actions: int) -> None:
    with closing(open_sqlite(path)) as database:
        migrate(database)
        with database.transaction(write=True) as connection:
            _work(connection)
            _learnt(connection)
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.executemany(_INSERT, _actions(actions))
        plain.execute("ANALYZE")


def _work(connection: Connection) -> None:
    for number in range(SESSIONS):
        begun = NOW - timedelta(days=number, hours=2)
        ended = None if number == 0 else begun + timedelta(minutes=45)
        status = "active" if number == 0 else "completed"
        session = CoachSession(
            f"s{number}", "/shop", number, f"Issue {number}", status, begun, ended
        )
        queries.insert_session(connection, ME, session)
        queries.insert_plan(connection, ME, PlanRow(f"p{number}", session.id, "text", begun))
        phases = [PhaseRow(f"f{number}-{n}", f"p{number}", n, "t", "d") for n in range(1, 5)]
        queries.insert_phases(connection, ME, phases)
        for each in range(20):
            phase = phases[each % 4].id
            event = ProgressEvent(f"e{number}-{each}", phase, "hint_used", None, begun)
            queries.insert_progress(connection, ME, event)
        for each in range(10):
            insert_api_call(connection, ME, _call(f"c{number}-{each}", begun))


def _learnt(connection: Connection) -> None:
    for number in range(20):
        word = chr(97 + number) * 6
        gap = Gap(topic=f"topic {word}", severity="medium", evidence="seen")
        record_gap(connection, ME, gap, gap_id=f"g{number}", now=NOW - timedelta(days=number))
        row = Assessment(f"a{number}", "me", f"skill {word}", "competent", 0.7, "seen", NOW)
        upsert_assessment(connection, ME, row)
        for each in range(2):
            kata = NewKata(title=word, description="…", constraints=(Constraint("a", "b", 3),))
            insert_kata(connection, ME, f"g{number}", kata, kata_id=f"k{number}-{each}")
            for level in (2, 5):
                add_attempt(connection, ME, f"k{number}-{each}", Attempt("x = 1\n", "ok", level))


def _call(identity: str, at: datetime) -> ApiCall:
    return ApiCall(
        id=identity,
        session_id=None,
        call_type="coach_agent",
        model="m",
        input_hash="0",
        created_at=at,
        provider="anthropic",
        latency_ms=900,
        cost_estimate=0.01,
    )


def _actions(count: int) -> Iterator[tuple[str, ...]]:
    """Actions spread over all sessions and the days they took."""
    for number in range(count):
        session = number % SESSIONS
        at = NOW - timedelta(days=session, seconds=number % 2_700)
        moment = at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        data = json.dumps({"path": f"src/file{number % 90}.py"})
        kind = _TYPES[number % len(_TYPES)]
        yield ("local", f"x{number:07}", "me", f"s{session}", kind, data, moment)


BENCHMARKS = [Benchmark("dashboard-1m", "ms", "lower", dashboard, promise=3.0)]
