from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Unavailable
from paige.memory.embedding import StaticEmbedder
from paige.memory.vectors.backend import VectorBackend
from paige.memory.vectors.chroma import ChromaVectors
from paige.memory.vectors.outbox import (
    BATCH,
    LONGEST_WAIT,
    FileCursors,
    Outbox,
    Progress,
    failed,
    importance_word,
    removed_by,
)
from tests.chroma import Chroma, temp_chroma
from tests.conftest import NOON
from tests.memory.remembering import ListLog, Store, event
from tests.processes import line, python

EMBEDDER = StaticEmbedder()


class Setup:
    """An outbox between a log and a store, with a clock that stands still."""

    def __init__(self, folder: Path, store: VectorBackend | None = None) -> None:
        self.log = ListLog()
        self.store = Store()
        self.folder = folder
        self.moment = NOON
        self.target = store or self.store

    @property
    def outbox(self) -> Outbox:
        """A new one each time, as after a restart."""
        cursors = FileCursors(self.folder)
        return Outbox(self.log, self.target, EMBEDDER.embed, cursors, now=lambda: self.moment)


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(tmp_path)


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[Chroma]:
    with temp_chroma(tmp_path) as server:
        yield server


def test_everything_in_the_log_reaches_the_store_once(setup: Setup) -> None:
    for number in range(2 * BATCH + 5):
        setup.log.add(f"text {number}")
    done = setup.outbox.deliver()
    assert (done.sent, done.pending, done.error) == (2 * BATCH + 5, 0, None)
    assert len(setup.store.held) == 2 * BATCH + 5
    assert setup.store.calls == 3
    assert setup.outbox.deliver().sent == 0
    assert setup.store.calls == 3


def test_only_what_can_be_searched_is_sent(setup: Setup) -> None:
    setup.log.add("a")
    setup.log.add("b", type="rescoped")
    assert setup.outbox.deliver().sent == 1
    assert setup.outbox.pending() == 0


def test_a_store_that_is_down_is_waited_for_with_growing_pauses(setup: Setup) -> None:
    setup.store.down = True
    setup.log.add("a")
    done = setup.outbox.deliver()
    assert (done.pending, done.error) == (1, "The store does not answer")
    assert done.next_attempt == NOON + timedelta(seconds=1)
    setup.log.add("b")
    setup.moment += timedelta(seconds=1)
    done = setup.outbox.deliver()
    assert (done.pending, setup.outbox.progress.failures) == (2, 2)
    assert done.next_attempt == setup.moment + timedelta(seconds=2)
    setup.store.down = False
    assert setup.outbox.deliver().sent == 0  # not yet due
    done = setup.outbox.deliver(force=True)
    assert (done.sent, done.pending, done.error, done.next_attempt) == (2, 0, None, None)
    assert setup.outbox.progress.failures == 0


def test_the_pause_never_grows_beyond_its_limit() -> None:
    progress = Progress()
    for _ in range(100):
        progress = failed(progress, "x", now=NOON)
    assert progress.next_attempt == NOON + LONGEST_WAIT


def test_what_was_sent_before_a_crash_is_sent_again_and_not_twice_there(setup: Setup) -> None:
    setup.log.add("a")
    setup.store.crashes_after_writing = True
    assert setup.outbox.deliver().error == "The connection broke"
    assert setup.outbox.pending() == 1
    setup.store.crashes_after_writing = False
    assert setup.outbox.deliver(force=True).pending == 0
    assert list(setup.store.held) == ["e1"]


def test_a_limit_bounds_one_delivery(setup: Setup) -> None:
    for number in range(10):
        setup.log.add(f"text {number}")
    assert setup.outbox.deliver(limit=4).pending == 6
    assert setup.outbox.deliver(limit=0).pending == 6
    assert setup.outbox.deliver(limit=400).pending == 0


def test_forgotten_and_retracted_memories_are_removed_there(setup: Setup) -> None:
    for text in ("a", "b", "c"):
        setup.log.add(text)
    setup.outbox.deliver()
    setup.log.forget("e1")
    setup.log.add(type="retracted", payload={"of": "e2"})
    assert setup.outbox.deliver().deleted == 2
    assert list(setup.store.held) == ["e3"]


def test_what_was_forgotten_before_it_was_sent_never_arrives(setup: Setup) -> None:
    setup.log.add("secret")
    setup.log.forget("e1")
    setup.outbox.deliver()
    setup.outbox.send([replace(event(1, "secret"), forgotten=True)])
    assert setup.store.held == {}


def test_a_record_that_the_store_never_takes_does_not_hold_up_the_others(setup: Setup) -> None:
    for number in range(20):
        setup.log.add(f"text {number}")
    setup.store.never = {"e3", "e17"}
    done = setup.outbox.deliver()
    assert (done.sent, done.pending) == (18, 0)
    assert setup.outbox.progress.refused == 2
    assert len(setup.store.held) == 18


def test_an_emptied_store_is_filled_from_the_start(setup: Setup) -> None:
    setup.log.add("a")
    setup.outbox.deliver()
    setup.store.recreate()
    setup.log.add("b")
    assert setup.outbox.deliver().sent == 2
    setup.outbox.restart()
    assert setup.store.held == {}
    assert setup.outbox.deliver().sent == 2


