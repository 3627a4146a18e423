"""Imports, exports and migrations with the real log, broker and index."""

import itertools
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from paige.language.names.gate import NameGate
from paige.memory.access import Reader
from paige.memory.export import export
from paige.memory.imports.detection import read_source
from paige.memory.imports.jsonl import read_jsonl_file
from paige.memory.imports.sources import ImportReport, Item, Tally
from paige.memory.index.index import Index
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker, RememberResult
from paige.memory.log.log import Log
from paige.memory.migrations.migration import MigrationOptions, migrate
from paige.memory.search_values import Ask

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
ME = Reader()


class Room:
    """A memory as the doors use it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.log = Log(folder / "events.jsonl")
        self.index = Index(folder / "index", None)
        numbers = itertools.count(1)
        self.broker = Broker(
            self.log,
            self.index,
            now=lambda: NOON,
            randomness=lambda size: b"".join(
                next(numbers).to_bytes(10, "big") for _ in range(size // 10)
            ),
            names=NameGate(),
        )

    def take(self, items: Iterator[Item]) -> tuple[list[RememberResult], ImportReport]:
        tally = Tally("x", "x", has_id=self.index.has_id)
        results = self.broker.remember(list(tally.drafts(items)), Writer(trusted=True))
        self.index.catch_up(self.log)
        return results, tally.report()

    def found(self, query: str, **more: Any) -> list[str]:
        return [r.text for r in self.index.search(Ask(query=query, **more), ME).results]

    def close(self) -> None:
        self.index.close()
        self.log.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    opened = Room(tmp_path / "room")
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Room]:
    opened = Room(tmp_path / "other")
    yield opened
    opened.close()


def statuses(results: list[RememberResult]) -> list[str]:
    return [result.status for result in results]


def test_notes_of_claude_code_are_found_and_come_in_once(room: Room, tmp_path: Path) -> None:
    memory = tmp_path / "projects" / "-srv-shop" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("## Tests\n- run make test\n- run make test\n- no mocks\n")

    first, _ = room.take(read_source(memory).items)
    second, report = room.take(read_source(memory).items)

    assert statuses(first) == ["stored"] * 3
    assert statuses(second) == ["duplicate"] * 3
    assert (report.known, report.new) == (3, 0)
    assert room.found("mocks")[0] == "Tests: no mocks"


def test_plain_lines_are_new_every_time(room: Room, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "tea", "meta": {"n": 1}}\n' * 2)

    first, _ = room.take(read_jsonl_file(path))
    second, _ = room.take(read_jsonl_file(path))

    assert statuses(first + second) == ["stored"] * 4


def test_an_export_moves_to_another_memory_and_back(
    room: Room, other: Room, tmp_path: Path
) -> None:
    path = tmp_path / "in.jsonl"
    lines = [
        {"text": "tea at four", "speaker": "Mel", "session": "s", "scope": "session"},
        {"text": "the shop is closed", "project": "shop", "meta": {"a": [1, {"b": None}]}},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    room.take(read_jsonl_file(path))
    out = tmp_path / "out.jsonl"
    out.write_text("".join(export(room.log.read, "jsonl", reader=ME)))

    there, _ = other.take(read_jsonl_file(out))
    back, _ = room.take(read_jsonl_file(out))

    assert statuses(there) == ["stored"] * 2
    assert statuses(back) == ["duplicate"] * 2
    assert "".join(export(other.log.read, "jsonl", reader=ME)) == out.read_text()
    [result] = other.index.search(Ask(query="shop closed"), ME).results
    assert result.meta == {"a": [1, {"b": None}]}


def test_the_index_follows_a_migrated_log(room: Room, tmp_path: Path) -> None:
    room.take(read_jsonl_file(_lines(tmp_path, "before the migration")))
    with room.log.path.open("ab") as file:
        file.write(b'{"ts": 1735725600, "kind": "note", "text": "an early memory"}\n')

    migrate(room.log.path, MigrationOptions(now=NOON))
    room.index.catch_up(room.log)
    room.take(read_jsonl_file(_lines(tmp_path, "after the migration")))

    assert room.found("early memory", k=1) == ["an early memory"]
    assert sorted(room.found("migration")) == ["after the migration", "before the migration"]
    assert room.log.verify().ok


def test_fields_of_a_newer_version_are_in_what_is_found(room: Room) -> None:
    line = {
        "ts": 1735725600,
        "text": "an early memory",
        "mood": {"deep": [1, None]},
    }
    room.log.path.write_bytes(json.dumps(line).encode() + b"\n")
    migrate(room.log.path, MigrationOptions(now=NOON))
    room.index.catch_up(room.log)

    [result] = room.index.search(Ask(query="early memory"), ME).results

    assert result.event.extra["mood"] == {"deep": [1, None]}


def _lines(folder: Path, *texts: str) -> Path:
    path = folder / "in.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path
