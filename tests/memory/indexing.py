"""Plumbing for tests of the index: events in a line, a list that is read like a log."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from paige.memory.embedding import StaticEmbedder
from paige.memory.event import Event, dump_event
from paige.memory.index.index import Index
from paige.memory.search_values import Ask, Result

START = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
EMBEDDER = StaticEmbedder()


class ListLog:
    """A log in memory."""

    def __init__(self, name: str = "/log/events.jsonl") -> None:
        self.path = Path(name)
        self.events: list[Event] = []

    def add(self, text: str = "", **fields: Any) -> Event:
        """Append an event; what is not given is made up from its number."""
        seq = len(self.events) + 1
        given = {
            "id": f"{self.path.parent.name}-{seq:04d}",
            "seq": seq,
            "at": START + timedelta(minutes=seq),
            "type": "note",
            "scope": "project",
            "owner": "anna",
            "project": "garden",
            "text": text,
        }
        event = Event(**(given | fields))
        self.events.append(event)
        return event

    def last_seq(self) -> int:
        return self.events[-1].seq if self.events else 0

    def read(self, after: int = 0, *, limit: int | None = None) -> Iterator[Event]:
        return islice((event for event in self.events if event.seq > after), limit)

    def read_parsed(self, after: int = 0, *, limit: int | None = None) -> Iterator[dict[str, Any]]:
        return map(dump_event, self.read(after, limit=limit))


class CountingEmbedder:
    """The shipped vectors under another name, counting what it embeds."""

    def __init__(self, name: str = "counting", dimension: int = EMBEDDER.dimension) -> None:
        self.name = name
        self.dimension = dimension
        self.texts: list[str] = []

    def embed(self, texts: list[str]) -> np.ndarray:
        self.texts += texts
        return EMBEDDER.embed(texts)[:, : self.dimension]


def texts(results: list[Result]) -> list[str]:
    return [result.text for result in results]


def found(index: Index, query: str, reader: Any, **ask: Any) -> list[str]:
    """The texts that a search finds."""
    return texts(index.search(Ask(query=query, **ask), reader).results)
