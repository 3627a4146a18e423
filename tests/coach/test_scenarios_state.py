"""What a session leaves in the database, on the database of a real server while it runs."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import anyio
import pytest
from sqlalchemy import Connection, text

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.errors import NotFound, PaigeError
from paige.coach import queries, sessions
from paige.coach.message_parts import IssueContext
from paige.coach.records import PhaseHint, PhaseRow, PlanRow, ProgressEvent
from paige.learner import queries as learner
from paige.learner.gaps import Attempt, Constraint, Gap
from paige.learner.queries import Assessment, NewKata
from paige.store.engine import Database, open_sqlite
from tests.conftest import NOON
from tests.live import Live, live_paige, run_paige
from tests.processes import OPEN_DATABASE, line, python, tell
from tests.store.running import read, write

ME = Actor()
TABLES = {
    "sessions",
    "plans",
    "phases",
    "phase_hints",
    "dreyfus_assessments",
    "knowledge_gaps",
    "kata_specs",
    "progress_events",
    "action_log",
    "api_call_log",
}
ISSUE = IssueContext(number=42, title="Fix the OAuth race")
WRITE_MUCH = (
    OPEN_DATABASE
    + """
from datetime import UTC, datetime
from paige.coach.log.queries import insert_actions
from paige.coach.records import Action
session, name = sys.argv[3:5]
print("ready", flush=True)
input()
for number in range(100):
    now = datetime(2026, 3, 2, tzinfo=UTC)
    action = Action(f"{name}{number}", session, "idle_end", None, now)
    with database.transaction(write=True) as connection:
        insert_actions(connection, Actor(), [action])
print("done", flush=True)
"""
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a server; its data is in `.paige`."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Live]:
    """A server that runs during all of these tests."""
    with live_paige(home) as live:
        yield live


@pytest.fixture
def database(home: Path, server: Live) -> Iterator[Database]:
    """The server's database, opened a second time."""
    with closing(open_sqlite(home / ".paige" / "paige.db")) as opened:
        yield opened


@pytest.fixture
def session_id(database: Database, home: Path) -> str:
    """A new session; the one before it is abandoned."""

    async def start() -> str:
        begun = await database.write(sessions.start, ME, home, issue=ISSUE, now=system_clock())
        return begun.session.id

    return anyio.run(start)


@pytest.fixture
def plan_id(database: Database, session_id: str) -> str:
    """A plan of that session with two phases."""
    identity = f"plan-{session_id}"
    write(database, queries.insert_plan, ME, PlanRow(identity, session_id, "1. Look", NOON))
    rows = [
        PhaseRow(f"{identity}-{n}", identity, n, f"Phase {n}", "Look", expected_files=("a.ts",))
        for n in (1, 2)
    ]
    write(database, queries.insert_phases, ME, rows)
    return identity


@pytest.fixture
def gap_id(database: Database, session_id: str) -> str:
    """A knowledge gap of that session."""
    gap = Gap(
        topic=f"closures of {session_id}",
        severity="high",
        evidence="Asked twice",
        related_concepts=("scope", "lifetime"),
        session_id=session_id,
    )
    found = write(database, learner.record_gap, ME, gap, gap_id=f"gap-{session_id}", now=NOON)
    return found.gap.id


def test_scenario_2_1_fresh_database_creation(tmp_path: Path) -> None:
    path = tmp_path / "data" / "paige.db"
    assert not path.exists()

    with live_paige(tmp_path, DATA_DIR=str(path.parent)), closing(sqlite3.connect(path)) as file:
        rows = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        [mode] = file.execute("PRAGMA journal_mode").fetchone()

    assert {row[0] for row in rows} >= TABLES
    assert mode == "wal"


def test_scenario_2_2_existing_database_reconnection(tmp_path: Path) -> None:
    with live_paige(tmp_path) as live:
        started = run_paige(tmp_path, "coach", "start", "--issue", "7").stdout.strip()
        assert live.stop()[0] == 0

    with live_paige(tmp_path) as again:
        with closing(open_sqlite(tmp_path / ".paige" / "paige.db")) as opened:
            found = read(opened, queries.get_session, ME, started)
        assert again.stop()[0] == 0

    assert (found.status, found.issue_number) == ("active", 7)


