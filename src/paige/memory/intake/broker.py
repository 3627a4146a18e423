"""The only way into the memory: drafts are checked, compared with what is known, and logged.

A batch is one append to the log. What a draft alone decides is in `admission.py`. What depends on
other memories is decided while the log is locked, so that two writers never both find a fact
missing: duplicates are dropped only within one project, session, speaker and second; a keyed fact
supersedes the value before it; nothing else supersedes by itself. Imports are taken as they are,
each line its own event, without asking the index.

The index is a help, not a condition: while it does not answer, memories are logged all the same,
and it sorts out duplicates when it reads them. Its answers cover everything that the followed logs
hold, also while they are locked: looking into a log takes no lock.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Literal, NamedTuple, TypeVar

from paige.base.clock import Clock
from paige.base.errors import BadInput, Refused, Unavailable
from paige.base.ids import new_id
from paige.language.names.gate import NameGate, refusal
from paige.memory.access import Reader, may_read
from paige.memory.event import DEFAULT_IMPORTANCE, Draft, Event
from paige.memory.index.index import Index
from paige.memory.intake.admission import OnlyRecalled, Writer, admit, is_gated, words_of
from paige.memory.intake.fingerprints import fact_slot, fingerprint, is_import, text_hash
from paige.memory.intake.project_logs import ProjectLogs
from paige.memory.log.log_access import KeptLog
from paige.memory.types import searchable, shown

NOVELTY, CONFLICT = 0.15, 0.15
OUTCOMES = {"failure": 0.1, "success": 0.05}


class Signals(NamedTuple):
    """What is known about a memory when it comes in; `None` where nobody looked."""

    explicit: float | None = None
    outcome: str | None = None
    novelty: float | None = None  # 0: known word for word, 1: nothing like it
    conflict: bool = False  # it replaces another value


class Importance(NamedTuple):
    """A value from 0 to 1, and what it is made of."""

    value: float
    reasons: dict[str, float]


def importance_of(signals: Signals) -> Importance:
    """Weigh the signals."""
    if signals.explicit is not None:
        return Importance(_within(signals.explicit), {"given": _within(signals.explicit)})
    reasons: dict[str, float] = {}
    if signals.novelty is not None:
        reasons["novelty"] = NOVELTY * (2 * _within(signals.novelty) - 1)
    if signals.outcome in OUTCOMES:
        reasons["outcome"] = OUTCOMES[signals.outcome]
    if signals.conflict:
        reasons["conflict"] = CONFLICT
    rounded = {name: round(value, 4) for name, value in reasons.items()}
    return Importance(round(_within(DEFAULT_IMPORTANCE + sum(rounded.values())), 4), rounded)


def _within(value: float) -> float:
    return min(1.0, max(0.0, float(value)))


Status = Literal["stored", "duplicate", "recalled", "refused"]
T = TypeVar("T")


class RememberResult(NamedTuple):
    """What became of one draft."""

    event: Event | None
    id: str | None
    status: Status
    reason: str | None = None


@dataclass(slots=True)
class _Entry:
    """A draft on its way into the log."""

    place: int  # in the batch
    event: Event
    given_id: bool
    novelty: float | None = None


@dataclass(slots=True)
class _Batch:
    """What the events of this append add to what is known."""

    known: Index
    ids: dict[str, Event] = field(default_factory=dict)
    prints: dict[str, str] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)

    def has_id(self, id: str) -> bool:
        return id in self.ids or bool(_asked(lambda: self.known.has_id(id)))

    def duplicate_of(self, print_: str) -> str | None:
        return self.prints.get(print_) or _asked(lambda: self.known.find_duplicate(print_))

    def fact(self, slot: str, owner: str) -> Event | None:
        id = self.facts.get(slot) or _asked(lambda: self.known.current_fact(slot))
        return None if id is None else self.event(id, Reader(person=owner))

    def event(self, id: str, reader: Reader) -> Event | None:
        here = self.ids.get(id)
        if here is not None:
            return here if may_read(reader, here) else None
        return _asked(lambda: self.known.event(id, reader))

    def add(self, event: Event) -> None:
        self.ids[event.id] = event
        if is_import(event.payload):
            return
        self.prints[fingerprint(event)] = event.id
        slot = fact_slot(event)
        if slot is not None:
            self.facts[slot] = event.id


class Broker:
    """Takes drafts in; it may be shared between threads."""

    def __init__(
        self,
        log: KeptLog,
        known: Index,
        *,
        now: Clock,
        randomness: Callable[[int], bytes],
        names: NameGate,
        projects: ProjectLogs | None = None,
    ) -> None:
        """Without `projects` everything goes to `log`."""
        self._known = known
        self._now = now
        self._randomness = randomness
        self._names = names
        self._projects = projects or ProjectLogs(log)

    def remember(self, drafts: Sequence[Draft], writer: Writer) -> list[RememberResult]:
        """Take drafts in, in order; every draft has its own result."""
        now = self._now()
        results: dict[int, RememberResult] = {}
        waiting: dict[KeptLog, list[_Entry]] = {}
        for place, draft in enumerate(drafts):
            found = self._admit(draft, writer, now)
            if isinstance(found, RememberResult):
                results[place] = found
            else:
                log = self._projects.log_for(found)
                waiting.setdefault(log, []).append(_Entry(place, found, draft.id is not None))
        for log, entries in waiting.items():
            results |= self._append(log, entries, writer, now)
        return [results[place] for place in range(len(drafts))]

    def _admit(self, draft: Draft, writer: Writer, now: datetime) -> Event | RememberResult:
        try:
            event = admit(draft, writer, now)
        except OnlyRecalled:
            return _recalled(draft.id)
        except (BadInput, Refused) as error:
            return _refused(draft.id, error.message)
        if is_gated(event):
            spans = [span for text in words_of(event) for span in self._names.find(text)]
            if spans:
                return _refused(draft.id, refusal(spans))
        return event

    def _append(
        self, log: KeptLog, entries: list[_Entry], writer: Writer, now: datetime
    ) -> dict[int, RememberResult]:
        self._known.follow(log)
        self._look_for_novelty(entries, writer)
        results: dict[int, RememberResult] = {}

        def make(first: int) -> list[Event]:
            batch = _Batch(self._known)
            randomness = self._randomness(10 * len(entries))
            events: list[Event] = []
            for index, entry in enumerate(entries):
                id = entry.event.id or new_id(now, randomness[10 * index : 10 * index + 10])
                event = replace(entry.event, id=id, seq=first + len(events))
                result = _decide(event, entry, batch, writer)
                results[entry.place] = result
                if result.event is not None:
                    batch.add(result.event)
                    events.append(result.event)
            return events

        log.append(make)
        return results

    def _look_for_novelty(self, entries: list[_Entry], writer: Writer) -> None:
        """Before the log is locked: it takes a search."""
        reader = reader_of(writer)
        for entry in entries:
            event = entry.event
            if event.importance < 0 and searchable(event.type) and not is_import(event.payload):
                entry.novelty = _asked(partial(self._known.novelty, event.text, reader))


def _decide(event: Event, entry: _Entry, batch: _Batch, writer: Writer) -> RememberResult:
    """What becomes of an event, given everything logged before it."""
    if entry.given_id and batch.has_id(event.id):
        return RememberResult(None, event.id, "duplicate", "An event with this id is there already")
    if is_import(event.payload):
        return _stored(event, Signals(explicit=_given(event)))
    if _was_recalled(event, batch.known):
        return _recalled(event.id if entry.given_id else None)
    twin = batch.duplicate_of(fingerprint(event))
    if twin is not None:
        return RememberResult(None, twin, "duplicate", "The same was said here at the same time")
    before = _superseded(event, batch, writer)
    if isinstance(before, RememberResult):
        return before
    if before is not None:
        event = replace(event, supersedes=before.id)
    signals = Signals(
        explicit=_given(event),
        outcome=event.outcome,
        novelty=entry.novelty,
        conflict=before is not None,
    )
    return _stored(event, signals)


def _superseded(event: Event, batch: _Batch, writer: Writer) -> Event | RememberResult | None:
    """The event this one supersedes, if any, or why it may not come in."""
    if event.supersedes is not None:
        if event.type == "episode":
            return _refused(event.id, "an episode is what happened; it supersedes nothing")
        named = batch.event(event.supersedes, reader_of(writer))
        if named is None:
            wrong = shown(event.supersedes)
            return _refused(event.id, f"`supersedes` is `{wrong}`, and there is no such memory")
        return named
    slot = fact_slot(event)
    current = None if slot is None else batch.fact(slot, event.owner)
    if current is None or current.at > event.at:  # said earlier, arrived late: nothing to replace
        return None
    if text_hash(current.text) == text_hash(event.text):
        return RememberResult(None, current.id, "duplicate", "This is what is known already")
    return current


def _was_recalled(event: Event, known: Index) -> bool:
    session = event.session
    if session is None or not searchable(event.type):
        return False
    said = text_hash(event.text)
    return bool(_asked(lambda: known.recently_recalled(session, said)))


def _stored(event: Event, signals: Signals) -> RememberResult:
    importance = importance_of(signals)
    payload = event.payload
    if importance.reasons and signals.explicit is None:
        payload = {**payload, "importance_reasons": importance.reasons}
    kept = replace(event, importance=importance.value, payload=payload)
    return RememberResult(kept, kept.id, "stored")


def _given(event: Event) -> float | None:
    return event.importance if event.importance >= 0 else None


def _recalled(id: str | None) -> RememberResult:
    return RememberResult(None, id, "recalled", "This was recalled from memory in this session")


def _refused(id: str | None, reason: str) -> RememberResult:
    return RememberResult(None, id or None, "refused", reason)


def reader_of(writer: Writer) -> Reader:
    """What a writer may read."""
    return Reader(
        person=writer.person,
        roles=writer.roles,
        agent=writer.agent.id,
        session=writer.session,
        projects=writer.projects,
    )


def _asked(question: Callable[[], T]) -> T | None:
    """The answer of the index, or nothing while it is not there."""
    try:
        return question()
    except Unavailable:
        return None
