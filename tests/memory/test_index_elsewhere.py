"""A large backlog is prepared in another process, and comes out the same."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest

from paige.memory.access import Reader
from paige.memory.embedding import StaticEmbedder
from paige.memory.event import Event
from paige.memory.index import backlog_process, catch_up
from paige.memory.index.index import Index
from paige.memory.index.preparation import Batch
from paige.memory.log.log import Log
from paige.memory.search_values import Ask

EVENTS, BATCH = 250, 40
START = datetime(2026, 3, 2, tzinfo=UTC)


def an_event(seq: int) -> Event:
    said = f"Boat {seq} is {'red' if seq % 3 else 'blue'} and needs {seq % 7} new planks"
    kind, payload = ("fact", {"key": f"boat-{seq % 11}"}) if seq % 5 == 0 else ("note", {})
    return Event(
        id=f"e{seq:04}",
        seq=seq,
        at=START + timedelta(minutes=seq),
        type=kind,
        scope="project",
        owner="me",
        project=f"p{seq % 2}",
        session=f"s{seq // 20}",
        text=said,
        payload=payload,
        supersedes=f"e{seq - 55:04}" if kind == "fact" and seq > 55 else None,
    )


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log(tmp_path / "events.jsonl")
    log.append(lambda first: [an_event(first + number) for number in range(EVENTS)])
    yield log
    log.close()


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a few hundred events were many; the other process has its own size of batches."""
    monkeypatch.setattr(catch_up, "MANY", 100)
    monkeypatch.setattr(catch_up, "BATCH", BATCH)


def found(folder: Path, log: Log) -> list[tuple[str, float]]:
    index = Index(folder, StaticEmbedder(), logs=[log])
    try:
        assert index.catch_up_all() == EVENTS
        assert index.verify() == []
        results = index.search(Ask(query="red boat new planks", k=50), Reader()).results
        return [(each.id, each.score) for each in results]
    finally:
        index.close()


@pytest.mark.usefixtures("small_batches")
def test_the_index_is_the_same_however_it_was_prepared(
    tmp_path: Path, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = found(tmp_path / "together", log)
    monkeypatch.setattr(catch_up, "can_prepare", lambda log: False)
    assert found(tmp_path / "alone", log) == together


@pytest.mark.usefixtures("small_batches")
def test_what_the_other_process_leaves_is_done_here(
    tmp_path: Path, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = catch_up.prepared_elsewhere

    @contextmanager
    def dies(path: Path, after: int, embedder: StaticEmbedder) -> Iterator[Iterator[Batch]]:
        with whole(path, after, embedder) as batches:
            yield (Batch(each.items[:30], each.vectors) for each in islice(batches, 1))

    monkeypatch.setattr(catch_up, "can_prepare", lambda log: False)
    alone = found(tmp_path / "alone", log)
    monkeypatch.undo()
    monkeypatch.setattr(catch_up, "MANY", 100)
    monkeypatch.setattr(catch_up, "BATCH", BATCH)
    monkeypatch.setattr(catch_up, "prepared_elsewhere", dies)
    assert found(tmp_path / "left", log) == alone


@pytest.mark.usefixtures("small_batches")
def test_where_no_process_can_be_started_everything_is_done_here(
    tmp_path: Path, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    assert len(found(tmp_path / "index", log)) == 50


def test_nothing_comes_of_a_log_that_is_not_there(tmp_path: Path) -> None:
    with backlog_process.prepared_elsewhere(
        tmp_path / "none.jsonl", 0, StaticEmbedder()
    ) as batches:
        assert list(batches) == []
