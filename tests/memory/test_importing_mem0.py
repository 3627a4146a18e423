"""Importing what mem0 keeps."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from paige.memory.event import Draft
from paige.memory.importing.detecting import detect
from paige.memory.importing.mem0 import read_mem0
from paige.memory.importing.report import Problem
from paige.memory.importing.sources import ImportOptions

TEA: dict[str, Any] = {
    "id": "m1",
    "memory": "Anna drinks tea",
    "hash": "abc",
    "metadata": {"topic": "drinks"},
    "user_id": "anna",
    "created_at": "2024-07-20T01:30:36.275141-07:00",
    "updated_at": None,
    "categories": ["food"],
}


def read(path: Path, options: ImportOptions | None = None) -> tuple[list[Draft], list[Problem]]:
    found = list(read_mem0(path, options))
    return (
        [item for item in found if isinstance(item, Draft)],
        [item for item in found if isinstance(item, Problem)],
    )


def export(folder: Path, content: object, name: str = "export.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def history(folder: Path, *rows: tuple[Any, ...], columns: str | None = None) -> Path:
    path = folder / "history.db"
    names = columns or "id, memory_id, old_memory, new_memory, event, created_at, updated_at"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE history ({names})")
        marks = ", ".join("?" * len(names.split(",")))
        connection.executemany(f"INSERT INTO history VALUES ({marks})", rows)
    return path


@pytest.mark.parametrize("envelope", [lambda m: m, lambda m: {"results": m, "count": len(m)}])
def test_an_export_becomes_memories(tmp_path: Path, envelope: Any) -> None:
    [draft], problems = read(export(tmp_path, envelope([TEA])))

    assert problems == []
    assert draft.text == "Anna drinks tea"
    assert draft.payload["meta"] == {"topic": "drinks"}
    assert draft.payload["tags"] == ["food"]
    assert draft.payload["origin"]["user_id"] == "anna"
    assert draft.payload["origin"]["hash"] == "abc"
    assert draft.at is not None
    assert draft.at.isoformat() == "2024-07-20T08:30:36.275141+00:00"
    assert draft.evidence == ("mem0:m1",)


@pytest.mark.parametrize(
    ("ids", "scope", "session", "agent"),
    [
        ({"user_id": "anna"}, "learner", None, None),
        ({"user_id": "anna", "agent_id": "bot"}, "agent", None, "bot"),
        ({"agent_id": "bot", "run_id": "r1"}, "session", "r1", "bot"),
        ({}, "learner", None, None),
    ],
)
def test_a_memory_stays_with_its_user_agent_or_run(
    tmp_path: Path, ids: dict[str, str], scope: str, session: str | None, agent: str | None
) -> None:
    [draft], _ = read(export(tmp_path, [{"id": "1", "memory": "x", **ids}]))

    assert (draft.scope, draft.session, draft.agent.id) == (scope, session, agent)


def test_people_have_the_names_they_have_here(tmp_path: Path) -> None:
    path = export(tmp_path, [TEA, {**TEA, "user_id": "bert"}])

    drafts, _ = read(path, ImportOptions(people={"anna": "me"}))

    assert [draft.owner for draft in drafts] == ["me", None]


def test_a_memory_without_text_is_named_and_the_others_are_taken(tmp_path: Path) -> None:
    path = export(tmp_path, [{"id": "0"}, "words", TEA])

    [draft], problems = read(path)

    assert draft.text == TEA["memory"]
    assert [problem.sentence() for problem in problems] == [
        f"{path}: memory 1 has no text in `memory`. "
        "A mem0 memory is an object with `id` and `memory`.",
        f"{path}: memory 2 is not an object. A mem0 memory is an object with `id` and `memory`.",
    ]


def test_edges_of_its_graph_become_sentences(tmp_path: Path) -> None:
    edge = {"source": "anna", "relationship": "works_at", "target": "school", "user_id": "anna"}
    path = export(tmp_path, {"results": [], "relations": [edge, {"source": "x"}]})

    [draft], [problem] = read(path)

    assert draft.text == "anna works at school"
    assert draft.payload["relation"] == edge
    assert "relation 2" in problem.what


def test_an_export_with_a_memory_a_line_is_read_too(tmp_path: Path) -> None:
    path = export(tmp_path, f"{json.dumps(TEA)}\n{{oops\n{json.dumps(TEA)}", "m.jsonl")

    drafts, [problem] = read(path)

    assert len(drafts) == 2
    assert problem.line == 2
    assert detect(path).kind == "mem0"


def test_earlier_texts_are_kept_as_history(tmp_path: Path) -> None:
    path = history(
        tmp_path,
        ("1", "m1", None, "Anna drinks tea", "ADD", "2024-01-01T00:00:00", None),
        ("2", "m2", None, "Bert sings", "ADD", "2024-01-02T00:00:00", None),
        ("3", "m1", "Anna drinks tea", "Anna drinks mate", "UPDATE", "2024-01-01", "2024-03-01"),
    )

    drafts, problems = read(path)

    assert problems == []
    assert [(draft.text, draft.type) for draft in drafts] == [
        ("Anna drinks tea", "note"),
        ("Anna drinks mate", "note"),
        ("Bert sings", "note"),
    ]
    assert drafts[1].supersedes == drafts[0].id
    assert drafts[1].payload["origin"]["replaces"] == drafts[0].id
    assert drafts[1].at is not None
    assert drafts[1].at.isoformat() == "2024-03-01T00:00:00+00:00"
    assert all("key" not in draft.payload for draft in drafts)


def test_what_mem0_deleted_is_marked_as_no_longer_true(tmp_path: Path) -> None:
    path = history(
        tmp_path,
        ("1", "m1", None, "Anna drinks tea", "ADD", "2024-01-01", None),
        ("2", "m1", "Anna drinks tea", None, "DELETE", "2024-01-01", "2024-02-01"),
    )

    first, second = read(path)[0]

    assert second.type == "retracted"
    assert second.payload["of"] == first.id
    assert second.text == ""


def test_a_text_whose_row_is_gone_is_known_from_the_one_that_replaced_it(tmp_path: Path) -> None:
    path = history(tmp_path, ("2", "m1", "old", "new", "UPDATE", "2024-01-01", None))

    drafts, _ = read(path)

    assert [draft.text for draft in drafts] == ["old", "new"]
    assert drafts[1].supersedes == drafts[0].id


def test_the_columns_of_older_versions_are_understood(tmp_path: Path) -> None:
    names = "id, memory_id, prev_value, new_value, event, timestamp, is_deleted"
    path = history(
        tmp_path, ("1", "m1", None, "tea", "ADD", "2024-01-01T00:00:00", 0), columns=names
    )

    [draft], _ = read(path)

    assert draft.text == "tea"
    assert draft.at is not None


def test_an_export_and_the_history_have_the_same_ids(tmp_path: Path) -> None:
    path = history(tmp_path, ("1", "m1", None, TEA["memory"], "ADD", "2024-01-01", None))

    from_history, _ = read(path)
    from_export, _ = read(export(tmp_path, [TEA]))
    both, _ = read(tmp_path)

    assert [draft.id for draft in from_history] == [draft.id for draft in from_export]
    assert len(both) == 2
    assert len({draft.id for draft in both}) == 1


def test_the_database_is_not_touched(tmp_path: Path) -> None:
    path = history(tmp_path, ("1", "m1", None, "tea", "ADD", "2024-01-01", None))
    before = path.read_bytes()

    read(path)

    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["history.db"]


def test_messages_of_conversations_are_left_out_and_counted(tmp_path: Path) -> None:
    path = history(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE messages (id, content)")
        connection.execute("INSERT INTO messages VALUES (1, 'hello')")

    drafts, [remark] = read(path)

    assert drafts == []
    assert not remark.lost
    assert "1 messages" in remark.what


def test_a_file_that_is_not_sqlite_says_so(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    path.write_bytes(b"not a database")

    [problem] = read(path)[1]

    assert problem.sentence().startswith(f"{path}: it is not an SQLite file.")


def test_a_damaged_database_and_one_without_history_say_so(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"SQLite format 3\x00" + b"\x01" * 200)
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("CREATE TABLE x (y)")

    assert "cannot be read" in read(damaged)[1][0].sentence()
    assert "no table `history`" in read(other)[1][0].sentence()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "the file is empty"),
        ("{", "this is not JSON"),
        ('{"a": 1}', "it is not an export of mem0"),
        ("12", "it is not an export of mem0"),
    ],
)
def test_what_is_not_an_export_says_so(tmp_path: Path, content: str, words: str) -> None:
    [problem] = read(export(tmp_path, content))[1]

    assert words in problem.sentence()
    assert problem.fix


def test_a_folder_without_memory_says_what_to_give(tmp_path: Path) -> None:
    export(tmp_path, {"theme": "dark"}, "settings.json")

    [problem] = read(tmp_path)[1]

    assert "history.db" in problem.fix
