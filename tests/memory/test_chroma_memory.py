"""The real parts together: log, broker, index, outbox and a real Chroma."""

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from paige.language.names.gate import NameGate
from paige.memory.access import Reader
from paige.memory.coach_memory import CoachMemories, MemoryInput
from paige.memory.embedding import StaticEmbedder
from paige.memory.event import Draft, Event
from paige.memory.index import classes
from paige.memory.index.index import Index
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker, RememberResult
from paige.memory.log.log import Log
from paige.memory.search_values import Ask
from paige.memory.vectors.chroma import ChromaVectors
from paige.memory.vectors.outbox import FileCursors, Outbox
from tests.chroma import Chroma, temp_chroma
from tests.conftest import NOON
from tests.memory.remembering import Store

EMBEDDER = StaticEmbedder()


class Parts:
    """Everything that the coach's memory stands on, as the program puts it together."""

    def __init__(self, folder: Path, url: str | None, stack: ExitStack) -> None:
        self.log = stack.enter_context(closing(Log(folder / "events.jsonl")))
        self.chroma = None
        if url:
            backend = ChromaVectors(url, embedder=EMBEDDER.name)
            self.chroma = stack.enter_context(closing(backend))
        index = Index(folder / "index", EMBEDDER, logs=[self.log], remote=self.chroma)
        self.index = stack.enter_context(closing(index))
        self.broker = Broker(
            self.log,
            self.index,
            now=lambda: NOON,
            randomness=random.Random(5).randbytes,
            names=NameGate(),
        )
        self.outbox = Outbox(
            self.log,
            self.chroma or Store(),
            EMBEDDER.embed,
            FileCursors(folder / "index"),
            now=lambda: NOON,
        )
        self.coach = CoachMemories(
            self.broker,
            self.index,
            EMBEDDER,
            now=lambda: NOON,
            outboxes=(self.outbox,),
            chroma=self.chroma,
        )

    def remember(self, drafts: Sequence[Draft]) -> list[RememberResult]:
        return self.broker.remember(drafts, Writer(person=drafts[0].owner or "me"))

    def forget(self, *ids: str) -> None:
        self.log.append(
            lambda first: [
                Event(
                    id=f"forget-{first}",
                    seq=first,
                    at=NOON,
                    type="forgotten",
                    scope="learner",
                    owner="me",
                    payload={"ids": list(ids)},
                )
            ]
        )
        self.log.forget(ids)


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[Chroma]:
    with temp_chroma(tmp_path) as server:
        yield server


@pytest.fixture(params=["chroma", "embedded"])
def parts(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Parts]:
    url = request.getfixturevalue("chroma").url if request.param == "chroma" else None
    with ExitStack() as stack:
        yield Parts(tmp_path, url, stack)


NOTES = [
    MemoryInput("OAuth callback race condition in the login flow", ["auth"], "high"),
    MemoryInput("CSS grid layout of the settings page", ["css"], "low"),
]


def test_the_coach_finds_what_it_kept(parts: Parts) -> None:
    assert parts.coach.add_memories(NOTES, "s1", "app") == {"added": 2}
    assert parts.coach.add_memories(NOTES[:1], "s2", "other") == {"added": 1}
    found = parts.coach.query_memories("race condition in auth flow")
    assert [each.id for each in found] in (
        ["mem_s1_0", "mem_s2_0", "mem_s1_1"],
        ["mem_s2_0", "mem_s1_0", "mem_s1_1"],
    )
    assert found[0].metadata.importance == "high"
    (only,) = parts.coach.query_memories("race condition", project="other")
    assert only.id == "mem_s2_0"
    assert parts.coach.query_memories("race condition", person="ben") == []


def test_numbers_go_on_after_a_restart(parts: Parts, tmp_path: Path) -> None:
    parts.coach.add_memories(NOTES, "s1", "app")
    with ExitStack() as stack:
        url = parts.chroma.address if parts.chroma else None
        restarted = Parts(tmp_path, url, stack)
        assert restarted.coach.add_memories([MemoryInput("new")], "s1", "app") == {"added": 1}
    ids = [event.id for event in parts.log.read()]
    assert ids == ["mem_s1_0", "mem_s1_1", "mem_s1_2"]


def test_what_the_coach_forgot_is_found_nowhere(parts: Parts) -> None:
    parts.coach.add_memories(NOTES, "s1", "app")
    parts.outbox.deliver()
    parts.forget("mem_s1_0")
    parts.outbox.deliver()
    found = parts.coach.query_memories("a race condition, or the layout of a page")
    assert [each.id for each in found] == ["mem_s1_1"]
    assert parts.coach.add_memories([MemoryInput("next")], "s1", "app") == {"added": 1}
    assert [event.id for event in parts.log.read()][-1] == "mem_s1_2"


def test_secrets_do_not_reach_chroma(tmp_path: Path, chroma: Chroma) -> None:
    with ExitStack() as stack:
        parts = Parts(tmp_path, chroma.url, stack)
        key = "sk-ant-api03-" + "a1B2" * 20
        parts.coach.add_memories([MemoryInput(f"the key is {key}")], "s1", "app")
    assert key not in str(chroma.stored())


def test_a_large_search_asks_chroma_with_the_same_rights(
    tmp_path: Path, chroma: Chroma, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classes, "SMALL", 10)
    with ExitStack() as stack:
        parts = Parts(tmp_path, chroma.url, stack)
        for person in ("anna", "ben"):
            drafts = [
                Draft(text=f"{person} note {number} about gardening", scope="learner", owner=person)
                for number in range(20)
            ]
            parts.remember(drafts)
            parts.remember([Draft(text="tomatoes want much water", scope="learner", owner=person)])
        assert parts.outbox.deliver().pending == 0
        assert parts.chroma is not None

        def search() -> list[str]:
            found = parts.index.search(Ask(query="watering vegetables"), Reader(person="anna"))
            assert {result.event.owner for result in found.results} == {"anna"}
            return [result.text for result in found.results]

        asking_chroma = search()
        assert parts.chroma.ready
        assert asking_chroma[0] == "tomatoes want much water"
        chroma.kill()
        assert search() == asking_chroma  # the embedded vectors answer instead
        assert not parts.chroma.ready
