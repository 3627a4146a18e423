"""The JSON Schema of a line of the log."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from docs.event_schema import CONTENT, MEANINGS, event_schema, field_rows
from paige.memory.event import SCOPES, SEAL_FIELDS, Event, dump_event
from paige.memory.log.chain import HEADER_FIELDS
from paige.memory.log.log import Log
from tests.docs.pages import page
from tests.memory.test_event import events

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
VALIDATOR = Draft202012Validator(event_schema(), format_checker=Draft202012Validator.FORMAT_CHECKER)


def written(path: Path, event: Event) -> dict[str, Any]:
    log = Log(path)
    log.append(lambda seq: [event] if event.seq == seq else [])
    return json.loads(path.read_bytes())


def a_note(**changes: Any) -> Event:
    return Event(
        **{"id": "e1", "seq": 1, "at": NOON, "type": "note", "scope": "global", "owner": "me"}
        | changes
    )


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(event_schema())


def test_every_field_of_a_line_is_described() -> None:
    fields = set(Event.__dataclass_fields__) - {"extra"} | set(SEAL_FIELDS)

    assert set(MEANINGS) == fields == set(event_schema()["properties"])
    assert [row.name for row in field_rows()] == list(MEANINGS)
    assert event_schema()["properties"]["scope"]["enum"] == list(SCOPES)


def test_what_is_content_here_is_content_for_the_chain() -> None:
    header = set(HEADER_FIELDS) | set(SEAL_FIELDS) | {"forgotten"}

    assert set(CONTENT) == set(MEANINGS) - header


def test_a_line_of_the_log_fits_also_after_it_was_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    event = a_note(text="tea", payload={"key": "drink"}, extra={"newer": [1]})

    VALIDATOR.validate(written(path, event))
    Log(path).forget(["e1"])
    line = json.loads(path.read_bytes())

    VALIDATOR.validate(line)
    assert line.keys().isdisjoint({*CONTENT, "salt", "newer"})


@given(events)
def test_every_event_that_can_be_written_fits(event: Event) -> None:
    line = json.loads(json.dumps(dump_event(event)))

    VALIDATOR.validate({**line, "prev": "0" * 64, "digest": "0" * 64, "hash": "0" * 64})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scope", "galaxy"),
        ("seq", 0),
        ("seq", "1"),
        ("owner", ""),
        ("acl", "me"),
        ("payload", []),
        ("hash", "x"),
        ("importance", 2),
        ("forgotten", False),
    ],
)
def test_a_wrong_value_does_not_fit(tmp_path: Path, name: str, value: object) -> None:
    line = written(tmp_path / f"{os.getpid()}.jsonl", a_note())

    assert VALIDATOR.is_valid(line)
    assert not VALIDATOR.is_valid({**line, name: value})


def test_the_reference_page_holds_the_schema_and_every_field() -> None:
    shown = page("docs/reference/memory-events.md")

    [block] = [block for block in shown.blocks if block.language == "json"]
    assert json.loads(block.text) == event_schema()
    assert [name for name in MEANINGS if f"| `{name}` |" not in shown.text] == []
