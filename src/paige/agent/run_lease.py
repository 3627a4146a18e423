"""Holding the lease of a run while somebody works on it, so that nobody else does.

The lease is renewed long before it runs out. When PostgreSQL does not answer, work goes on for as
long as the lease surely holds, by a clock that nobody sets, and then stops: another server may take
the run over from that moment on. Whatever a late worker still wants to write is refused by the
fence of the lease.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

import anyio
from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.journal import Batch
from paige.agent.segment import Runtime
from paige.base.actor import Actor
from paige.base.errors import Conflict
from paige.store.engine import DatabaseAway
from paige.store.leases import Lease, give_back, hold_lease, still_holds

logger = logging.getLogger(__name__)
LEASE_SECONDS = 30.0
SPARE_SECONDS = 2.0
"""So long before a lease runs out that nobody could renew, the work on it ends."""
_BUSY: set[tuple[str, str]] = (
    set()
)  # a lease is held by a process, so it does not tell two tasks apart


class RunHeld(Conflict):
    """Another process works on the run now."""


class LeaseLost(Conflict):
    """The lease of a run could not be kept, so that another process may go on with it."""


def busy_runs(location: str) -> set[str]:
    """The runs of a database that this process works on."""
    return {name.removeprefix("run/") for where, name in _BUSY if where == location}


@asynccontextmanager
async def leased(runtime: Runtime, actor: Actor, run: str) -> AsyncIterator[Lease]:
    """Hold the lease of a run, renewed while the block runs. Raises: Conflict, LeaseLost."""
    holding = _HeldLease(runtime, actor, f"run/{run}")
    busy = (runtime.db.location, holding.name)
    if busy in _BUSY:
        raise Conflict("This process works on this run already", hint="Wait until it is done.")
    lease = await holding.take()
    if lease is None:
        raise RunHeld(
            "Another process works on this run now", hint="Wait until it is done or asks."
        )
    _BUSY.add(busy)
    renewing = anyio.create_task_group()
    await renewing.__aenter__()
    renewing.start_soon(holding.renew, lease)
    if runtime.db.kind == "postgresql":
        renewing.start_soon(holding.stop_in_time)
    try:
        # Not inside the task group: what the block raises must come out as it is.
        with holding.body:
            yield lease
        if holding.body.cancelled_caught:
            raise LeaseLost("Another process took this run over", hint="Open it again.")
    finally:
        _BUSY.discard(busy)
        renewing.cancel_scope.cancel()
        await renewing.__aexit__(None, None, None)
        with anyio.CancelScope(shield=True):
            await holding.give_back(lease)


@dataclass(eq=False, slots=True)
class _HeldLease:
    """One lease while it is held."""

    runtime: Runtime
    actor: Actor
    name: str
    body: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    until: float = 0.0  # so long it surely holds

    async def take(self) -> Lease | None:
        """Take or renew the lease."""
        asked, runtime = anyio.current_time(), self.runtime
        lease = await runtime.db.write(
            hold_lease, self.actor, self.name, now=runtime.now(), seconds=LEASE_SECONDS
        )
        self.until = asked + LEASE_SECONDS
        return lease

    async def renew(self, lease: Lease) -> None:
        """Renew the lease until cancelled; the work ends when somebody else has taken it."""
        while True:
            await anyio.sleep(LEASE_SECONDS / 3)
            try:
                held = await self.take()
            except DatabaseAway as error:  # it may answer again in time
                logger.warning("The lease %s was not renewed: %s", self.name, error.message)
                continue
            if held is None or held.fence != lease.fence:
                self.body.cancel()  # this process slept too long and another one took over

    async def stop_in_time(self) -> None:
        """End the work before the lease runs out."""
        while (left := self.until - SPARE_SECONDS - anyio.current_time()) > 0:  # noqa: ASYNC110 - time
            await anyio.sleep(left)
        self.body.cancel()

    async def give_back(self, lease: Lease) -> None:
        """Let others have the lease."""
        try:
            await self.runtime.db.write(give_back, self.actor, lease)
        except DatabaseAway as error:  # then it runs out by itself
            logger.warning("The lease %s was not given back: %s", self.name, error.message)


def write_fenced(
    connection: Connection, actor: Actor, lease: Lease, batch: Batch, *, now: datetime
) -> None:
    """Write what a run noted, unless another process has taken it over. Raises: LeaseLost."""
    shared = connection.dialect.name == "postgresql"  # SQLite is on one machine, as its processes
    if shared and not still_holds(connection, actor, lease):
        raise LeaseLost("Another process took this run over", hint="Open it again.")
    queries.write_batch(connection, actor, lease.name.removeprefix("run/"), batch, now=now)
