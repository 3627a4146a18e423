"""The event log in a table of the database: the same lines and the same chain as in a file.

Any number of servers append to one log. Each takes the lock of the log, makes its events with the
next numbers and adds their lines in one transaction, so there is nothing unfinished to set aside:
what `append` returned is there, and what it did not return is there whole or not at all. Where the
log stands is a row of its own, moved in the same transaction, so a lost end is noticed too.

Lines are never changed but by forgetting, which the database itself watches over. Reading takes no
lock.
"""

import os
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, Conflict, Unavailable
from paige.memory.event import Event, load_event
from paige.memory.log import table_queries as queries
from paige.memory.log.chain import (
    START,
    Link,
    forget_line,
    is_foreign,
    parse,
    seal_all,
    sealed_hash,
)
from paige.memory.log.log_access import KeptLog
from paige.memory.log.table_queries import LogKey, NewLine, Row
from paige.memory.log.verification import RESTORE, Checker, ForeignLine, LogProblem, Verification
from paige.store.engine import Database

MAIN = "main"
"""The log of a tenant that everything goes to which no project keeps itself."""
BATCH = 1000  # lines read at once
AT_ONCE = 4  # threads of a process that may hold a connection while they wait to write
WAIT_MS = 60_000
IDLE_MS = 45_000
AHEAD = timedelta(days=28)


class _LogQueue:
    """Keeps the threads of a process from taking all connections while they wait for a log.

    Whoever writes needs a second connection to read with, and would never get one.
    """

    def __init__(self) -> None:
        self._some = threading.BoundedSemaphore(AT_ONCE)
        self._logs: dict[LogKey, threading.Lock] = {}
        self._known = threading.Lock()

    @contextmanager
    def turn(self, key: LogKey) -> Iterator[None]:
        with self._known:
            lock = self._logs.setdefault(key, threading.Lock())
        with lock, self._some:
            yield


_WAITING: WeakKeyDictionary[Engine, _LogQueue] = WeakKeyDictionary()
_WAITING_LOCK = threading.Lock()


