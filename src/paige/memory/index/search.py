"""From a question to memories in order: which rows hold which word, which mean the same, ranked.

In a small scope every row is ranked. In a large one the rows are those that hold the rarer words of
the question, those that hold most of its words, those that are nearest in meaning, and the
neighbours of all of them. Rights are part of every full-text query, and of the rows whose vectors
are compared; nothing is taken out afterwards.

Few rows are compared by meaning exactly. For many, the signs of their 256 numbers (32 bytes) are
compared first, which a processor does for a million rows in a few milliseconds, and only the best
of them exactly. The exact vectors of a small index stay in memory; those of a large one are read
from the database when they are needed.
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from sqlite3 import Connection, OperationalError

import numpy as np

from paige.memory.index import queries
from paige.memory.index.blocks import Arrays, Damaged, codes_of
from paige.memory.index.classes import Columns, Names, Scope, columns_of, places
from paige.memory.retrieval.question import Question, Term, match_any
from paige.memory.retrieval.ranking import Candidates, Ranking, Weights, rank

IN_MEMORY = 2**16  # vectors of half precision: 32 MB
PREFILTERED = 1000  # rows that are compared exactly after the signs were


class ExactVectors:
    """The exact vectors of an index; it may be shared between threads."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._lock = threading.Lock()
        self._matrix = np.zeros((1, dimension), np.float16)  # row 0 is no row
        self._have = 0

    def of(self, connection: Connection, rows: np.ndarray, last: int) -> np.ndarray:
        """The vectors of rows, in single precision; zeros for a row that has none.

        `last` is the last row with a vector. Raises: Damaged.
        """
        if last <= IN_MEMORY:
            return self._in_memory(connection, last)[np.where(rows <= last, rows, 0)].astype("f4")
        found = queries.vectors_of(connection, rows)
        vectors = np.zeros((len(rows), self._dimension), np.float32)
        if found:
            numbers, data = _unpacked(found, self._dimension)
            vectors[np.searchsorted(rows, numbers)] = data
        return vectors

    def _in_memory(self, connection: Connection, last: int) -> np.ndarray:
        with self._lock:
            if last > self._have:
                if last >= len(self._matrix):
                    grown = np.zeros((2 * last + 1, self._dimension), np.float16)
                    grown[: len(self._matrix)] = self._matrix
                    self._matrix = grown
                found = list(queries.vectors_between(connection, self._have, last))
                if found:
                    numbers, data = _unpacked(found, self._dimension)
                    self._matrix[numbers] = data
                self._have = last
            return self._matrix


def check_codes(arrays: Arrays, rows: np.ndarray, vectors: np.ndarray) -> None:
    """Compare exact vectors with their signs: both were written together. Raises: Damaged."""
    codes = codes_of(vectors).view(np.uint64)
    if not np.array_equal(codes, arrays.planes[:, rows].T):
        raise Damaged("a vector is not the one that was stored")


def nearest_rows(
    arrays: Arrays, rows: np.ndarray, vector: np.ndarray, most: int = PREFILTERED
) -> np.ndarray:
    """About `most` of the rows, those whose signs agree best with the vector's; in order."""
    if len(rows) <= most:
        return rows
    code = codes_of(vector[None, :]).view(np.uint64)[0]
    planes = arrays.planes
    if 4 * len(rows) < arrays.size:
        apart = _apart((plane[rows] for plane in planes), code)
    else:
        apart = _apart(planes, code)
        if len(rows) != arrays.size:
            apart = apart[rows]
    enough = np.searchsorted(np.cumsum(np.bincount(apart)), most)
    return rows[np.flatnonzero(apart <= enough)[: 2 * most]]


def _apart(planes: Iterable[np.ndarray], code: np.ndarray) -> np.ndarray:
    total: np.ndarray | None = None
    for plane, word in zip(planes, code, strict=True):
        differing = np.bitwise_count(plane ^ word)
        total = differing.astype(np.uint16) if total is None else total + differing
    assert total is not None
    return total


def _unpacked(found: list[tuple[int, bytes]], dimension: int) -> tuple[np.ndarray, np.ndarray]:
    numbers, blobs = zip(*found, strict=True)
    joined = b"".join(blobs)
    if len(joined) != 2 * dimension * len(found):
        raise Damaged("a vector has another length")
    return np.array(numbers), np.frombuffer(joined, np.float16).reshape(len(found), dimension)


COMMON = 20_000  # rows; a word that more rows hold says little, and its rows are not listed
COMMON_RELATED = 5_000  # the same for the words related to a word
BEST = 400  # rows by the words they hold
FEW = 50  # rows; with fewer that hold all common words, those with some are looked for
NEAREST = 200  # rows by meaning
ALIKE = 0.3  # a cosine from which on a memory without any word of the question is an answer


