"""How the jobs of the life cycle read memories from the index."""

from collections.abc import Collection
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol

from paige.memory.lifecycle import queries
from paige.memory.lifecycle.held import Held, Page


class Readable(Protocol):
    """What is needed of the index: a connection that sees one state."""

    def reading(self) -> AbstractContextManager[Any]:
        """A connection to read with."""
        ...


class IndexReading:
    """Memories with what became of them, from the index."""

    def __init__(self, index: Readable) -> None:
        self._index = index

    def get(self, ids: Collection[str]) -> list[Held]:
        """Those of these ids that are there."""
        with self._index.reading() as connection:
            return queries.held_of(connection, ids)

    def of_session(self, session: str, limit: int) -> list[Held]:
        """The newest memories of a session, oldest first."""
        with self._index.reading() as connection:
            return queries.held_of_session(connection, session, limit)

    def newest(self, types: Collection[str], limit: int) -> list[Held]:
        """The newest current memories of some types but turns and notes, oldest first."""
        with self._index.reading() as connection:
            return queries.newest_held(connection, types, limit)

    def aged(self, before: datetime, *, after: int, limit: int) -> Page:
        """Memories made before a moment, in the order they came, after a cursor."""
        with self._index.reading() as connection:
            return queries.aged_held(connection, before, after, limit)
