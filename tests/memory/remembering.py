"""A log in memory and events for it, where a test is about what happens after the log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from paige.base.errors import BadInput, Unavailable
from paige.memory.event import Draft, Event
from paige.memory.intake.admission import Writer
from paige.memory.vectors.backend import Neighbour, VectorMetadata
from tests.conftest import NOON


def event(seq: int, text: str = "", **fields: Any) -> Event:
    """An event with only what matters given."""
    base = {"id": f"e{seq}", "at": NOON, "type": "note", "scope": "global", "owner": "me"}
    return Event(seq=seq, text=text, **{**base, **fields})


class ListLog:
    """Keeps events in a list; like the log it numbers them without gaps and can forget."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(self, text: str = "", **fields: Any) -> Event:
        """Append one event."""
        added = event(len(self.events) + 1, text, **fields)
        self.events.append(added)
        return added

    def forget(self, *ids: str) -> None:
        """Scrub events and say so in a new one."""
        self.events = [
            replace(each, text="", payload={}, forgotten=True) if each.id in ids else each
            for each in self.events
        ]
        self.add(type="forgotten", payload={"ids": list(ids)})

    def read(self, after: int = 0, *, limit: int | None = None) -> Iterator[Event]:
        """Events by number."""
        return iter(self.events[after:][:limit])

    def last_seq(self) -> int:
        """The newest number."""
        return len(self.events)


class Store:
    """A vector store in memory that can be down, refuse a text, lose everything, or crash late."""

    name = "store"

    def __init__(self) -> None:
        self.available = True
        self.down = False
        self.crashes_after_writing = False
        self.never: set[str] = set()
        self.made = 1
        self.calls = 0
        self.held: dict[str, VectorMetadata] = {}

    @property
    def generation(self) -> str:
        """Which store this is."""
        self._check()
        return str(self.made)

    def upsert(
        self, ids: Sequence[str], vectors: np.ndarray, metadatas: Sequence[VectorMetadata]
    ) -> None:
        """Store."""
        self._check()
        assert len(ids) == len(vectors) == len(metadatas)
        self.calls += 1
        if self.never & set(ids):
            raise BadInput("never")
        self.held |= dict(zip(ids, metadatas, strict=True))
        if self.crashes_after_writing:
            raise Unavailable("The connection broke")

    def delete(self, ids: Sequence[str]) -> None:
        """Remove."""
        self._check()
        for id_ in ids:
            self.held.pop(id_, None)

    def nearest(
        self, vector: np.ndarray, k: int, groups: Sequence[frozenset[str]]
    ) -> list[Neighbour]:
        """Nothing is asked here."""
        return []

    def count(self) -> int:
        """How many."""
        return len(self.held)

    def recreate(self) -> None:
        """Lose everything."""
        self._check()
        self.held.clear()
        self.made += 1

    def close(self) -> None:
        """Nothing to close."""

    def _check(self) -> None:
        if self.down:
            raise Unavailable("The store does not answer")


@dataclass
class Remembered:
    """What a broker says."""

    event: Event | None
    id: str | None
    status: str = "stored"


class ListBroker:
    """Turns drafts into events of a `ListLog`; a second event with the same id is a duplicate."""

    def __init__(self, log: ListLog, at: datetime = NOON) -> None:
        self.log = log
        self._at = at

    def remember(self, drafts: Sequence[Draft], writer: Writer) -> list[Remembered]:
        """Append what is new; an empty text is refused."""
        return [self._one(draft) for draft in drafts]

    def _one(self, draft: Draft) -> Remembered:
        if not draft.text:
            return Remembered(None, None, "refused")
        if any(each.id == draft.id for each in self.log.events):
            return Remembered(None, draft.id, "duplicate")
        names = ("id", "type", "scope", "owner", "project", "session", "payload", "importance")
        given = {name: getattr(draft, name) for name in names}
        fields = {name: value for name, value in given.items() if value is not None}
        added = self.log.add(draft.text, **{"at": draft.at or self._at, **fields})
        return Remembered(added, added.id)
