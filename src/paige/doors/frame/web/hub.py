"""The WebSocket hub: every connection, what waits for it, and how it catches up.

Each connection has a bounded queue and one writer. Durable frames come from the event stream and
carry its number; all other frames carry the number of the last durable one before them, so that a
client may always send the highest number it saw as `lastEventId`. A reader too slow for its queue
is closed with 1013 and catches up when it comes back.

For the rooms the hub is a `MessageSink`: they send to a person, not to connections. Who sends a lot
waits with `room`, so that a flood slows its source and not the readers.
"""

import asyncio
import contextlib
import json
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

import anyio
from anyio.abc import TaskStatus
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from paige.app.application import App
from paige.app.person_apps import may_on_machine
from paige.base.actor import Actor
from paige.base.counters import count
from paige.base.errors import BadInput, PaigeError
from paige.coach.messages import Reply
from paige.doors.frame.current_app import app_of
from paige.doors.frame.web.messages import (
    OUTBOUND,
    ConnectionError,
    ConnectionHeartbeat,
    ConnectionHello,
    ConnectionInit,
    ConnectionResync,
)
from paige.doors.frame.web.router import Inbound, Router, Sender, read_frame
from paige.doors.frame.web.security import LISTED, is_loopback
from paige.store.messages import Message
from paige.store.queries import StoredEvent, event_bounds, events_after, latest_event

logger = logging.getLogger(__name__)

QUEUE_FRAMES = 256
ROOM_FRAMES = QUEUE_FRAMES // 2
ROOM_SECONDS = 5.0  # a reader that takes nothing for so long is not waited for any more
BUS_FRAMES = 4096
HEARTBEAT_SECONDS = 15.0
HELLO_SECONDS = 2.0  # how long frames wait for a hello that may ask for a replay
CLOSE_SECONDS = 1.0
LEAVE_SECONDS = 0.5  # for a client to take the news that Paige stops
TOO_SLOW = 1013
SHELL = "terminal:"
MOST_WINDOWS = 5_000
MOST_OF_ONE = 64  # where there are accounts; otherwise everybody is the same person
GOING_AWAY = 1001
AT_ONCE = "paige.send_at_once"  # in a scope: sends a text, or says that it would have to wait