def test_scenario_2_3_session_crud(database: Database, home: Path) -> None:
    async def start() -> sessions.StartedSession:
        return await database.write(sessions.start, ME, home, issue=ISSUE, now=system_clock())

    before = system_clock()
    session = anyio.run(start).session
    found = read(database, queries.get_session, ME, session.id)

    assert found == session
    assert (found.project_dir, found.issue_number) == (str(home.resolve()), 42)
    assert (found.issue_title, found.status) == ("Fix the OAuth race", "active")
    assert before <= found.started_at <= system_clock()
    assert found.ended_at is None
    write(database, queries.end_session, ME, session.id, "completed", now=NOON)
    assert read(database, queries.get_session, ME, session.id).status == "completed"
    write(database, queries.delete_session, ME, session.id)
    with pytest.raises(NotFound):
        read(database, queries.get_session, ME, session.id)


def test_scenario_2_4_plan_and_phase_hierarchy(
    database: Database, session_id: str, plan_id: str
) -> None:
    plan = read(database, queries.latest_plan, ME, session_id)
    phases = read(database, queries.phases_of, ME, plan_id)

    assert plan is not None
    assert plan.id == plan_id
    assert [each.number for each in phases] == [1, 2]
    assert read(database, queries.find_phase, ME, plan_id, 2) == phases[1]
    assert phases[0].expected_files == ("a.ts",)
    write(database, queries.delete_plan, ME, plan_id)
    assert read(database, queries.phases_of, ME, plan_id) == []
    left = text("SELECT count(*) FROM phases WHERE plan_id = :plan")
    assert read(database, Connection.scalar, left, {"plan": plan_id}) == 0


def test_scenario_2_5_phase_hints(database: Database, plan_id: str) -> None:
    phase = f"{plan_id}-1"
    file = PhaseHint(f"{phase}-f", phase, "file", "src/auth.ts", "suggested")
    lines = PhaseHint(f"{phase}-l", phase, "line", "src/auth.ts", "focus", 10, 20, "Look here")
    write(database, queries.insert_hints, ME, [file, lines])

    assert set(read(database, queries.hints_of, ME, phase)) == {file, lines}
    assert read(database, queries.hints_of, ME, phase, type="file") == [file]
    assert read(database, queries.hints_of, ME, phase, type="line") == [lines]


def test_scenario_2_6_dreyfus_assessments_global(database: Database) -> None:
    first = Assessment("d1", "me", "React state management", "novice", 0.4, "One session", NOON)
    later = replace(first, id="d2", stage="competent", confidence=0.8, evidence="Five sessions")
    write(database, learner.upsert_assessment, ME, first)
    assert read(database, learner.find_assessment, ME, first.skill_area) == first

    write(database, learner.upsert_assessment, ME, later)

    assert read(database, learner.assessments, ME) == [replace(later, id="d1")]


def test_scenario_2_7_knowledge_gaps(database: Database, session_id: str, gap_id: str) -> None:
    [found] = read(database, learner.gaps, ME, session_id=session_id)

    assert found.id == gap_id
    assert (found.severity, found.evidence) == ("high", "Asked twice")
    assert found.related_concepts == ("scope", "lifetime")
    assert found in read(database, learner.gaps, ME, addressed=False)
    assert found not in read(database, learner.gaps, ME, addressed=True)


def test_scenario_2_8_kata_spec_creation(database: Database, gap_id: str) -> None:
    kata = NewKata(
        title="Counter",
        description="Make a counter",
        scaffolding_code="function counter() {}",
        instructor_notes="Watch for globals",
        constraints=(Constraint("No let", "Use const only", 3),),
    )
    write(database, learner.insert_kata, ME, gap_id, kata, kata_id=f"kata-{gap_id}")

    found = read(database, learner.get_kata, ME, f"kata-{gap_id}")
    assert (found.title, found.description) == ("Counter", "Make a counter")
    assert (found.scaffolding_code, found.instructor_notes) == (
        "function counter() {}",
        "Watch for globals",
    )
    assert found.constraints == (Constraint("No let", "Use const only", 3),)
    stored = text("SELECT user_attempts FROM kata_specs WHERE id = :id")
    assert read(database, Connection.scalar, stored, {"id": found.id}) == "[]"


def test_scenario_2_9_kata_attempt_tracking(database: Database, gap_id: str) -> None:
    identity = f"kata-{gap_id}"
    kata = NewKata(title="Counter", description="Make a counter")
    write(database, learner.insert_kata, ME, gap_id, kata, kata_id=identity)
    first = Attempt("let x = 0", review="Leaks", level=2, passed=False)
    second = Attempt("const c = …", review="Good", level=6, passed=True, constraints=("No let",))

    write(database, learner.add_attempt, ME, identity, first)
    write(database, learner.add_attempt, ME, identity, second)

    assert read(database, learner.get_kata, ME, identity).user_attempts == (first, second)


