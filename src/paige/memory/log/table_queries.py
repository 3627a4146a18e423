"""SQL of the memory log in a table: lines are added, read by number, and lose their words."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, text, update

from paige.memory.log.chain import START, START_HASH, Link
from paige.memory.tables import MEMORY_LOG, MEMORY_LOG_HEADS
from paige.store.queries import hold, insert_rows, limit_waiting
from paige.store.types import UtcTime

_INSERT = text("""
INSERT INTO memory_log (tenant, log, seq, written_at, id, line)
VALUES (:tenant, :log, :seq, :written_at, :id, :line)
""")
_LINES, _HEADS = MEMORY_LOG.c, MEMORY_LOG_HEADS.c
_MONTH = text("SELECT paige_memory_log_month(:at)").bindparams(bindparam("at", type_=UtcTime))
_FORGET = text("SELECT paige_forget_memory(:tenant, :log, :seq, :line)")


class LogKey(NamedTuple):
    """Which log: a tenant may have several."""

    tenant: str
    log: str


class Row(NamedTuple):
    """A line with its number and the month it was written in, such as `2026-03`."""

    seq: int
    month: str
    line: str


class NewLine(NamedTuple):
    """A line that is added."""

    seq: int
    id: str
    line: str


def lock_log(connection: Connection, key: LogKey, *, wait_ms: int, idle_ms: int) -> None:
    """Write alone until the transaction ends; whoever waits for that gives up after a while."""
    limit_waiting(connection, wait_ms=wait_ms, idle_ms=idle_ms)
    hold(connection, f"memory log\0{key.tenant}\0{key.log}")


def make_months(connection: Connection, moments: Collection[datetime]) -> None:
    """Make the partitions of months, where the table has some."""
    if connection.dialect.name == "postgresql":
        for moment in moments:
            connection.execute(_MONTH, {"at": moment})


def head(connection: Connection, key: LogKey) -> Link:
    """Where a log stands."""
    query = select(_HEADS.seq, _HEADS.hash).where(
        _HEADS.tenant == key.tenant, _HEADS.log == key.log
    )
    row = connection.execute(query).one_or_none()
    return START if row is None else Link(row.seq, row.hash)


def add_lines(
    connection: Connection, key: LogKey, lines: Sequence[NewLine], *, now: datetime
) -> None:
    """Add lines; the caller holds the lock and moves the head."""
    at = UtcTime().process_bind_param(now, connection.dialect)
    base = {"tenant": key.tenant, "log": key.log, "written_at": at}
    rows = [{**base, "seq": each.seq, "id": as_text(each.id), "line": each.line} for each in lines]
    insert_rows(connection, _INSERT, rows)


def move_head(connection: Connection, key: LogKey, before: Link, after: Link) -> bool:
    """Say where a log stands now; false when it did not stand where it was thought to."""
    if before == START and before.hash == START_HASH:
        query = select(_HEADS.seq).where(_HEADS.tenant == key.tenant, _HEADS.log == key.log)
        if connection.scalar(query) is None:
            row = {"tenant": key.tenant, "log": key.log, "seq": after.seq, "hash": after.hash}
            connection.execute(insert(MEMORY_LOG_HEADS), row)
            return True
    done = connection.execute(
        update(MEMORY_LOG_HEADS)
        .where(_HEADS.tenant == key.tenant, _HEADS.log == key.log, _HEADS.seq == before.seq)
        .values(seq=after.seq, hash=after.hash)
    )
    return done.rowcount == 1


def lines_after(connection: Connection, key: LogKey, seq: int, limit: int) -> list[Row]:
    """Lines after a number, in order."""
    query = (
        select(_LINES.seq, _LINES.written_at, _LINES.line)
        .where(_LINES.tenant == key.tenant, _LINES.log == key.log, _LINES.seq > seq)
        .order_by(_LINES.seq, _LINES.written_at)
        .limit(limit)
    )
    return [Row(row.seq, f"{row.written_at:%Y-%m}", row.line) for row in connection.execute(query)]


def lines_of(connection: Connection, key: LogKey, ids: Collection[str]) -> list[Row]:
    """The lines of events by their ids."""
    query = select(_LINES.seq, _LINES.written_at, _LINES.line).where(
        _LINES.tenant == key.tenant,
        _LINES.log == key.log,
        _LINES.id.in_([as_text(each) for each in ids]),
    )
    return [Row(row.seq, f"{row.written_at:%Y-%m}", row.line) for row in connection.execute(query)]


def forget_line(connection: Connection, key: LogKey, seq: int, line: str) -> None:
    """Put a line without words in the place of the one with them."""
    if connection.dialect.name == "postgresql":
        connection.execute(_FORGET, {**key._asdict(), "seq": seq, "line": line})
        return
    mine = (_LINES.tenant == key.tenant, _LINES.log == key.log, _LINES.seq == seq)
    connection.execute(update(MEMORY_LOG).where(*mine).values(line=line))


def as_text(id: str) -> str:
    """An id as a column can hold it; the line has it as it is."""
    return id.replace("\0", "\ufffd")
