"""Doing something alone among all servers of an installation, for as long as a block lasts.

A lock of the database, so it ends with the connection: nobody has to clean up after a process that
died. On SQLite there is one machine, whose processes keep each other out with file locks.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from paige.store.advisory_queries import hold, limit_waiting
from paige.store.engine import Database

WAIT_MS = 60_000
IDLE_MS = 600_000


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
