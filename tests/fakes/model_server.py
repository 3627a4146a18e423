"""A model provider on loopback that speaks real HTTP and server-sent events, as a script says."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple, Self


class Recorded(NamedTuple):
    """One request as it came over the wire."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    raw: bytes
    method: str = "POST"


@dataclass(frozen=True, slots=True)
class Json:
    """An unstreamed answer."""

    body: object
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sse:
    """A streamed answer; `cut` drops the connection after the last event given."""

    events: Sequence[Mapping[str, Any]]
    done: bool = False
    cut: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hangup:
    """The connection closes without a word."""


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing comes until the server closes."""


@dataclass(frozen=True, slots=True)
class Held:
    """An answer that waits for an event."""

    until: asyncio.Event
    reply: "Json | Sse"


Reply = Json | Sse | Hangup | Silence | Held


class ModelServer:
    """Plays replies in order, or those of a function; keeps every request."""

    def __init__(self) -> None:
        self.requests: list[Recorded] = []
        self.connections = 0
        self._script: deque[Reply] = deque()
        self._answer: Callable[[Recorded], Reply] | None = None
        self._closing = asyncio.Event()
        self._stack = AsyncExitStack()
        self.url = ""

    def play(self, *replies: Reply) -> None:
        """Answer the next requests so."""
        self._script.extend(replies)

    def answer_with(self, function: Callable[[Recorded], Reply]) -> None:
        """Answer every request by a function."""
        self._answer = function

    async def __aenter__(self) -> Self:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**24)
        await self._stack.enter_async_context(server)
        port = server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closing.set()
        await self._stack.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        request_line, *lines = head.split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines if line)
        }
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        method, path, _ = request_line.split(" ")
        request = Recorded(path, headers, json.loads(raw or b"{}"), raw, method)
        self.requests.append(request)
        if method == "HEAD":  # some programs look first whether anyone is there
            writer.write(_head(200, {"content-length": "0"}))
            await writer.drain()
            return True
        reply = self._answer(request) if self._answer else self._script.popleft()
        if isinstance(reply, Held):
            await reply.until.wait()
            reply = reply.reply
        match reply:
            case Json():
                _write_json(writer, reply)
            case Sse():
                await _write_events(writer, reply)
                if reply.cut:
                    writer.transport.abort()
                    return False
            case Hangup():
                return False
            case Silence():
                await self._closing.wait()
                return False
        await writer.drain()
        return True


def _write_json(writer: asyncio.StreamWriter, reply: Json) -> None:
    body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
    head = {"content-type": "application/json", "content-length": str(len(body)), **reply.headers}
    writer.write(_head(reply.status, head) + body)


async def _write_events(writer: asyncio.StreamWriter, reply: Sse) -> None:
    head = {"content-type": "text/event-stream", "transfer-encoding": "chunked", **reply.headers}
    writer.write(_head(200, head))
    for event in reply.events:
        named = f"event: {event['type']}\n" if "type" in event else ""
        _write_chunk(writer, f"{named}data: {json.dumps(event)}\n\n".encode())
        await writer.drain()
    if reply.cut:
        return
    if reply.done:
        _write_chunk(writer, b"data: [DONE]\n\n")
    writer.write(b"0\r\n\r\n")


def _write_chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} Said\r\n{lines}\r\n".encode("latin-1")
