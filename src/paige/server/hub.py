"""The WebSocket hub: every connection, what waits for it, and how it catches up.

Each connection has a bounded queue and one writer. Durable frames come from the event stream and
carry its number; all other frames carry the number of the last durable one before them, so that a
client may always send the highest number it saw as `lastEventId`. A reader too slow for its queue
is closed with 1013 and catches up when it comes back.
"""

import contextlib
import json
import logging
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskStatus
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.server.messages import (
    OUTBOUND,
    ConnectionError,
    ConnectionHeartbeat,
    ConnectionHello,
    ConnectionInit,
    ConnectionResync,
)
from paige.server.router import Inbound, Router, Sender, read_frame
from paige.store.messages import Message
from paige.store.queries import StoredEvent, event_bounds, events_after

logger = logging.getLogger(__name__)

QUEUE_FRAMES = 256
BUS_FRAMES = 4096
HEARTBEAT_SECONDS = 15.0
HELLO_SECONDS = 2.0  # how long frames wait for a hello that may ask for a replay
CLOSE_SECONDS = 1.0
TOO_SLOW = 1013
GOING_AWAY = 1001


@dataclass(eq=False, slots=True)
class Connection:
    """One client: its queue, and where it stands in the stream."""

    id: str
    websocket: WebSocket
    actor: Actor
    joined: int  # what came before is replayed when asked for, what comes after is queued
    seq: int
    seen: int = 0  # the client has every event up to this one
    waiting: deque[tuple[int | None, str]] = field(default_factory=deque)
    wake: anyio.Event = field(default_factory=anyio.Event)
    greeted: anyio.Event = field(default_factory=anyio.Event)
    hello: ConnectionHello | None = None
    hello_id: str | None = None
    writing: anyio.CancelScope = field(default_factory=anyio.CancelScope)

    def put(self, frame: str, *, seq: int | None = None) -> None:
        """Queue a frame (an event has a `seq`), or give up a connection that reads too slowly."""
        if len(self.waiting) >= QUEUE_FRAMES:
            self.writing.cancel()  # it may be stuck in a send that will never end
        self.waiting.append((seq, frame))
        self.wake.set()

    def hears(self, event: StoredEvent) -> bool:
        """Whether an event is meant for this client."""
        same_tenant = event.tenant == self.actor.tenant
        return same_tenant and event.person in (None, self.actor.person)


