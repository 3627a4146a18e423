import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Unavailable
from paige.memory.access import Reader
from paige.memory.coach_memory import (
    CoachMemories,
    MemoryInput,
    clean_tags,
    next_number,
)
from paige.memory.embedding import StaticEmbedder
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.search_values import Ask, Result, SearchAnswer
from paige.memory.vectors.chroma import ChromaVectors
from paige.memory.vectors.outbox import FileCursors, Outbox
from tests.chroma import Chroma, temp_chroma
from tests.conftest import NOON
from tests.memory.remembering import ListBroker, ListLog, Remembered
from tests.postgres import free_port

EMBEDDER = StaticEmbedder()
OAUTH = MemoryInput("OAuth callback race condition in the login flow", ["auth", "async"], "high")
GRID = MemoryInput("CSS grid layout of the settings page", ["css"], "low")


class Known:
    """Answers like the index, by meaning alone, about a log in memory."""

    def __init__(self, log: ListLog) -> None:
        self.log = log

    def has_id(self, id_: str) -> bool:
        return any(each.id == id_ for each in self.log.events)

    def search(self, ask: Ask, reader: Reader) -> SearchAnswer:
        mine = [
            each
            for each in self.log.events
            if each.type in ask.types
            and each.owner == reader.person
            and ask.project in (None, each.project)
        ]
        vectors = EMBEDDER.embed([ask.query, *(each.text for each in mine)])
        order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[: ask.k]
        return SearchAnswer(results=[Result(mine[number], 1.0, {}) for number in order])


class Coach:
    """The coach's memory on a log in memory and, if there is one, a real Chroma."""

    def __init__(self, folder: Path, url: str | None, log: ListLog | None = None) -> None:
        self.log = log or ListLog()
        self.broker = ListBroker(self.log)
        self.chroma = ChromaVectors(url, embedder=EMBEDDER.name) if url else None
        self.outboxes: tuple[Outbox, ...] = ()
        if self.chroma is not None:
            cursors = FileCursors(folder / "progress")
            outbox = Outbox(self.log, self.chroma, EMBEDDER.embed, cursors, now=lambda: NOON)
            self.outboxes = (outbox,)
            self.outbox = outbox
        self.memories = self.remembering()

    def remembering(self, **changes: Any) -> CoachMemories:
        parts = {"broker": self.broker, "embedder": EMBEDDER, "chroma": self.chroma, **changes}
        return CoachMemories(
            index=Known(self.log), now=lambda: NOON, outboxes=self.outboxes, **parts
        )

    def close(self) -> None:
        if self.chroma is not None:
            self.chroma.close()


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[Chroma]:
    with temp_chroma(tmp_path) as server:
        yield server


@pytest.fixture
def coach(tmp_path: Path, chroma: Chroma) -> Iterator[Coach]:
    with closing(Coach(tmp_path, chroma.url)) as found:
        yield found


