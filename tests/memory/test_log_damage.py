import os
from pathlib import Path

import pytest

from paige.memory.log.chain import START_HASH, seal
from paige.memory.log.log import Log
from tests.memory.log_writer import add, event, kinds, texts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


@pytest.mark.parametrize("stride", [13, pytest.param(1, marks=pytest.mark.soak)])
def test_a_tear_in_the_last_line_is_mended(path: Path, stride: int) -> None:
    add(Log(path), "first", "second", "last")
    whole = path.read_bytes()
    start = whole.rindex(b"\n", 0, -1) + 1
    # The first and the last bytes every day, and some between them; all in the soak.
    between = range(start + 3, len(whole) - 3, stride)
    for end in (*range(start, start + 3), *between, *range(len(whole) - 3, len(whole))):
        path.write_bytes(whole[:end])
        log = Log(path)
        assert texts(log) == ["first", "second"]
        assert log.last_seq() == 2
        kept = end == len(whole) - 1  # only the newline was lost
        assert [each.seq for each in add(log, "next")] == [4 if kept else 3]
        assert texts(log) == ["first", "second", *(["last"] if kept else []), "next"]
        torn = sorted(path.parent.glob("*.torn-*"))
        assert [each.read_bytes() for each in torn] == (
            [] if kept or end == start else [whole[start:end]]
        )
        assert kinds(log) == ["torn"] * len(torn)
        assert log.verify().ok
        for each in torn:
            assert each.name == "events.jsonl.torn-3-1"
            each.unlink()


def test_a_tear_in_the_only_line_is_mended(path: Path) -> None:
    add(Log(path), "only")
    os.truncate(path, 50)
    log = Log(path)
    assert texts(log) == []
    assert [each.seq for each in add(log, "next")] == [1]
    assert [(each.seq, each.segment) for each in log.verify().problems] == [
        (1, "events.jsonl.torn-1-1")
    ]


def test_a_tear_that_happens_while_others_have_the_log_open_is_mended(path: Path) -> None:
    log = Log(path)
    add(log, "first", "second")
    os.truncate(path, path.stat().st_size - 5)
    assert texts(log) == ["first"]
    add(log, "third")
    assert texts(log) == ["first", "third"]
    assert log.verify().ok


def test_what_was_set_aside_before_is_never_overwritten(path: Path) -> None:
    log = Log(path)
    for word in (b'{"one', b'{"two'):
        with path.open("ab") as file:
            file.write(word)
        log.append(lambda seq: [])
    torn = sorted(path.parent.glob("*.torn-*"))
    assert [each.name for each in torn] == ["events.jsonl.torn-1-1", "events.jsonl.torn-1-2"]
    assert [each.read_bytes() for each in torn] == [b'{"one', b'{"two']


def test_a_whole_line_that_does_not_fit_is_set_aside(path: Path) -> None:
    log = Log(path)
    add(log, "first")
    with path.open("ab") as file:
        file.write(seal(event(1, "again"), START_HASH, "00" * 16)[:-1])
    add(log, "second")
    assert texts(log) == ["first", "second"]
    assert kinds(log) == ["torn"]


DAMAGE = {
    "not JSON": (lambda line: b"\x00\xff garbage", ["unreadable"]),
    "cut short": (lambda line: line[:40], ["unreadable"]),
    "a list": (lambda line: b"[]", ["unreadable"]),
    "empty": (lambda line: b"", ["gap"]),
    "another owner": (lambda line: line.replace(b'"owner":"me"', b'"owner":"you"'), ["hash"]),
    "another hash": (lambda line: line[:-4] + b'00"}', ["hash"]),
    "another number": (lambda line: line.replace(b'"seq":2', b'"seq":9'), ["hash"]),
    "a huge number": (lambda line: line.replace(b'"seq":2', b'"seq":999999'), ["hash"]),
    "other words": (lambda line: line.replace(b"second", b"beckon"), ["content"]),
    "no hash": (lambda line: line[: line.index(b',"hash"')] + b"}", ["hash"]),
    "spaces": (lambda line: line.replace(b":", b": ", 1), ["spelling"]),
}
STAYS = {"another owner", "another hash", "other words", "spaces"}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_line_never_breaks_reading_and_is_reported(path: Path, name: str) -> None:
    change, expected = DAMAGE[name]
    add(Log(path), "first", "second", "third")
    lines = path.read_bytes().split(b"\n")
    lines[1] = change(lines[1])
    path.write_bytes(b"\n".join(lines))
    for log in (Log(path), Log(path, segment_bytes=1)):
        assert [each for each in texts(log) if each in ("first", "third")] == ["first", "third"]
        assert bool({"second", "beckon"} & set(texts(log))) is (name in STAYS)
        assert texts(log, after=1)[-1] == texts(log)[-1]
        add(log, "fourth")  # the second time into a new segment
        assert texts(log, after=3)[-1] == "fourth"
        assert kinds(log) == expected
        assert not log.verify().ok
    [problem] = log.verify().problems
    assert problem.segment == "events-000000000001.jsonl"
    assert problem.line == (3 if name == "empty" else 2)
    assert problem.what
    assert problem.fix


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_last_line_never_costs_a_later_event(path: Path, name: str) -> None:
    change, _ = DAMAGE[name]
    add(Log(path), "first", "second")
    lines = path.read_bytes().split(b"\n")
    lines[1] = change(lines[1])
    path.write_bytes(b"\n".join(lines))
    for word in ("third", "fourth"):
        add(Log(path), word)
    assert texts(Log(path))[-2:] == ["third", "fourth"]
    assert texts(Log(path))[0] == "first"
    seqs = [each.seq for each in Log(path).read()]
    assert seqs == sorted(set(seqs))


