"""Importing JSON lines."""

import io
import itertools
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import NotFound
from paige.memory.event import Draft
from paige.memory.imports.jsonl import read_jsonl, read_jsonl_file
from paige.memory.imports.sources import ImportOptions, ImportProblem, Item, Tally, read_lines


def read(*lines: object) -> list[Item]:
    content = b"\n".join(line if isinstance(line, bytes) else orjson.dumps(line) for line in lines)
    return list(read_jsonl(io.BytesIO(content), "in.jsonl"))


def test_a_line_of_the_batch_form_becomes_a_draft() -> None:
    [draft] = read(
        {
            "text": "I moved to Leith",
            "scope": "session",
            "project": "p",
            "session": "s1",
            "speaker": "Mel",
            "type": "turn",
            "at": "2023-05-08T13:56:00Z",
            "importance": 0.7,
            "meta": {"id": "D1:1"},
            "colour": "ignored",
        }
    )

    assert isinstance(draft, Draft)
    assert (draft.text, draft.scope, draft.project, draft.session) == (
        "I moved to Leith",
        "session",
        "p",
        "s1",
    )
    assert (draft.type, draft.importance) == ("turn", 0.7)
    assert draft.payload["speaker"] == "Mel"
    assert draft.payload["meta"] == {"id": "D1:1"}
    assert draft.at is not None
    assert draft.at.isoformat() == "2023-05-08T13:56:00+00:00"


def test_the_same_line_twice_is_two_memories() -> None:
    first, second = read({"text": "tea"}, {"text": "tea"})

    assert isinstance(first, Draft)
    assert isinstance(second, Draft)
    assert first.id is None
    assert second.id is None


def test_a_bad_line_is_named_and_the_others_are_taken() -> None:
    found = read({"text": "a"}, b"{oops", b"[1]", {"text": ""}, b"\xff\xfe", {"text": "b"})

    assert [item.text for item in found if isinstance(item, Draft)] == ["a", "b"]
    problems = [item for item in found if isinstance(item, ImportProblem)]
    assert [problem.line for problem in problems] == [2, 3, 4, 5]
    assert all(problem.file == "in.jsonl" and problem.fix for problem in problems)
    assert problems[0].sentence().startswith("in.jsonl:2: this is not JSON")


def test_a_scope_that_does_not_exist_is_named_with_those_that_do() -> None:
    [problem] = read({"text": "a", "scope": "galaxy"})

    assert isinstance(problem, ImportProblem)
    assert "galaxy" in problem.sentence()
    assert "project" in problem.sentence()


def test_an_empty_file_says_so() -> None:
    [problem] = read()

    assert isinstance(problem, ImportProblem)
    assert problem.sentence().startswith("in.jsonl: the file is empty.")


def test_a_huge_line_is_skipped_without_being_held() -> None:
    content = b'{"text": "' + b"x" * 5000 + b'"}\n{"text": "after"}\n'

    first, second = read_lines(io.BytesIO(content), "in.jsonl", longest=1000)

    assert isinstance(first, ImportProblem)
    assert (first.line, "longer than 1000 bytes" in first.what) == (1, True)
    assert not isinstance(second, ImportProblem)
    assert (second.number, second.fields) == (2, {"text": "after"})


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm() -> None:
    content = b'\xef\xbb\xbf{"text": "a"}\r\n\r\n{"text": "b"}\r\n'

    found = list(read_jsonl(io.BytesIO(content), "in.jsonl"))

    assert [item.text for item in found if isinstance(item, Draft)] == ["a", "b"]


def test_thousands_of_lines_are_read_one_by_one() -> None:
    class Endless(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            line = b'{"text":"again"}\n'
            buffer[: len(line)] = line
            return len(line)

    stream = io.BufferedReader(Endless())
    found = itertools.islice(read_jsonl(stream, "in"), 5000)

    assert sum(isinstance(item, Draft) for item in found) == 5000


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        list(read_jsonl_file(tmp_path / "none.jsonl"))


def test_wishes_of_the_person_win() -> None:
    content = io.BytesIO(b'{"text": "a", "scope": "global", "project": "x"}')

    [draft] = read_jsonl(content, "in", ImportOptions(project="y", scope="project"))

    assert isinstance(draft, Draft)
    assert (draft.project, draft.scope) == ("y", "project")


def test_the_dry_run_counts_what_would_be_added_and_what_not() -> None:
    tally = Tally("jsonl", "in.jsonl", has_id=lambda known: known == "there")
    items: list[Item] = [
        Draft(text="a", id="there"),
        Draft(text="b", type="fact", project="p", id="new"),
        ImportProblem("in.jsonl", 3, "this is not JSON", "Correct it."),
        ImportProblem("in.jsonl", None, "long", "Nothing to do.", lost=False),
    ]

    assert [draft.text for draft in tally.drafts(items)] == ["a", "b"]
    report = tally.report()

    assert report.as_json() == {
        "kind": "jsonl",
        "source": "in.jsonl",
        "found": 2,
        "new": 1,
        "known": 1,
        "by_type": {"fact": 1, "note": 1},
        "by_scope": {"global": 1, "project": 1},
        "by_project": {"p": 1},
        "lost": 1,
        "remarks": 1,
        "problems": [problem._asdict() for problem in items[2:]],
    }
    assert "in.jsonl:3: this is not JSON. Correct it." in report.as_text()


def test_a_thousand_problems_are_kept_and_the_rest_counted() -> None:
    tally = Tally("jsonl", "x")
    items = (ImportProblem("x", line, "bad", "") for line in range(1500))

    assert list(tally.drafts(items)) == []
    assert (len(tally.report().problems), tally.report().lost) == (1000, 1500)
    assert tally.report().as_text().endswith("and 500 more")


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(content: bytes) -> None:
    assert all(
        isinstance(item, Draft | ImportProblem) for item in read_jsonl(io.BytesIO(content), "x")
    )
