"""Exporting memories."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.memory.access import Reader
from paige.memory.event import Draft, Event, draft_of, dump_event
from paige.memory.export import ExportFilter, export
from paige.memory.imports.jsonl import read_jsonl, read_jsonl_file
from paige.memory.imports.sources import ImportProblem
from tests.memory.test_event import events

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def note(number: int, **changes: Any) -> Event:
    fields: dict[str, Any] = {
        "id": f"e{number}",
        "seq": number,
        "at": NOON + timedelta(hours=number * 6),
        "type": "note",
        "scope": "global",
        "owner": "me",
        "text": f"text {number}",
    }
    return Event(**fields | changes)


def exported(
    some: list[Event], to: str = "jsonl", *, reader: Reader | None = None, **wanted: Any
) -> str:
    chosen = ExportFilter(**wanted)
    return "".join(export(lambda: some, to, reader=reader or Reader(), chosen=chosen))


def imported(event: Event) -> Draft:
    """What becomes of an exported event; what nobody knew is in the payload."""
    unknown = {"unknown": dict(event.extra)} if event.extra else {}
    return replace(draft_of(event), payload={**event.payload, **unknown})


def texts(found: str) -> list[str]:
    return [json.loads(line)["text"] for line in found.splitlines()]


def test_json_lines_come_back_as_they_went_out() -> None:
    whole = note(1, payload={"speaker": "Mel", "meta": {"a": [1]}}, acl=("*",), extra={"new": 1})

    [draft] = read_jsonl(io.BytesIO(exported([whole]).encode()), "x")

    assert draft == imported(whole)
    assert isinstance(draft, Draft)
    assert draft.id == "e1"
    assert draft.payload["unknown"] == {"new": 1}
    assert draft.payload["meta"] == {"a": [1]}


@given(st.lists(events, max_size=5, unique_by=lambda event: event.id))
def test_every_event_survives_export_and_import(some: list[Event]) -> None:
    mine = [replace(event, owner="me", type="note", supersedes=None) for event in some]

    found = list(read_jsonl(io.BytesIO(exported(mine).encode()), "x")) if mine else []

    assert found == [imported(event) for event in mine]


@given(st.lists(events, max_size=4))
def test_unknown_fields_are_in_every_export_for_programs(some: list[Event]) -> None:
    mine = [replace(event, owner="me", type="note") for event in some]

    lines = [json.loads(line) for line in exported(mine).split("\n") if line]
    document = json.loads(exported(mine, "json"))["events"]

    expected = [json.loads(json.dumps(dump_event(event))) for event in mine]
    assert lines == expected
    assert document == expected


def test_what_replaces_or_retracts_comes_back_only_with_what_it_acts_on() -> None:
    first, second = note(1), note(2, supersedes="e1")
    third = note(3, type="retracted", text="", payload={"of": "e2"})

    whole = read_jsonl(io.BytesIO(exported([first, second, third]).encode()), "x")
    part = list(
        read_jsonl(
            io.BytesIO(exported([second, replace(third, payload={"of": "e9"})]).encode()), "x"
        )
    )

    assert [item.supersedes for item in whole if isinstance(item, Draft)] == [None, "e1", None]
    assert [item.supersedes for item in part if isinstance(item, Draft)] == [None]
    assert [item.what for item in part if isinstance(item, ImportProblem)] == [
        "it retracts a memory that is not in this file"
    ]


@pytest.mark.parametrize("kind", ["rescoped", "promoted", "forgotten", "importance", "policy"])
def test_a_file_cannot_act_on_the_memories_that_are_here(kind: str) -> None:
    line = note(1, type=kind, text="", payload={"of": "mine", "ids": ["mine"], "scope": "global"})

    [item] = read_jsonl(io.BytesIO(exported([line]).encode()), "x")

    assert isinstance(item, ImportProblem)
    assert not item.lost


def test_a_reader_gets_only_what_they_may_read() -> None:
    some = [
        note(1, scope="learner", owner="anna"),
        note(2, scope="learner", owner="me"),
        note(3, scope="project", project="shop", owner="anna"),
        note(4, scope="learner", owner="anna", acl=("person:me",)),
    ]

    assert texts(exported(some)) == ["text 2", "text 3", "text 4"]
    assert texts(exported(some, reader=Reader(person="anna"))) == ["text 1", "text 3", "text 4"]
    agent = Reader(person=None, agent="bot", projects=frozenset())
    assert exported(some, reader=agent) == ""


def test_a_memory_that_was_moved_is_judged_by_where_it_is_now() -> None:
    some = [
        note(1, scope="project", project="a", owner="anna"),
        note(2, scope="session", session="s", owner="anna"),
        note(3, type="rescoped", owner="anna", payload={"of": "e1", "scope": "learner"}, text=""),
        note(4, type="promoted", owner="anna", payload={"of": ["e2"], "to": "global"}, text=""),
    ]

    every = [json.loads(line) for line in exported(some).splitlines()]
    found = [line for line in every if line["type"] == "note"]

    assert [(line["id"], line["scope"]) for line in found] == [("e2", "global")]
    mine = exported(some, reader=Reader(person="anna"), scope="learner")
    assert texts(mine) == ["text 1"]


def test_a_memory_that_went_to_another_project_is_found_there() -> None:
    some = [
        note(1, scope="project", project="a"),
        note(2, type="rescoped", payload={"of": "e1", "project": "b"}, text=""),
    ]

    assert texts(exported(some, project="b")) == ["text 1"]
    assert exported(some, project="a") == ""


def test_an_export_can_be_narrowed() -> None:
    some = [
        note(1, owner="me", project="a", scope="project"),
        note(2, owner="anna", project="b", scope="project"),
        note(3, type="fact", session="s"),
    ]

    assert texts(exported(some, owner="anna")) == ["text 2"]
    assert texts(exported(some, project="a")) == ["text 1"]


def test_what_was_forgotten_is_not_exported() -> None:
    assert exported([note(1, forgotten=True, text="")]) == ""


def test_markdown_is_for_people() -> None:
    some = [
        note(1, payload={"speaker": "Mel"}, text="hello\n# not a heading"),
        note(2, scope="project", project="a <b>"),
        note(3, type="recalled", text=""),
        note(4, type="retracted", text="", payload={"of": "e1", "reason": "moved"}),
    ]

    assert exported(some, "markdown") == (
        "# Memories\n\n## 2026-03-04\n\n"
        "- Mel: hello\n  # not a heading\n  <sub>note · global · owner me · e1</sub>\n"
        "\n## 2026-03-05\n\n"
        "- text 2\n  <sub>note · a &lt;b&gt; · owner me · e2</sub>\n"
        "- No longer true: e1 (moved)\n  <sub>retracted · global · owner me · e4</sub>\n"
    )


def test_a_json_export_can_be_imported_too(tmp_path: Any) -> None:
    path = tmp_path / "export.json"
    path.write_text(exported([note(1), note(2)], "json"))

    assert [item.text for item in read_jsonl_file(path) if isinstance(item, Draft)] == [
        "text 1",
        "text 2",
    ]
    assert json.loads(exported([], "json"))["events"] == []


def test_events_are_written_while_they_are_read() -> None:
    asked = 0

    def read() -> Any:
        nonlocal asked
        for number in range(1, 2001):
            asked = number
            yield note(number)

    pieces = export(read, "jsonl", reader=Reader())
    next(pieces)

    assert asked < 2000


def test_another_form_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadInput) as refused:
        export(list, "yaml", reader=Reader())

    assert refused.value.hint == "Use jsonl, markdown, json."
