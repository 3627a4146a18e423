"""What a memory search costs beside one bare full-text query, and a rebuild beside bare indexing.

Ours is the whole library call on a warm index: the look at the log, reading and embedding the
question, words and meaning, ranking, reading the results. The reference is the least that anyone
could do: one `bm25` query of SQLite over the same texts, the question's words joined by OR, the
best fifty rows, no rights, no project, nothing read.

The index of a million memories is made once and kept in the folder for temporary files
(`paige-bench-memory`); that takes some minutes.
"""

import os
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import orjson

from bench.harness import Benchmark, Pair
from bench.memory_texts import (
    Question,
    made_up_memories,
    made_up_questions,
    real_memories,
)
from paige.memory.access import Reader
from paige.memory.embedding import StaticEmbedder
from paige.memory.event import Event, dump_event
from paige.memory.index.index import Index
from paige.memory.index.schema import signature
from paige.memory.log.log import Log
from paige.memory.search_values import Ask

SMALL, LARGE, REBUILT = 6_000, 1_000_000, 60_000
PROJECTS, PROJECTS_OF_LARGE = 10, 100
QUESTIONS = 100  # of one turn
ME = Reader()
BARE = (
    "CREATE VIRTUAL TABLE bare USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')"
)
BEST = "SELECT rowid FROM bare WHERE bare MATCH ? ORDER BY bm25(bare) LIMIT 50"
CACHE = Path(tempfile.gettempdir()) / "paige-bench-memory"


class MadeLog:
    """A million made-up events that are read like a log, without a file."""

    path = Path("/bench/events.jsonl")

    def last_seq(self) -> int:
        """The number of events."""
        return LARGE

    def read(self, after: int = 0) -> Iterator[Event]:
        """The events after a number."""
        return made_up_memories(LARGE, PROJECTS_OF_LARGE, after)

    def read_parsed(self, after: int = 0) -> Iterator[dict[str, Any]]:
        """The same as parsed lines."""
        return map(dump_event, self.read(after))


def bare_query(question: str) -> str:
    """Every word of a question, joined by OR."""
    words = dict.fromkeys(re.findall(r"\w+", question.lower()))
    return " OR ".join(f'"{word}"' for word in words)


def add_bare(connection: sqlite3.Connection, events: Iterable[Event]) -> None:
    """The same texts in a bare full-text table."""
    connection.execute("BEGIN")
    connection.executemany(
        "INSERT INTO bare (rowid, text) VALUES (?, ?)", ((each.seq, each.text) for each in events)
    )
    connection.execute("COMMIT")


@contextmanager
def _small() -> Iterator[Pair]:
    found = real_memories(SMALL, PROJECTS)
    if found is None:
        events = list(made_up_memories(SMALL, PROJECTS))
        found = events, made_up_questions(events, 500)
    events, questions = found
    with tempfile.TemporaryDirectory() as folder:
        index = Index(Path(folder), StaticEmbedder())
        log = Log(Path(folder) / "events.jsonl")
        log.append(lambda _: events)
        index.catch_up(log)
        with closing(_bare(Path(folder) / "bare.db")) as bare:
            add_bare(bare, events)
            yield _pair(index, bare, questions, lambda question: question.project, _median)
        index.close()
        log.close()


@contextmanager
def _large() -> Iterator[Pair]:
    log = MadeLog()
    folder = _made_once(log)
    questions = made_up_questions(list(islice(log.read(), 50_000)), 500)
    index = Index(folder, StaticEmbedder(), logs=[log])
    with closing(_bare(folder / "bare.db")) as bare:
        # Every second question is asked across all projects, the others within one.
        scopes = cycle([None, True])
        yield _pair(index, bare, questions, lambda q: q.project if next(scopes) else None, _p95)
    index.close()


def _pair(
    index: Index,
    bare: sqlite3.Connection,
    questions: Sequence[Question],
    project: Callable[[Question], str | None],
    summary: Callable[[Sequence[float]], float],
) -> Pair:
    ours, theirs = cycle(questions), cycle(questions)

    def search() -> float:
        return summary([_search(index, q, project(q)) for q in islice(ours, QUESTIONS)])

    def query() -> float:
        return summary([_query(bare, q) for q in islice(theirs, QUESTIONS)])

    return Pair(search, query)


def _search(index: Index, question: Question, project: str | None) -> float:
    started = time.perf_counter()
    index.search(Ask(query=question.text, project=project), ME)
    return (time.perf_counter() - started) * 1000


def _query(bare: sqlite3.Connection, question: Question) -> float:
    started = time.perf_counter()
    bare.execute(BEST, (bare_query(question.text),)).fetchall()
    return (time.perf_counter() - started) * 1000


def _median(times: Sequence[float]) -> float:
    return statistics.median(times)


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def _made_once(log: MadeLog) -> Path:
    """The folder with the large index, made when it is missing or of another version."""
    folder = CACHE / signature()
    done = folder / "done"
    if done.exists():
        return folder
    shutil.rmtree(CACHE, ignore_errors=True)
    folder.mkdir(parents=True)
    index = Index(folder, StaticEmbedder(), logs=[log])
    with closing(_bare(folder / "bare.db")) as bare:
        add_bare(bare, log.read())
    total = 0
    while total < LARGE:
        total += index.catch_up(log, limit=20_000)
        print(f"\rmaking a million memories: {total:9,}", end="", file=sys.stderr)
    print(file=sys.stderr)
    index.close()
    done.touch()
    return folder


def _bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -32768")
    if not connection.execute("SELECT name FROM sqlite_master WHERE name = 'bare'").fetchall():
        connection.execute(BARE)
    return connection


@contextmanager
def _rebuild() -> Iterator[Pair]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = Log(folder / "events.jsonl")
        _write(log)
        index = Index(folder / "index", StaticEmbedder(), logs=[log])

        def rebuild() -> float:
            started = time.perf_counter()
            index.rebuild()
            return REBUILT / (time.perf_counter() - started)

        def bare() -> float:
            for path in folder.glob("bare.db*"):
                os.unlink(path)
            started = time.perf_counter()
            with closing(_bare(folder / "bare.db")) as connection:
                connection.execute("BEGIN")
                connection.executemany(
                    "INSERT INTO bare (rowid, text) VALUES (?, ?)", _parsed(log.path)
                )
                connection.execute("COMMIT")
            return REBUILT / (time.perf_counter() - started)

        yield Pair(rebuild, bare)
        index.close()
        log.close()


def _write(log: Log) -> None:
    found = real_memories(REBUILT, PROJECTS)
    events = found[0] if found else list(made_up_memories(REBUILT, PROJECTS))
    log.append(lambda _: events)


def _parsed(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as lines:
        for line in lines:
            fields = orjson.loads(line)
            yield fields["seq"], fields["text"]


Prepare = Callable[[], AbstractContextManager[Pair]]
BENCHMARKS = (
    Benchmark("memory-search-6k", "ms", "lower", _small, promise=3.0, turns=9),
    Benchmark("memory-search-1m", "ms", "lower", _large, promise=5.0, turns=3),
    Benchmark("memory-rebuild", "rows/s", "higher", _rebuild, promise=0.25, turns=5),
)
