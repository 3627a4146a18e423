import os
import sys
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, Unavailable
from paige.language.names.gate import NameGate
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker, RememberResult
from paige.memory.intake.spool import EVENTS, Spool, drafts_of
from paige.memory.log.log import Log
from tests import nursery
from tests.conftest import NOON
from tests.memory.folding import FoldedLogs


class Room:
    """A spool that drains into a real log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "spool"
        self.folder.mkdir(exist_ok=True)
        self.log = Log(folder / "events.jsonl")
        self.broker = Broker(
            self.log,
            FoldedLogs(self.log),
            now=self.now,
            randomness=os.urandom,
            names=NameGate(),
        )
        self.fails = False
        self.later = timedelta()
        self.spool = Spool(self.folder, self.remember, lambda cwd: f"project of {cwd}")

    def now(self) -> datetime:
        """The time that the files have, and a little more when a test says so."""
        newest = max((path.stat().st_mtime for path in self.folder.iterdir()), default=0.0)
        return datetime.fromtimestamp(newest, NOON.tzinfo) + self.later

    def remember(self, drafts: Sequence[Draft]) -> list[RememberResult]:
        """Through the broker, or not at all."""
        if self.fails:
            raise Unavailable("The disk is full")
        return self.broker.remember(drafts, Writer())

    def write(self, *lines: dict[str, Any] | bytes, name: str = "claude-s1.jsonl") -> None:
        """Append lines as a hook does."""
        with (self.folder / name).open("ab") as file:
            for line in lines:
                file.write(line if isinstance(line, bytes) else orjson.dumps(line) + b"\n")

    def texts(self) -> list[str]:
        """What the log holds."""
        return [event.text for event in self.log.read()]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def prompt(number: int) -> dict[str, Any]:
    """A line as a hook writes it."""
    return {
        "id": f"id-{number}",
        "at": "2026-03-02T12:00:00Z",
        "cli": "claude-code",
        "session": "s1",
        "event": "prompt",
        "cwd": "/work",
        "text": f"prompt {number}",
    }


def test_lines_become_events_and_their_file_goes(room: Room) -> None:
    room.write(prompt(1), prompt(2))
    done = room.spool.drain(room.now)
    assert (done.lines, done.stored, done.more, room.spool.waiting()) == (2, 2, False, 0)
    assert room.texts() == ["prompt 1", "prompt 2"]
    room.later = timedelta(minutes=2)
    room.spool.drain(room.now)
    assert [path.name for path in room.folder.iterdir()] == [".drain.lock"]


def test_draining_an_empty_or_missing_folder_does_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path)
    assert room.spool.drain(room.now).lines == 0
    missing = Spool(tmp_path / "none", room.remember, lambda _: None)
    assert (missing.drain(room.now).lines, (tmp_path / "none").exists()) == (0, False)


def test_a_second_delivery_is_noticed_by_its_id(room: Room) -> None:
    room.write(prompt(1))
    room.spool.drain(room.now)
    room.write(prompt(1), prompt(2))
    done = room.spool.drain(room.now)
    assert (done.stored, done.duplicates, room.texts()) == (1, 1, ["prompt 1", "prompt 2"])


def test_a_line_without_id_is_known_by_its_text(room: Room) -> None:
    line = {key: value for key, value in prompt(1).items() if key != "id"}
    room.write(line, line)
    assert room.spool.drain(room.now).stored == 1


def test_nothing_leaves_the_spool_before_it_is_in_the_log(room: Room) -> None:
    room.write(prompt(1))
    room.fails = True
    with pytest.raises(Unavailable):
        room.spool.drain(room.now)
    room.fails = False
    assert room.spool.drain(room.now).stored == 1


def test_a_crash_after_logging_brings_lines_again_and_stores_them_once(room: Room) -> None:
    room.write(prompt(1), prompt(2))
    room.spool.drain(room.now)
    for path in room.folder.glob("*.offset"):
        path.unlink()  # as if the process had died before it was written
    done = room.spool.drain(room.now)
    assert (done.stored, done.duplicates, len(room.texts())) == (0, 2, 2)


def test_a_torn_last_line_waits_for_its_end(room: Room) -> None:
    whole = orjson.dumps(prompt(2)) + b"\n"
    room.write(prompt(1), whole[:20])
    assert room.spool.drain(room.now).stored == 1
    assert room.spool.drain(room.now).stored == 0
    [taken] = room.folder.glob("*.draining")
    with taken.open("ab") as file:  # the hook had it open all the time
        file.write(whole[20:])
    assert room.spool.drain(room.now).stored == 1
    assert room.texts() == ["prompt 1", "prompt 2"]


def test_a_line_that_is_never_finished_is_set_aside_in_the_end(room: Room) -> None:
    room.write(b'{"id": "x"')
    room.spool.drain(room.now)
    room.later = timedelta(hours=2)
    done = room.spool.drain(room.now)
    assert "never finished" in done.bad[0]
    assert (room.folder / "claude-s1.jsonl.bad").read_bytes() == b'{"id": "x"\n'
    assert room.spool.waiting() == 0


def test_bad_lines_are_set_aside_and_reported(room: Room) -> None:
    room.write(b"nonsense\n", prompt(1), b"[1]\n", {"event": 3}, {**prompt(2), "at": "noon"}, b"\n")
    done = room.spool.drain(room.now)
    assert (done.stored, len(done.bad), done.lines) == (1, 4, 6)
    assert "`at` is `noon`" in done.bad[3]
    aside = (room.folder / "claude-s1.jsonl.bad").read_bytes().splitlines()
    assert aside[:2] == [b"nonsense", b"[1]"]
    assert room.spool.drain(room.now).bad == []


def test_events_that_say_nothing_are_not_kept(room: Room) -> None:
    room.write({"event": "pre_tool", "text": "x"}, {"event": "stop"}, {"event": "pre_tool"})
    done = room.spool.drain(room.now)
    assert (done.stored, done.bad) == (0, [])


def test_a_drain_stops_at_its_bounds_and_goes_on_next_time(room: Room) -> None:
    room.write(*(prompt(number) for number in range(10)))
    room.write(prompt(10), name="gemini-s2.jsonl")
    first = room.spool.drain(room.now, most_lines=4)
    assert (first.lines, first.more) == (4, True)
    second = room.spool.drain(room.now, most_time=timedelta())
    assert second.more
    while room.spool.drain(room.now, most_lines=4).more:
        pass
    assert room.texts() == [f"prompt {number}" for number in range(11)]


def test_hooks_go_on_writing_while_a_file_is_drained(room: Room) -> None:
    path = room.folder / "claude-s1.jsonl"
    room.write(prompt(1))
    with path.open("ab") as opened_before:
        room.spool.drain(room.now)
        room.write(prompt(2))
        opened_before.write(orjson.dumps(prompt(3)) + b"\n")
    room.spool.drain(room.now)
    assert sorted(room.texts()) == ["prompt 1", "prompt 2", "prompt 3"]


PROCESS = """
import os, sys
from pathlib import Path
from paige.base.clock import system_clock
sys.path.insert(0, sys.argv[2])
from tests.memory.test_spool import Room
room = Room(Path(sys.argv[1]))
if sys.argv[3] == "write":
    from tests.memory.test_spool import prompt
    for number in range(int(sys.argv[4]), int(sys.argv[4]) + 150):
        room.write(prompt(number))
