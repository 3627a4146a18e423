from datetime import timedelta

import pytest
from sqlalchemy import Connection, text

from paige.base.errors import BadInput, NotFound
from paige.coach import queries
from paige.coach.log.queries import (
    actions_since,
    budget,
    dump_action,
    insert_actions,
    insert_dumped,
    last_action,
    recent_actions,
)
from paige.coach.records import Action, CoachCost
from paige.models.log import ApiCall
from paige.models.queries import insert_api_call
from paige.store.engine import Database
from tests.coach.making import ME, YOU, session
from tests.conftest import NOON
from tests.store.running import read, write

pytestmark = pytest.mark.db


def action(number: int, kind: str = "file_open", **more: object) -> Action:
    at = NOON + timedelta(seconds=number)
    return Action(f"a{number:02}", "s1", kind, {"path": f"{number}.py", **more}, at)


@pytest.fixture
def stocked(db: Database) -> Database:
    """A session with eight actions of two types."""
    write(db, queries.insert_session, ME, session())
    kinds = ["file_open", "tab_switch"] * 4
    write(db, insert_actions, ME, [action(n, kind) for n, kind in enumerate(kinds)])
    return db


def test_actions_come_back_as_they_were_stored(db: Database) -> None:
    write(db, queries.insert_session, ME, session())
    stored = [
        Action("a1", "s1", "selection", {"range": {"ü": [1, None]}, "textLength": 3}, NOON),
        Action("a2", "s1", "idle_end", None, NOON + timedelta(microseconds=1)),
        Action("a3", "s1", "idle_end", {}, NOON + timedelta(microseconds=2)),
    ]
    write(db, insert_actions, ME, stored)
    write(db, insert_actions, ME, [])
    assert read(db, actions_since, ME, "s1") == stored


def test_the_newest_actions_come_first_and_can_be_chosen_by_type(stocked: Database) -> None:
    def ids(**wanted: object) -> list[str]:
        return [each.id for each in read(stocked, recent_actions, ME, "s1", **wanted)]

    assert ids() == [f"a{n:02}" for n in range(7, -1, -1)]
    assert ids(limit=3) == ["a07", "a06", "a05"]
    assert ids(types=["file_open"], limit=2) == ["a06", "a04"]
    assert ids(types=["file_open", "tab_switch"], limit=1) == ["a07"]
    assert ids(types=[]) == []
    assert read(stocked, recent_actions, YOU, "s1") == []


def test_twenty_actions_are_recent_unless_told_otherwise(db: Database) -> None:
    write(db, queries.insert_session, ME, session())
    write(db, insert_actions, ME, [action(n) for n in range(25)])
    assert len(read(db, recent_actions, ME, "s1")) == 20


def test_the_time_since_the_last_action_of_a_type_is_known(stocked: Database) -> None:
    found = read(stocked, last_action, ME, "s1", "file_open")
    assert found is not None
    assert NOON + timedelta(seconds=10) - found.created_at == timedelta(seconds=4)
    assert read(stocked, last_action, ME, "s1") == action(7, "tab_switch")
    assert read(stocked, last_action, ME, "s1", "idle_start") is None


def test_actions_since_a_moment_come_in_order(stocked: Database) -> None:
    since = NOON + timedelta(seconds=5)
    found = read(stocked, actions_since, ME, "s1", since=since)
    assert [each.id for each in found] == ["a05", "a06", "a07"]
    found = read(stocked, actions_since, ME, "s1", since=since, types=["file_open"])
    assert [each.id for each in found] == ["a06"]


def test_actions_without_their_session_are_left_out_and_the_others_stored(db: Database) -> None:
    write(db, queries.insert_session, ME, session("s1"))
    write(db, queries.insert_session, YOU, session("s2"))
    rows = [
        Action("a1", "s1", "idle_end", None, NOON),
        Action("a2", "nowhere", "idle_end", None, NOON),
        Action("a3", "s2", "idle_end", None, NOON),  # another person's
        Action("a4", None, "mcp_tool_call", {"toolName": "x", "sessionId": None}, NOON),
    ]
    stored = write(db, insert_dumped, [dump_action(ME, each) for each in rows])
    assert stored == {"a1", "a4"}
    assert write(db, insert_dumped, [dump_action(ME, rows[1])]) == set()


def test_a_workflow_that_logs_into_a_missing_session_fails_whole(db: Database) -> None:
    with pytest.raises(NotFound):
        write(db, insert_actions, ME, [action(1)])


@pytest.mark.parametrize("data", [{"path": object()}, {"n": float("nan")}])
def test_data_that_is_not_json_is_refused_before_the_database(data: dict) -> None:
    with pytest.raises(BadInput, match="file_open"):
        dump_action(ME, Action("a", "s1", "file_open", data, NOON))


def test_a_deleted_session_takes_its_actions_along_but_not_those_without(stocked: Database) -> None:
    alone = Action("b1", None, "mcp_tool_call", {"toolName": "x", "sessionId": None}, NOON)
    write(stocked, insert_actions, ME, [alone])
    write(stocked, queries.delete_session, ME, "s1")
    assert read(stocked, Connection.scalars, text("SELECT id FROM action_log")).all() == ["b1"]


def call(number: int, **more: object) -> ApiCall:
    fields = {
        "id": f"c{number}",
        "session_id": "s1",
        "call_type": "coach_agent",
        "model": "claude-sonnet",
        "input_hash": "00",
        "created_at": NOON + timedelta(days=number),
        "provider": "anthropic",
        "latency_ms": 1000 * number,
        "cost_estimate": 0.25 * number,
    }
    return ApiCall(**{**fields, **more})  # type: ignore[arg-type]


def test_cost_and_latency_are_summed_by_session_model_and_time(db: Database) -> None:
    calls = [
        call(1),
        call(2, model="claude-haiku"),
        call(3, session_id=None),
        call(4, latency_ms=-1, cost_estimate=0.0),  # failed
        call(5, cost_estimate=None),  # nobody knows the price
    ]
    for each in calls:
        write(db, insert_api_call, ME, each)
    write(db, insert_api_call, YOU, call(6))

    assert read(db, budget, ME, "s1") == CoachCost(
        total_cost=0.75,
        by_model={"claude-haiku": 0.5, "claude-sonnet": 0.25},
        average_latency_ms=8000 / 3,
        calls=4,
        failed=1,
    )
    everything = read(db, budget, ME)
    assert (everything.total_cost, everything.calls) == (1.5, 5)
    assert read(db, budget, ME, since=NOON + timedelta(days=3)).calls == 3
    assert read(db, budget, ME, "other") == CoachCost(0.0, {}, None, 0, 0)
