from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, text

from paige.agent import queries as agent_queries
from paige.agent.tables import SessionRow
from paige.base.actor import Actor
from paige.base.errors import NotFound, PaigeError
from paige.coach import queries
from paige.coach.records import PhaseHint, ProgressEvent
from paige.store.engine import Database
from tests.coach.making import ELSEWHERE, ME, YOU, phase, plan, planned, session
from tests.conftest import NOON
from tests.store.running import read, write

pytestmark = pytest.mark.db


def test_a_session_comes_back_as_it_was_stored(db: Database) -> None:
    write(db, queries.insert_session, ME, session())

    assert read(db, queries.get_session, ME, "s1") == session()
    assert read(db, queries.active_session, ME, "/projects/shop") == session()
    assert read(db, queries.active_session, ME, "/projects/other") is None


@pytest.mark.parametrize("other", [YOU, ELSEWHERE])
def test_nobody_sees_or_changes_what_another_person_has(db: Database, other: Actor) -> None:
    write(db, planned)
    hint = PhaseHint("h1", "ph1", "file", "a.py", "suggested")
    event = ProgressEvent("e1", "ph1", "hint_used", None, NOON)

    assert read(db, queries.active_session, other, "/projects/shop") is None
    assert read(db, queries.recent_sessions, other) == []
    assert read(db, queries.latest_plan, other, "s1") is None
    assert read(db, queries.phases_of, other, "p1") == []
    assert read(db, queries.find_phase, other, "p1", 1) is None
    assert read(db, queries.active_phase, other, "s1") is None
    refused = [
        (queries.get_session, "s1"),
        (queries.delete_session, "s1"),
        (queries.insert_plan, plan("p2")),
        (queries.delete_plan, "p1"),
        (queries.insert_phases, [phase(9)]),
        (queries.set_phase_status, phase(1, status="active")),
        (queries.set_hint_level, "ph1", "line"),
        (queries.insert_hints, [hint]),
        (queries.insert_progress, event),
    ]
    for query, *arguments in refused:
        with pytest.raises(NotFound):
            write(db, query, other, *arguments)
    assert read(db, queries.phases_of, ME, "p1") == [phase(1), phase(2), phase(3)]


def test_sessions_of_other_doors_are_not_coached_ones(db: Database) -> None:
    row = SessionRow(
        "x1", "me", "plan", "active", NOON, NOON, project_dir="/projects/shop", title="A lesson"
    )
    write(db, agent_queries.insert_session, row, ME)

    assert read(db, queries.active_session, ME, "/projects/shop") is None
    assert read(db, queries.recent_sessions, ME) == []
    with pytest.raises(NotFound):
        read(db, queries.get_session, ME, "x1")


def test_only_one_session_can_be_active_in_a_project_whatever_the_code_does(db: Database) -> None:
    write(db, queries.insert_session, ME, session("s1"))

    with pytest.raises(PaigeError, match="refused"):
        write(db, queries.insert_session, ME, session("s2"))
    for number, (actor, project) in enumerate(
        [(ME, "/projects/other"), (YOU, "/projects/shop"), (ELSEWHERE, "/projects/shop")]
    ):
        write(db, queries.insert_session, actor, session(f"t{number}", project=project))
    write(db, queries.end_session, ME, "s1", "completed", now=NOON)
    write(db, queries.insert_session, ME, session("s2"))


def test_recent_sessions_are_the_newest_first_of_a_project_or_a_status(db: Database) -> None:
    for day in range(4):
        identity, project = f"s{day}", f"/projects/{day % 2}"
        write(db, queries.insert_session, ME, session(identity, project=project, day=day))
        if day < 2:
            write(db, queries.end_session, ME, identity, "abandoned", now=NOON)

    def ids(**wanted: object) -> list[str]:
        return [each.id for each in read(db, queries.recent_sessions, ME, **wanted)]

    assert ids() == ["s3", "s2", "s1", "s0"]
    assert ids(limit=2) == ["s3", "s2"]
    assert ids(project_dir="/projects/1") == ["s3", "s1"]
    assert ids(status="active") == ["s3", "s2"]


def test_the_session_left_last_is_the_one_that_was_abandoned_last(db: Database) -> None:
    for day, ended in ((0, 5), (1, 4)):
        write(db, queries.insert_session, ME, session(f"s{day}", day=day))
        at = NOON + timedelta(days=ended)
        write(db, queries.end_session, ME, f"s{day}", "abandoned", now=at)

    found = read(db, queries.last_abandoned, ME, "/projects/shop")
    assert found is not None
    assert found.id == "s0"
    assert read(db, queries.last_abandoned, ME, "/projects/other") is None


def test_a_session_without_a_project_is_read_with_an_empty_one(db: Database) -> None:
    row = SessionRow("x1", "me", "coach", "active", NOON, NOON)
    write(db, agent_queries.insert_session, row, ME)
    assert read(db, queries.get_session, ME, "x1").project_dir == ""


def test_the_last_plan_of_a_session_is_the_one_it_follows(db: Database) -> None:
    write(db, queries.insert_session, ME, session())
    assert read(db, queries.latest_plan, ME, "s1") is None
    write(db, queries.insert_plan, ME, plan("p1"))
    write(db, queries.insert_plan, ME, plan("p2", minute=5))
    write(db, queries.insert_phases, ME, [phase(1, of="p1", status="active", started_at=NOON)])

    assert read(db, queries.latest_plan, ME, "s1") == plan("p2", minute=5)
    assert read(db, queries.active_phase, ME, "s1") is None, "the phases of p1 are past"


