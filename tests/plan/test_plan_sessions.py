"""Sessions in lists: found by words, each with where its last run stands, on both engines."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.journal import Gate
from paige.agent.tables import RunRow, SessionRow
from paige.base.actor import Actor
from paige.base.errors import NotFound
from paige.plan.session_queries import PlanSearch, unfinished_runs
from paige.plan.sessions import Viewer, list_sessions, read_transcript, state_of
from paige.store.engine import Database
from paige.store.leases import Holder, Lease, insert_lease, this_process
from tests.conftest import NOON

ME, OTHER = Actor(), Actor(person="someone else")
LOOKING = Viewer(ME, NOON)
CHOICE = {"kind": "choices", "title": "?", "text": "", "options": [{"id": "a", "label": "A"}]}


def add_session(
    connection: Connection, id: str, actor: Actor = ME, *, minutes: int = 0, **values: object
) -> None:
    at = NOON + timedelta(minutes=minutes)
    row = SessionRow(id, actor.person, "plan", "active", at, at, plugin="lesson-planning")
    queries.insert_session(connection, replace(row, **values), actor)


def add_run(
    connection: Connection, id: str, session: str, *, number: int = 1, **values: object
) -> None:
    row = RunRow(
        id=id,
        person=ME.person,
        session_id=session,
        number=number,
        format=1,
        header={},
        prompt="loops",
        state="running",
        source="local",
        created_at=NOON,
        updated_at=NOON,
    )
    queries.insert_run(connection, ME, replace(row, **values), {})


def ask(connection: Connection, run: str) -> None:
    queries.open_gate(connection, ME, run, Gate("t1/hook/x/y/1", 1, CHOICE), now=NOON)


def hold(connection: Connection, run: str, holder: Holder) -> None:
    lease = Lease(f"run/{run}", holder, 1, NOON + timedelta(seconds=30))
    assert insert_lease(connection, ME, lease)


@pytest.mark.db
def test_the_last_run_of_a_session_says_where_it_stands(db: Database) -> None:
    here = this_process()
    with db.transaction(write=True) as connection:
        for id in ("ended", "asks", "left", "here", "far", "dead", "busy"):
            add_session(connection, id)
        add_run(connection, "e1", "ended", state="ended", status="error_max_turns")
        add_run(connection, "e2", "ended", number=2, state="ended", status="success")
        add_run(connection, "a1", "asks", state="waiting")
        ask(connection, "a1")
        for id in ("left", "here", "far", "dead", "busy"):
            add_run(connection, id, id)
        hold(connection, "here", here)
        hold(connection, "far", Holder("another host", 1, "x"))
        hold(connection, "dead", here._replace(started="long ago"))

    with db.transaction(write=False) as connection:
        looking = replace(LOOKING, busy={"busy"})
        seen = list_sessions(connection, looking, PlanSearch())
        later = replace(LOOKING, now=NOON + timedelta(minutes=1))
        [far] = [
            each for each in list_sessions(connection, later, PlanSearch()) if each.id == "far"
        ]

    assert {each.id: (each.state, each.status) for each in seen} == {
        "ended": ("ended", "success"),
        "asks": ("waiting", None),
        "left": ("interrupted", None),
        "here": ("running", None),
        "far": ("running", None),
        "dead": ("interrupted", None),
        "busy": ("running", None),
    }
    assert far.state == "interrupted"  # the lease of another host runs out by time


@pytest.mark.db
def test_sessions_are_found_by_words_class_plugin_and_owner(db: Database) -> None:
    with db.transaction(write=True) as connection:
        add_session(connection, "old", messages_text="loops and Schleifen", class_id="3B")
        add_session(connection, "new", messages_text="Loops, loops, loops", minutes=1)
        add_session(connection, "plugin", plugin="another", minutes=2, title="variables")
        add_session(connection, "coach", door="coach", messages_text="loops")
        add_session(connection, "foreign", OTHER, messages_text="loops")

    def found(**wanted: object) -> list[str]:
        with db.transaction(write=False) as connection:
            seen = list_sessions(connection, LOOKING, PlanSearch(**wanted))  # type: ignore[arg-type]
            return [each.id for each in seen]

    assert found() == ["plugin", "new", "old"]
    assert set(found(query="loops")) == {"new", "old"}
    assert found(query="loops schleif") == ["old"]
    assert found(query="'; --") == []
    assert found(class_id="3b") == ["old"]
    assert found(plugin="another") == ["plugin"]
    assert found(limit=1) == ["plugin"]


@pytest.mark.db
def test_a_transcript_has_every_run_and_belongs_to_one_person(db: Database) -> None:
    with db.transaction(write=True) as connection:
        add_session(connection, "s")
        add_session(connection, "foreign", OTHER)
        add_run(connection, "r1", "s", state="ended", status="success", output="# Loops")
        add_run(connection, "r2", "s", number=2, prompt="shorter", state="waiting")
        ask(connection, "r2")

    with db.transaction(write=False) as connection:
        seen = read_transcript(connection, LOOKING, "s")
        with pytest.raises(NotFound):
            read_transcript(connection, LOOKING, "foreign")

    assert seen.session.state == "waiting"
    assert [(run.id, run.state, len(run.gates)) for run in seen.runs] == [
        ("r1", "ended", 0),
        ("r2", "waiting", 1),
    ]
    assert seen.runs[1].said[0].text == "shorter"


@pytest.mark.db
def test_a_run_that_was_left_is_reported_until_its_reason_is_known(db: Database) -> None:
    with db.transaction(write=True) as connection:
        add_session(connection, "s")
        add_run(connection, "told", "s", reason="It was stopped.")
        add_run(connection, "new", "s", number=2)
        add_run(connection, "ended", "s", number=3, state="ended")

    with db.transaction(write=False) as connection:
        assert unfinished_runs(connection, ME) == ["new"]


def test_who_works_on_a_run_counts_before_what_it_asks() -> None:
    assert state_of("ended", asks=True, works=True) == "ended"
    assert state_of("waiting", asks=True, works=True) == "running"
    assert state_of("running", asks=True, works=False) == "waiting"
    assert state_of("waiting", asks=False, works=False) == "interrupted"
