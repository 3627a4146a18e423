"""The reference for servers: Starlette + MCP, the same tool and messages, nothing else."""

import contextlib
import json
import sys
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
    """What a client sends."""

    type: Literal["connection:hello"]
    version: str
    platform: str
    windowSize: Size


class Other(BaseModel):
    """A second message, so that there is a union to decide."""

    type: Literal["other"]


class Check(BaseModel):
    """One check."""

    name: str
    status: str
    message: str
    fix: str | None


class Setup(BaseModel):
    """What the tool answers."""

    version: str
    provider: dict[str, Any]
    project: str | None
    checks: list[Check]


COMMAND = TypeAdapter(Annotated[Hello | Other, Field(discriminator="type")])
server = MCPServer("bare", log_level="WARNING")


@server.tool()
async def paige_setup() -> Setup:
    """Answer something of the same shape."""
    checks = [Check(name=f"check {n}", status="ok", message="fine", fix=None) for n in range(6)]
    return Setup(version="1", provider={"name": "local"}, project=None, checks=checks)


async def health(_: object) -> JSONResponse:
    return JSONResponse({"status": "ok"})


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            frame = json.loads(await websocket.receive_text())
            COMMAND.validate_python({"type": frame["type"], **frame["payload"]})
            answer = {"type": "connection:init", "payload": {"capabilities": []}, "seq": 0}
            await websocket.send_text(json.dumps(answer))


@contextlib.asynccontextmanager
async def lifespan(_: Starlette):
    async with server.session_manager.run():
        yield


if __name__ == "__main__":
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
