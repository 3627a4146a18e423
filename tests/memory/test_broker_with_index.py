"""The broker with the real log and the real index, as people use it."""

import os
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from paige.language.names.gate import NameGate
from paige.memory.access import Reader
from paige.memory.event import Draft
from paige.memory.index.index import Index
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker
from paige.memory.intake.drafts import read_import_line
from paige.memory.log.log import Log
from paige.memory.search_values import Ask
from tests import nursery
from tests.conftest import NOON


class Room:
    """Log, index and broker in one folder."""

    def __init__(self, folder: Path) -> None:
        self.log = Log(folder / "events.jsonl")
        self.index = Index(folder / "index", None, logs=[self.log])
        self.minutes = 0
        self.broker = Broker(
            self.log,
            self.index,
            now=self.now,
            randomness=os.urandom,
            names=NameGate(),
        )

    def now(self) -> datetime:
        """Noon, and the minutes that passed."""
        return NOON + timedelta(minutes=self.minutes)

    def remember(self, *drafts: Draft, writer: Writer | None = None) -> list[str]:
        """The statuses."""
        return [each.status for each in self.broker.remember(drafts, writer or Writer())]

    def found(self, query: str, reader: Reader | None = None) -> list[str]:
        """The texts a search finds."""
        found = self.index.search(Ask(query=query, k=10), reader or Reader())
        return [result.text for result in found.results]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.index.close()


def test_what_was_remembered_is_found_at_once_and_only_once(room: Room) -> None:
    draft = Draft(text="Flowcharts before code help the EAL pair.", id="a", session="s")
    assert room.remember(draft) == ["stored"]
    assert room.remember(draft) == ["duplicate"]
    assert room.remember(Draft(text=draft.text, session="s")) == ["duplicate"]
    assert room.found("flowcharts") == [draft.text]


def test_a_new_value_hides_the_old_one(room: Room) -> None:
    for minutes, text in enumerate(["starters take ten minutes", "starters take five minutes"]):
        room.minutes = minutes
        room.remember(Draft(text=text, type="fact", payload={"key": "starter"}))
    assert room.found("starters") == ["starters take five minutes"]
    room.minutes = 9
    again = Draft(text="Starters take five minutes", type="fact", payload={"key": "starter"})
    assert room.remember(again) == ["duplicate"]


def test_imports_are_all_found_again_with_their_meta(room: Room) -> None:
    lines = [{"text": f"turn {number % 3}", "meta": {"n": number}} for number in range(30)]
    assert room.remember(*map(read_import_line, lines)) == ["stored"] * 30
    found = room.index.search(Ask(query="turn 1", k=100), Reader())
    assert sorted(each.meta["n"] for each in found.results) == list(range(30))


def test_recalled_text_is_not_stored_again(room: Room) -> None:
    room.remember(Draft(text="Prefers short starters.", id="a"))
    room.remember(Draft(type="recalled", session="s", payload={"ids": ["a"], "query": "starters"}))
    room.minutes = 3
    assert room.remember(Draft(text="prefers short starters.", session="s")) == ["recalled"]
    assert room.remember(Draft(text="prefers short starters.", session="t")) == ["stored"]


def test_nobody_supersedes_what_they_may_not_read(room: Room) -> None:
    room.remember(Draft(text="private", scope="learner", id="a"), writer=Writer(person="anna"))
    assert room.remember(Draft(text="other", supersedes="a")) == ["refused"]
    mine = Draft(text="mine", scope="learner", supersedes="a")
    assert room.remember(mine, writer=Writer(person="anna")) == ["stored"]
    assert "private" not in room.found("private", Reader(person="anna"))


def test_what_is_known_already_is_less_important(room: Room) -> None:
    [first] = room.broker.remember([Draft(text="loops confuse the lower group")], Writer())
    room.minutes = 5
    [again] = room.broker.remember([Draft(text="loops confuse the lower group")], Writer())
    assert first.event is not None
    assert again.event is not None
    assert again.event.importance < first.event.importance


PROCESS = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.memory.test_broker_with_index import Room
from paige.memory.event import Draft
room = Room(Path(sys.argv[1]))
for number in range(20):
    room.minutes = number
    room.remember(
        Draft(text=f"value {number}", type="fact", payload={"key": "k"}),
        Draft(text=f"note {number}", id=f"note-{number}"),
    )
"""


def test_processes_that_write_the_same_at_once_agree(tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    running = [
        nursery.start([sys.executable, "-c", PROCESS, str(tmp_path), root]) for _ in range(3)
    ]
    assert [process.wait(timeout=180) for process in running] == [0, 0, 0]
    room = Room(tmp_path)
    events = list(room.log.read())
    notes = [event.id for event in events if event.type == "note"]
    assert sorted(notes) == sorted(f"note-{number}" for number in range(20))
    superseded = [event.supersedes for event in events if event.supersedes]
    assert len(superseded) == len(set(superseded))
    assert room.found("value") == ["value 19"]
    assert room.log.verify().ok
    room.index.close()