@pytest.fixture(params=["chroma", "embedded"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Coach]:
    url = request.getfixturevalue("chroma").url if request.param == "chroma" else None
    with closing(Coach(tmp_path, url)) as found:
        yield found


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [f"{each.levelname} {each.getMessage()}" for each in caplog.records]


def test_adding_stores_text_and_metadata_under_numbered_ids(coach: Coach, chroma: Chroma) -> None:
    assert coach.memories.add_memories([OAUTH, GRID], "s1", "app-alpha") == {"added": 2}
    stored = chroma.stored()
    assert list(stored) == ["mem_s1_0", "mem_s1_1"]
    assert stored["mem_s1_0"]["document"] == OAUTH.content
    metadata = stored["mem_s1_0"]["metadata"]
    assert isinstance(metadata, dict)
    wanted = {
        "session_id": "s1",
        "project": "app-alpha",
        "created_at": "2026-03-02T12:00:00.000000Z",
        "importance": "high",
        "tags": "auth,async",
    }
    assert wanted.items() <= metadata.items()


def test_what_means_the_same_has_the_lower_distance(either: Coach) -> None:
    either.memories.add_memories([GRID, OAUTH], "s1", "app")
    first, second = either.memories.query_memories("race condition in auth flow")
    assert (first.content, second.content) == (OAUTH.content, GRID.content)
    assert 0 <= first.distance < second.distance
    assert first.id == "mem_s1_1"
    assert first.metadata.session_id == "s1"
    assert first.metadata.project == "app"
    assert first.metadata.created_at == "2026-03-02T12:00:00.000000Z"
    assert first.metadata.importance == "high"
    assert first.metadata.tags == "auth,async"


def test_both_ways_give_the_same_answer(tmp_path: Path, chroma: Chroma) -> None:
    with closing(Coach(tmp_path, chroma.url)) as there, closing(Coach(tmp_path, None)) as here:
        answers = []
        for coach in (there, here):
            coach.memories.add_memories([GRID, OAUTH], "s1", "app")
            answers.append(coach.memories.query_memories("login race"))
    for one, other in zip(*answers, strict=True):
        assert (one.id, one.content, one.metadata) == (other.id, other.content, other.metadata)
        assert one.distance == pytest.approx(other.distance, abs=1e-4)


def test_without_a_project_every_project_answers_and_with_one_only_that(either: Coach) -> None:
    either.memories.add_memories([MemoryInput("useEffect cleanup leak")], "s1", "app-alpha")
    either.memories.add_memories([MemoryInput("useEffect cleanup order")], "s2", "app-beta")
    everywhere = either.memories.query_memories("useEffect cleanup")
    assert {each.metadata.project for each in everywhere} == {"app-alpha", "app-beta"}
    (only,) = either.memories.query_memories("useEffect cleanup", project="app-alpha")
    assert only.metadata.project == "app-alpha"


def test_one_person_does_not_recall_what_the_coach_knows_of_another(either: Coach) -> None:
    either.memories.add_memories([OAUTH], "s1", "app", person="anna")
    assert either.memories.query_memories("race condition", person="ben") == []
    assert len(either.memories.query_memories("race condition", person="anna")) == 1
    assert either.log.events[0].scope == "learner"


def test_ten_come_back_unless_another_number_is_asked_for(either: Coach) -> None:
    notes = [MemoryInput(f"note about loops, number {number}") for number in range(60)]
    assert either.memories.add_memories(notes, "s1", "app") == {"added": 60}
    assert len(either.memories.query_memories("loops")) == 10
    assert len(either.memories.query_memories("loops", n_results=5)) == 5
    assert len(either.memories.query_memories("loops", n_results=100)) == 60
    assert either.memories.query_memories("loops", n_results=0) == []


def test_an_empty_query_is_asked_as_it_is(either: Coach) -> None:
    either.memories.add_memories([OAUTH], "s1", "app")
    (found,) = either.memories.query_memories("")
    assert found.distance == pytest.approx(1.0)


def test_adding_nothing_asks_nobody(tmp_path: Path) -> None:
    with closing(Coach(tmp_path, f"http://127.0.0.1:{free_port()}")) as coach:
        assert coach.memories.add_memories([], "s1", "app") == {"added": 0}
        assert coach.chroma is not None
        assert coach.chroma.status == "untried"


def test_numbers_go_on_within_a_session_across_calls_and_restarts(
    tmp_path: Path, coach: Coach, chroma: Chroma
) -> None:
    coach.memories.add_memories([OAUTH], "s1", "app")
    coach.memories.add_memories([GRID], "s1", "app")
    coach.memories.add_memories([GRID], "s2", "app")
    with closing(Coach(tmp_path, chroma.url, coach.log)) as restarted:
        restarted.memories.add_memories([OAUTH], "s1", "app")
    assert sorted(chroma.stored()) == ["mem_s1_0", "mem_s1_1", "mem_s1_2", "mem_s2_0"]


def test_startup_with_chroma_is_said_in_the_log(
    coach: Coach, chroma: Chroma, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "paige")
    assert coach.memories.connect()
    assert lines(caplog) == ["INFO ChromaDB connected — collection paige_memories ready"]
    assert coach.memories.is_memory_available()
    assert chroma.stored() == {}


def test_startup_without_chroma_is_a_warning_and_no_crash(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "paige")
    url = f"http://127.0.0.1:{free_port()}"
    with closing(Coach(tmp_path, url)) as coach:
        assert not coach.memories.connect()
        assert lines(caplog) == [
            f"WARNING ChromaDB unavailable at {url} — memory features disabled"
        ]
        assert not coach.memories.is_memory_available()
        caplog.clear()
        assert coach.memories.query_memories("anything") == []
        assert lines(caplog)[0].startswith(f"WARNING ChromaDB unavailable at {url} — nothing is")


def test_while_chroma_is_down_nothing_is_added_but_the_log_has_it(
    tmp_path: Path, chroma: Chroma, caplog: pytest.LogCaptureFixture
) -> None:
    chroma.stop()
    with closing(Coach(tmp_path, chroma.url)) as coach:
        coach.memories.connect()
        caplog.clear()
        assert coach.memories.add_memories([OAUTH, GRID], "s1", "app") == {"added": 0}
        assert "2 memories wait for it" in lines(caplog)[0]
        assert [each.id for each in coach.log.events] == ["mem_s1_0", "mem_s1_1"]
        assert coach.outbox.pending() == 2


@pytest.mark.parametrize("first_call", ["add", "query"])
def test_the_call_after_chroma_came_back_works_and_brings_what_waited(
    first_call: str, tmp_path: Path, chroma: Chroma, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "paige")
    chroma.stop()
    with closing(Coach(tmp_path, chroma.url)) as coach:
        coach.memories.connect()
        coach.memories.add_memories([OAUTH], "s1", "app")
        chroma.start()
        caplog.clear()
        if first_call == "add":
            assert coach.memories.add_memories([GRID], "s1", "app") == {"added": 1}
        else:
            assert len(coach.memories.query_memories("race condition")) == 1
        assert lines(caplog) == ["INFO ChromaDB reachable again — collection paige_memories ready"]
        assert coach.memories.is_memory_available()
        assert "mem_s1_0" in chroma.stored()
        assert coach.outbox.pending() == 0


def test_a_server_that_dies_in_between_degrades_and_comes_back(
    coach: Coach, chroma: Chroma
) -> None:
    coach.memories.connect()
    coach.memories.add_memories([OAUTH], "s1", "app")
    chroma.kill()
    assert coach.memories.is_memory_available()
    assert coach.memories.query_memories("race condition") == []
    assert not coach.memories.is_memory_available()
    assert coach.memories.add_memories([GRID], "s1", "app") == {"added": 0}
    chroma.start()
    assert len(coach.memories.query_memories("race condition")) == 2
    assert sorted(chroma.stored()) == ["mem_s1_0", "mem_s1_1"]


def test_a_collection_deleted_by_others_degrades_once_and_is_filled_again(
    coach: Coach, chroma: Chroma
) -> None:
    coach.memories.connect()
    coach.memories.add_memories([OAUTH, GRID], "s1", "app")
    chroma.call("DELETE", "collections/paige_memories")
    assert coach.memories.query_memories("race condition") == []
    assert not coach.memories.is_memory_available()
    assert len(coach.memories.query_memories("race condition")) == 2


def test_vectors_of_another_embedder_degrade_with_a_reason(
    coach: Coach, chroma: Chroma, caplog: pytest.LogCaptureFixture
) -> None:
    body = {"name": "paige_memories", "metadata": {"embedder": "another"}}
    chroma.call("POST", "collections", body)
    assert coach.memories.add_memories([OAUTH], "s1", "app") == {"added": 0}
    assert "vectors of `another`" in lines(caplog)[0]


def test_without_chroma_memory_is_always_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    coach = Coach(tmp_path, None)
    assert coach.memories.connect()
    assert coach.memories.is_memory_available()
    assert coach.memories.query_memories("anything") == []
    assert lines(caplog) == []


def test_without_an_embedder_the_order_of_the_words_counts(tmp_path: Path) -> None:
    coach = Coach(tmp_path, None)
    memories = coach.remembering(embedder=None)
    memories.add_memories([GRID, OAUTH], "s1", "app")
    found = memories.query_memories("race condition")
    assert [each.content for each in found] == [OAUTH.content, GRID.content]
    assert [each.distance for each in found] == [0.0, 0.5]


def test_chroma_without_an_embedder_degrades(coach: Coach) -> None:
    memories = coach.remembering(embedder=None)
    assert memories.query_memories("x") == []


def test_a_log_that_cannot_be_written_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Full(ListBroker):
        def remember(self, drafts: Sequence[Draft], writer: Writer) -> list[Remembered]:
            raise Unavailable("The disk is full")

    coach = Coach(tmp_path, None)
    memories = coach.remembering(broker=Full(coach.log))
    assert memories.add_memories([OAUTH], "s1", "app") == {"added": 0}
    assert "The disk is full" in lines(caplog)[0]


def test_what_the_broker_refuses_is_not_counted(either: Coach) -> None:
    added = either.memories.add_memories([OAUTH, MemoryInput("")], "s1", "app")
    assert added == {"added": 1}


def test_a_number_that_another_process_took_is_moved_on(tmp_path: Path) -> None:
    coach = Coach(tmp_path, None)
    others = [2]

    class Shared(ListBroker):
        def remember(self, drafts: Sequence[Draft], writer: Writer) -> list[Remembered]:
            # Another process writes between the look for a number and the writing.
            while others:
                super().remember([replace(drafts[0], text="theirs")] * others.pop(), writer)
            return super().remember(drafts, writer)

    memories = coach.remembering(broker=Shared(coach.log))
    assert memories.add_memories([OAUTH, GRID], "s1", "app") == {"added": 2}
    texts = {each.id: each.text for each in coach.log.events}
    assert len(texts) == 3
    assert {OAUTH.content, GRID.content, "theirs"} == set(texts.values())


def test_threads_never_share_a_number(coach: Coach, chroma: Chroma) -> None:
    def add(number: int) -> None:
        coach.memories.add_memories([MemoryInput(f"note {number}")] * 3, "s1", "app")

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(chroma.stored()) == sorted(f"mem_s1_{number}" for number in range(24))


def test_commas_in_tags_become_spaces(coach: Coach, chroma: Chroma) -> None:
    note = MemoryInput("x y z", ["a,b", " c ", ",", "", "d"])
    coach.memories.add_memories([note], "s1", "app")
    (stored,) = chroma.stored().values()
    assert isinstance(stored["metadata"], dict)
    assert stored["metadata"]["tags"] == "a b,c,d"


@given(st.lists(st.text()))
def test_cleaned_tags_survive_joining(tags: list[str]) -> None:
    cleaned = clean_tags(tags)
    assert (",".join(cleaned).split(",") if cleaned else []) == cleaned


def test_the_next_number_follows_the_highest_of_this_session_even_after_gaps() -> None:
    known = {"mem_s_0", "mem_s_1", "mem_s_5", "mem_t_0", "mem_s_1_99", "mem_s_x"}
    assert next_number(known.__contains__, "s") == 6
    assert next_number(known.__contains__, "t") == 1
    assert next_number(known.__contains__, "u") == 0