def test_damaged_progress_means_to_begin_again(setup: Setup) -> None:
    setup.log.add("a")
    setup.outbox.deliver()
    (file,) = setup.folder.glob("outbox-*.json")
    for damage in (b"", b"[1]", b'{"seq": 1, "odd": 2}', b"{", b'{"next_attempt": "soon"}'):
        file.write_bytes(damage)
        assert setup.outbox.progress == Progress()
        assert setup.outbox.deliver().sent == 1


def test_a_folder_that_cannot_be_written_is_an_answer_and_not_a_crash(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    setup = Setup(tmp_path / "file" / "folder")
    setup.log.add("a")
    done = setup.outbox.deliver()
    assert done.pending == 1
    assert done.error


def test_an_embedder_that_does_not_answer_is_waited_for_too(setup: Setup) -> None:
    def down(_: object) -> np.ndarray:
        raise Unavailable("The embedder does not answer")

    setup.log.add("a")
    cursors = FileCursors(setup.folder)
    done = Outbox(setup.log, setup.store, down, cursors, now=lambda: NOON).deliver()
    assert (done.error, done.pending) == ("The embedder does not answer", 1)


def test_a_record_says_what_it_is(setup: Setup) -> None:
    payload = {"tags": ["x", "y"], "importance": "high"}
    setup.log.add("a", session="s", project="p", payload=payload)
    setup.outbox.deliver()
    stored = setup.store.held["e1"]
    assert (stored.text, stored.project, stored.session) == ("a", "p", "s")
    assert stored.facts == {
        "type": "note",
        "scope": "global",
        "owner": "me",
        "created_at": "2026-03-02T12:00:00.000000Z",
        "importance": "high",
        "tags": "x,y",
    }
    assert [importance_word({}, n) for n in (0.9, 0.5, 0.1)] == ["high", "medium", "low"]


@pytest.mark.parametrize("odd", [None, 3, {}, [1, None], b"e1"])
def test_odd_payloads_remove_nothing(odd: object) -> None:
    assert removed_by(event(1, type="forgotten", payload={"ids": odd})) == []


@given(st.lists(st.sampled_from(["add", "forget", "down", "up", "crash", "lose", "deliver"])))
def test_whatever_happens_in_between_the_store_ends_as_the_log_says(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    setup = Setup(tmp_path_factory.mktemp("outbox"))
    for step in [*steps, "up", "deliver"]:
        match step:
            case "add":
                setup.log.add(f"text {len(setup.log.events)}")
            case "forget":
                notes = [each.id for each in setup.log.events if each.type == "note"]
                setup.log.forget(*notes[:1], *notes[-1:])
            case "down":
                setup.store.down = True
            case "crash":
                setup.store.crashes_after_writing = True
            case "up":
                setup.store.down = setup.store.crashes_after_writing = False
            case "lose" if not setup.store.down:
                setup.store.recreate()
            case "deliver":
                setup.outbox.deliver(force=True)
    wanted = {each.id for each in setup.log.events if each.type == "note" and not each.forgotten}
    assert set(setup.store.held) == wanted
    assert setup.outbox.pending() == 0


def test_chroma_down_means_waiting_and_chroma_back_means_all_of_it_once(
    tmp_path: Path, chroma: Chroma
) -> None:
    with closing(ChromaVectors(chroma.url, embedder=EMBEDDER.name)) as store:
        setup = Setup(tmp_path / "progress", store)
        setup.log.add("the race condition in the OAuth callback")
        assert setup.outbox.deliver().sent == 1
        chroma.kill()
        for number in range(3):
            setup.log.add(f"note number {number}")
            assert setup.outbox.deliver(force=True).pending == number + 1
        setup.log.forget("e1")
        chroma.start()
        done = setup.outbox.deliver(force=True)
        assert (done.sent, done.deleted, done.pending) == (3, 1, 0)
        assert sorted(chroma.stored()) == ["e2", "e3", "e4"]
        chroma.call("DELETE", "collections/paige_memories")
        assert setup.outbox.deliver(force=True).pending == 0
        setup.log.add("one more")
        setup.outbox.deliver(force=True)
        setup.outbox.deliver(force=True)
        assert sorted(chroma.stored()) == ["e2", "e3", "e4", "e6"]


DELIVER = """
import sys
from pathlib import Path
from paige.memory.access import mark
from paige.memory.vectors.chroma import ChromaVectors
from paige.memory.embedding import StaticEmbedder
from tests.conftest import NOON
from tests.memory.remembering import ListLog
from paige.memory.vectors.outbox import FileCursors, Outbox
url, folder, stop_at = sys.argv[1:]
log = ListLog()
for number in range(900):
    log.add(f"note number {number}")
store = ChromaVectors(url, embedder=StaticEmbedder.name)
outbox = Outbox(log, store, StaticEmbedder().embed, FileCursors(Path(folder)), now=lambda: NOON)
while outbox.pending():
    outbox.deliver(limit=100, force=True)
    if outbox.pending() <= int(stop_at):
        print("waiting", flush=True)
        input()
"""


def test_a_delivery_killed_in_the_middle_is_finished_by_another_process(
    tmp_path: Path, chroma: Chroma
) -> None:
    folder = tmp_path / "progress"
    with python(DELIVER, chroma.url, folder, 600) as process:
        assert line(process) == "waiting"
        process.kill()
    assert len(chroma.stored()) == 300
    with (
        python(DELIVER, chroma.url, folder, -1) as one,
        python(DELIVER, chroma.url, folder, -1) as other,
    ):
        one.communicate(timeout=60)
        other.communicate(timeout=60)
    assert sorted(chroma.stored()) == sorted(f"e{number}" for number in range(1, 901))