@dataclass(frozen=True, slots=True)
class State:
    """One state of the index, as a search sees it."""

    connection: Connection
    arrays: Arrays
    names: Names
    vectors: ExactVectors | None
    vectors_up_to: int
    version: int


@dataclass(frozen=True, slots=True)
class Hits:
    """Rows that answer the question, best first."""

    rows: np.ndarray
    scores: np.ndarray
    parts: dict[str, np.ndarray]
    priority: np.ndarray


@dataclass(frozen=True, slots=True)
class _Words:
    """Which candidates hold which terms."""

    presence: np.ndarray
    near: np.ndarray
    counts: np.ndarray


def search(
    state: State,
    scope: Scope,
    question: Question,
    vector: np.ndarray | None,
    weights: Weights,
    remote: Sequence[int] | None = None,
) -> Hits:
    """Rank what a scope has about a question; `remote` are rows that another store found near."""
    if not len(scope.rows):
        return _no_hits()
    columns, words = (_all_rows if scope.small else _best_rows)(
        state, scope, question, vector, remote
    )
    similarity = _similarity(state, scope, columns, vector)
    values = columns.values
    candidates = Candidates(
        seq=values["seq"],
        session=values["session"],
        previous=columns.previous,
        following=columns.following,
        speaker=columns.speaker,
        at=values["at"],
        length=values["length"],
        told=values["told"],
        importance=values["importance"],
        accesses=values["accesses"],
        presence=words.presence,
        near=words.near,
        counts=words.counts,
        scope_size=len(scope.rows),
        mean_length=scope.mean_length,
        similarity=similarity,
        speakers=columns.speakers,
    )
    ranked = rank(question, candidates, weights)
    order = ranked.order[_answers(question, candidates, ranked)[ranked.order]]
    return Hits(
        columns.rows[order],
        ranked.scores[order],
        {name: part[order] for name, part in ranked.parts.items()},
        values["priority"][order],
    )


def _answers(question: Question, candidates: Candidates, ranked: Ranking) -> np.ndarray:
    """Whether each candidate has anything to do with the question."""
    if not question.terms and not question.named and not question.dates:
        return np.ones(len(candidates.seq), bool)
    found = candidates.presence.any(0) | candidates.near.any(0) | (ranked.parts["neighbour"] > 0)
    if candidates.similarity is not None:
        found |= candidates.similarity >= ALIKE
    if question.named:
        named = np.array([*(name in question.named for name in candidates.speakers), False])
        found |= named[candidates.speaker]
    if "date" in ranked.parts:
        found |= ranked.parts["date"] > 0
    return found


def _all_rows(
    state: State,
    scope: Scope,
    question: Question,
    vector: np.ndarray | None,
    remote: Sequence[int] | None,
) -> tuple[Columns, _Words]:
    columns = scope.columns
    assert columns is not None
    matches = _matches(scope, question)
    found = _rows_with(state.connection, [match for _, match in matches], None)
    held = np.zeros((2 * len(question.terms), len(columns.rows)), bool)
    if len(found):
        lists = np.array([number for number, _ in matches])
        at = places(columns.rows, found[:, 1])
        seen = at >= 0  # a speaker is no part of the full-text query
        held[lists[found[seen, 0]], at[seen]] = True
    return columns, _Words(held[::2], held[1::2], held[::2].sum(1))


