import os
import stat
from pathlib import Path

import pytest

from paige.memory.log.log import Log
from paige.memory.log.verification import ADOPTED
from tests.memory.log_writer import add, kinds, texts

SECRET = "the key is under the mat"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


def places(path: Path, words: str) -> list[str]:
    """The files that hold these words."""
    found = [each for each in path.parent.rglob("*") if each.is_file()]
    return [each.name for each in found if words.encode() in each.read_bytes()]


def test_forgotten_words_are_gone_from_the_disk_and_the_chain_holds(path: Path) -> None:
    log = Log(path, segment_bytes=1500)
    for number in range(10):
        words = SECRET if number in (2, 9) else f"{number}"
        add(log, words, payload={"key": words}, task=words, extra={"x_note": words})
    assert len(places(path, SECRET)) == 2
    assert log.forget(["e3", "e10", "unknown"]) == 2
    assert places(path, SECRET) == []
    assert texts(log) == ["0", "1", "", *(f"{n}" for n in range(3, 9)), ""]
    assert [each.seq for each in log.read() if each.forgotten] == [3, 10]
    assert log.verify().problems == []
    assert log.forget(["e3", "e10"]) == 0
    assert [each.seq for each in add(log, "next")] == [11]
    assert Log(path).verify().ok


def test_forgetting_nothing_changes_nothing(path: Path) -> None:
    log = Log(path)
    assert log.forget(["e1"]) == 0
    add(log, "a")
    before = path.stat().st_ino
    assert log.forget([]) == log.forget(["e2"]) == 0
    assert path.stat().st_ino == before


def test_a_rewritten_file_keeps_its_mode(path: Path) -> None:
    log = Log(path)
    add(log, "a", "b")
    path.chmod(0o640)
    log.forget(["e1"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_someone_who_has_the_log_open_notices(path: Path) -> None:
    log, other = Log(path), Log(path)
    add(log, SECRET, "b")
    assert texts(other) == [SECRET, "b"]
    log.forget(["e1"])
    assert texts(other) == ["", "b"]
    assert texts(other, 1) == ["b"]
    add(other, "c")
    assert texts(log) == ["", "b", "c"]
    assert places(path, SECRET) == []


def test_a_reader_in_the_middle_goes_on_undisturbed(path: Path) -> None:
    log = Log(path, segment_bytes=1500)
    for number in range(12):
        add(log, f"{number}")
    reading = log.read()
    assert next(reading).text == "0"
    log.forget([f"e{n}" for n in range(1, 13)])
    assert [each.seq for each in reading] == list(range(2, 13))


@pytest.mark.parametrize("end", [-1, -20, -90, -200])
def test_words_in_lines_set_aside_are_forgotten_too(path: Path, end: int) -> None:
    log = Log(path)
    add(log, "first")
    add(log, SECRET)
    whole = path.read_bytes()
    os.truncate(path, len(whole) + end)
    add(log, "other", id="other")
    log.forget(["e2"])
    assert places(path, SECRET) == []
    assert kinds(log) == ["torn"] * (end != -1)


def test_words_of_another_program_set_aside_are_forgotten_too(path: Path) -> None:
    log = Log(path)
    add(log, SECRET)
    with path.open("a") as file:
        file.write(f'{{"text": "{SECRET}", "more')
    add(log, "b")
    log.forget(["e1"])
    assert places(path, SECRET) == []


def test_the_foreign_line_an_event_was_made_of_is_forgotten_too(path: Path) -> None:
    log = Log(path, segment_bytes=1)
    add(log, "first")
    with path.open("a") as file:
        file.write(f'{{"text": "{SECRET}"}}\n{{"text": "stays"}}\n')
    found = log.foreign()[0]
    add(log, SECRET, payload={ADOPTED: found.mark})
    add(log, "last")
    assert log.forget(["e2"]) == 1
    assert places(path, SECRET) == []
    assert [each.fields for each in log.foreign()] == [{"text": "stays"}]
    assert texts(log) == ["first", "", "last"]
    assert log.verify().ok


def test_damaged_and_repeated_copies_are_forgotten_too(path: Path) -> None:
    log = Log(path)
    add(log, SECRET, "b")
    first = path.read_bytes().splitlines()[0]
    changed = first.replace(b'"owner":"me"', b'"owner":"you"')
    with path.open("ab") as file:
        file.write(
            b"\n".join(
                [first, changed, first[:-30], b'{"id": "e1", "x": "%s"}' % SECRET.encode(), b""]
            )
        )
    assert texts(log) == [SECRET, "b"]
    log.forget(["e1"])
    assert places(path, SECRET) == []
    assert texts(log) == ["", "b"]


def test_what_a_crash_left_behind_is_removed(path: Path) -> None:
    log = Log(path)
    add(log, "a", SECRET)
    path.with_name("events.jsonl.rewrite").write_bytes(path.read_bytes())
    log.forget(["e2"])
    assert places(path, SECRET) == []
    assert sorted(each.name for each in path.parent.iterdir()) == [
        "events.jsonl",
        "events.jsonl.lock",
    ]


def test_words_forgotten_by_hand_are_noticed(path: Path) -> None:
    log = Log(path)
    add(log, "a", SECRET)
    path.write_bytes(path.read_bytes().replace(SECRET.encode(), b""))
    assert kinds(log) == ["content"]
