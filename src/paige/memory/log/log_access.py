"""What others use of a log, wherever it is kept: in files, or in a table of the database."""

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from paige.memory.event import Event
from paige.memory.log.verification import ForeignLine, Verification


class FollowedLog(Protocol):
    """A log that is read by number, as an index follows it."""

    @property
    def path(self) -> Path:
        """Where it is; tells it from other logs. A log in a table has no such file."""
        ...

    def last_seq(self) -> int:
        """The number of the last event, 0 when there is none; quick."""
        ...

    def read(self, after: int = 0) -> Iterator[Event]:
        """The events after a number, in order; lines that are not events are skipped."""
        ...

    def read_parsed(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """The same as parsed lines, for those who need only some of the fields."""
        ...


class KeptLog(FollowedLog, Protocol):
    """A log that is also appended to, checked, and told to forget."""

    def append(self, make: Callable[[int], Sequence[Event]]) -> list[Event]:
        """Write events and return them once they are safe.

        `make` is called while nobody else writes, with the number of the next event; it may read
        this log, but not append to it. When it returns none, or raises, nothing is written.
        """
        ...

    def read(self, after: int = 0, *, limit: int | None = None) -> Iterator[Event]:
        """The same, at most so many."""
        ...

    def read_parsed(self, after: int = 0, *, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """The same, at most so many."""
        ...

    def lines(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines of the events after a number, as they are kept, without their newlines."""
        ...

    def verify(self) -> Verification:
        """Check every line."""
        ...

    def foreign(self) -> list[ForeignLine]:
        """The lines others wrote that no event has taken in yet."""
        ...

    def forget(self, ids: Collection[str]) -> int:
        """Take the words of events out and return how many events still had some."""
        ...

    def close(self) -> None:
        """Let go of what is open; the log can be used again at once."""
        ...
