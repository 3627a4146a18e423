"""The real log as memory documents see it: read as it is, written through the broker."""

import os
from collections.abc import Callable, Iterable

from paige.base.actor import Actor
from paige.base.errors import Refused
from paige.memory.documents.projecting import FILE_WRITTEN
from paige.memory.event import Draft, Event, load_event
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker
from paige.memory.log.kept import KeptLog


class LogEvents:
    """A log as documents see it; `append` is the way in that checks what may be kept."""

    def __init__(self, log: KeptLog, append: Callable[[Draft], Event]) -> None:
        self.name = os.path.realpath(log.path)
        self.last_seq = log.last_seq
        self._log = log
        self._append = append

    def append(self, draft: Draft, /) -> Event:
        """Store an event. Raises: Refused."""
        return self._append(draft)

    def written(self, after: int) -> Iterable[Event]:
        """The `file_written` events after a number; others are not even made into events."""
        for line in self._log.read_parsed(after):
            if line.get("type") == FILE_WRITTEN:
                yield load_event(line)

    def id_at(self, seq: int) -> str | None:
        """The id of the event with a number."""
        line = next(self._log.read_parsed(seq - 1, limit=1), None)
        return line["id"] if line is not None and line["seq"] == seq else None


def through(broker: Broker) -> Callable[[Draft], Event]:
    """The way into the log that checks everything. Raises: Refused with the broker's reason."""

    def append(draft: Draft) -> Event:
        writer = Writer(person=draft.owner or Actor().person, session=draft.session)
        [result] = broker.remember([draft], writer)
        if result.event is None:
            raise Refused(result.reason or "It may not be kept")
        return result.event

    return append
