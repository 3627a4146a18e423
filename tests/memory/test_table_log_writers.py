"""Several processes write one log in a table, and die in the middle of it."""

from contextlib import ExitStack

import pytest

from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.memory.log.table_log import TableLog
from paige.store.engine import Database
from tests.conftest import NOON
from tests.memory.log_crowd import check
from tests.memory.log_writer import add, texts
from tests.processes import OPEN_DATABASE, database_arguments, line, python, tell

EVENTS = 500
OPEN_LOG = (
    OPEN_DATABASE
    + """
from datetime import UTC, datetime
from paige.memory.log import table_log, table_queries
from tests.memory.log_writer import add, event
log = table_log.TableLog(database, Actor(), now=lambda: datetime(2026, 3, 2, 12, tzinfo=UTC))
name = sys.argv[3]
"""
)
WRITE_MANY = (
    OPEN_LOG
    + """
print("ready", flush=True)
number, most = 0, int(input())
while number < most:
    size = min(most - number, 1 + number % 3)
    ids = [f"{name}-{number + i}" for i in range(size)]
    made = log.append(lambda seq: [event(seq + i, id=id) for i, id in enumerate(ids)])
    number += size
    for each in made:
        print(each.id, each.seq, flush=True)
"""
)
STOP_AT = (
    OPEN_LOG
    + """
place, original = sys.argv[4], getattr(table_queries, sys.argv[4])
def stopping(*args, **named):
    print("here", flush=True)
    input()
    return original(*args, **named)
setattr(table_queries, place, stopping)
add(log, "unfinished", "business")
print("written", flush=True)
"""
)


def table(database: Database) -> TableLog:
    return TableLog(database, Actor(), now=lambda: NOON)


@pytest.mark.db
def test_two_processes_lose_nothing_and_keep_the_order(db: Database, db_settings: Settings) -> None:
    confirmed: list[str] = []
    events = EVENTS if db.kind == "postgresql" else EVENTS // 20  # SQLite is not for crowds
    with ExitStack() as stack:
        arguments = database_arguments(db_settings)
        crowd = [
            stack.enter_context(python(WRITE_MANY, *arguments, name)) for name in ("one", "two")
        ]
        assert [line(each) for each in crowd] == ["ready", "ready"]
        for each in crowd:
            tell(each, str(events))
        for each in crowd:
            confirmed += [line(each) for _ in range(events)]
    assert len(confirmed) == 2 * events
    check(table(db), confirmed)
    assert table(db).last_seq() == 2 * events


@pytest.mark.db
@pytest.mark.parametrize("place", ["head", "add_lines", "move_head"])
def test_a_writer_killed_between_statements_leaves_nothing_and_no_lock(
    db: Database, db_settings: Settings, place: str
) -> None:
    log = table(db)
    add(log, "before")
    with python(STOP_AT, *database_arguments(db_settings), "w", place) as writer:
        assert line(writer) == "here"
        assert texts(log) == ["before"]
        writer.kill()
        writer.wait(10)
    assert texts(log) == ["before"]
    assert [each.seq for each in add(log, "after")] == [2]
    assert log.verify().problems == []


@pytest.mark.db
def test_writers_that_are_killed_at_any_moment_leave_what_they_confirmed(
    db: Database, db_settings: Settings
) -> None:
    confirmed: list[str] = []
    for life, most in enumerate((3, 20, 41)):
        with python(WRITE_MANY, *database_arguments(db_settings), f"life{life}") as writer:
            assert line(writer) == "ready"
            tell(writer, str(EVENTS))
            confirmed += [line(writer) for _ in range(most)]
            writer.kill()  # it is somewhere ahead of what it said
            writer.wait(10)
    check(table(db), confirmed)