def test_scenario_2_10_progress_events(database: Database, plan_id: str) -> None:
    phase = f"{plan_id}-1"
    kinds = ["hint_used", "hint_escalated", "review_requested", "review_passed"]
    events = [
        ProgressEvent(f"{phase}-{n}", phase, kind, {"n": n} if n else None, NOON + n * SECOND)
        for n, kind in enumerate(kinds)
    ]
    for event in reversed(events):
        write(database, queries.insert_progress, ME, event)

    assert read(database, queries.progress_of, ME, phase_id=phase) == events


SECOND = timedelta(seconds=1)


def test_a_damaged_database_stops_the_server_with_a_clear_error(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "paige.db").write_bytes(b"This is not a database, it is a letter to my aunt." * 100)

    done = run_paige(tmp_path, "up", PORT="0", DATA_DIR=str(data))

    assert done.returncode == 1
    assert "damaged" in done.stderr
    assert str(data / "paige.db") in done.stderr
    assert "Traceback" not in done.stderr
    assert (data / "paige.db").read_bytes().startswith(b"This is not"), "it is left as it is"


def test_writers_in_several_processes_do_not_lose_each_others_rows(
    database: Database, home: Path, session_id: str
) -> None:
    arguments = (str(home / ".paige"), "", session_id)
    one = python(WRITE_MUCH, *arguments, f"one-{session_id}-")
    other = python(WRITE_MUCH, *arguments, f"other-{session_id}-")
    with one as first, other as second:
        assert [line(first), line(second)] == ["ready", "ready"]
        tell(first)
        tell(second)
        assert [line(first), line(second)] == ["done", "done"]

    count = text("SELECT count(*) FROM action_log WHERE session_id = :id AND action_type = :kind")
    wanted = {"id": session_id, "kind": "idle_end"}
    assert read(database, Connection.scalar, count, wanted) == 200


@pytest.mark.parametrize(
    "orphan",
    [
        "INSERT INTO plans (id, person, session_id, raw_plan_text, created_at) "
        "VALUES ('x', 'me', 'nobody', '', '')",
        "INSERT INTO phases (id, person, plan_id, number, title, description, status, hint_level, "
        "expected_files) VALUES ('x', 'me', 'nobody', 1, '', '', 'pending', '', '[]')",
        "INSERT INTO phase_hints (id, person, phase_id, type, path, style) "
        "VALUES ('x', 'me', 'nobody', 'file', '', '')",
        "INSERT INTO progress_events (id, person, phase_id, event_type, created_at) "
        "VALUES ('x', 'me', 'nobody', '', '')",
        "INSERT INTO action_log (id, person, session_id, action_type, created_at) "
        "VALUES ('x', 'me', 'nobody', '', '')",
    ],
)
def test_a_row_whose_parent_does_not_exist_is_refused(database: Database, orphan: str) -> None:
    with pytest.raises(PaigeError, match="FOREIGN KEY"):
        write(database, Connection.execute, text(orphan))


def test_the_same_skill_area_twice_is_one_row(database: Database) -> None:
    row = Assessment("x1", "me", "Regular expressions", "novice", 0.5, "Once", NOON)
    for number in range(3):
        write(database, learner.upsert_assessment, ME, replace(row, id=f"x{number}"))
    count = text("SELECT count(*) FROM dreyfus_assessments WHERE skill_area = :area")
    assert read(database, Connection.scalar, count, {"area": row.skill_area}) == 1


def test_a_whole_session_comes_back_from_the_database(
    database: Database, session_id: str, plan_id: str, gap_id: str
) -> None:
    phase = f"{plan_id}-2"
    hint = PhaseHint(f"{phase}-h", phase, "file", "a.ts", "critical")
    event = ProgressEvent(f"{phase}-e", phase, "hint_used", None, NOON)
    write(database, queries.insert_hints, ME, [hint])
    write(database, queries.insert_progress, ME, event)
    kata = NewKata(title="Counter", description="Make a counter")
    write(database, learner.insert_kata, ME, gap_id, kata, kata_id=f"kata-{session_id}")

    assert read(database, queries.get_session, ME, session_id).issue_number == 42
    assert read(database, queries.latest_plan, ME, session_id).id == plan_id  # type: ignore[union-attr]
    assert len(read(database, queries.phases_of, ME, plan_id)) == 2
    assert read(database, queries.hints_of, ME, phase) == [hint]
    assert read(database, queries.progress_of, ME, session_id=session_id) == [event]
    assert [each.id for each in read(database, learner.gaps, ME, session_id=session_id)] == [gap_id]
    [found] = read(database, learner.katas, ME, gap_id=gap_id)
    assert found.kata.id == f"kata-{session_id}"
