"""The memory log in a table: what a log in files promises, and what a database adds to it."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, PaigeError, Unavailable
from paige.memory.access import Reader
from paige.memory.embedding import StaticEmbedder
from paige.memory.index.index import Index
from paige.memory.log import table_log
from paige.memory.log.chain import START
from paige.memory.log.log import Log
from paige.memory.log.log_access import KeptLog
from paige.memory.log.table_log import CopyCount, TableLog, copy_log
from paige.store.engine import Database
from tests.conftest import NOON
from tests.depth import examples
from tests.memory.indexing import found
from tests.memory.log_writer import add, event, kinds, texts
from tests.store.running import read, write

SECRET = "the key is under the mat"
NAMES = count(1)
ME = Reader()
Opened = Callable[[], KeptLog]


def table(database: Database, name: str = "main", **more) -> TableLog:
    return TableLog(database, Actor(), name, now=lambda: NOON, **more)


@pytest.fixture(params=["file", "table"])
def opened(request: pytest.FixtureRequest, db: Database, tmp_path: Path) -> Opened:
    """Opens one and the same log, as another process would."""
    if request.param == "file":
        return lambda: Log(tmp_path / "memory" / "events.jsonl")
    return lambda: table(db)


# What every log promises


@pytest.mark.db
def test_events_come_back_in_order_with_gapless_numbers(opened: Opened) -> None:
    log = opened()
    assert (texts(log), log.last_seq(), log.foreign()) == ([], 0, [])
    assert [each.seq for each in add(log, "a", "b")] == [1, 2]
    assert [each.seq for each in add(log, "c")] == [3]
    assert texts(log) == texts(opened()) == ["a", "b", "c"]
    assert texts(log, after=2) == ["c"]
    assert [each.text for each in log.read(1, limit=1)] == ["b"]
    assert [each["text"] for each in log.read_parsed(1, limit=5)] == ["b", "c"]
    assert [seq for seq, _ in log.lines(1)] == [2, 3]
    assert log.last_seq() == opened().last_seq() == 3
    assert (log.verify().events, log.verify().problems) == (3, [])
    log.close()
    assert [each.seq for each in add(log, "d")] == [4]


@pytest.mark.db
def test_making_nothing_or_failing_writes_nothing(opened: Opened) -> None:
    log = opened()
    add(log, "a")
    assert log.append(lambda seq: []) == []
    with pytest.raises(ZeroDivisionError):
        log.append(lambda seq: [event(seq // 0)])
    with pytest.raises(ValueError, match="event 7 stands where 2 belongs"):
        log.append(lambda seq: [event(7)])
    with pytest.raises(BadInput, match="cannot be written as JSON"):
        log.append(lambda seq: [event(seq, "half a \ud800 character")])
    assert texts(log) == ["a"]
    assert [each.seq for each in add(log, "b")] == [2]


@pytest.mark.db
def test_what_is_being_made_may_read_the_log(opened: Opened) -> None:
    log, other = opened(), opened()
    add(log, "a")
    log.append(lambda seq: [event(seq, "+".join([*texts(log), *texts(other)]))])
    assert texts(log) == ["a", "a+a"]


@pytest.mark.db
def test_forgotten_words_are_gone_and_the_chain_holds(opened: Opened) -> None:
    log = opened()
    for number in range(6):
        words = SECRET if number in (2, 5) else f"{number}"
        add(log, words, payload={"key": words}, task=words, extra={"x_note": words})
    assert log.forget(["e3", "e6", "unknown"]) == 2
    assert not any(SECRET.encode() in line for _, line in log.lines())
    assert texts(opened()) == ["0", "1", "", "3", "4", ""]
    assert [each.seq for each in log.read() if each.forgotten] == [3, 6]
    assert log.verify().problems == []
    assert log.forget(["e3", "e6"]) == log.forget([]) == 0
    assert [each.seq for each in add(log, "next")] == [7]
    assert opened().verify().ok


@pytest.mark.db
def test_threads_share_a_log(opened: Opened) -> None:
    log, seen = opened(), list[list[str]]()

    def write_some(name: str) -> None:
        for number in range(10):
            add(log, f"{name}{number}")
            seen.append(texts(log))

    threads = [threading.Thread(target=write_some, args=(name,)) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    everything = texts(log)
    assert sorted(everything) == sorted(f"{name}{n}" for name in "abcdef" for n in range(10))
    assert all(everything[: len(each)] == each for each in seen)
    assert log.verify().ok


@pytest.mark.db
def test_the_index_follows_a_log_wherever_it_is(opened: Opened, tmp_path: Path) -> None:
    log = opened()
    add(log, "the boiler is in the cellar", "the bicycle is red")
    index = Index(tmp_path / "index", StaticEmbedder(), logs=[log])
    assert found(index, "boiler", ME)[0] == "the boiler is in the cellar"
    add(opened(), "the boiler was repaired in May", id="later")
    assert set(found(index, "boiler", ME)[:2]) == {
        "the boiler is in the cellar",
        "the boiler was repaired in May",
    }
    assert index.read_up_to(log) == 3
    assert index.verify() == []


# The same lines


@pytest.mark.db
@given(said=st.lists(st.lists(st.text(max_size=8), min_size=1, max_size=4), max_size=6))
@settings(max_examples=examples(15))
def test_a_table_holds_the_very_lines_that_a_file_would(
    db: Database, tmp_path: Path, said: list[list[str]]
) -> None:
    name = f"same{next(NAMES)}"
    salts = [(number * 7 % 256).to_bytes() * 16 * 4 for number in range(50)]
    logs: list[KeptLog] = []
    for make in (
        lambda salt: Log(tmp_path / name / "events.jsonl", randomness=salt),
        lambda salt: table(db, name, randomness=salt),
    ):
        left = iter(salts)
        log = make(lambda size, left=left: next(left)[:size])
        for batch in said:
            try:
                add(log, *batch)
            except BadInput:
                assert any("\ud800" <= each <= "\udfff" for each in "".join(batch))
        logs.append(log)
    file, kept = logs
    assert list(file.lines()) == list(kept.lines())
    assert file.verify() == kept.verify() or file.verify().events == kept.verify().events
    assert kept.verify().problems == []


@pytest.mark.db
def test_a_log_is_copied_line_for_line_and_goes_on_after_an_interruption(
    db: Database, tmp_path: Path
) -> None:
    source = Log(tmp_path / "events.jsonl", segment_bytes=2000)
    for number in range(25):
        add(source, f"text {number}", "with a nul \0 in it", payload={"n": number})
    source.forget(["e4"])
    target = table(db, "copy")

    class Stop(Exception):
        pass

    def stop(seq: int) -> None:
        if seq >= 20:
            raise Stop

    with pytest.raises(Stop):
        copy_log(source, target, most=7, progress=stop)
    assert 20 <= target.last_seq() < 50
    already = target.last_seq()
    source.forget(["e5"])  # meanwhile
    heard: list[int] = []
    done = copy_log(source, target, most=7, progress=heard.append)
    assert done == CopyCount(50 - already, already, 1)
    assert heard[-1] == 50
    assert list(source.lines()) == list(target.lines())
    assert target.verify().problems == []
    assert copy_log(source, target) == CopyCount(0, 50)
    add(source, "later")
    assert copy_log(source, target) == CopyCount(1, 50)
    assert [each.seq for each in add(target, "goes on")] == [52]
    assert target.verify().ok
    with pytest.raises(Conflict, match="more events"):
        copy_log(source, target)


@pytest.mark.db
def test_another_log_is_not_copied_over_one_that_is_there(db: Database, tmp_path: Path) -> None:
    source, target = Log(tmp_path / "events.jsonl"), table(db)
    add(source, "a", "b")
    add(target, "mine")
    with pytest.raises(Conflict, match="another event 1") as caught:
        copy_log(source, target)
    assert caught.value.hint
    assert texts(target) == ["mine"]
    with pytest.raises(Conflict, match="does not follow"):
        target.take_lines(START, list(source.lines()))
    assert texts(target) == ["mine"]


# What a database adds


@pytest.mark.db
def test_logs_and_tenants_are_apart(db: Database) -> None:
    other = TableLog(db, Actor("school", "anna"), now=lambda: NOON)
    add(table(db), "ours")
    add(table(db, "second"), "another")
    add(other, "theirs", "more of theirs")
    assert [texts(table(db)), texts(table(db, "second")), texts(other)] == [
        ["ours"],
        ["another"],
        ["theirs", "more of theirs"],
    ]
    assert table(db).path != table(db, "second").path != other.path
    assert table(db).forget(["e2"]) == 0
    assert texts(other)[1] == "more of theirs"


@pytest.mark.db
@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ("UPDATE memory_log SET line = replace(line, 'bravo', 'bribe') WHERE seq = 2", "content"),
        ("UPDATE memory_log SET line = replace(line, '\"me\"', '\"you\"') WHERE seq = 2", "hash"),
        ("DELETE FROM memory_log WHERE seq = 2", "gap"),
        ("DELETE FROM memory_log WHERE seq = 3", "gap"),
        ("UPDATE memory_log SET line = 'nonsense' WHERE seq = 2", "unreadable"),
        ("UPDATE memory_log SET seq = 9 WHERE seq = 3", "hash"),
        ("UPDATE memory_log_heads SET seq = 2", "gap"),
        ("UPDATE memory_log_heads SET hash = 'f'", "prev"),
    ],
)
def test_whatever_is_changed_behind_its_back_is_noticed(
    db: Database, change: str, kind: str
) -> None:
    log = table(db)
    add(log, "alpha", "bravo", "charlie")

    def meddle(connection: Connection) -> None:
        if db.kind == "postgresql":  # only whoever owns the table can do this
            connection.execute(text("ALTER TABLE memory_log DISABLE TRIGGER USER"))
            connection.execute(text("ALTER TABLE memory_log_heads DISABLE TRIGGER USER"))
        connection.execute(text(change))

    write(db, meddle)
    assert kind in kinds(log)
    assert not log.verify().ok


def on_postgresql(db: Database) -> bool:
    return db.kind == "postgresql"


@pytest.mark.db
def test_the_database_refuses_to_change_or_delete_lines(db: Database) -> None:
    log = table(db)
    add(log, "alpha", "bravo")
    before = list(log.lines())
    if not on_postgresql(db):
        return  # a file of one person: whoever has it may do anything with it
    month = f"paige_months.memory_log_{NOON:%Y_%m}"
    statements = [
        "UPDATE memory_log SET line = line || ' '",
        "UPDATE memory_log SET id = 'x'",
        "DELETE FROM memory_log",
        "TRUNCATE memory_log",
        f"UPDATE {month} SET line = ''",
        f"DELETE FROM {month}",
        f"TRUNCATE {month}",
        "TRUNCATE paige_months.memory_log_other",
        "UPDATE memory_log_heads SET seq = 1",
        "DELETE FROM memory_log_heads",
        "SELECT paige_forget_memory('local', 'main', 1, '{\"forgotten\": true}')",
        "SELECT paige_forget_memory('local', 'main', 1, 'nonsense')",
        f"SELECT paige_forget_memory('local', 'main', 1, '{before[1][1].decode()}')",
    ]
    for statement in statements:
        with pytest.raises(PaigeError, match="database refused"):
            write(db, Connection.execute, text(statement.replace(":", "\\:")))
    assert list(log.lines()) == before
    assert log.forget(["e1"]) == 1
    assert log.verify().problems == []


@pytest.mark.db
def test_every_month_has_a_partition_and_a_log_is_read_across_them(db: Database) -> None:
    months = [datetime(2031, month, 28, tzinfo=UTC) for month in (1, 2, 3, 2)]
    moment = iter(months)
    now = [months[0]]
    log = TableLog(db, Actor(), now=lambda: now[0])
    for number, each in enumerate(moment):
        now[0] = each
        add(log, f"{number}")
    assert texts(log) == ["0", "1", "2", "3"]
    assert log.verify().problems == []
    log.forget(["e3"])
    assert texts(log) == ["0", "1", "", "3"]
    if on_postgresql(db):
        query = text("SELECT tableoid::regclass::text FROM memory_log ORDER BY seq")
        found_in = read(db, lambda connection: list(connection.scalars(query)))
        assert found_in == [f"paige_months.memory_log_2031_0{n}" for n in (1, 2, 3, 2)]
        ahead = "SELECT to_regclass('paige_months.memory_log_2031_04') IS NOT NULL"
        assert read(db, lambda connection: connection.scalar(text(ahead)))


@pytest.mark.db
def test_a_writer_that_hangs_does_not_hold_others_up_for_ever(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not on_postgresql(db):
        return  # SQLite has its own time limit, which the engine sets
    monkeypatch.setattr(table_log, "WAIT_MS", 100)
    log = table(db)
    add(log, "a")
    hanging = Database(db.engine, db.location)  # another process has other locks of its own
    other = TableLog(hanging, Actor(), now=lambda: NOON)
    other._waiting = table_log._LogQueue()

    def make(seq: int) -> list:
        with pytest.raises(Unavailable, match="Another server") as caught:
            add(log, "b")
        assert caught.value.hint
        return [event(seq, "first")]

    other.append(make)
    assert texts(log) == ["a", "first"]
    assert [each.text for each in add(log, "b")] == ["b"]
