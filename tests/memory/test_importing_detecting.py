"""Telling what a file or folder holds."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from paige.base.errors import BadInput, NotFound
from paige.memory.event import Draft
from paige.memory.imports.detection import KINDS, detect, read_source
from paige.memory.imports.sources import read_moment


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.jsonl", '{"text": "x"}\n', "jsonl"),
        ("a.txt", '{"text": "x"}\n{"text": "y"}\n', "jsonl"),
        ("a.ndjson", "anything", "jsonl"),
        ("a.json", '{"format":"paige-memory","events":[]}', "jsonl"),
        ("MEMORY.md", "- x", "claude-code"),
    ],
)
def test_a_file_is_recognised_by_what_it_holds(
    tmp_path: Path, name: str, content: str, kind: str
) -> None:
    (tmp_path / name).write_text(content)

    found = detect(tmp_path / name)

    assert found.kind == kind
    assert found.reason


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b""),
        ("a.json", b'{"a": 1}'),
        ("a.json", b"{\xff"),
        ("a.bin", b"\x00\xff"),
        ("a.md", b"words"),
        ("a.md", b"\xff\xfe"),
    ],
)
def test_what_is_not_recognised_says_how_to_go_on(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)

    with pytest.raises(BadInput) as refused:
        detect(tmp_path / name)

    assert str(tmp_path / name) in refused.value.message
    assert refused.value.hint


def test_an_empty_folder_is_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        detect(tmp_path)

    assert all(kind in (refused.value.hint or "") for kind in KINDS)


def test_a_missing_path_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        detect(tmp_path / "none")


def test_a_person_may_say_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("- plain words\n")

    reading = read_source(path, "claude-code")

    assert reading.kind == "claude-code"
    assert any(isinstance(item, Draft) for item in reading.items)
    with pytest.raises(BadInput, match="`chroma` is not something"):
        read_source(path, "chroma")


def test_a_source_is_opened_by_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps({"text": "tea"}))

    reading = read_source(path)

    assert (reading.kind, reading.reason) == (
        "jsonl",
        "its first line is a JSON object with `text`",
    )
    assert [item.text for item in reading.items if isinstance(item, Draft)] == ["tea"]


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2024-01-02T03:04:05Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02 03:04:05", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02 03:04:05 UTC", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02 05:04:05 +02:00", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        (1704164645, datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        (1704164645000, datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("1704164645", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("yesterday", None),
        (True, None),
        (None, None),
        ("", None),
        (1e300, None),
        (float("nan"), None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_times_are_read_in_the_dresses_they_come_in(value: object, moment: datetime | None) -> None:
    assert read_moment(value) == moment