else:
    for _ in range(30):
        room.spool.drain(system_clock, most_lines=20)
"""


def test_two_drains_and_two_hooks_at_once_lose_and_double_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path)
    root = str(Path(__file__).parents[2])
    jobs = [("write", "0"), ("drain", "0"), ("write", "1000"), ("drain", "0")]
    running = [
        nursery.start([sys.executable, "-c", PROCESS, str(tmp_path), root, *job]) for job in jobs
    ]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0, 0]
    while room.spool.waiting():
        room.spool.drain(room.now)
    expected = {f"prompt {number}" for start in (0, 1000) for number in range(start, start + 150)}
    assert sorted(room.texts()) == sorted(expected)
    assert room.log.verify().ok


def test_a_failed_tool_is_an_episode() -> None:
    [draft] = drafts_of(
        {
            "id": "a",
            "event": "post_tool_failure",
            "tool": "Bash",
            "text": "exit 1",
            "session": "s",
            "cwd": "/w",
            "cli": "codex",
            "inputs_hash": "h",
        },
        project_of=lambda cwd: f"p{cwd}",
    )
    assert (draft.type, draft.outcome, draft.project) == ("episode", "failure", "p/w")
    assert draft.payload == {
        "source": "hook",
        "event": "post_tool_failure",
        "inputs_hash": "h",
        "tool": "Bash",
    }
    assert draft.agent.tool == "codex"


def test_a_prompt_is_a_turn_of_its_session() -> None:
    [draft] = drafts_of({**prompt(1), "project": "given"})
    assert (draft.type, draft.scope, draft.session) == ("turn", "session", "s1")
    assert draft.payload["speaker"] == "user"
    assert (draft.project, draft.id) == ("given", "id-1")


@pytest.mark.parametrize("event", sorted(EVENTS))
def test_every_event_we_know_makes_one_draft_the_broker_takes(room: Room, event: str) -> None:
    room.write({**prompt(1), "event": event, "tool": "Edit"})
    assert room.spool.drain(room.now).stored == 1


@given(
    st.dictionaries(
        st.sampled_from(["id", "at", "event", "text", "session", "cwd", "tool", "outcome", "x"]),
        st.none() | st.integers() | st.text(max_size=20) | st.sampled_from(sorted(EVENTS)),
    )
)
def test_any_object_makes_drafts_or_a_sentence(found: dict[str, Any]) -> None:
    try:
        drafts = drafts_of(found, b"line")
    except BadInput as error:
        drafts = []
        told = error.message
        assert told.startswith("`")
    assert len(drafts) <= 1
