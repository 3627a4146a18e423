"""Tells subscribers of this process about every event, in order, once, whoever wrote it.

Everything is read back from the `events` table: what this process committed wakes the bus at once,
what another process committed is noticed by looking. A subscriber that does not keep up loses its
subscription, not its place: it can ask for what it missed by number.
"""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from paige.base.errors import PaigeError
from paige.store.engine import Database
from paige.store.queries import StoredEvent, events_after, latest_event

logger = logging.getLogger(__name__)
LOOK_SECONDS = 0.25
BATCH = 500


class Bus:
    """Hands events from the table to subscribers."""

    def __init__(self, database: Database, *, look_seconds: float = LOOK_SECONDS) -> None:
        self._database = database
        self._look_seconds = look_seconds
        self._wake = anyio.Event()
        self._subscribers: set[MemoryObjectSendStream[StoredEvent]] = set()
        self.seq = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Bus"]:
        """Hand out events until the block is left."""
        self.seq = await self._database.read(latest_event)
        self._database.on_commit(self._committed)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._pump)
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
                waiting = False
            except PaigeError as error:  # the database may answer again at the next look
                if not waiting:
                    logger.warning("Events wait: %s", error.message)
                waiting = True
            with anyio.move_on_after(self._look_seconds):
                await self._wake.wait()

    async def _hand_out(self) -> None:
        while events := await self._database.read(events_after, self.seq, limit=BATCH):
            for event in events:
                self.seq = event.seq
                for subscriber in list(self._subscribers):
                    try:
                        subscriber.send_nowait(event)
                    except (anyio.WouldBlock, anyio.BrokenResourceError):  # slow, or gone
                        self._drop(subscriber)

    def _committed(self) -> None:
        self._wake.set()

    def _drop(self, subscriber: MemoryObjectSendStream[StoredEvent]) -> None:
        self._subscribers.discard(subscriber)
        subscriber.close()
