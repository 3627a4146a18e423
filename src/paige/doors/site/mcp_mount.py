"""Mounts `/mcp` without waiting for it: the server answers while the SDK is imported."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import anyio
import anyio.to_thread
from starlette.types import ASGIApp, Receive, Scope, Send

from paige.app.application import App

DeskOf = Callable[[Scope], App]
"""The desk that a request is for."""


class McpMount:
    """An ASGI app that becomes the MCP endpoint once it is there; early requests wait."""

    def __init__(self) -> None:
        self._ready = anyio.Event()
        self._stop = anyio.Event()
        self._stopped = anyio.Event()
        self._loading: anyio.CancelScope | None = None
        self._endpoint: ASGIApp | None = None

    async def run(self, app: App, desk_of: DeskOf) -> None:
        """Import the endpoint in a thread, then keep it alive until `stop`."""
        try:
            running_endpoint = None
            with anyio.CancelScope() as self._loading:
                running_endpoint = await anyio.to_thread.run_sync(_load, abandon_on_cancel=True)
            if running_endpoint is None:  # nobody needs it any more
                return
            async with running_endpoint(app, desk_of) as self._endpoint:
                self._ready.set()
                await self._stop.wait()
        finally:
            self._endpoint = None
            self._ready.set()  # who waits for it is told that it is gone
            self._stopped.set()

    async def stop(self) -> None:
        """End every MCP session and stream."""
        self._stop.set()
        if self._loading is not None:
            self._loading.cancel()
        await self._stopped.wait()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request to the endpoint."""
        await self._ready.wait()
        if self._endpoint is None:
            await send({"type": "http.response.start", "status": 503, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        await self._endpoint(scope, receive, send)


def _load() -> Callable[[App, DeskOf], AbstractAsyncContextManager[ASGIApp]]:
    from paige.doors.site.mcp_endpoint import running_endpoint  # noqa: PLC0415 - half a second

    return running_endpoint