def test_phases_come_in_order_and_by_number(db: Database) -> None:
    write(db, planned, phases=0)
    rich = phase(
        2,
        status="complete",
        hint_level="region",
        expected_files=("src/a.py", "src/b.py"),
        started_at=NOON,
        completed_at=NOON + timedelta(minutes=9),
    )
    write(db, queries.insert_phases, ME, [rich, phase(1)])
    write(db, queries.insert_phases, ME, [])

    assert read(db, queries.phases_of, ME, "p1") == [phase(1), rich]
    assert read(db, queries.find_phase, ME, "p1", 2) == rich
    assert read(db, queries.find_phase, ME, "p1", 3) is None


def test_a_plan_has_each_number_once(db: Database) -> None:
    write(db, planned, phases=1)
    with pytest.raises(PaigeError, match="refused"):
        write(db, queries.insert_phases, ME, [phase(1, id="other")])


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE phases SET status = 'done'",
        "INSERT INTO phase_hints (id, person, phase_id, type, path, style) "
        "VALUES ('h', 'me', 'ph1', 'region', 'a.py', 'x')",
    ],
)
def test_the_database_itself_refuses_words_that_mean_nothing(db: Database, wrong: str) -> None:
    write(db, planned)
    with pytest.raises(PaigeError, match="refused"):
        write(db, Connection.execute, text(wrong))


def test_of_several_active_phases_the_last_one_begun_is_the_one_that_counts(db: Database) -> None:
    write(db, planned)
    for number, minute in ((2, 5), (1, 9), (3, 2)):
        begun = NOON + timedelta(minutes=minute)
        row = replace(phase(number), status="active", started_at=begun)
        write(db, queries.set_phase_status, ME, row)

    found = read(db, queries.active_phase, ME, "s1")
    assert found is not None
    assert found.number == 1


def test_a_phase_keeps_the_hint_level_it_is_given(db: Database) -> None:
    write(db, planned)
    write(db, queries.set_hint_level, ME, "ph2", "line")
    levels = [each.hint_level for each in read(db, queries.phases_of, ME, "p1")]
    assert levels == ["none", "line", "none"]


def test_hints_come_by_file_and_line_and_by_type(db: Database) -> None:
    write(db, planned)
    line = PhaseHint("h2", "ph1", "line", "a.py", "focus", 10, 12, "Look here")
    first = PhaseHint("h3", "ph1", "line", "a.py", "focus", 2, 3)
    file = PhaseHint("h1", "ph1", "file", "b.py", "suggested")
    write(db, queries.insert_hints, ME, [line, first, file])
    write(db, queries.insert_hints, ME, [])

    assert read(db, queries.hints_of, ME, "ph1") == [first, line, file]
    assert read(db, queries.hints_of, ME, "ph1", type="file") == [file]
    assert read(db, queries.hints_of, ME, "ph1", type="line") == [first, line]
    assert read(db, queries.hints_of, ME, "ph2") == []


def test_progress_comes_in_the_order_it_was_made_of_a_phase_or_a_session(db: Database) -> None:
    write(db, planned)
    events = [
        ProgressEvent("e3", "ph1", "hint_used", {"level": "file", "line": None}, NOON),
        ProgressEvent("e1", "ph2", "review_passed", None, NOON + timedelta(seconds=1)),
        ProgressEvent("e2", "ph1", "hint_escalated", {}, NOON + timedelta(seconds=2)),
    ]
    for event in (events[2], events[0], events[1]):
        write(db, queries.insert_progress, ME, event)

    assert read(db, queries.progress_of, ME, phase_id="ph1") == [events[0], events[2]]
    assert read(db, queries.progress_of, ME, session_id="s1") == events
    assert read(db, queries.progress_of, YOU, session_id="s1") == []


def test_what_belongs_to_a_deleted_session_goes_with_it(db: Database) -> None:
    write(db, planned)
    write(db, queries.insert_hints, ME, [PhaseHint("h", "ph1", "file", "a.py", "x")])
    write(db, queries.insert_progress, ME, ProgressEvent("e", "ph1", "hint_used", None, NOON))

    write(db, queries.delete_session, ME, "s1")

    for table in ("plans", "phases", "phase_hints", "progress_events"):
        assert read(db, Connection.scalar, text(f"SELECT count(*) FROM {table}")) == 0


@pytest.mark.parametrize(
    ("query", "arguments"),
    [
        (queries.get_session, ("no",)),
        (queries.end_session, ("no", "completed")),
        (queries.reopen_session, ("no",)),
        (queries.delete_session, ("no",)),
        (queries.delete_plan, ("no",)),
        (queries.insert_plan, (plan(of="no"),)),
        (queries.insert_phases, ([phase(of="no")],)),
        (queries.insert_hints, ([PhaseHint("h", "no", "file", "a.py", "x")],)),
        (queries.insert_progress, (ProgressEvent("e", "no", "hint_used", None, NOON),)),
    ],
)
def test_what_does_not_exist_is_named(db: Database, query: object, arguments: tuple) -> None:
    named = {"now": NOON} if query in (queries.end_session, queries.reopen_session) else {}
    with pytest.raises(NotFound, match="`no`"):
        write(db, query, ME, *arguments, **named)  # type: ignore[arg-type]
