"""The index of the memory: follows the logs, finds duplicates, answers searches.

It holds nothing that is not in the logs. Whenever it turns out to be missing, damaged or of another
version, it is thrown away and made again, and whoever asked gets an answer. Several processes may
use it at once: each applies what it finds new in a log, under the database's own lock, and sees
what the others applied.
"""

import threading
import time
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection, DatabaseError
from typing import NamedTuple, TypeVar

import numpy as np

from paige.base.errors import Unavailable
from paige.memory.access import Reader
from paige.memory.event import Event
from paige.memory.index import queries
from paige.memory.index import search as searching
from paige.memory.index.blocks import Arrays, Damaged
from paige.memory.index.catch_up import IndexProblem, catch_up, check, log_name
from paige.memory.index.classes import HIDDEN, Access, access_of
from paige.memory.index.files import FileReplaced, IndexFile, OpenIndex, Outdated, refusal
from paige.memory.index.preparation import embed, unpack_event
from paige.memory.index.search import State
from paige.memory.lifecycle.stats import MemoryTotals
from paige.memory.log.log_access import FollowedLog
from paige.memory.retrieval.answer import choose
from paige.memory.retrieval.question import NearWords, read_question
from paige.memory.retrieval.ranking import Weights, load_weights
from paige.memory.search_values import Ask, Result, SearchAnswer
from paige.memory.vectors.backend import Embedder, VectorBackend

HOT = "hot"


class NewestMemories(NamedTuple):
    """The newest memories, the latest first, and how many there are like these."""

    events: list[Event]
    total: int


def count_memories(state: State, allowed: np.ndarray) -> MemoryTotals:
    """Count what is in classes that may be seen."""
    counts = np.bincount(state.arrays.column("class"), minlength=len(allowed))
    keys = queries.class_keys(state.connection)
    current: dict[int, int] = {}
    superseded = 0
    scopes, types, projects = Counter[str](), Counter[str](), Counter[str]()
    for number in np.flatnonzero(allowed & (counts[: len(allowed)] > 0)).tolist():
        count = int(counts[number])
        key = literal_eval(keys[number])
        if key[-1] == HIDDEN and len(key) == 2:
            superseded += count
            continue
        current[number] = count
        types[key[0]] += count
        scopes[key[1]] += count
        if key[3] is not None:
            projects[key[3]] += count
    total = sum(current.values())
    tiers = Counter[str]()
    for number, tier, count in queries.colder_by_class(state.connection):
        if number in current:
            tiers[tier] += count
    tiers[HOT] = total - sum(tiers.values())
    return MemoryTotals(
        memories=total,
        superseded=superseded,
        scopes=scopes,
        types=types,
        tiers=tiers,
        projects=projects,
    )


def newest_rows(arrays: Arrays, rows: np.ndarray, limit: int) -> list[int]:
    """The newest of some rows, the latest first; what came later decides between equals."""
    at = arrays.column("at")[rows]
    if len(rows) > limit:
        late = at >= np.partition(at, -limit)[-limit]
        rows, at = rows[late], at[late]
    return rows[np.lexsort((rows, at))][::-1][:limit].tolist()


ATTEMPTS = 4  # times that an unusable index is made again for one call
TURNS = 100
FETCHED = 24  # events that are read at once
MOST_UNDER_BUDGET = 1000  # results that are looked at for a budget without a number of results
T = TypeVar("T")


