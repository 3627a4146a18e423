"""Memory documents for tests: a real log, a real workspace, and a rule against one name."""

import os
from collections.abc import Callable
from datetime import datetime
from itertools import count
from pathlib import Path

from paige.base.actor import Actor
from paige.base.errors import Refused
from paige.base.ids import new_id
from paige.memory.documents.document_files import MemoryFolder
from paige.memory.documents.documents import MemoryDocuments, rendered_for
from paige.memory.documents.projection import LogEvents
from paige.memory.event import Draft, Event
from paige.memory.log.log import Log
from paige.store.documents import DirectoryDocuments
from paige.store.engine import Database
from tests.conftest import NOON

ME = Actor()
ANNA = Actor(person="anna")
NAME = "Zebedee"
_NUMBERS = count(1)


def at_noon() -> datetime:
    return NOON


def counted(size: int) -> bytes:
    return next(_NUMBERS).to_bytes(size)


def appender(log: Log, randomness: Callable[[int], bytes] = counted) -> Callable[[Draft], Event]:
    """Stores drafts as they are, but for the one name."""

    def append(draft: Draft) -> Event:
        if NAME in draft.text:
            raise Refused(f"`{NAME}` is the name of a pupil", hint="Leave names out.")

        def make(seq: int) -> list[Event]:
            return [
                Event(
                    id=draft.id or new_id(NOON, randomness(10)),
                    seq=seq,
                    at=draft.at or NOON,
                    type=draft.type,
                    scope=draft.scope or "teacher",
                    owner=draft.owner or "me",
                    session=draft.session,
                    text=draft.text,
                    payload=draft.payload,
                    provenance=draft.provenance,
                )
            ]

        return log.append(make)[0]

    return append


class Papers(MemoryDocuments):
    """The documents of `folder/workspace`, with what tests look into."""

    def __init__(
        self,
        database: Database,
        folder: Path,
        *,
        rendering: Callable[[Actor], MemoryFolder | None] | None = None,
        randomness: Callable[[int], bytes] = counted,
    ) -> None:
        self.log = Log(folder / "memory" / "events.jsonl")
        self.folder = folder / "workspace" / "memory"
        workspace = DirectoryDocuments(folder / "workspace")
        super().__init__(
            database,
            LogEvents(self.log, appender(self.log, randomness)),
            lock=folder / "memory" / "documents.lock",
            rendering=rendering or rendered_for(ME, workspace),
            now=at_noon,
            randomness=os.urandom,
        )

    def shown(self, path: str = "MEMORY.md") -> str | None:
        """What the file says."""
        place = self.folder / path
        return place.read_bytes().decode() if place.exists() else None

    def edit(self, text: str, path: str = "MEMORY.md") -> None:
        """Save a file as an editor would, long after it was rendered."""
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
        later = place.stat().st_mtime_ns + 3600 * 10**9
        os.utime(place, ns=(later, later))

    def texts(self) -> list[str]:
        """Every text the log has, the writers' own ones too."""
        return [
            text
            for event in self.log.read()
            for text in (event.text, event.payload.get("written"))
            if text is not None
        ]
