"""Taking and giving back leases, each in the caller's transaction."""

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


def give_back(connection: Connection, actor: Actor, lease: Lease) -> bool:
    """Give a lease back; false when someone else has taken it meanwhile."""
    return queries.release_lease(connection, actor, lease)
