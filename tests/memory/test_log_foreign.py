from pathlib import Path

import pytest

from paige.memory.log.log import Log
from paige.memory.log.verification import ADOPTED, line_mark
from tests.memory.log_writer import add, event, kinds, texts


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


def put(path: Path, words: str) -> None:
    """What an outsider does: append without asking anyone."""
    with path.open("a", encoding="utf-8") as file:
        file.write(words)


def test_lines_of_others_are_not_events_and_are_offered(path: Path) -> None:
    log = Log(path)
    add(log, "ours")
    put(path, '{"text": "theirs", "seq": 7}\n\nsome words\n')
    add(log, "ours again")
    assert texts(log) == ["ours", "ours again"]
    theirs, plain = log.foreign()
    assert (theirs.segment, theirs.line) == ("events.jsonl", 2)
    assert theirs.fields == {"text": "theirs", "seq": 7}
    assert theirs.problem is None
    assert (plain.line, plain.fields, plain.problem) == (4, None, "It is not a JSON object")
    assert plain.raw == b"some words"
    assert kinds(log) == ["foreign", "unreadable"]


def test_an_adopted_line_is_not_offered_again_by_anyone(path: Path) -> None:
    log, other = Log(path), Log(path)
    put(path, '{"text": "theirs"}\n')
    [found] = log.foreign()
    assert other.foreign() == [found]
    add(log, "theirs", payload={ADOPTED: found.mark, "more": 1})
    assert log.foreign() == other.foreign() == Log(path).foreign() == []
    assert log.adopted() == other.adopted() == {line_mark(b'{"text": "theirs"}')}
    assert log.verify().problems == []


def test_a_line_adopted_under_the_lock_is_adopted_once(path: Path) -> None:
    logs = Log(path), Log(path)
    put(path, '{"text": "theirs"}\n')
    offered = [log.foreign()[0] for log in logs]
    for log, found in zip(logs, offered, strict=True):
        log.append(
            lambda seq, log=log, found=found: (
                [event(seq, "theirs", payload={ADOPTED: found.mark})]
                if found.mark not in log.adopted()
                else []
            )
        )
    assert texts(logs[0]) == ["theirs"]


def test_equal_lines_are_offered_once(path: Path) -> None:
    put(path, '{"text": "twice"}\n{"text": "twice"}\n')
    assert [each.line for each in Log(path).foreign()] == [1]


def test_foreign_lines_stay_known_when_their_file_is_renamed(path: Path) -> None:
    log = Log(path, segment_bytes=1)
    add(log, "one")
    put(path, '{"text": "theirs"}\n')
    assert [each.segment for each in log.foreign()] == ["events.jsonl"]
    add(log, "two")
    assert [each.segment for each in log.foreign()] == ["events-000000000001.jsonl"]
    assert log.verify().ok


def test_a_mark_inside_words_is_no_mark(path: Path) -> None:
    log = Log(path)
    put(path, '{"text": "theirs"}\n')
    [found] = log.foreign()
    add(log, f'they wrote "adopted":"{found.mark}" in the log')
    assert log.foreign() == [found]


def test_a_line_without_newline_is_completed_when_it_is_whole(path: Path) -> None:
    log = Log(path)
    add(log, "ours")
    put(path, '{"text": "theirs"}')
    assert log.foreign() == []
    add(log, "next")
    assert texts(log) == ["ours", "next"]
    assert [each.fields for each in log.foreign()] == [{"text": "theirs"}]


@pytest.mark.parametrize("words", ['{"text": "theirs"}\n', '{"text": "theirs"}', '{"text": "th'])
def test_someone_writing_between_our_steps_does_not_spoil_our_line(path: Path, words: str) -> None:
    log = Log(path)
    add(log, "first")

    def make(seq: int) -> list:
        put(path, words)
        return [event(seq, "ours"), event(seq + 1, "too")]

    log.append(make)
    add(log, "next")
    assert texts(log) == texts(Log(path)) == ["first", "ours", "too", "next"]
    assert [each.raw for each in log.foreign()] == [words.strip().encode()]


def test_a_log_of_nothing_but_foreign_lines_begins_at_one(path: Path) -> None:
    put(path, '{"text": "theirs"}\n' * 20)
    log = Log(path, segment_bytes=100)
    assert log.last_seq() == 0
    assert [each.seq for each in add(log, "ours", "too")] == [1, 2]
    assert [each.seq for each in add(Log(path, segment_bytes=100), "more")] == [3]
    assert texts(log) == ["ours", "too", "more"]
    assert log.verify().ok
