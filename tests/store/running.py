"""Runs a query function on this thread, as `Database.read` and `.write` do in another one."""

from collections.abc import Callable
from typing import TypeVar

from paige.store.engine import Database

T = TypeVar("T")


def read(database: Database, query: Callable[..., T], *args: object, **named: object) -> T:
    """Run a query on one snapshot."""
    with database.transaction(write=False) as connection:
        return query(connection, *args, **named)


def write(database: Database, query: Callable[..., T], *args: object, **named: object) -> T:
    """Run a query as one transaction."""
    with database.transaction(write=True) as connection:
        return query(connection, *args, **named)
