"""The reference for servers: Starlette + MCP, the same tool and messages, nothing else."""

import asyncio
import contextlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from pydantic import BaseModel, Field, TypeAdapter
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect


class Size(BaseModel):
    """Size of a window."""

    width: int
    height: int


class Hello(BaseModel):
    """What a client says first."""

    type: Literal["connection:hello"]
    version: str
    platform: str
    windowSize: Size


class Open(BaseModel):
    """A file is opened; every client is told."""

    type: Literal["file:open"]
    path: str


class Cursor(BaseModel):
    """Where the cursor is."""

    line: int
    column: int


class Edit(BaseModel):
    """The text in an editor."""

    type: Literal["buffer:update"]
    path: str
    content: str
    cursorPosition: Cursor
    selections: list[Any]


class Buffer(BaseModel):
    """What the tool answers."""

    path: str
    content: str
    cursorPosition: Cursor
    dirty: bool
    lastUpdated: str


COMMAND = TypeAdapter(Annotated[Hello | Open | Edit, Field(discriminator="type")])
server = MCPServer("bare", log_level="WARNING")
buffers: dict[str, Buffer] = {}
clients: set[WebSocket] = set()


@server.tool()
async def paige_get_buffer(path: str) -> Buffer | None:
    """The text of a file as the editor holds it."""
    return buffers.get(path)


async def health(_: object) -> JSONResponse:
    return JSONResponse({"status": "ok"})


async def answer(websocket: WebSocket, command: Hello | Open | Edit) -> None:
    match command:
        case Hello():
            init = {"type": "connection:init", "payload": {"capabilities": []}, "seq": 0}
            await websocket.send_text(json.dumps(init))
        case Open():
            text = await asyncio.to_thread((FOLDER / command.path).read_text)
            payload = {"path": command.path, "content": text, "language": "python", "lineCount": 1}
            frame = json.dumps({"type": "fs:content", "payload": payload, "seq": 0})
            await asyncio.gather(*(client.send_text(frame) for client in clients))
        case Edit():
            now = datetime.now(UTC).isoformat()  # noqa: TID251 - a server of its own
            buffers[command.path] = Buffer(
                path=command.path, content=command.content, cursorPosition=command.cursorPosition,
                dirty=True, lastUpdated=now,
            )  # fmt: skip


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    clients.add(websocket)
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            frame = json.loads(await websocket.receive_text())
            command = COMMAND.validate_python({"type": frame["type"], **frame["payload"]})
            await answer(websocket, command)
    clients.discard(websocket)


@contextlib.asynccontextmanager
async def lifespan(_: Starlette):
    async with server.session_manager.run():
        yield


if __name__ == "__main__":
    FOLDER = Path(sys.argv[2])
    server.streamable_http_app()
    routes = [
        Route("/health", health),
        WebSocketRoute("/ws", socket),
        Route("/mcp", endpoint=StreamableHTTPASGIApp(server.session_manager)),
    ]
    app = Starlette(lifespan=lifespan, routes=routes)
    uvicorn.run(
        app, port=int(sys.argv[1]), log_level="warning", ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )  # fmt: skip