@dataclass(eq=False, slots=True)
class Connection:
    """One client: its queue, and where it stands in the stream."""

    id: str
    websocket: WebSocket
    desk: App  # as the person at the other end uses it
    joined: int  # what came before is replayed when asked for, what comes after is queued
    seq: int
    seen: int = 0  # the client has every event up to this one
    waiting: deque[tuple[int | None, str]] = field(default_factory=deque)
    send_at_once: Callable[[str], bool] | None = None  # where the server can, and need not ask who
    idle: bool = False  # nothing waits, and its writer neither sends nor catches up
    # asyncio's own: waiting on one of anyio's costs twice as much with many connections
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    greeted: anyio.Event = field(default_factory=anyio.Event)
    hello: ConnectionHello | None = None
    hello_id: str | None = None
    connected_at: datetime | None = None
    trusted: bool = False
    room: anyio.Event = field(default_factory=anyio.Event)  # set when the queue gets shorter
    stalled: bool = False  # it was waited for in vain, and has taken nothing since
    writing: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    serving: anyio.CancelScope = field(default_factory=anyio.CancelScope)  # all of it

    def put(self, frame: str, *, seq: int | None = None) -> None:
        """Send or queue a frame (an event has a `seq`), or give up who reads too slowly."""
        if self.idle and self.send_at_once is not None:
            if seq is not None and seq <= self.seen:
                return
            if self.send_at_once(frame):
                count("frames_sent")
                return
            self.idle = False
        if len(self.waiting) >= QUEUE_FRAMES:
            self.writing.cancel()  # it may be stuck in a send that will never end
        self.waiting.append((seq, frame))
        self.wake.set()

    async def tell(self, frame: str) -> None:
        """Hand a frame to the client."""
        await self.websocket.send_text(frame)
        count("frames_sent")

    def take(self) -> tuple[int | None, str]:
        """The next frame of the queue."""
        taken = self.waiting.popleft()
        self.stalled = False
        if len(self.waiting) == ROOM_FRAMES:
            self.room.set()
        return taken

    @property
    def actor(self) -> Actor:
        """The person at the other end."""
        return self.desk.actor

    def belongs_to(self, actor: Actor | None) -> bool:
        """Whether this is a window of a person; `None` is everyone who may use this machine."""
        if actor is None:
            return may_on_machine(self.desk.settings, self.actor, "coach")
        return (self.actor.tenant, self.actor.person) == (actor.tenant, actor.person)

    def hears(self, event: StoredEvent) -> bool:
        """Whether an event is meant for this client."""
        same_tenant = event.tenant == self.actor.tenant
        return same_tenant and event.person in (None, self.actor.person)


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a client is told when it says hello, besides what the hub knows."""

    session_id: str | None = None
    feature_flags: dict[str, bool] = field(default_factory=dict)


Introduce = Callable[[Sender], Awaitable[Introduction]]


async def _introduce_nothing(_: Sender) -> Introduction:
    return Introduction()


class Hub:
    """Every connection of this process."""

    def __init__(self, app: App, router: Router) -> None:
        self.app = app
        self.router = router
        self.introduce: Introduce = _introduce_nothing
        self._passed = 0  # the last event that was put into the queues
        self._passing = anyio.Event()
        self.connections: dict[str, Connection] = {}
        router.on(ConnectionHello, self._greet)
        router.sends(*OUTBOUND)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Hub"]:
        """Pass events on to connections until the block is left."""
        self._passed = self.app.bus.seq
        async with anyio.create_task_group() as tasks:
            await tasks.start(self._pass_on)
            tasks.start_soon(self._beat)
            yield self
            tasks.cancel_scope.cancel()

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Send a passing message to a person's windows; it is not stored or replayed.

        Without an actor it is about the project on this machine, for all who may work in it.
        """
        secret = message.topic.startswith(SHELL)  # what a shell shows is as good as a shell
        frames: dict[tuple[int, str | None], str] = {}
        for connection in list(self.connections.values()):
            if not connection.belongs_to(actor) or (secret and not connection.trusted):
                continue
            asked = reply is not None and reply.connection == connection.id
            key = (connection.seq, reply.id if asked and reply else None)
            if key not in frames:
                frames[key] = self._frame(message, connection.seq, identity=key[1])
            connection.put(frames[key])

    def answer(self, message: Message, reply: Reply) -> None:
        """Send a passing message to the one window that asked, if it is still there."""
        connection = self.connections.get(reply.connection)
        if connection is not None:
            connection.put(self._frame(message, connection.seq, identity=reply.id))

    async def room(self, actor: Actor | None) -> None:
        """Wait until every window of a person, or every one, has read half of what waits for it."""
        for connection in list(self.connections.values()):
            much = len(connection.waiting) > ROOM_FRAMES
            if much and connection.belongs_to(actor) and not connection.stalled:
                connection.room = anyio.Event()
                with anyio.move_on_after(ROOM_SECONDS) as waited:
                    await connection.room.wait()
                connection.stalled = waited.cancelled_caught

    async def after_events(self) -> None:
        """Wait until the events committed so far are in the queues, before what comes next."""
        try:
            latest = await self.app.database.system.read(latest_event)
        except PaigeError:  # then nothing can be waited for
            return
        with anyio.move_on_after(ROOM_SECONDS):
            while self._passed < latest:
                await self._passing.wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Talk to one client until it leaves or is too slow."""
        websocket, desk = WebSocket(scope, receive, send), app_of(scope)
        await websocket.accept()
        if full := self._full(desk.actor):
            logger.warning("A window of %s is turned away: %s", desk.actor.person, full)
            await _close(websocket, TOO_SLOW, full)
            return
        seq, identity = self.app.bus.seq, secrets.token_hex(8)
        connection = Connection(identity, websocket, desk, joined=seq, seq=seq)
        if not self.app.settings.many:  # else it is looked at again and again who may hear it
            connection.send_at_once = scope.get(AT_ONCE)
        connection.connected_at = self.app.now()
        connection.trusted = self._trusts(connection)
        self.connections[identity] = connection
        try:
            async with anyio.create_task_group() as tasks:
                connection.serving = tasks.cancel_scope
                tasks.start_soon(self._write, connection)
                await self._read(connection)
                tasks.cancel_scope.cancel()
        finally:
            del self.connections[identity]
            connection.room.set()

    def _full(self, actor: Actor) -> str:
        """Why somebody cannot open one more window here, if they cannot."""
        if len(self.connections) >= MOST_WINDOWS:
            return f"{MOST_WINDOWS} windows are open at this server already; try again later"
        most = MOST_OF_ONE if self.app.settings.many else MOST_WINDOWS
        own = sum(each.belongs_to(actor) for each in self.connections.values())
        if own >= most:
            return f"{most} of your windows are open here already; close some of them"
        return ""

    async def close(self) -> int:
        """Tell every client that the server goes; return how many there were."""
        connections = list(self.connections.values())
        async with anyio.create_task_group() as tasks:
            for connection in connections:
                tasks.start_soon(_part_with, connection)
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
                connection.greeted.set()  # who begins like this is not waited for to say hello
                continue
            if frame.type not in self.router.inbound:
                logger.warning("Unknown message type %r from %s", frame.type[:80], connection.id)
                continue
            await self._answer(connection, frame)

    async def _answer(self, connection: Connection, frame: Inbound) -> None:
        if frame.type == ConnectionHello.topic:
            connection.hello_id = frame.id
        answer = await self.router.carry_out(self._sender(connection, frame.id), frame)
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
            init = await self._init(connection)
            connection.put(self._frame(init, connection.seq, identity=connection.hello_id))
            return ConnectionResync(oldest=connection.seq, latest=connection.seq)
        return await self._init(connection)

    async def _write(self, connection: Connection) -> None:
        with anyio.move_on_after(HELLO_SECONDS):
            await connection.greeted.wait()
        connection.greeted.set()
        with connection.writing, contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._catch_up(connection)
            await self._drain(connection)
        if connection.writing.cancelled_caught:
            logger.warning("Connection %s reads too slowly", connection.id)
            count("frames_dropped", len(connection.waiting))
            with anyio.move_on_after(CLOSE_SECONDS):
                await _close(connection.websocket, TOO_SLOW, "Too slow; connect again to catch up")
            connection.serving.cancel()

    async def _drain(self, connection: Connection) -> None:
        while True:
            while connection.waiting:
                seq, frame = connection.take()
                if seq is None or seq > connection.seen:
                    await connection.tell(frame)
            connection.idle = True
            await connection.wake.wait()
            connection.wake.clear()

    async def _catch_up(self, connection: Connection) -> None:
        hello = connection.hello
        if hello is None:
            return
        # Not `seq`: events since it joined wait in the queue and come after this frame.
        introduced = await self._init(connection)
        init = self._frame(introduced, connection.joined, identity=connection.hello_id)
        await connection.tell(init)
        if hello.last_event_id is None or hello.last_event_id == connection.joined:
            return
        bounds = await self.app.database.system.read(event_bounds)
        if not bounds.oldest - 1 <= hello.last_event_id <= bounds.latest:
            resync = ConnectionResync(oldest=bounds.oldest, latest=connection.joined)
            await connection.tell(self._frame(resync, connection.joined))
            return
        # It may know of events that this process has not handed out yet.
        connection.seen = hello.last_event_id
        await self._replay(connection, after=hello.last_event_id)

    async def _replay(self, connection: Connection, *, after: int) -> None:
        """Send what the client missed up to where it joined; what came since waits in its queue."""
        joined = connection.joined
        while after < joined:
            events = await self.app.database.system.read(events_after, after)
            for event in events:
                if event.seq <= joined and self._sendable(event) and connection.hears(event):
                    await connection.tell(_durable(event))
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
        self._passed = event.seq
        self._passing.set()
        self._passing = anyio.Event()

    async def _beat(self) -> None:
        while True:
            await anyio.sleep(HEARTBEAT_SECONDS)
            for connection in self.connections.values():
                connection.put(self._frame(ConnectionHeartbeat(), connection.seq))

    def _sendable(self, event: StoredEvent) -> bool:
        return event.topic in self.router.outbound

    def _sender(self, connection: Connection, identity: str | None) -> Sender:
        return Sender(
            connection.desk,
            connection.actor,
            connection.id,
            id=identity,
            trusted=connection.trusted,
        )

    def _trusts(self, connection: Connection) -> bool:
        """Whether a client may have a shell: with accounts the rights say it.

        A page of another site never may, though its other messages are listened to.
        """
        if connection.websocket.scope.get(LISTED):
            return False
        if self.app.settings.many:
            return may_on_machine(self.app.settings, connection.actor, "coach")
        # With a passcode nobody gets here without it.
        return bool(self.app.settings.passcode) or is_loopback(connection.websocket.client)

    async def _init(self, connection: Connection) -> ConnectionInit:
        capabilities = sorted({topic.partition(":")[0] for topic in self.router.inbound})
        about = await self.introduce(self._sender(connection, connection.hello_id))
        return ConnectionInit(
            session_id=about.session_id,
            capabilities=capabilities,
            feature_flags=about.feature_flags,
        )

    def _frame(self, message: Message, seq: int, *, identity: str | None = None) -> str:
        now = int(self.app.now().timestamp() * 1000)
        rest = {"seq": seq, "durable": False, "timestamp": now}
        if identity:
            rest["id"] = identity
        # The payload is written by the library itself: a tree may have twenty thousand entries.
        payload = message.model_dump_json(by_alias=True)
        return f'{{"type":{_dump(message.topic)},"payload":{payload},{_dump(rest)[1:]}'


def _durable(event: StoredEvent) -> str:
    at = int(event.at.timestamp() * 1000)
    frame = {"type": event.topic, "payload": event.payload, "seq": event.seq}
    return _dump({**frame, "durable": True, "timestamp": at})


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


async def _receive(websocket: WebSocket) -> str | bytes:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1005)
    return message.get("text") or message.get("bytes") or ""


async def _part_with(connection: Connection) -> None:
    """Tell a client that Paige stops; one that reads nothing cannot be told, and is left."""
    with anyio.move_on_after(LEAVE_SECONDS) as telling:
        await _close(connection.websocket, GOING_AWAY, "Paige is stopping")
    if telling.cancelled_caught:
        connection.serving.cancel()


async def _close(websocket: WebSocket, code: int, reason: str) -> None:
    if websocket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(WebSocketDisconnect):  # it may have gone meanwhile
            await websocket.close(code, reason)