def test_lines_taken_out_repeated_and_replaced_are_reported(path: Path) -> None:
    add(Log(path), *"abcdef")
    a, b, c, d, e, f, _ = path.read_bytes().split(b"\n")
    cases = {
        (a, b, d, e, f): ["gap"],
        (b, c, d, e, f): ["gap"],
        (a, b, b, c, d, e, f): ["repeat"],
        (a, c, b, d, e, f): ["gap", "repeat"],
        (a, b, c, d, e): [],
    }
    for lines, expected in cases.items():
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        assert kinds(Log(path)) == expected
    other = path.with_name("other.jsonl")
    add(Log(other), *"xyz")
    x, _, z, _ = other.read_bytes().split(b"\n")
    path.write_bytes(b"".join(line + b"\n" for line in (a, b, z, d)))
    assert kinds(Log(path)) == ["prev", "prev"]
    path.write_bytes(b"".join(line + b"\n" for line in (x, b, c)))
    assert kinds(Log(path)) == ["prev"]


def test_an_id_that_is_used_twice_is_reported(path: Path) -> None:
    log = Log(path)
    add(log, "a", id="same")
    add(log, "b", id="same")
    [problem] = log.verify().problems
    assert problem.kind == "duplicate"
    assert "`same`" in problem.what


def test_an_event_this_version_cannot_use_is_skipped_and_reported(path: Path) -> None:
    log = Log(path)
    add(log, "a")
    add(log, "b", scope="galaxy")
    add(log, "c")
    assert texts(log) == ["a", "c"]
    assert kinds(log) == ["fields"]


@pytest.mark.parametrize("pasted", [slice(0, 300), slice(100, 500), slice(700, 1000)])
def test_old_lines_pasted_at_the_end_do_not_make_numbers_go_back(path: Path, pasted: slice) -> None:
    log = Log(path)
    log.append(lambda seq: [event(seq + i, "word " * 20) for i in range(1000)])
    lines = path.read_bytes().splitlines(keepends=True)
    with path.open("ab") as file:
        file.write(b"".join(lines[pasted]))
    assert log.last_seq() == Log(path).last_seq() == 1000
    assert [each.seq for each in Log(path).read(600)] == list(range(601, 1001))
    assert [each.seq for each in add(Log(path), "next")] == [1001]
    assert texts(log, 1000) == texts(Log(path), 1000) == ["next"]


def test_a_missing_segment_is_reported_and_the_rest_is_read(path: Path) -> None:
    log = Log(path, segment_bytes=1500)
    for number in range(12):
        add(log, f"{number}")
    path.with_name("events-000000000004.jsonl").unlink()
    fresh = Log(path)
    assert texts(fresh) == [f"{n}" for n in (0, 1, 2, *range(6, 12))]
    assert texts(fresh, 4) == [f"{n}" for n in range(6, 12)]
    [problem] = fresh.verify().problems
    assert problem.what == "Events 4 to 6 are missing before this line"


def test_many_problems_are_counted_not_listed(path: Path) -> None:
    path.write_bytes(b"garbage\n" * 1500)
    problems = Log(path).verify().problems
    assert len(problems) == 1001
    assert problems[-1].what == "There are 500 more problems that are not listed"
