"""What the coach remembers from session to session, and finds again by meaning.

Every memory is an event of the log first. With a Chroma server (`CHROMADB_URL`) it is found there:
when the server does not answer, nothing is added and nothing is found, a warning says so, and the
next call tries again; meanwhile the memory waits in the outbox. Without one the embedded index
answers, and there is nothing that could be down.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from paige.base.clock import Clock, to_iso
from paige.base.errors import BadInput, PaigeError, Unavailable
from paige.memory.access import Reader
from paige.memory.event import Draft, Event, Provenance
from paige.memory.index.index import Index
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker, RememberResult
from paige.memory.search_values import Ask
from paige.memory.vectors.backend import Embedder
from paige.memory.vectors.chroma import COLLECTION, ChromaVectors, Row, where_of
from paige.memory.vectors.outbox import Outbox, facts_of

logger = logging.getLogger(__name__)

TYPE = "coaching"
N_RESULTS = 10
IMPORTANCE = {"high": 0.9, "medium": 0.6, "low": 0.3}
TRIES = 5
GAP = 32
DELIVERED_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class MemoryInput:
    """What the coach wants to remember."""

    content: str
    tags: Sequence[str] = ()
    importance: str = "medium"  # "high", "medium" or "low"


@dataclass(frozen=True, slots=True)
class MemoryMetadata:
    """What is known about a memory beside its text."""

    session_id: str
    project: str
    created_at: str  # ISO 8601
    importance: str
    tags: str  # separated by commas


@dataclass(frozen=True, slots=True)
class MemoryResult:
    """A memory that was found; the lower the distance, the more similar."""

    id: str
    content: str
    metadata: MemoryMetadata
    distance: float


class CoachMemories:
    """Adds and finds the coach's memories; it may be shared between threads.

    The first of the outboxes brings them to Chroma, if there is one.
    """

    def __init__(
        self,
        broker: Broker,
        index: Index,
        embedder: Embedder | None,
        *,
        now: Clock,
        outboxes: Sequence[Outbox] = (),
        chroma: ChromaVectors | None = None,
    ) -> None:
        self._broker = broker
        self._index = index
        self._embedder = embedder
        self._now = now
        self._outboxes = outboxes
        self._chroma = chroma
        self._lock = threading.Lock()
        self._was_lost = False

    def connect(self) -> bool:
        """Look for Chroma at start-up, and say in the log how it went."""
        if self._chroma is None:
            return True
        try:
            self._chroma.connect()
        except Unavailable:
            self._was_lost = True
            logger.warning(
                "ChromaDB unavailable at %s — memory features disabled", self._chroma.address
            )
            return False
        logger.info("ChromaDB connected — collection %s ready", COLLECTION)
        return True

    def is_memory_available(self) -> bool:
        """Whether memories can be added and found, as far as is known."""
        return self._chroma is None or self._chroma.ready

    def add_memories(
        self,
        memories: Sequence[MemoryInput],
        session_id: str,
        project: str,
        *,
        person: str = "me",
    ) -> dict[str, int]:
        """Keep memories; the answer says how many can be found from now on."""
        if not memories:
            return {"added": 0}
        try:
            events = self._remember(memories, session_id, project, person)
        except PaigeError as error:
            logger.warning("Memories of the coach were not kept: %s", error.message)
            return {"added": 0}
        if self._chroma is None:
            return {"added": len(events)}
        try:
            self._outboxes[0].send(events)
        except (Unavailable, BadInput) as error:
            self._lost(f"{len(events)} memories wait for it", error)
            return {"added": 0}
        self._recovered()
        return {"added": len(events)}

    def query_memories(
        self,
        query_text: str,
        n_results: int = N_RESULTS,
        project: str | None = None,
        *,
        person: str = "me",
    ) -> list[MemoryResult]:
        """The memories nearest in meaning, nearest first; of every project when none is named."""
        if self._chroma is None:
            return self._search(query_text, n_results, project, person)
        try:
            return self._query(self._chroma, query_text, n_results, project, person)
        except (Unavailable, BadInput) as error:
            self._lost("nothing is recalled", error)
            return []

    def _remember(
        self, memories: Sequence[MemoryInput], session_id: str, project: str, person: str
    ) -> list[Event]:
        """Write drafts to the log; numbers that someone else took meanwhile are moved on."""
        now = self._now()
        waiting = list(memories)
        events: list[Event] = []
        with self._lock:
            for _ in range(TRIES):
                first = next_number(self._index.has_id, session_id)
                drafts = [
                    Draft(
                        id=f"mem_{session_id}_{number}",
                        text=memory.content,
                        type=TYPE,
                        scope="learner",  # how someone gets on is nobody else's business
                        owner=person,
                        project=project,
                        session=session_id,
                        payload={"tags": clean_tags(memory.tags), "importance": memory.importance},
                        importance=IMPORTANCE.get(memory.importance),
                        provenance=Provenance(session_id=session_id),
                        at=now,
                    )
                    for number, memory in enumerate(waiting, first)
                ]
                kept = self._broker.remember(drafts, Writer(person=person))
                events += [each.event for each in kept if each.event and each.status == "stored"]
                taken = zip(waiting, drafts, kept, strict=True)
                waiting = [memory for memory, draft, each in taken if _is_taken(draft, each)]
                if not waiting:
                    break
        return events

    def _query(
        self, chroma: ChromaVectors, text: str, n_results: int, project: str | None, person: str
    ) -> list[MemoryResult]:
        chroma.connect()
        self._recovered()
        equal = {"type": TYPE, "owner": person}
        if project is not None:
            equal["project"] = project
        rows = chroma.query(self._embed([text])[0], n_results, where_of(equal=equal))
        return [_from_row(row) for row in rows]

    def _search(
        self, text: str, n_results: int, project: str | None, person: str
    ) -> list[MemoryResult]:
        if n_results < 1:
            return []
        ask = Ask(query=text, k=n_results, project=project, types=(TYPE,))
        found = [each.event for each in self._index.search(ask, Reader(person=person)).results]
        if not found:
            return []
        if self._embedder is None:
            distances = [1 - 1 / rank for rank in range(1, len(found) + 1)]
        else:
            vectors = self._embed([text, *(event.text for event in found)])
            distances = (1 - vectors[1:] @ vectors[0]).tolist()
        pairs = sorted(zip(distances, found, strict=True), key=lambda pair: pair[0])
        return [_from_event(event, distance) for distance, event in pairs]

    def _embed(self, texts: Sequence[str]) -> np.ndarray:
        if self._embedder is None:
            raise Unavailable(
                "Chroma compares vectors, and there is no embedder", hint="Set `PAIGE_EMBEDDER`."
            )
        return self._embedder.embed(texts)

    def _lost(self, consequence: str, error: PaigeError) -> None:
        self._was_lost = True
        address = self._chroma.address if self._chroma else ""
        logger.warning("ChromaDB unavailable at %s — %s (%s)", address, consequence, error.message)

    def _recovered(self) -> None:
        """After an outage: say so, and send what has waited."""
        if not self._was_lost:
            return
        self._was_lost = False
        logger.info("ChromaDB reachable again — collection %s ready", COLLECTION)
        for outbox in self._outboxes:
            outbox.deliver(limit=DELIVERED_AT_ONCE, force=True)


def clean_tags(tags: Sequence[str]) -> list[str]:
    """Tags that can be joined with commas: those inside become spaces, empty tags go."""
    cleaned = (" ".join(tag.replace(",", " ").split()) for tag in tags)
    return [tag for tag in cleaned if tag]


def next_number(has_id: Callable[[str], bool], session_id: str) -> int:
    """The number of a session's next memory: one more than the highest there is."""
    free = 0
    for number in count():
        if has_id(f"mem_{session_id}_{number}"):
            free = number + 1
        elif number - free >= GAP:  # a memory that was refused leaves its number unused
            break
    return free


def _is_taken(draft: Draft, kept: RememberResult) -> bool:
    """Whether another process gave this id to another memory at the same moment."""
    return kept.status == "duplicate" and kept.id == draft.id


def _from_row(row: Row) -> MemoryResult:
    values = {name: str(row.metadata.get(name, "")) for name in MemoryMetadata.__slots__}
    return MemoryResult(row.id, row.text, MemoryMetadata(**values), row.distance)


def _from_event(event: Event, distance: float) -> MemoryResult:
    facts = facts_of(event)
    metadata = MemoryMetadata(
        session_id=event.session or "",
        project=event.project or "",
        created_at=to_iso(event.at),
        importance=facts["importance"],
        tags=facts["tags"],
    )
    return MemoryResult(event.id, event.text, metadata, float(distance))
