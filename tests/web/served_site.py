"""A real server in a thread of the test, for what only the test can give it: a model, a clock."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import uvicorn
from anyio.from_thread import BlockingPortal, start_blocking_portal

from paige.doors.site.factory import Site

LOOK_SECONDS = 0.02
MOST_LOOKS = 1500


@contextmanager
def served_site(site: Site, listener: socket.socket) -> Iterator[BlockingPortal]:
    """Serve until the block is left; what comes out runs code on the server's own loop."""
    config = uvicorn.Config(
        site.asgi, log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    with start_blocking_portal() as portal:
        served = portal.start_task_soon(server.serve, [listener])
        portal.call(_until_started, server)
        try:
            yield portal
        finally:
            portal.call(_close, site)
            server.should_exit = True
            served.result(timeout=30)


async def _until_started(server: uvicorn.Server) -> None:
    for _ in range(MOST_LOOKS):
        if server.started:
            return
        await anyio.sleep(LOOK_SECONDS)
    raise AssertionError("The server did not start")


async def _close(site: Site) -> None:
    await site.close_connections()
