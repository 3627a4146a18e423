"""Brings the log to a vector store elsewhere: late if need be, but all of it, and only once.

The log itself is the queue, so nothing waits in memory and nothing is lost when a process dies: all
that is kept is how far the store has come, and since when it fails. Memory ids are the store's
keys, so sending something again changes nothing. A store that was emptied or replaced is noticed by
its generation and filled from the start. What was forgotten or retracted is removed there too.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from paige.base.clock import Clock, from_iso, to_iso
from paige.base.errors import BadInput, PaigeError, Unavailable
from paige.base.files import make_private, write_atomic
from paige.base.platform import locked
from paige.memory.event import Event, ids_in
from paige.memory.index.classes import vector_metadata
from paige.memory.log.log_access import KeptLog
from paige.memory.types import searchable
from paige.memory.vectors.backend import VectorBackend, VectorMetadata

BATCH = 256
FIRST_WAIT = timedelta(seconds=1)
LONGEST_WAIT = timedelta(minutes=5)
HIGH, MEDIUM = 0.75, 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a store has come, and how it goes."""

    seq: int = 0
    generation: str = ""
    failures: int = 0
    last_error: str | None = None
    next_attempt: datetime | None = None
    refused: int = 0  # records the store will never take


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryResult:
    """What one delivery did; `error` says why it stopped early."""

    sent: int = 0
    deleted: int = 0
    pending: int = 0
    error: str | None = None
    next_attempt: datetime | None = None