class Hub:
    """Every connection of this process."""

    def __init__(self, app: App, router: Router) -> None:
        self.app = app
        self.router = router
        self.connections: dict[str, Connection] = {}
        router.on(ConnectionHello, self._greet)
        router.sends(*OUTBOUND)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Hub"]:
        """Pass events on to connections until the block is left."""
        async with anyio.create_task_group() as tasks:
            await tasks.start(self._pass_on)
            tasks.start_soon(self._beat)
            yield self
            tasks.cancel_scope.cancel()

    def broadcast(self, message: Message, actor: Actor) -> None:
        """Send a passing message to a person's connections; it is not stored or replayed."""
        for connection in list(self.connections.values()):
            if (connection.actor.tenant, connection.actor.person) == (actor.tenant, actor.person):
                connection.put(self._frame(message, connection.seq))

    async def serve(self, websocket: WebSocket, actor: Actor, identity: str) -> None:
        """Talk to one client until it leaves or is too slow."""
        await websocket.accept()
        connection = Connection(identity, websocket, actor, self.app.bus.seq, self.app.bus.seq)
        self.connections[identity] = connection
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._write, connection, tasks.cancel_scope)
                await self._read(connection)
                tasks.cancel_scope.cancel()
        finally:
            del self.connections[identity]

    async def close(self) -> int:
        """Tell every client that the server goes; return how many there were."""
        connections = list(self.connections.values())
        for connection in connections:
            await _close(connection.websocket, GOING_AWAY, "Paige is stopping")
        return len(connections)

    async def _read(self, connection: Connection) -> None:
        while True:
            try:
                text = await _receive(connection.websocket)
            except WebSocketDisconnect:
                return
            try:
                frame = read_frame(text)
            except BadInput as error:
                logger.warning("Bad frame from %s: %s", connection.id, error.message)
                bad = ConnectionError(code="BAD_FRAME", message=error.message)
                connection.put(self._frame(bad, connection.seq))
                continue
            if frame.type not in self.router.inbound:
                logger.warning("Unknown message type %r from %s", frame.type[:80], connection.id)
                continue
            await self._answer(connection, frame)

    async def _answer(self, connection: Connection, frame: Inbound) -> None:
        if frame.type == ConnectionHello.topic:
            connection.hello_id = frame.id
        sender = Sender(self.app, connection.actor, connection.id)
        answer = await self.router.carry_out(sender, frame)
        connection.greeted.set()
        if answer is not None:
            connection.put(self._frame(answer, connection.seq, identity=frame.id))

    async def _greet(self, sender: Sender, hello: ConnectionHello) -> Message | None:
        """Remember who it is; the first hello is answered by the writer, before anything else."""
        connection = self.connections[sender.connection]
        first, late = connection.hello is None, connection.greeted.is_set()
        connection.hello = hello
        if first and not late:
            return None
        if first and hello.last_event_id not in (None, connection.joined):
            # Events were sent before it said what it had missed: it must read everything again.
            connection.put(self._frame(self._init(), connection.seq, identity=connection.hello_id))
            return ConnectionResync(oldest=connection.seq, latest=connection.seq)
        return self._init()

    async def _write(self, connection: Connection, whole: anyio.CancelScope) -> None:
        with anyio.move_on_after(HELLO_SECONDS):
            await connection.greeted.wait()
        connection.greeted.set()
        with connection.writing, contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._catch_up(connection)
            await self._drain(connection)
        if connection.writing.cancelled_caught:
            logger.warning("Connection %s reads too slowly", connection.id)
            with anyio.move_on_after(CLOSE_SECONDS):
                await _close(connection.websocket, TOO_SLOW, "Too slow; connect again to catch up")
            whole.cancel()

    async def _drain(self, connection: Connection) -> None:
        while True:
            while connection.waiting:
                seq, frame = connection.waiting.popleft()
                if seq is None or seq > connection.seen:
                    await connection.websocket.send_text(frame)
            connection.wake = anyio.Event()
            await connection.wake.wait()

    async def _catch_up(self, connection: Connection) -> None:
        hello = connection.hello
        if hello is None:
            return
        # Not `seq`: events since it joined wait in the queue and come after this frame.
        init = self._frame(self._init(), connection.joined, identity=connection.hello_id)
        await connection.websocket.send_text(init)
        if hello.last_event_id is None or hello.last_event_id == connection.joined:
            return
        bounds = await self.app.database.read(event_bounds)
        if not bounds.oldest - 1 <= hello.last_event_id <= bounds.latest:
            resync = ConnectionResync(oldest=bounds.oldest, latest=connection.joined)
            await connection.websocket.send_text(self._frame(resync, connection.joined))
            return
        # It may know of events that this process has not handed out yet.
        connection.seen = hello.last_event_id
        await self._replay(connection, after=hello.last_event_id)

    async def _replay(self, connection: Connection, *, after: int) -> None:
        """Send what the client missed up to where it joined; what came since waits in its queue."""
        joined = connection.joined
        while after < joined:
            events = await self.app.database.read(events_after, after)
            for event in events:
                if event.seq <= joined and self._sendable(event) and connection.hears(event):
                    await connection.websocket.send_text(_durable(event))
            after = events[-1].seq if events else joined

    async def _pass_on(self, *, task_status: TaskStatus[None]) -> None:
        while True:
            with self.app.bus.subscribe(BUS_FRAMES) as events:
                task_status.started()
                task_status = anyio.TASK_STATUS_IGNORED
                async for event in events:
                    self._pass(event)
            # This process itself was too slow: whoever connects again reads what was missed.
            for connection in self.connections.values():
                connection.writing.cancel()

    def _pass(self, event: StoredEvent) -> None:
        """Queue an event for everyone it is meant for."""
        frame = _durable(event) if self._sendable(event) else None
        for connection in self.connections.values():
            if event.seq > connection.seq:
                connection.seq = event.seq
                if frame is not None and connection.hears(event):
                    connection.put(frame, seq=event.seq)

    async def _beat(self) -> None:
        while True:
            await anyio.sleep(HEARTBEAT_SECONDS)
            for connection in self.connections.values():
                connection.put(self._frame(ConnectionHeartbeat(), connection.seq))

    def _sendable(self, event: StoredEvent) -> bool:
        return event.topic in self.router.outbound

    def _init(self) -> ConnectionInit:
        capabilities = sorted({topic.partition(":")[0] for topic in self.router.inbound})
        return ConnectionInit(session_id=None, capabilities=capabilities, feature_flags={})

    def _frame(self, message: Message, seq: int, *, identity: str | None = None) -> str:
        now = int(self.app.now().timestamp() * 1000)
        frame = {"type": message.topic, "payload": message.payload(), "seq": seq}
        return _dump(
            {**frame, "durable": False, "timestamp": now, **({"id": identity} if identity else {})}
        )


def _durable(event: StoredEvent) -> str:
    at = int(event.at.timestamp() * 1000)
    frame = {"type": event.topic, "payload": event.payload, "seq": event.seq}
    return _dump({**frame, "durable": True, "timestamp": at})


def _dump(frame: dict[str, object]) -> str:
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


async def _receive(websocket: WebSocket) -> str | bytes:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    return message.get("text") or message.get("bytes") or ""


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    if websocket.application_state is WebSocketState.CONNECTED:
        await websocket.close(code, reason)
