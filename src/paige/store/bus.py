"""Tells subscribers of this process about every event, in order, once, whoever wrote it.

Everything is read back from the `events` table, in the order of its numbers. On SQLite, what this
process committed wakes the bus at once and what another one committed is noticed by looking. On
PostgreSQL every commit says its number to all servers; looking now and then is only a safety net. A
subscriber that does not keep up loses its subscription, not its place: it can ask for what it
missed by number.
"""

import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from paige.base.errors import PaigeError
from paige.store.engine import NOTICES_A_GAP, Database
from paige.store.ephemeral import EphemeralChannel
from paige.store.queries import (
    EVENTS_CHANNEL,
    LISTENS,
    PASSING,
    StoredEvent,
    count_servers,
    events_after,
    latest_event,
)

if TYPE_CHECKING:
    from psycopg import AsyncConnection


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


logger = logging.getLogger(__name__)
LOOK_SECONDS = 0.25
SAFETY_SECONDS = 5.0
"""How often a server looks that is told of everything: what is said may be lost, rows are not."""
BATCH = 500


class Bus:
    """Hands events from the table to subscribers."""

    def __init__(self, database: Database, *, look_seconds: float | None = None) -> None:
        self._database = database
        self._look_seconds = look_seconds
        self._wake = anyio.Event()
        self._subscribers: set[MemoryObjectSendStream[StoredEvent]] = set()
        self._listener: Listener | None = None
        if database.kind == "postgresql":
            self._listener = Listener(database, self._heard, self._connected)
        self.passing = EphemeralChannel(database, secrets.token_hex(8))
        self._counts_at = 0.0
        self.servers = 1  # how many there are, as of the last look
        self.seq = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Bus"]:
        """Hand out events until the block is left."""
        self.seq = await self._database.system.read(latest_event)
        self._database.on_commit(self._committed)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._pump)
            if self._listener is not None:
                tasks.start_soon(self._listener.listen)
                tasks.start_soon(self.passing.keep_sending)
            yield self
            tasks.cancel_scope.cancel()
        for subscriber in list(self._subscribers):
            self._drop(subscriber)

    @contextmanager
    def subscribe(self, capacity: int) -> Iterator[MemoryObjectReceiveStream[StoredEvent]]:
        """Events from now on; the stream ends when more than `capacity` of them wait."""
        send, receive = anyio.create_memory_object_stream[StoredEvent](capacity)
        self._subscribers.add(send)
        try:
            yield receive
        finally:
            self._drop(send)
            receive.close()

    async def _pump(self) -> None:
        waiting = False
        while True:
            self._wake = anyio.Event()
            try:
                await self._hand_out()
                await self._count()
                waiting = False
            except PaigeError as error:  # the database may answer again at the next look
                if not waiting:
                    logger.warning("Events wait: %s", error.message)
                waiting = True
            with anyio.move_on_after(self._pause):
                await self._wake.wait()

    @property
    def _pause(self) -> float:
        if self._look_seconds is not None:
            return self._look_seconds
        return SAFETY_SECONDS if self.is_told else LOOK_SECONDS

    @property
    def is_told(self) -> bool:
        """Whether PostgreSQL tells of every event now."""
        return self._listener is not None and self._listener.is_connected

    async def _hand_out(self) -> None:
        more = True
        while more:
            events = await self._database.system.read(events_after, self.seq, limit=BATCH)
            more = len(events) == BATCH  # what is committed from now on wakes again
            for event in events:
                self.seq = event.seq
                for subscriber in list(self._subscribers):
                    try:
                        subscriber.send_nowait(event)
                    except (anyio.WouldBlock, anyio.BrokenResourceError):  # slow, or gone
                        self._drop(subscriber)

    async def _count(self) -> None:
        """See now and then whether there are other servers: only then it is worth telling them."""
        now = anyio.current_time()
        if self._listener is not None and now >= self._counts_at:
            self._counts_at = now + SAFETY_SECONDS
            self.servers = max(1, await self._database.system.read(count_servers))
            self.passing.wanted = self.servers > 1

    def _committed(self) -> None:
        if not self.is_told:  # otherwise PostgreSQL says it, and says which number
            self._wake.set()

    def _connected(self) -> None:
        self._counts_at = 0.0
        self._wake.set()  # for what was said while nobody listened

    def _heard(self, channel: str, said: str) -> None:
        if said == HELLO:
            self._connected()
        elif channel == PASSING:
            self.passing.take(said)
        elif said.isdecimal() and int(said) > self.seq:
            self._wake.set()

    def _drop(self, subscriber: MemoryObjectSendStream[StoredEvent]) -> None:
        self._subscribers.discard(subscriber)
        subscriber.close()
