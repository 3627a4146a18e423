"""Listens to PostgreSQL: whoever commits something says so, and every server is woken at once.

One connection a process does nothing else. What it hears only wakes: what happened is read from
the tables, so nothing is lost while the connection is down. It is opened again for as long as the
server runs, with pauses that grow to a bound.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio

from paige.store.engine import NOTICES_A_GAP, Database
from paige.store.listening_queries import LISTENS, PASSING
from paige.store.queries import EVENTS_CHANNEL

if TYPE_CHECKING:
    from psycopg import AsyncConnection

logger = logging.getLogger(__name__)
HELLO = "hello"
"""What a server says when it has come, so that the others count again."""
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
Heard = Callable[[str, str], None]


class Listener:
    """The connection of one process that hears what others commit."""

    def __init__(self, database: Database, heard: Heard, connected: Callable[[], None]) -> None:
        """`heard` gets a channel and what was said; `connected` is called after every gap."""
        self._database = database
        self._heard = heard
        self._on_connected = connected
        self.is_connected = False

    async def listen(self) -> None:
        """Hear until cancelled."""
        pause = FIRST_PAUSE
        while True:
            try:
                async with await _connect(self._database) as connection:
                    for channel in (EVENTS_CHANNEL, PASSING):
                        await connection.execute(f"LISTEN {channel}".encode())
                    await connection.execute("SELECT pg_notify(%s, %s)", (PASSING, HELLO))
                    pause = FIRST_PAUSE
                    self.is_connected = True
                    self._on_connected()
                    async for said in connection.notifies():
                        self._heard(said.channel, said.payload)
            except _errors() as error:
                if self.is_connected:
                    logger.warning("PostgreSQL is not heard for now: %s", str(error).strip())
            finally:
                self.is_connected = False
            await anyio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)


async def _connect(database: Database) -> "AsyncConnection[Any]":
    from psycopg import AsyncConnection  # noqa: PLC0415 - an extra that SQLite does without

    url = database.engine.url
    _, options = database.engine.dialect.create_connect_args(url)
    options.pop("context", None)  # SQLAlchemy's own types
    named = {**NOTICES_A_GAP, "application_name": LISTENS}
    return await AsyncConnection.connect(autocommit=True, **{**options, **named})


def _errors() -> tuple[type[Exception], ...]:
    from psycopg import Error  # noqa: PLC0415 - as above

    return (Error, OSError)
