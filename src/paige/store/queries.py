"""SQL of the event stream, and what happens all the time: locks and added rows."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import Connection, TextClause, delete, func, insert, select, text

from paige.base.actor import Actor
from paige.store.row_security import LATEST_EVENT
from paige.store.tables import EVENTS
from paige.store.types import UtcTime


def hold(connection: Connection, name: str) -> None:
    """Wait until nobody else holds a name, and hold it until the transaction ends.

    SQLite has one writer, so whoever writes there is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        key = int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), signed=True)
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})


def hold_number(connection: Connection, number: int, of: str) -> None:
    """The same for something that a number and a name say together."""
    if connection.dialect.name == "postgresql":
        lock = text("SELECT pg_advisory_xact_lock(:key, hashtext(:of))")
        connection.execute(lock, {"key": number, "of": of})


def limit_waiting(connection: Connection, *, wait_ms: int, idle_ms: int) -> None:
    """For this transaction: how long it waits for a lock, and how long it may do nothing.

    A process that is cut off holds its locks until the server ends its transaction.
    """
    if connection.dialect.name == "postgresql":
        limits = text(
            "SELECT set_config('lock_timeout', :wait, true),"
            " set_config('idle_in_transaction_session_timeout', :idle, true)"
        )
        connection.execute(limits, {"wait": f"{wait_ms}ms", "idle": f"{idle_ms}ms"})


PASSING = "paige_passing"
LISTENS = "paige-listens"
"""The name by which servers see each other's connection."""
_NOTIFY = text("SELECT pg_notify(:channel, :payload)")
_SERVERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = :name"
)


def notify(connection: Connection, channel: str, said: Sequence[str]) -> None:
    """Say something to every server when the transaction is committed; 8000 bytes at most each."""
    for payload in said:
        connection.execute(_NOTIFY, {"channel": channel, "payload": payload})


def count_servers(connection: Connection) -> int:
    """How many servers listen to this database now, this one among them."""
    if connection.dialect.name != "postgresql":
        return 1
    return connection.scalar(_SERVERS, {"name": LISTENS}) or 0


# Any fixed number does; it names the lock that orders events on PostgreSQL.
_EVENTS_LOCK = 7_401_001
_CLOCK = select(func.clock_timestamp(type_=UtcTime))
EVENTS_CHANNEL = "paige_events"
"""Where PostgreSQL says the number of every event."""
_LATEST_EVENT = text(f"SELECT {LATEST_EVENT}()")


class StoredEvent(NamedTuple):
    """One row of the event stream."""

    seq: int
    tenant: str
    person: str | None
    topic: str
    payload: dict[str, Any]
    at: datetime


class Bounds(NamedTuple):
    """The oldest and the newest number that the stream still holds; both 0 when it is empty."""

    oldest: int
    latest: int


def append_event(
    connection: Connection,
    actor: Actor,
    topic: str,
    payload: dict[str, Any],
    *,
    now: datetime,
    everyone: bool = False,
) -> int:
    """Add an event in the transaction of the change it tells of; return its number.

    Numbers have no gaps and their order is the order of commits, on both engines: SQLite has one
    writer, PostgreSQL takes a lock that ends with the transaction. `everyone` is heard by the whole
    tenant, otherwise by the actor.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _EVENTS_LOCK})
    seq = latest_event(connection) + 1
    person = None if everyone else actor.person
    row = {"seq": seq, "tenant": actor.tenant, "person": person, "topic": topic}
    statement = insert(EVENTS).values(**row, payload=payload, at=now)
    if connection.dialect.name == "postgresql":  # every server is woken when this is committed
        statement = statement.returning(func.pg_notify(EVENTS_CHANNEL, str(seq)))
    connection.execute(statement)
    return seq


def latest_event(connection: Connection) -> int:
    """The number of the newest event of any tenant, or 0, whoever asks."""
    if connection.dialect.name == "postgresql":  # row security shows everyone only their own
        return connection.scalar(_LATEST_EVENT) or 0
    return connection.scalar(select(func.max(EVENTS.c.seq))) or 0


def event_bounds(connection: Connection) -> Bounds:
    """Which numbers a reader can still ask for."""
    oldest = connection.scalar(select(func.min(EVENTS.c.seq)))
    return Bounds(oldest or 0, latest_event(connection))


def events_after(connection: Connection, seq: int, *, limit: int = 500) -> list[StoredEvent]:
    """Events of every tenant after `seq`, in order: for the bus, which hands each to its own."""
    columns = (EVENTS.c[name] for name in StoredEvent._fields)
    query = select(*columns).where(EVENTS.c.seq > seq).order_by(EVENTS.c.seq).limit(limit)
    return [StoredEvent(*row) for row in connection.execute(query)]


def prune_events(connection: Connection, *, before: datetime) -> int:
    """Delete events older than `before`, but never the newest one: numbers go on from it."""
    latest = latest_event(connection)
    done = connection.execute(delete(EVENTS).where(EVENTS.c.at < before, EVENTS.c.seq < latest))
    return done.rowcount


def shared_moment(connection: Connection, now: datetime) -> datetime:
    """The moment by the clock that everyone with this database shares; on SQLite it is `now`."""
    if connection.dialect.name != "postgresql":
        return now
    return connection.execute(_CLOCK).scalar_one()


def insert_rows(
    connection: Connection, statement: TextClause, rows: list[dict[str, object]]
) -> None:
    """Run an `INSERT` with named parameters for every row; values are what the driver takes."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        # Its driver reads `:name` itself: translating every row would cost as much as storing it.
        connection.exec_driver_sql(statement.text, rows)
    else:
        connection.execute(statement, rows)