class TableLog:
    """One log of a tenant, for any number of threads; any number of these, on any server."""

    def __init__(
        self,
        database: Database,
        actor: Actor,
        name: str = MAIN,
        *,
        now: Clock,
        randomness: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.key = LogKey(actor.tenant, name)
        self.path = Path("/postgresql/memory_log") / actor.tenant / name
        self._database = database.of_tenant(actor.tenant)
        self._now = now
        self._randomness = randomness
        self._months: set[str] = set()
        with _WAITING_LOCK:
            self._waiting = _WAITING.setdefault(database.engine, _LogQueue())

    def append(self, make: Callable[[int], Sequence[Event]]) -> list[Event]:
        """Write events and return them once they are committed.

        `make` is called under the lock with the number of the next event and returns events with
        consecutive numbers from there; it may read this log, but not append to it. When it returns
        none, or raises, nothing is written.
        """
        with self._writing() as connection:
            link = queries.head(connection, self.key)
            events = list(make(link.seq + 1))
            if events:
                sealed = seal_all(link, events, self._randomness)
                last = Link(events[-1].seq, sealed_hash(sealed[-1]))
                self._add(connection, link, last, _new_lines(events, sealed))
            return events

    def take_lines(self, after: Link, lines: Sequence[tuple[int, bytes]]) -> Link:
        """Add sealed lines as they are after a place; returns the place after them.

        Raises: Conflict when the log does not stand at that place.
        """
        with self._writing() as connection:
            if queries.head(connection, self.key) != after:
                raise Conflict(
                    f"What is copied does not follow event {after.seq} of this log",
                    hint="Someone wrote to it meanwhile, or it is the copy of another log.",
                )
            new, last = list[NewLine](), after
            for seq, raw in lines:
                fields = parse(raw) or {}
                last = Link(seq, str(fields.get("hash")))
                new.append(NewLine(seq, str(fields.get("id")), raw.decode()))
            if new:
                self._add(connection, after, last, new)
        return last

    def last_seq(self) -> int:
        """The number of the last event, 0 when there is none."""
        with self._reading() as connection:
            return queries.head(connection, self.key).seq

    def read(self, after: int = 0, *, limit: int | None = None) -> Iterator[Event]:
        """The events after a number, in order; lines that are not events are skipped."""
        return islice(self._events(after), limit)

    def read_parsed(self, after: int = 0, *, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """The same as parsed lines, for those who need only some of the fields."""
        return islice(self._parsed(after, limit), limit)

    def lines(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines of the events after a number, as they are kept, without their newlines."""
        return ((row.seq, row.line.encode()) for row in self._rows(after))

    def verify(self) -> Verification:
        """Check every line, and that the last one is where the log says it stands."""
        checker, last, before = Checker(frozenset()), START, self._head()
        for row in self._rows(0):
            raw = row.line.encode()
            checker.take(_place(row), row.seq, raw)
            fields = parse(raw) or {}
            if fields.get("seq") != row.seq:
                what = f"This row says that it is event {row.seq}, and its line says otherwise"
                checker.add(LogProblem(_place(row), row.seq, row.seq, "hash", what, RESTORE))
            last = Link(row.seq, str(fields.get("hash")))
        if (wrong := _wrong_end(before, last, self._head())) is not None:
            checker.add(wrong)
        return checker.result()

    def foreign(self) -> list[ForeignLine]:
        """Nothing: nobody else writes into the table."""
        return []

    def forget(self, ids: Collection[str]) -> int:
        """Take the words of events out of the table and return how many events still had some.

        The lines stay, without content and salt, and the chain still holds. Doing it again changes
        nothing.
        """
        wanted, forgotten = list(dict.fromkeys(ids)), 0
        for start in range(0, len(wanted), BATCH):
            forgotten += self._forget(wanted[start : start + BATCH])
        return forgotten

    def close(self) -> None:
        """Nothing is open between two calls; connections belong to the database."""

    # Writing

    def _add(
        self, connection: Connection, before: Link, after: Link, lines: Sequence[NewLine]
    ) -> None:
        queries.add_lines(connection, self.key, lines, now=self._now())
        if not queries.move_head(connection, self.key, before, after):
            raise Conflict("Someone else wrote to the memory log without its lock")

    def _forget(self, ids: Sequence[str]) -> int:
        forgotten: set[str] = set()
        with self._writing() as connection:
            for row in queries.lines_of(connection, self.key, ids):
                fields = parse(row.line.encode())
                if fields is None or is_foreign(fields) or "forgotten" in fields:
                    continue
                kept = forget_line(fields)[:-1].decode()
                queries.forget_line(connection, self.key, row.seq, kept)
                forgotten.add(str(fields.get("id")))
        return len(forgotten)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction in which nobody else writes to this log."""
        self._make_months()
        with (
            self._waiting.turn(self.key),
            self._database.transaction(write=True, durable=True) as connection,
        ):
            try:
                queries.lock_log(connection, self.key, wait_ms=WAIT_MS, idle_ms=IDLE_MS)
            except DBAPIError as error:
                if "lock timeout" not in str(error.orig):
                    raise
                raise Unavailable(
                    "Another server has been writing to the memory log for a minute",
                    hint="Try again; if it stays so, look at what that server does.",
                ) from error
            yield connection

    def _make_months(self) -> None:
        """Before the lock is taken: making a partition keeps readers out until it is done."""
        now = self._now()
        if f"{now:%Y-%m}" not in self._months:
            with self._database.transaction(write=True) as connection:
                queries.make_months(connection, (now, now + AHEAD))
            self._months = {f"{now:%Y-%m}"}

    # Reading

    def _reading(self) -> AbstractContextManager[Connection]:
        return self._database.transaction(write=False)

    def _head(self) -> Link:
        with self._reading() as connection:
            return queries.head(connection, self.key)

    def _events(self, after: int) -> Iterator[Event]:
        for fields in self._parsed(after):
            try:
                yield load_event(fields)
            except BadInput:  # reported by `verify`
                continue

    def _parsed(self, after: int, limit: int | None = None) -> Iterator[dict[str, Any]]:
        for row in self._rows(after, limit):
            fields = parse(row.line.encode())
            if fields is not None and not is_foreign(fields):
                yield fields

    def _rows(self, after: int, limit: int | None = None) -> Iterator[Row]:
        """Lines in order, in batches: a batch is one state of the table."""
        size = BATCH if limit is None else min(BATCH, max(1, limit))
        while True:
            with self._reading() as connection:
                rows = queries.lines_after(connection, self.key, after, size)
            yield from rows
            if len(rows) < size:
                return
            after = rows[-1].seq


def _new_lines(events: Sequence[Event], sealed: Sequence[bytes]) -> list[NewLine]:
    return [
        NewLine(event.seq, event.id, line[:-1].decode())
        for event, line in zip(events, sealed, strict=True)
    ]


def _wrong_end(before: Link, last: Link, after: Link) -> LogProblem | None:
    """What is wrong with the last line, between where the log stood and where it stands now."""
    if not before.seq <= last.seq <= after.seq:
        what = f"The log stands at event {after.seq}, and its last line is event {last.seq}"
        return LogProblem("memory_log_heads", None, after.seq, "gap", what, RESTORE)
    if last.seq == before.seq and last.hash != before.hash:
        what = f"The last line, event {last.seq}, is not the one that was written last"
        return LogProblem("memory_log_heads", None, after.seq, "prev", what, RESTORE)
    return None


def _place(row: Row) -> str:
    return f"memory_log {row.month}"


TOGETHER = 1000


class CopyCount(NamedTuple):
    """How many events were copied, and how many were there already."""

    events: int
    already: int
    forgotten: int = 0  # events that lost their words after an earlier copy


def copy_log(
    source: KeptLog,
    target: TableLog,
    *,
    most: int = TOGETHER,
    progress: Callable[[int], None] | None = None,
) -> CopyCount:
    """Copy what the table has not; `progress` is told the last number after each transaction.

    Raises: Conflict when the table holds something else than the beginning of this log.
    """
    lines = source.lines()
    place, forgotten, already = _already_there(lines, target)
    lost = target.forget(forgotten) if forgotten else 0
    copied = 0
    while batch := list(islice(lines, most)):
        place = target.take_lines(place, batch)
        copied += len(batch)
        if progress is not None:
            progress(place.seq)
    return CopyCount(copied, already, lost)


def _already_there(
    lines: Iterator[tuple[int, bytes]], target: TableLog
) -> tuple[Link, list[str], int]:
    """Go over what was copied before: where it ends, what of it was forgotten since, how much."""
    place, forgotten, count = START, list[str](), 0
    for seq, there in target.lines():
        here = next(lines, None)
        if here is None:
            raise Conflict(
                "The table holds more events than the log that is copied",
                hint="Someone has written to it since; it is not copied over.",
            )
        if here[1] != there:
            forgotten += _forgotten(here, (seq, there))
        place, count = Link(seq, str((parse(there) or {}).get("hash"))), count + 1
    return place, forgotten, count


def _forgotten(here: tuple[int, bytes], there: tuple[int, bytes]) -> list[str]:
    """The id of an event that lost its words since it was copied. Raises: Conflict."""
    mine, theirs = parse(here[1]) or {}, parse(there[1]) or {}
    if here[0] != there[0] or not mine.get("hash") or mine["hash"] != theirs.get("hash"):
        raise Conflict(
            f"The table holds another event {there[0]} than the log that is copied",
            hint="Copy into an empty database, or name another one.",
        )
    return [str(mine.get("id"))] if "forgotten" in mine else []
