"""Leases: the right to do something alone for a while, that a dead holder cannot keep.

A lease names host, process id and process start. On the same host a holder that no longer runs is
taken over at once; on another host the lease runs out by time. The fence grows with every holder,
so that a late write can be told apart.

A lease is taken in the caller's transaction. `take_lease` goes by the moment it is given. What
several servers share goes by the clock of the database instead (`hold_lease`, `take_turn`): one
whose own clock is wrong then neither robs the others nor starves them. SQLite is one machine's,
where the given moment counts.

The lock of `alone` is one of the database, so it ends with the connection: nobody has to clean up
after a process that died. On SQLite processes keep each other out with file locks.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select, text, update

from paige.base.actor import Actor
from paige.base.platform import UNKNOWN, process_start
from paige.store.engine import Database
from paige.store.queries import hold, limit_waiting, shared_moment
from paige.store.tables import LEASES
from paige.store.types import UtcTime

WAIT_MS = 60_000
IDLE_MS = 600_000
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


class Holder(NamedTuple):
    """A process, told apart from a later one with the same id."""

    host: str
    pid: int
    started: str


NOBODY = Holder("", 0, "")
"""The holder of a lease that was given back."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Lease(NamedTuple):
    """What is held, by whom, until when."""

    name: str
    holder: Holder
    fence: int
    until: datetime


def this_process() -> Holder:
    """The process that asks."""
    pid = os.getpid()
    return Holder(socket.gethostname(), pid, process_start(pid) or UNKNOWN)


def may_take(lease: Lease, asker: Holder, *, now: datetime, running: str | None) -> bool:
    """Whether `asker` may have the lease; `running` is when the holder's process started, if any.

    `running` counts only on the holder's own host: nobody sees the processes of another. A process
    whose start is hidden may be the holder, so its lease runs out by time.
    """
    if lease.holder == asker or lease.until <= now:
        return True
    return lease.holder.host == asker.host and running not in (lease.holder.started, UNKNOWN)


def take_lease(
    connection: Connection, actor: Actor, name: str, *, now: datetime, seconds: float
) -> Lease | None:
    """Take or renew a lease for this process; `None` while someone else holds it."""
    asker = this_process()
    wanted = Lease(name, asker, 1, now + timedelta(seconds=seconds))
    if insert_lease(connection, actor, wanted):
        return wanted
    held = find_lease(connection, actor, name)
    if held is None:
        return None  # given back between the two queries; the next try gets it
    if not may_take(held, asker, now=now, running=process_start(held.holder.pid)):
        return None
    fence = held.fence if held.holder == asker else held.fence + 1
    lease = wanted._replace(fence=fence)
    replace_lease(connection, actor, lease)
    return lease


def hold_lease(
    connection: Connection, actor: Actor, name: str, *, now: datetime, seconds: float
) -> Lease | None:
    """Like `take_lease`, by the clock that all servers share."""
    shared = shared_moment(connection, now)
    return take_lease(connection, actor, name, now=shared, seconds=seconds)


def take_turn(
    connection: Connection, actor: Actor, name: str, *, now: datetime, seconds: float
) -> int | None:
    """Whether it is time again for what happens once in so many seconds, whoever does it.

    The number of the turn, or `None` while the last one is not so long ago. A turn is nobody's:
    the end of the process that took it does not bring the next one earlier.
    """
    shared = shared_moment(connection, now)
    turn = Lease(name, this_process(), 1, shared + timedelta(seconds=seconds))
    if insert_lease(connection, actor, turn):
        return turn.fence
    last = find_lease(connection, actor, name)
    if last is None or last.until > shared:
        return None
    turn = turn._replace(fence=last.fence + 1)
    replace_lease(connection, actor, turn)
    return turn.fence


def still_holds(connection: Connection, actor: Actor, lease: Lease) -> bool:
    """Whether a lease is still the one that was taken; nobody takes it before this commits."""
    held = find_lease(connection, actor, lease.name)
    return held is not None and (held.holder, held.fence) == (lease.holder, lease.fence)


@contextmanager
def alone(database: Database, name: str) -> Iterator[None]:
    """Keep other servers out of what has this name; takes a connection until the end."""
    if database.kind != "postgresql":
        yield
        return
    with database.system.transaction(write=True) as connection:
        limit_waiting(connection, wait_ms=WAIT_MS, idle_ms=IDLE_MS)
        hold(connection, name)
        yield


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


def give_back(connection: Connection, actor: Actor, lease: Lease) -> bool:
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