def _best_rows(
    state: State,
    scope: Scope,
    question: Question,
    vector: np.ndarray | None,
    remote: Sequence[int] | None,
) -> tuple[Columns, _Words]:
    matches = _matches(scope, question)
    related = np.array([number % 2 == 1 for number, _ in matches], bool)
    most = np.where(related, COMMON_RELATED, COMMON) + 1
    found = _rows_with(state.connection, [match for _, match in matches], most.tolist())
    sizes = np.bincount(found[:, 0], minlength=len(matches))
    common = sizes >= most
    listed = found[~common[found[:, 0]]]
    rare = _with_rare_words(scope, listed, sizes, related)
    chosen = [rare]
    frequent = common & ~related
    if frequent.any() and len(rare) < BEST:
        terms = [question.terms[matches[place][0] // 2] for place in np.flatnonzero(frequent)]
        chosen.append(_with_common_words(state.connection, scope, terms))
    if remote is not None:
        chosen.append(np.array(remote, np.int64))
    elif vector is not None and state.vectors is not None:
        chosen.append(_nearest(state, scope, vector))
    rows = np.unique(np.concatenate(chosen))
    beside = [state.arrays.column(name)[rows] for name in ("previous", "following")]
    rows = np.unique(np.concatenate([rows, *beside]))
    rows = rows[places(scope.rows, rows) >= 0]
    columns = columns_of(state.arrays, state.names, rows)
    return columns, _words_of(state, columns, question, matches, (listed, sizes, frequent))


def _words_of(
    state: State,
    columns: Columns,
    question: Question,
    matches: Sequence[tuple[int, str]],
    lists: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> _Words:
    """Which candidates hold which terms; a related word that is everywhere says nothing."""
    listed, sizes, frequent = lists
    held = np.zeros((2 * len(question.terms), len(columns.rows)), bool)
    counts = np.zeros(len(question.terms), np.int64)
    numbers = np.array([number for number, _ in matches], np.int64)
    at = places(columns.rows, listed[:, 1])
    held[numbers[listed[at >= 0, 0]], at[at >= 0]] = True
    for place, (number, match) in enumerate(matches):
        if number % 2 == 0:
            counts[number // 2] = sizes[place]
        if frequent[place] and len(columns.rows):
            among = queries.rows_among(state.connection, match, columns.rows)
            held[number, places(columns.rows, np.array(among, np.int64))] = True
    return _Words(held[::2], held[1::2], counts)


def _with_common_words(connection: Connection, scope: Scope, terms: Sequence[Term]) -> np.ndarray:
    """The rows that hold all of the common words, or, where those are few, most of them."""
    together = " AND ".join(match_any(term.forms) for term in terms)
    rows = queries.best_rows(connection, scope.match.with_words(together), BEST)
    if len(rows) < FEW and len(terms) > 1:
        forms = [form for term in terms for form in term.forms]
        rows += queries.best_rows(connection, scope.match.with_words(match_any(forms)), BEST)
    return np.array(rows, np.int64)


def _with_rare_words(
    scope: Scope, listed: np.ndarray, sizes: np.ndarray, related: np.ndarray
) -> np.ndarray:
    """The rows that hold most of the rarer words, rare words counting for more."""
    if not len(listed):
        return np.zeros(0, np.int64)
    worth = np.log1p(len(scope.rows) / (sizes + 0.5)) * np.where(related, 0.3, 1.0)
    rows, place = np.unique(listed[:, 1], return_inverse=True)
    score = np.bincount(place, worth[listed[:, 0]])
    if len(rows) <= BEST:
        return rows
    return rows[np.argpartition(-score, BEST)[:BEST]]


def _nearest(state: State, scope: Scope, vector: np.ndarray) -> np.ndarray:
    assert state.vectors is not None
    rows = nearest_rows(state.arrays, scope.rows, vector)
    vectors = state.vectors.of(state.connection, rows, state.vectors_up_to)
    check_codes(state.arrays, rows, vectors)
    similarity = vectors @ vector
    if len(rows) <= NEAREST:
        return rows
    return rows[np.argpartition(-similarity, NEAREST)[:NEAREST]]


def _similarity(
    state: State, scope: Scope, columns: Columns, vector: np.ndarray | None
) -> np.ndarray | None:
    if vector is None or state.vectors is None:
        return None
    vectors = scope.vectors
    if vectors is None:
        vectors = state.vectors.of(state.connection, columns.rows, state.vectors_up_to)
        if scope.small:
            check_codes(state.arrays, columns.rows, vectors)
            scope.vectors = vectors
    # Rounded: how a product is summed depends on the place of the row, and must decide nothing
    return np.round(vectors @ vector, 5)


def _matches(scope: Scope, question: Question) -> list[tuple[int, str]]:
    """The full-text queries by number: twice a term's place for its forms, one more for related."""
    matches: list[tuple[int, str]] = []
    for place, term in enumerate(question.terms):
        matches.append((2 * place, scope.match.with_words(match_any(term.forms))))
        if term.near:
            matches.append((2 * place + 1, scope.match.with_words(match_any(term.near))))
    return matches


def _rows_with(
    connection: Connection, matches: Sequence[str], most: Sequence[int] | None
) -> np.ndarray:
    """(place of the query, row) of everything that the queries find."""
    try:
        found = queries.rows_with_terms(connection, matches, most)
    except OperationalError as error:
        if "phrase" not in str(error):
            raise
        # The tokenizer cuts one of the words in two, which cannot be looked for; others can.
        found = [
            (place, row)
            for place, match in enumerate(matches)
            for row in _rows_or_none(connection, match, None if most is None else [most[place]])
        ]
    return np.array(found, np.int64).reshape(-1, 2)


def _rows_or_none(connection: Connection, match: str, most: Sequence[int] | None) -> list[int]:
    try:
        return [row for _, row in queries.rows_with_terms(connection, [match], most)]
    except OperationalError as error:
        if "phrase" not in str(error):
            raise
        return []


def _no_hits() -> Hits:
    nothing = np.zeros(0, np.int64)
    return Hits(nothing, nothing, {}, nothing)
