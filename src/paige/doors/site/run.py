"""Runs the server in this process until a signal ends it."""

import gc
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

from paige.app.application import open_app
from paige.base.errors import BadInput, PaigeError, Unavailable
from paige.base.origins import address_of
from paige.base.platform import hide_from_others
from paige.base.running_server import announced
from paige.base.settings import Settings
from paige.doors.frame.web.logs import secret_values, set_up_logs
from paige.doors.site.factory import Site

logger = logging.getLogger(__name__)
# A stream a client keeps open must not hold the server; uvicorn cuts it after this long.
GRACE_SECONDS = 1
MAX_FRAME = 16 * 2**20  # the largest text file that is opened must also fit when it is saved
SIGNALS = (signal.SIGINT, signal.SIGTERM)
NOBODY = "request"
"""What stops a server that got no signal."""


class _Server(uvicorn.Server):
    """uvicorn's server, except that a signal is a normal end and streams are closed first."""

    def __init__(self, config: uvicorn.Config, site: Site, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.site = site
        self.on_ready = on_ready
        self.signal = NOBODY
        site.app.server.restart.stop = self.end

    def end(self) -> None:
        """Stop as if by a signal; whoever waits for an answer gets it first."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self.on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logger.info("Stopping on %s", self.signal)
        await self.site.close_connections()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()  # its client reads nothing: it is not waited for

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Nothing is logged here: the signal may have come in the middle of another line.
        self.signal = signal.Signals(sig).name
        super().handle_exit(sig, frame)


def run_server(settings: Settings, *, strict: bool, say: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `say` is told the address once requests are answered.

    Raises: Unavailable when the port is taken, BadInput when the address cannot be bound, and
    whatever kept the application from starting.
    """
    hide_from_others()  # programs it starts for people run as the same user
    with bind(settings.host, settings.port) as listener:
        address = address_of(settings.host, listener.getsockname()[1])
        with announced(settings, address):
            wanted = _serve(settings, listener, strict=strict, on_ready=lambda: say(address))
            while wanted is not None:
                settings, wanted = _serve_again(settings, wanted, listener, strict=strict)
    logger.info("Stopped")
    gc.freeze()  # the process ends: what it holds need not be gone through once more


def _serve_again(
    before: Settings, wanted: Settings, listener: socket.socket, *, strict: bool
) -> tuple[Settings, Settings | None]:
    """Serve with settings that were changed meanwhile; those that do not work are left again."""

    def ready() -> None:
        logger.info("Started again with the settings as they are now")

    try:
        return wanted, _serve(wanted, listener, strict=strict, on_ready=ready)
    except PaigeError as error:
        logger.warning("The changed settings cannot be used: %s", error.message)
    return before, _serve(before, listener, strict=strict, on_ready=ready)


def _serve(
    settings: Settings, listener: socket.socket, *, strict: bool, on_ready: Callable[[], None]
) -> Settings | None:
    """Serve until a signal, or until somebody wants other settings, which are returned."""
    set_up_logs(settings.log_format, secret_values(settings))
    with open_app(settings, strict=strict) as app:
        site = Site(app)
        config = uvicorn.Config(
            site.asgi,
            log_config=None,
            **_protocols(),
            access_log=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
            ws_max_size=MAX_FRAME,
            ws_per_message_deflate=not settings.loopback,
            server_header=False,
        )
        server = _Server(config, site, on_ready=on_ready)
        # A copy: the server closes what it is given, and the next one listens at the same place.
        server.run(sockets=[listener.dup()])
        logger.info("Closing the database")
    # A signal is stronger: somebody who wants the program to end does not want it to begin again.
    return site.app.server.restart.wanted if server.signal == NOBODY else None


def _protocols() -> dict[str, Any]:
    try:
        from paige.doors.frame.web.protocols import (  # noqa: PLC0415 - there is no httptools on Windows
            PromptSockets,
            ShortHeads,
        )
    except ImportError:
        return {}  # what reads HTTP then is h11, which takes no endless heads either
    return {"http": ShortHeads, "ws": PromptSockets}


def bind(host: str, port: int) -> socket.socket:
    """Take the port before anything else is done, so that a taken one costs nothing."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except OSError as error:
        listener.close()
        raise _bind_error(host, port, error) from error
    return listener


def _bind_error(host: str, port: int, error: OSError) -> PaigeError:
    if isinstance(error, socket.gaierror):
        return BadInput(f"`{host}` is not an address of this machine", hint="Set `PAIGE_HOST`.")
    if isinstance(error, PermissionError):
        return Unavailable(f"Port {port} may not be used by you", hint="Set `PORT` above 1023.")
    reason = (error.strerror or str(error)).lower()
    return Unavailable(
        f"Port {port} on `{host}` cannot be used: {reason}",
        hint="Stop what uses it, or set `PORT` to another one.",
    )
