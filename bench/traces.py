"""Queries on 1,000,000 traces at the level `metadata`, beside the same SQL in the same process.

What an agent asks before it decides: the newest traces of an agent, a rule, a feature, a file, a
project. The reference is exactly the SQL that these queries send, recorded once and sent again
through the engine's own driver on the same file, its rows read and nothing made of them. Ours adds
the transaction, the traces as values and as JSON, and the count of their tokens.
"""

import json
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import event

from bench.harness import Benchmark, Pair
from paige.base.actor import Actor
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import BUDGETS, TraceQuery
from paige.store.engine import Database, open_sqlite
from paige.store.migrate import migrate

MANY = 1_000_000
NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
AGENTS = ("main", "coding-agent", "tester-agent", "conductor", "initializer-agent")
RULES = ("git.force-push", "block-tested-true", "enforce-mcp-logs", "block-direct-edit", "")
QUERIES = (
    TraceQuery(limit=20),
    TraceQuery(agent="coding-agent", limit=20),
    TraceQuery(type="correction", agent="tester-agent", limit=20),
    TraceQuery(rule="block-tested-true", since=NOW - timedelta(days=7), limit=20),
    TraceQuery(feature="PT-017", limit=20),
    TraceQuery(file="src/file0042.py", limit=20),
    TraceQuery(project="project-3", limit=20),
)
_COLUMNS = (
    "id", "project", "at", "type", "agent", "feature", "what_happened", "why", "source", "session",
    "action", "reason", "target", "shape", "rule", "confidence", "scope", "files", "meta",
)  # fmt: skip
_INSERT = (
    f"INSERT INTO decisions ({', '.join(_COLUMNS)}) "  # noqa: S608 - constants
    f"VALUES ({', '.join('?' for _ in _COLUMNS)})"
)
_EDGE = """INSERT INTO decision_edges
    (tenant, source_kind, source_id, relation, target_kind, target_id, at)
    VALUES ('local', 'decision', ?, 'touched', 'file', ?, ?)"""
Sent = tuple[str, Any]


@contextmanager
def traces() -> Iterator[Pair]:
    """Both sides on one file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "paige.db"
        _fill(path)
        with closing(open_sqlite(path)) as database, closing(sqlite3.connect(path)) as plain:
            graph = ContextGraph(database, Actor(), lambda: NOW)
            sent = _recorded(database, graph)
            yield Pair(lambda: _ask(graph), lambda: _send(plain, sent))


def _ask(graph: ContextGraph) -> float:
    """Milliseconds for all queries."""
    begun = time.perf_counter()
    for query in QUERIES:
        found = graph.query(query, "metadata")
        assert found.items
        assert found.tokens <= BUDGETS["metadata"]
    return (time.perf_counter() - begun) * 1000


def _send(plain: sqlite3.Connection, sent: list[Sent]) -> float:
    """Milliseconds for their SQL."""
    begun = time.perf_counter()
    for statement, values in sent:
        plain.execute(statement, values).fetchall()
    return (time.perf_counter() - begun) * 1000


def _recorded(database: Database, graph: ContextGraph) -> list[Sent]:
    """The statements that the queries send, with their values."""
    sent: list[Sent] = []

    def note(_: object, __: object, statement: str, values: object, *___: object) -> None:
        if statement.lstrip().startswith("SELECT"):
            sent.append((statement, values))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        for query in QUERIES:
            graph.query(query, "metadata")
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    return sent


def _fill(path: Path) -> None:
    with closing(open_sqlite(path)) as database:
        migrate(database)
    with closing(sqlite3.connect(path)) as plain, plain:
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-400000"):
            plain.execute(f"PRAGMA {pragma}")
        # The words are indexed at once: row by row that takes longer than everything else.
        triggers = plain.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'decisions'"
        ).fetchall()
        for name, _ in triggers:
            plain.execute(f"DROP TRIGGER {name}")
        plain.executemany(_INSERT, _rows())
        plain.executemany(_EDGE, _touched())
        plain.execute("INSERT INTO decisions_fts(decisions_fts) VALUES ('rebuild')")
        for _, made in triggers:
            plain.execute(made)
        plain.execute("ANALYZE")


def _rows() -> Iterator[tuple[Any, ...]]:
    kinds = ("violation", "violation", "decision", "correction", "approval")
    for number in range(MANY):
        agent, rule = AGENTS[number % 5], RULES[number % 7 % 5]
        command = f"git push --force origin feat-{number % 9_000}"
        yield (
            f"trace-{number:016x}",
            f"project-{number % 11}",
            _moment(number),
            kinds[number % 13 % 5],
            agent,
            f"PT-{number % 400:03}",
            f"{agent} was refused to run:git push: {command}",
            "This rewrites what others have.",
            "enforcement_hook",
            f"s{number // 60}",
            "run:git push",
            rule,
            command,
            "git push --force origin feat-<n>",
            rule,
            1.0,
            "project",
            json.dumps([f"src/file{number % 5_000:04}.py"]),
            "{}",
        )


def _touched() -> Iterator[tuple[str, str, str]]:
    for number in range(MANY):
        yield f"trace-{number:016x}", f"src/file{number % 5_000:04}.py", _moment(number)


def _moment(number: int) -> str:
    at = NOW - timedelta(seconds=(MANY - number) * 5)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


BENCHMARKS = [Benchmark("traces-1m", "ms", "lower", traces, promise=3.0)]
