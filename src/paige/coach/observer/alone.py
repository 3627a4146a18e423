"""Keeps two servers from observing the same session: only one of them judges and speaks.

A person may have windows at several servers, and each of them watches. Whoever is about to judge
takes the lease of the session first, and keeps it for a while: it is the one to judge next time,
too. A server that ended loses it by time.
"""

from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.store.engine import Database
from paige.store.leasing import hold_lease

ALONE_SECONDS = 90.0


async def observes_alone(database: Database, now: Clock, actor: Actor, session: str) -> bool:
    """Whether this server is the one that observes a session. Raises: PaigeError."""
    if database.kind != "postgresql":
        return True  # one machine, one server
    lease = await database.write_quietly(
        hold_lease, actor, f"observer/{session}", now=now(), seconds=ALONE_SECONDS
    )
    return lease is not None
