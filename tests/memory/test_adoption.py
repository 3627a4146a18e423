import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from paige.language.names.gate import NameGate
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker, RememberResult
from paige.memory.intake.drafts import adopt
from paige.memory.log.log import Log
from tests.conftest import NOON
from tests.memory.folding import FoldedLogs


class Room:
    """A log that others write to as well."""

    def __init__(self, folder: Path) -> None:
        self.log = Log(folder / "events.jsonl")
        self.broker = Broker(
            self.log,
            FoldedLogs(self.log),
            now=lambda: NOON,
            randomness=os.urandom,
            names=NameGate(),
        )
        self.remember([Draft(text="ours")])

    def remember(self, drafts: Sequence[Draft]) -> list[RememberResult]:
        """Through the broker."""
        return self.broker.remember(drafts, Writer(person="anna"))

    def write(self, *lines: dict[str, Any] | bytes) -> None:
        """Append by hand."""
        with self.log.path.open("ab") as file:
            for line in lines:
                file.write(line if isinstance(line, bytes) else orjson.dumps(line) + b"\n")


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_a_line_written_by_hand_becomes_an_event_once(room: Room) -> None:
    room.write({"text": "tabs, not spaces", "project": "p", "at": "2026-01-05"})
    assert adopt(room.log, room.remember) == 1
    event = list(room.log.read())[-1]
    assert (event.text, event.owner, event.scope, event.seq) == (
        "tabs, not spaces",
        "anna",
        "project",
        2,
    )
    assert event.payload["source"] == "by hand"
    assert event.at == datetime(2026, 1, 5, tzinfo=UTC)
    assert room.log.foreign() == []
    assert adopt(room.log, room.remember) == 0
    assert room.log.verify().events == 2


def test_an_event_of_another_program_keeps_what_it_says(room: Room) -> None:
    room.write(
        {
            "id": "evt-1",
            "type": "fact",
            "scope": "global",
            "text": "blue",
            "timestamp": "2026-01-05T10:00:00Z",
            "payload": {"key": "colour"},
            "acl": ["bob"],
            "agent": {"id": "coder", "role": 3},
            "evidence": ["a.py:3"],
        }
    )
    assert adopt(room.log, room.remember) == 1
    event = list(room.log.read())[-1]
    assert (event.id, event.type, event.key, event.acl) == ("evt-1", "fact", "colour", ("bob",))
    assert (event.agent.id, event.agent.role, event.evidence) == ("coder", None, ("a.py:3",))
    assert event.at == datetime(2026, 1, 5, 10, tzinfo=UTC)


def test_what_cannot_be_used_stays(room: Room) -> None:
    room.write(
        b"# a comment\n", {"scope": "global"}, {"text": "x", "scope": "team"}, {"text": "ok"}
    )
    assert adopt(room.log, room.remember) == 1
    assert len(room.log.foreign()) == 3


def test_names_are_refused_here_too(room: Room) -> None:
    room.write({"text": "Aisha needs time", "scope": "class"})
    assert adopt(room.log, room.remember) == 0
    assert len(room.log.foreign()) == 1


def test_a_line_whose_event_is_there_already_is_known(room: Room) -> None:
    [event] = list(room.log.read())
    room.write({"id": event.id, "text": "ours"}, {"text": "same"}, {"text": "same", "x": 1})
    assert adopt(room.log, room.remember) == 2


def test_only_so_many_are_taken_at_once(room: Room) -> None:
    room.write(*({"text": f"line {number}"} for number in range(5)))
    assert adopt(room.log, room.remember, most=3) == 3
    assert adopt(room.log, room.remember, most=3) == 2