class FileCursors:
    """Keeps progress across restarts and between processes: a small JSON file for each name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, name: str) -> Progress:
        """What was saved last; a file that cannot be read means to begin again, which is safe."""
        try:
            found = orjson.loads(self._path(name).read_bytes())
            moment = found.pop("next_attempt", None)
            return Progress(**found, next_attempt=moment and from_iso(moment))
        except (OSError, ValueError, TypeError, AttributeError):
            return Progress()

    def save(self, name: str, progress: Progress) -> None:
        """Keep it durably."""
        fields: dict[str, Any] = {
            each: getattr(progress, each) for each in Progress.__dataclass_fields__
        }
        if progress.next_attempt is not None:
            fields["next_attempt"] = to_iso(progress.next_attempt)
        write_atomic(self._path(name), orjson.dumps(fields))

    def lock(self, name: str) -> AbstractContextManager[None]:
        """Keep every other process from delivering meanwhile."""
        make_private(self._folder)
        return locked(self._path(name).with_suffix(".lock"))

    def _path(self, name: str) -> Path:
        return self._folder / f"outbox-{name}.json"


class Outbox:
    """Delivers one log to one store."""

    def __init__(
        self,
        log: KeptLog,
        store: VectorBackend,
        embed: Callable[[Sequence[str]], np.ndarray],
        cursors: FileCursors,
        *,
        now: Clock,
        name: str = "main",
    ) -> None:
        self._log = log
        self._store = store
        self._embed = embed
        self._cursors = cursors
        self._now = now
        self._name = f"{store.name}-{name}"

    @property
    def progress(self) -> Progress:
        """How far the store has come, and how it goes."""
        return self._cursors.load(self._name)

    def pending(self) -> int:
        """How many events of the log the store has not seen."""
        return max(self._log.last_seq() - self.progress.seq, 0)

    def deliver(self, *, limit: int | None = None, force: bool = False) -> DeliveryResult:
        """Send what is pending, at most `limit` events; after a failure only when it is due.

        Several processes may do this at once. It does not raise: what went wrong is in the answer.
        """
        sent = deleted = 0
        left = limit
        while left is None or left > 0:
            try:
                with self._cursors.lock(self._name):
                    step = self._step(BATCH if left is None else min(BATCH, left), force=force)
            except (PaigeError, OSError) as error:  # a full disk, a folder that is not ours
                return self._answer(sent, deleted, error=str(error))
            sent, deleted = sent + step.sent, deleted + step.deleted
            if step.error or not step.events:
                break
            left = left and left - step.events
        return self._answer(sent, deleted)

    def restart(self) -> None:
        """Empty the store and begin again. Raises: Unavailable."""
        with self._cursors.lock(self._name):
            self._store.recreate()
            self._cursors.save(self._name, Progress())

    def send(self, events: Sequence[Event]) -> None:
        """Send these events now, in one request; `deliver` will come to them again, harmlessly.

        Raises: Unavailable, BadInput.
        """
        # Under the lock, so that nothing that is forgotten meanwhile comes back.
        with self._cursors.lock(self._name):
            self._upsert([event for event in events if not event.forgotten])

    def _answer(self, sent: int, deleted: int, error: str | None = None) -> DeliveryResult:
        progress = self.progress
        return DeliveryResult(
            sent=sent,
            deleted=deleted,
            pending=self.pending(),
            error=error or progress.last_error,
            next_attempt=progress.next_attempt,
        )

    def _step(self, size: int, *, force: bool) -> "_Step":
        """One batch, with the lock held."""
        progress = self.progress
        if not force and progress.next_attempt and self._now() < progress.next_attempt:
            return _Step(error=True)
        try:
            generation = self._store.generation
            if generation != progress.generation:
                progress = Progress(generation=generation)
            events = list(self._log.read(progress.seq, limit=size))
            if not events:
                self._settled(progress)
                return _Step()
            step = self._apply(events)
        except Unavailable as error:
            self._cursors.save(self._name, failed(progress, error.message, now=self._now()))
            return _Step(error=True)
        self._settled(
            replace(progress, seq=events[-1].seq, refused=progress.refused + step.refused)
        )
        return step

    def _settled(self, progress: Progress) -> None:
        reached = replace(progress, failures=0, last_error=None, next_attempt=None)
        if reached != self.progress:
            self._cursors.save(self._name, reached)

    def _apply(self, events: Sequence[Event]) -> "_Step":
        """Bring the store to where these events lead; for each memory only the last word counts."""
        last: dict[str, Event | None] = {}
        for event in events:
            for id_ in removed_by(event):
                last[id_] = None
            if not event.forgotten and searchable(event.type):
                last[event.id] = event
        gone = [id_ for id_, event in last.items() if event is None]
        there = [event for event in last.values() if event is not None]
        self._store.delete(gone)
        refused = self._upsert_what_can_be(there)
        return _Step(
            events=len(events), sent=len(there) - refused, deleted=len(gone), refused=refused
        )

    def _upsert_what_can_be(self, events: Sequence[Event]) -> int:
        """Send events; one that the store will never take must not hold up the others."""
        try:
            self._upsert(events)
        except BadInput:
            if len(events) == 1:
                return 1
            half = len(events) // 2
            return sum(map(self._upsert_what_can_be, (events[:half], events[half:])))
        return 0

    def _upsert(self, events: Sequence[Event]) -> None:
        if events:
            self._store.upsert(
                [event.id for event in events],
                self._embed([event.text for event in events]),
                [_document(event) for event in events],
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    events: int = 0
    sent: int = 0
    deleted: int = 0
    refused: int = 0
    error: bool = False


def failed(progress: Progress, message: str, *, now: datetime) -> Progress:
    """The progress after one more failure: each one doubles the wait, up to five minutes."""
    wait = min(FIRST_WAIT * 2 ** min(progress.failures, 20), LONGEST_WAIT)
    failures = progress.failures + 1
    return replace(progress, failures=failures, last_error=message, next_attempt=now + wait)


def removed_by(event: Event) -> list[str]:
    """The memories that must not be found any more after this event."""
    found = [event.id] if event.forgotten else []
    match event.type:
        case "forgotten":
            found += ids_in(event.payload.get("ids"))
        case "retracted":
            found += ids_in(event.payload.get("of"))
    return found


def _document(event: Event) -> VectorMetadata:
    """A memory as the store keeps it: its rights, its text, what people filter and look at."""
    return replace(vector_metadata(event), text=event.text, facts=facts_of(event))


def facts_of(event: Event) -> dict[str, str]:
    """Plain values that say what a memory is."""
    tags = event.payload.get("tags")
    words = (
        [each for each in tags if isinstance(each, str)] if isinstance(tags, list | tuple) else []
    )
    return {
        "type": event.type,
        "scope": event.scope,
        "owner": event.owner,
        "created_at": to_iso(event.at),
        "importance": importance_word(event.payload, event.importance),
        "tags": ",".join(words),
    }


def importance_word(payload: Mapping[str, Any], importance: float) -> str:
    """The importance as a word: the one that was given, or the one that fits the number."""
    given = payload.get("importance")
    if isinstance(given, str):
        return given
    return "high" if importance >= HIGH else "medium" if importance >= MEDIUM else "low"
