"""SQL of the event stream and the leases."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text, update

from paige.base.actor import Actor
from paige.store.leases import LONG_AGO, NOBODY, Holder, Lease
from paige.store.row_security import LATEST_EVENT
from paige.store.tables import EVENTS, LEASES
from paige.store.types import UtcTime

# Any fixed number does; it names the lock that orders events on PostgreSQL.
_EVENTS_LOCK = 7_401_001
_CLOCK = select(func.clock_timestamp(type_=UtcTime))
EVENTS_CHANNEL = "paige_events"
"""Where PostgreSQL says the number of every event."""
_LATEST_EVENT = text(f"SELECT {LATEST_EVENT}()")


_INSERT_LEASE = text("""
INSERT INTO leases (tenant, name, host, pid, started, fence, until)
VALUES (:tenant, :name, :host, :pid, :started, :fence, :until)
ON CONFLICT (tenant, name) DO NOTHING
""").bindparams(bindparam("until", type_=UtcTime))


_RELEASE_LEASE = update(LEASES).where(
    LEASES.c.tenant == bindparam("own_tenant"),
    LEASES.c.name == bindparam("own_name"),
    LEASES.c.fence == bindparam("own_fence"),
    LEASES.c.pid == bindparam("own_pid"),
)


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


def find_lease(connection: Connection, actor: Actor, name: str) -> Lease | None:
    """The lease called `name`, whoever holds it."""
    query = (
        select(LEASES.c.host, LEASES.c.pid, LEASES.c.started, LEASES.c.fence, LEASES.c.until)
        .where(LEASES.c.tenant == actor.tenant, LEASES.c.name == name)
        .with_for_update()
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Lease(name, Holder(row.host, row.pid, row.started), row.fence, row.until)


def insert_lease(connection: Connection, actor: Actor, lease: Lease) -> bool:
    """Store a lease that nobody held before; false when somebody did."""
    row = {"tenant": actor.tenant, **_lease_row(lease)}
    return connection.execute(_INSERT_LEASE, row).rowcount == 1


def replace_lease(connection: Connection, actor: Actor, lease: Lease) -> None:
    """Store a lease over an earlier one of the same name."""
    mine = (LEASES.c.tenant == actor.tenant, LEASES.c.name == lease.name)
    connection.execute(update(LEASES).where(*mine).values(**_lease_row(lease)))


def release_lease(connection: Connection, actor: Actor, lease: Lease) -> bool:
    """Leave a lease to anyone; false when someone else has taken it meanwhile.

    The row stays, for it knows the fence that the next holder goes on from.
    """
    own = {"own_tenant": actor.tenant, "own_name": lease.name}
    held = {"own_fence": lease.fence, "own_pid": lease.holder.pid}
    free = _lease_row(lease._replace(holder=NOBODY, until=LONG_AGO))
    return connection.execute(_RELEASE_LEASE, {**own, **held, **free}).rowcount == 1


def _lease_row(lease: Lease) -> dict[str, Any]:
    holder = lease.holder._asdict()
    return {"name": lease.name, **holder, "fence": lease.fence, "until": lease.until}
