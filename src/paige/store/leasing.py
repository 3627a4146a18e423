"""Taking and giving back leases, each in the caller's transaction.

`take_lease` goes by the moment it is given. What several servers share goes by the clock of the
database instead (`hold_lease`, `take_turn`): one whose own clock is wrong then neither robs the
others nor starves them. SQLite is one machine's, where the given moment counts.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.platform import process_start
from paige.store import queries
from paige.store.leases import Lease, may_take, this_process


def take_lease(
    connection: Connection, actor: Actor, name: str, *, now: datetime, seconds: float
) -> Lease | None:
    """Take or renew a lease for this process; `None` while someone else holds it."""
    asker = this_process()
    wanted = Lease(name, asker, 1, now + timedelta(seconds=seconds))
    if queries.insert_lease(connection, actor, wanted):
        return wanted
    held = queries.find_lease(connection, actor, name)
    if held is None:
        return None  # given back between the two queries; the next try gets it
    if not may_take(held, asker, now=now, running=process_start(held.holder.pid)):
        return None
    fence = held.fence if held.holder == asker else held.fence + 1
    lease = wanted._replace(fence=fence)
    queries.replace_lease(connection, actor, lease)
    return lease


def hold_lease(
    connection: Connection, actor: Actor, name: str, *, now: datetime, seconds: float
) -> Lease | None:
    """Like `take_lease`, by the clock that all servers share."""
    shared = queries.shared_moment(connection, now)
    return take_lease(connection, actor, name, now=shared, seconds=seconds)


def take_turn(
    connection: Connection, actor: Actor, name: str, *, now: datetime, seconds: float
) -> int | None:
    """Whether it is time again for what happens once in so many seconds, whoever does it.

    The number of the turn, or `None` while the last one is not so long ago. A turn is nobody's:
    the end of the process that took it does not bring the next one earlier.
    """
    shared = queries.shared_moment(connection, now)
    turn = Lease(name, this_process(), 1, shared + timedelta(seconds=seconds))
    if queries.insert_lease(connection, actor, turn):
        return turn.fence
    last = queries.find_lease(connection, actor, name)
    if last is None or last.until > shared:
        return None
    turn = turn._replace(fence=last.fence + 1)
    queries.replace_lease(connection, actor, turn)
    return turn.fence


def still_holds(connection: Connection, actor: Actor, lease: Lease) -> bool:
    """Whether a lease is still the one that was taken; nobody takes it before this commits."""
    held = queries.find_lease(connection, actor, lease.name)
    return held is not None and (held.holder, held.fence) == (lease.holder, lease.fence)


def give_back(connection: Connection, actor: Actor, lease: Lease) -> bool:
    """Give a lease back; false when someone else has taken it meanwhile."""
    return queries.release_lease(connection, actor, lease)