class Index:
    """A disposable index of some logs; it may be shared between threads."""

    def __init__(
        self,
        folder: Path,
        embedder: Embedder | None,
        *,
        logs: Iterable[FollowedLog] = (),
        weights: Weights | None = None,
        remote: VectorBackend | None = None,
    ) -> None:
        self._file = IndexFile(folder)
        self._embedder = embedder
        self._weights = weights or load_weights()
        self._near = NearWords()
        self._remote = remote
        self._logs: dict[str, FollowedLog] = {}
        self._guard = threading.Lock()
        self._opened: OpenIndex | None = None
        for log in logs:
            self.follow(log)

    @property
    def path(self) -> Path:
        """Where the index is kept."""
        return self._file.path

    # --- following ---

    def follow(self, log: FollowedLog) -> None:
        """From now on look into this log before every search."""
        self._logs.setdefault(log_name(log), log)

    def catch_up(self, log: FollowedLog, *, limit: int | None = None) -> int:
        """Apply what a log has and the index has not, at most `limit` events; returns how many."""
        self.follow(log)
        return self._run(lambda opened: catch_up(opened, log, limit))

    def catch_up_all(self) -> int:
        """Apply what the followed logs have and the index has not."""
        return self._run(self._catch_up)

    def rebuild(self, logs: Iterable[FollowedLog] = ()) -> int:
        """Throw the index away and make it again; returns how many events were applied."""
        for log in logs:
            self.follow(log)
        self._file.remove(None)
        return self.catch_up_all()

    def verify(self, logs: Iterable[FollowedLog] = ()) -> list[IndexProblem]:
        """Compare the index with the logs, event by event, and with itself."""
        for log in logs:
            self.follow(log)
        try:
            return self._run(lambda opened: check(opened, self._logs.values()), recover=False)
        except Unavailable as error:
            return [IndexProblem(error.message)]

    def counts(self) -> dict[str, int]:
        """How much the index holds, by table."""
        with self.reading() as connection:
            return queries.counts(connection)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._file.close()
        self._opened = None

    # --- searching ---

    def search(self, ask: Ask, reader: Reader) -> SearchAnswer:
        """Find memories that a reader may see, best first, with everything that was just added."""
        return self._run(lambda opened: self._search(opened, ask, reader))

    def _search(self, opened: OpenIndex, ask: Ask, reader: Reader) -> SearchAnswer:
        started = time.perf_counter()
        self._catch_up(opened)
        with opened.searching() as state:
            connection = state.connection
            access = access_of(
                reader,
                history=ask.history,
                scope=ask.scope,
                projects=ask.projects,
                session=ask.session,
                types=ask.types,
            )
            scope = opened.scope(connection, access, ask.speaker)
            today = None if ask.now is None else ask.now.date()
            question = read_question(ask.query, scope.speakers, near=self._near.near, today=today)
            vector = self._embed(question.meaning) if len(scope.rows) else None
            remote = None if scope.small else self._ask_remote(connection, vector, access)
            weights = replace(self._weights, **ask.weights)
            hits = searching.search(state, scope, question, vector, weights, remote)
            results, left_out = choose(ask, self._fetch(connection, ask, hits))
        took = (time.perf_counter() - started) * 1000
        return SearchAnswer(
            results=results, took_ms=took, left_out=left_out, vectors=vector is not None
        )

    def _fetch(self, connection: Connection, ask: Ask, hits: searching.Hits) -> Iterator[Result]:
        order = np.arange(len(hits.rows))
        if ask.budget_tokens is not None:
            order = np.argsort(-hits.priority.astype(np.int8), kind="stable")[:MOST_UNDER_BUDGET]
        step = FETCHED if ask.limit is None else max(1, min(FETCHED, ask.limit))
        for start in range(0, len(order), step):
            places = order[start : start + step]
            found = queries.bodies(connection, hits.rows[places].tolist())
            for place in places.tolist():
                body = found.get(int(hits.rows[place]))
                if body is not None:
                    why = {name: round(float(part[place]), 4) for name, part in hits.parts.items()}
                    yield Result(unpack_event(body), round(float(hits.scores[place]), 6), why)

    def _embed(self, text: str) -> np.ndarray | None:
        found = embed([text], self._embedder)
        return None if found is None or not found.any() else found[0]

    def _ask_remote(
        self, connection: Connection, vector: np.ndarray | None, access: Access
    ) -> Sequence[int] | None:
        """Rows that another store finds near; None when there is none, or it does not answer."""
        if self._remote is None or vector is None or not self._remote.available:
            return None
        try:
            near = self._remote.nearest(vector, searching.NEAREST, access.groups)
        except Unavailable:
            return None
        return list(queries.rows_of(connection, [each.id for each in near]).values())

    # --- what the broker and others ask ---

    def find_duplicate(self, fingerprint: str) -> str | None:
        """The id of a memory with this fingerprint."""
        return self._ask(lambda connection: queries.find_id(connection, fingerprint))

    def has_id(self, id: str) -> bool:
        """Whether an event with this id was ever read, also one that is forgotten."""
        return bool(self._ask(lambda connection: queries.known_ids(connection, [id])))

    def current_fact(self, slot: str) -> str | None:
        """The id of the fact that holds now for a slot (see `fact_slot`)."""
        found = self._ask(lambda connection: queries.find_fact(connection, slot))
        return None if found is None else found[0]

    def recently_recalled(self, session: str, text_hash: str) -> bool:
        """Whether a text was put into a prompt of this session."""
        return self._ask(lambda connection: queries.was_recalled(connection, session, text_hash))

    def novelty(self, text: str, reader: Reader, *, project: str | None = None) -> float:
        """How new a text is to a reader: 1 for something never said, 0 for the same again."""
        found = self.search(Ask(query=text, k=3, project=project), reader).results
        vectors = embed([text, *(each.text for each in found)], self._embedder)
        if not found:
            return 1.0
        if vectors is None:
            return _new_words(text, [each.text for each in found])
        return float(np.clip(1.0 - (vectors[1:] @ vectors[0]).max(), 0.0, 1.0))

    def event(self, id: str, reader: Reader) -> Event | None:
        """A memory by its id, also a superseded one; None when the reader may not see it."""

        def action(opened: OpenIndex) -> Event | None:
            self._catch_up(opened)
            with opened.searching() as state:
                allowed = state.names.classes.allowed(access_of(reader, history=True))
                found = queries.body_of(state.connection, id)
                return unpack_event(found[1]) if found is not None and allowed[found[0]] else None

        return self._run(action)

    def newest(
        self, reader: Reader, *, limit: int, scope: str | None = None, project: str | None = None
    ) -> NewestMemories:
        """The newest memories that hold now and that a reader may see, the latest first."""

        def action(opened: OpenIndex) -> NewestMemories:
            self._catch_up(opened)
            with opened.searching() as state:
                access = access_of(
                    reader, scope=scope, projects=() if project is None else (project,)
                )
                seen = opened.scope(state.connection, access, None)
                rows = newest_rows(state.arrays, seen.rows, limit)
                found = queries.bodies(state.connection, rows)
            events = [unpack_event(found[row]) for row in rows if row in found]
            return NewestMemories(events, len(seen.rows))

        return self._run(action)

    def totals(self, reader: Reader) -> MemoryTotals:
        """How many memories a reader may see."""

        def action(opened: OpenIndex) -> MemoryTotals:
            self._catch_up(opened)
            with opened.searching() as state:
                allowed = state.names.classes.allowed(access_of(reader, history=True))
                return count_memories(state, allowed)

        return self._run(action)

    def superseded_by(self, ids: Collection[str]) -> dict[str, str]:
        """Which memory replaced each of these, if one did."""
        return self._ask(lambda connection: queries.superseded_by(connection, ids))

    def read_up_to(self, log: FollowedLog) -> int:
        """The last number of a log that the index knows."""
        found = self._ask(lambda connection: queries.log_state(connection, log_name(log)))
        return 0 if found is None else found.cursor

    @property
    def embedder(self) -> str | None:
        """Which vectors are compared; None when only words are."""
        return None if self._embedder is None else self._embedder.name

    @property
    def backends(self) -> tuple[str, ...]:
        """Where vectors are kept."""
        if self._embedder is None:
            return ()
        return ("embedded",) if self._remote is None else ("embedded", self._remote.name)

    # --- the file ---

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees one state of the index until the end of the block."""
        with ExitStack() as stack:
            yield self._run(lambda opened: stack.enter_context(opened.reading()))

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection that nobody else writes beside; all is kept at the end, or nothing."""
        with ExitStack() as stack:
            yield self._run(lambda opened: stack.enter_context(opened.writing()))

    def _ask(self, question: Callable[[Connection], T]) -> T:
        """Ask the index when it has everything that the logs have."""

        def action(opened: OpenIndex) -> T:
            self._catch_up(opened)
            with opened.reading() as connection:
                return question(connection)

        return self._run(action)

    def _catch_up(self, opened: OpenIndex) -> int:
        return sum(catch_up(opened, log, None) for log in list(self._logs.values()))

    def _open(self) -> OpenIndex:
        opened = self._opened
        if opened is not None and self._file.is_current(opened.identity):
            return opened
        with self._guard:
            self._file.open()
            opened = self._opened
            if opened is None or opened.identity != self._file.identity:
                opened = self._opened = OpenIndex.open(self._file, self._embedder)
            return opened

    def _run(self, action: Callable[[OpenIndex], T], *, recover: bool = True) -> T:
        """Do something with the index; make it again when it turns out to be unusable."""
        damaged: list[Exception] = []
        for _ in range(TURNS):
            opened: OpenIndex | None = None
            try:
                opened = self._open()
                return action(opened)
            except (FileReplaced, Outdated):
                continue  # deleted, made anew, or brought further by somebody else
            except (Damaged, DatabaseError) as error:
                refused = refusal(error, self._file.path)
                if refused is not None:
                    raise refused from error
                damaged.append(error)
                if not recover or len(damaged) == ATTEMPTS:
                    break
                identity = self._file.identity if opened is None else opened.identity
                if identity is not None:
                    self._file.remove(identity)
        problem = damaged[-1] if damaged else "other programs replace it all the time"
        raise Unavailable(
            f"The memory index `{self._file.path}` cannot be used: {problem}",
            hint="Check the disk; `paige memory rebuild` makes the index again.",
        ) from (damaged[-1] if damaged else None)


def _new_words(text: str, others: Sequence[str]) -> float:
    words = set(text.casefold().split())
    shared = max(len(words & set(other.casefold().split())) for other in others)
    return 1.0 - shared / max(1, len(words))
