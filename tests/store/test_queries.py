import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.store.engine import Database
from paige.store.queries import (
    Bounds,
    StoredEvent,
    append_event,
    event_bounds,
    events_after,
    latest_event,
    prune_events,
)
from tests.conftest import NOON
from tests.processes import OPEN_DATABASE, database_arguments, line, python
from tests.store.running import read, write

ME = Actor()
WRITE_EVENTS = (
    OPEN_DATABASE
    + """
from paige.base.clock import system_clock
from paige.store.queries import append_event
for n in range(int(sys.argv[3])):
    with database.transaction(write=True) as connection:
        seq = append_event(connection, Actor(), "test", {"n": n}, now=system_clock())
    print(seq, flush=True)
database.close()
"""
)


def add(connection: Connection, **named) -> int:
    return append_event(connection, ME, "test", {"x": 1}, **{"now": NOON, **named})


def numbers(database: Database) -> list[int]:
    return [event.seq for event in read(database, events_after, 0, limit=100_000)]


@pytest.mark.db
def test_an_event_is_kept_with_all_it_said(db: Database) -> None:
    someone = Actor("school", "ann")
    write(db, append_event, someone, "plan.saved", {"id": "é", "list": [1]}, now=NOON)
    write(db, append_event, someone, "all", {}, now=NOON + timedelta(1), everyone=True)
    assert read(db, events_after, 0) == [
        StoredEvent(1, "school", "ann", "plan.saved", {"id": "é", "list": [1]}, NOON),
        StoredEvent(2, "school", None, "all", {}, NOON + timedelta(1)),
    ]


@pytest.mark.db
def test_events_are_replayed_by_number_and_in_batches(db: Database) -> None:
    for _ in range(5):
        write(db, add)
    assert [event.seq for event in read(db, events_after, 2)] == [3, 4, 5]
    assert [event.seq for event in read(db, events_after, 1, limit=2)] == [2, 3]
    assert read(db, events_after, 5) == []


@pytest.mark.db
def test_numbers_of_many_threads_have_no_gaps_and_no_doubles(db: Database) -> None:
    with ThreadPoolExecutor(4) as threads:
        given = list(threads.map(lambda _: write(db, add), range(80)))
    assert sorted(given) == list(range(1, 81))
    assert numbers(db) == list(range(1, 81))


@pytest.mark.db
def test_a_reader_beside_writing_processes_never_sees_a_gap(
    db: Database, db_settings: Settings
) -> None:
    seen: list[int] = []
    arguments = (*database_arguments(db_settings), 60)
    with python(WRITE_EVENTS, *arguments) as one, python(WRITE_EVENTS, *arguments) as other:
        while len(seen) < 120:
            line_or_end = one.poll() is None or other.poll() is None
            new = [event.seq for event in read(db, events_after, len(seen))]
            # A number that is committed later than a higher one would be missing here for good.
            assert new == list(range(len(seen) + 1, len(seen) + 1 + len(new)))
            seen += new
            assert new or line_or_end, "the writers ended without writing everything"
        given = [int(text) for text in (*one.stdout, *other.stdout)]  # type: ignore[misc]
    assert sorted(given) == seen == list(range(1, 121))


@pytest.mark.db
def test_a_write_that_is_undone_leaves_no_gap(db: Database) -> None:
    def half(connection: Connection) -> None:
        add(connection)
        add(connection)
        raise KeyError("half way")

    write(db, add)
    with pytest.raises(KeyError):
        write(db, half)
    assert write(db, add) == 2
    assert numbers(db) == [1, 2]


@pytest.mark.db
def test_several_events_of_one_change_follow_each_other(db: Database) -> None:
    def both(connection: Connection) -> tuple[int, int]:
        return add(connection), add(connection)

    assert [write(db, both), write(db, both)] == [(1, 2), (3, 4)]


@pytest.mark.db
@pytest.mark.parametrize("until", [1, 20])
def test_a_writer_killed_in_the_middle_loses_nothing_it_acknowledged(
    db: Database, db_settings: Settings, until: int
) -> None:
    with python(WRITE_EVENTS, *database_arguments(db_settings), 100_000) as writer:
        acknowledged = [int(line(writer)) for _ in range(until)]
        writer.kill()
        assert writer.stdout is not None
        acknowledged += [int(text) for text in writer.stdout if text.endswith("\n")]
        writer.wait(10)
    assert acknowledged == list(range(1, len(acknowledged) + 1))
    kept = numbers(db)
    assert kept == list(range(1, len(kept) + 1))
    assert len(kept) >= len(acknowledged)
    assert write(db, add) == len(kept) + 1
    if db.kind == "sqlite":
        with closing(sqlite3.connect(db.location)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.db
def test_old_events_are_dropped_but_numbers_go_on(db: Database) -> None:
    assert read(db, event_bounds) == Bounds(0, 0)
    for days in range(4):
        write(db, add, now=NOON + timedelta(days=days))
    assert write(db, prune_events, before=NOON + timedelta(days=2)) == 2
    assert read(db, event_bounds) == Bounds(3, 4)
    assert write(db, prune_events, before=NOON + timedelta(days=99)) == 1
    assert read(db, event_bounds) == Bounds(4, 4)
    assert write(db, add) == 5
    assert read(db, latest_event) == 5
