"""SQL of runs that are to go on whatever happens to the server that works on them.

A wish is a lease of its own, `go-on/<run>`: it is there from the moment somebody wants the run to
go on until the run ends, asks, or says why it stopped. Its fence counts how often the run was taken
over, its moment keeps two servers from trying at once. Only PostgreSQL has wishes: an embedded
installation has one server, and a person presses Continue.

Whoever changes a wish and publishes an event does it in this order: two transactions that lock
both in another order would wait for each other.
"""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, and_, delete, func, literal, select

from paige.agent.tables import RUNS
from paige.base.actor import Actor
from paige.store.leases import (
    LONG_AGO,
    NOBODY,
    Holder,
    Lease,
    find_lease,
    insert_lease,
    replace_lease,
)
from paige.store.queries import shared_moment
from paige.store.tables import LEASES

PREFIX = "go-on/"
_HELD = LEASES.alias("held")


class WaitingRun(NamedTuple):
    """A run that is to go on, and the lease of whoever works on it or did."""

    actor: Actor
    run: str
    taken_over: int
    lease: Lease | None


class TakeoverLook(NamedTuple):
    """What was found, at which moment of the clock that servers share."""

    at: datetime
    waiting: list[WaitingRun]


def wish(connection: Connection, actor: Actor, run: str, *, anew: bool = True) -> None:
    """Want a run to go on; `anew` forgets how often it was taken over."""
    if connection.dialect.name != "postgresql":
        return
    wanted = Lease(PREFIX + run, NOBODY, 0, LONG_AGO)
    if not insert_lease(connection, actor, wanted) and anew:
        replace_lease(connection, actor, wanted)


def lock_wish(connection: Connection, actor: Actor, run: str) -> None:
    """Let nobody change a wish before this transaction ends."""
    if connection.dialect.name == "postgresql":
        find_lease(connection, actor, PREFIX + run)


def drop_wish(connection: Connection, actor: Actor, run: str) -> None:
    """Do not want a run to go on any more: it ended, asks, or says why it stopped."""
    if connection.dialect.name == "postgresql":
        mine = (LEASES.c.tenant == actor.tenant, LEASES.c.name == PREFIX + run)
        connection.execute(delete(LEASES).where(*mine))


def is_wished(connection: Connection, actor: Actor, run: str) -> bool:
    """Whether some server will go on with a run by itself."""
    mine = (LEASES.c.tenant == actor.tenant, LEASES.c.name == PREFIX + run)
    return connection.scalar(select(func.count()).select_from(LEASES).where(*mine)) == 1


def waiting_runs(connection: Connection, now: datetime, *, limit: int = 500) -> TakeoverLook:
    """Runs of everyone that are to go on and that nobody has just tried to take over."""
    at = shared_moment(connection, now)
    held = [_HELD.c[name] for name in ("host", "pid", "started", "fence", "until")]
    run = func.substr(LEASES.c.name, len(PREFIX) + 1)
    query = (
        select(RUNS.c.tenant, RUNS.c.person, RUNS.c.id, LEASES.c.fence, *held)
        .join(RUNS, and_(RUNS.c.tenant == LEASES.c.tenant, RUNS.c.id == run))
        .outerjoin(
            _HELD,
            and_(_HELD.c.tenant == RUNS.c.tenant, _HELD.c.name == literal("run/") + RUNS.c.id),
        )
        .where(
            LEASES.c.name.startswith(PREFIX, autoescape=True),
            LEASES.c.until <= at,
            RUNS.c.state != "ended",
        )
        .order_by(LEASES.c.fence, RUNS.c.id)
        .limit(limit)
    )
    return TakeoverLook(at, [_waiting(*row) for row in connection.execute(query)])


def drop_ended_wishes(connection: Connection) -> int:
    """Forget wishes of runs that ended or are gone; how many there were."""
    run = func.substr(LEASES.c.name, len(PREFIX) + 1)
    alive = select(RUNS.c.id).where(
        RUNS.c.tenant == LEASES.c.tenant, RUNS.c.id == run, RUNS.c.state != "ended"
    )
    old = delete(LEASES).where(LEASES.c.name.startswith(PREFIX, autoescape=True), ~alive.exists())
    return connection.execute(old).rowcount


def _waiting(tenant: str, person: str, run: str, taken_over: int, *lease: object) -> WaitingRun:
    host, pid, started, fence, until = lease
    held = None
    if host is not None:
        held = Lease(f"run/{run}", Holder(host, pid, started), fence, until)  # type: ignore[arg-type]
    return WaitingRun(Actor(tenant, person), run, taken_over, held)
