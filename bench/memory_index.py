"""A small index in memory, made of the parts that memory search is made of, to measure them alone.

It does what the real index does for a scope of a few thousand memories: one list of rows per word
from FTS5, then arrays. It keeps nothing and checks no permission.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from paige.language.english import english
from paige.memory.embedding import StaticEmbedder, split_words
from paige.memory.retrieval.indexed_text import indexed_text, length_of, told_of
from paige.memory.retrieval.question import NearWords, Question, match_any, read_question
from paige.memory.retrieval.ranking import Candidates, Ranking, Weights, load_weights, rank

_TABLE = """CREATE VIRTUAL TABLE words USING fts5(
    body, marks, content = '', tokenize = 'porter unicode61 remove_diacritics 2')"""
# What one would have without Paige: who, when and what in one column, by BM25
_PLAIN = _TABLE.replace("words", "plain")
_BM25 = """SELECT rowid FROM plain WHERE plain MATCH ?
    ORDER BY bm25(plain, 1.0, 0.0) LIMIT ?"""
_MOST = 500  # results of a search
# One line per list: making a line for every row would take longer than finding the rows
_LIST = "SELECT ?, group_concat(rowid) FROM words WHERE words MATCH ?"


@dataclass(frozen=True, slots=True)
class Remembered:
    """One memory of a data set."""

    id: str
    project: str
    session: str
    speaker: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class _Scope:
    """The rows of one project, as columns."""

    mark: str
    rows: np.ndarray
    blank: Candidates  # everything that does not depend on the question
    vectors: np.ndarray


class SmallIndex:
    """All memories of a data set; a search looks at one project."""

    def __init__(self, memories: Sequence[Remembered], weights: Weights | None = None) -> None:
        self.memories = memories
        self.weights = weights or load_weights()
        self.embedder = StaticEmbedder()
        self.near = NearWords()
        self.database = sqlite3.connect(":memory:")
        self.database.execute(_TABLE)
        self.database.execute(_PLAIN)
        marks: dict[str, str] = {}
        for memory in memories:
            marks.setdefault(memory.project, f"sp{len(marks)}")
        self.database.executemany(
            "INSERT INTO words(rowid, body, marks) VALUES (?, ?, ?)",
            ((row, indexed_text(m.text), marks[m.project]) for row, m in enumerate(memories)),
        )
        self.database.executemany(
            "INSERT INTO plain(rowid, body, marks) VALUES (?, ?, ?)",
            (
                (row, f"({m.at:%d %B %Y}) {m.speaker}: {m.text}", marks[m.project])
                for row, m in enumerate(memories)
            ),
        )
        self._scopes = {project: self._scope(project, mark) for project, mark in marks.items()}

    def search(self, project: str, query: str, *, vectors: bool = True) -> list[int]:
        """The rows of the project, best first."""
        ranked, rows = self.ranked(project, query, vectors=vectors)
        return rows[ranked.order].tolist()

    def ranked(
        self, project: str, query: str, *, vectors: bool = True
    ) -> tuple[Ranking, np.ndarray]:
        """The ranking, and the rows that its places stand for."""
        scope = self._scopes[project]
        question = read_question(query, scope.blank.speakers, near=self.near.near)
        candidates = self._candidates(scope, question, vectors)
        return rank(question, candidates, self.weights, most=_MOST), scope.rows

    def bare(self, project: str | None, query: str, limit: int = 50) -> list[int]:
        """What plain full-text search finds: any of the question's words but the small ones."""
        words = [word for word in split_words(query) if word not in english().unsearched]
        expression = match_any(words or split_words(query))
        if project is not None:
            expression = f"marks : {self._scopes[project].mark} AND {expression}"
        return [row for (row,) in self.database.execute(_BM25, (expression, limit))]

    def by_meaning(self, project: str, query: str) -> list[int]:
        """The rows of the project by the cosine of their vectors alone."""
        scope = self._scopes[project]
        question = read_question(query, scope.blank.speakers)
        similarity = scope.vectors @ self.embedder.embed([question.meaning])[0]
        return scope.rows[np.argsort(-similarity, kind="stable")].tolist()

    def _candidates(self, scope: _Scope, question: Question, vectors: bool) -> Candidates:
        terms = len(question.terms)
        held = np.zeros((2, terms, len(scope.rows)), bool)
        numbers, rows = self._lists(scope, question)
        held[numbers % 2, numbers // 2, np.searchsorted(scope.rows, rows)] = True
        similarity = None
        if vectors:
            similarity = scope.vectors @ self.embedder.embed([question.meaning])[0]
        return replace(
            scope.blank,
            presence=held[0],
            near=held[1],
            counts=held[0].sum(1),
            similarity=similarity,
        )

    def _lists(self, scope: _Scope, question: Question) -> tuple[np.ndarray, np.ndarray]:
        """For every word list of the question (own forms 2i, related words 2i+1): its rows."""
        # A scope that is the whole index needs no mark, and walking the mark's own rows takes time
        mark = "" if len(scope.rows) == len(self.memories) else f"marks : {scope.mark} AND "
        pairs: list[int | str] = []
        for number, words in enumerate(w for t in question.terms for w in (t.forms, t.near)):
            if words:
                pairs += (number, mark + match_any(words))
        if not pairs:
            return np.zeros(0, int), np.zeros(0, int)
        statement = " UNION ALL ".join([_LIST] * (len(pairs) // 2))
        found = [line for line in self.database.execute(statement, pairs) if line[1]]
        lists = [np.fromstring(rows, np.int64, sep=",") for _, rows in found]
        numbers = np.repeat([number for number, _ in found], [len(rows) for rows in lists])
        return numbers.astype(np.int64), np.concatenate([*lists, np.zeros(0, np.int64)])

    def _scope(self, project: str, mark: str) -> _Scope:
        rows = [row for row, memory in enumerate(self.memories) if memory.project == project]
        chosen = [self.memories[row] for row in rows]
        speakers = tuple(dict.fromkeys(memory.speaker for memory in chosen))
        sessions = {memory.session: n for n, memory in enumerate(chosen)}
        before, after = neighbours([memory.session for memory in chosen])
        n = len(rows)
        length = np.array([length_of(memory.text) for memory in chosen])
        blank = Candidates(
            seq=np.array(rows),
            session=np.array([sessions[memory.session] for memory in chosen]),
            previous=before,
            following=after,
            speaker=np.array([speakers.index(memory.speaker) for memory in chosen]),
            at=np.array([int(memory.at.timestamp()) for memory in chosen]),
            length=length,
            told=np.array([told_of(memory.text, memory.speaker) for memory in chosen]),
            importance=np.full(n, 0.5),
            accesses=np.zeros(n, int),
            presence=np.zeros((0, n), bool),
            near=np.zeros((0, n), bool),
            counts=np.zeros(0, int),
            scope_size=n,
            mean_length=float(length.mean()),
            similarity=None,
            speakers=speakers,
        )
        vectors = self.embedder.embed([memory.text for memory in chosen])
        return _Scope(mark, np.array(rows), blank, vectors)


def neighbours(sessions: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """For every memory the place of the one before and after it in its session, or -1."""
    before = np.full(len(sessions), -1)
    after = np.full(len(sessions), -1)
    last: dict[str, int] = {}
    for place, session in enumerate(sessions):
        if session in last:
            before[place] = last[session]
            after[last[session]] = place
        last[session] = place
    return before, after
