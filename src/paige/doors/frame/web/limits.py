"""How much a request may send, and how many requests may wait.

One table says for every address how much it takes; what is not in it gets little. A body that says
it is too long is refused before any of it is read, one that says nothing as soon as it is, and
whoever was reading it never gets to answer. What comes after that is thrown away for a while, so
that a client that sends first and listens then hears why.

Whoever comes while the database has a long queue is told so at once and when to come again, instead
of waiting with everybody else until they give up. Probes are always answered: a busy server is no
dead one. On SQLite there is one machine and few people, who rather wait.
"""

import logging
import time
from contextlib import suppress

import anyio
from anyio.to_thread import current_default_thread_limiter
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paige.base.errors import BadInput, Unavailable
from paige.doors.frame.http import error_response
from paige.doors.frame.web.security import refuse
from paige.doors.frame.web.sign_in import is_below
from paige.store.engine import Database

logger = logging.getLogger(__name__)
KIB, MIB = 2**10, 2**20
USUAL = 64 * KIB
LIMITS: tuple[tuple[str, int | None], ...] = (
    ("/api/guard/explain", MIB),
    ("/api/memory/import", 64 * MIB),
    ("/api/memory", MIB),
    ("/api/plan/file", 12 * MIB),
    ("/api/plan", MIB),
    ("/api/study/import", 64 * MIB),
    ("/api/study/session/upload", 30 * MIB),
    ("/api/study/session", 12 * MIB),
    ("/hooks", None),  # a gate answers whatever comes, and reads no more than it needs for that
    ("/mcp", 4 * MIB),
)
"""The first one a path is below counts."""
LINGER_SECONDS = 5.0
MOST_WAITING = 256
QUIET_SECONDS = 10.0
PROBES = ("/health", "/metrics")
TRY_AGAIN = 1013
"""The WebSocket's word for: come back later."""


class TooLarge(BadInput):
    """More was sent than the address takes."""

    status = 413
    code = "too_large"


def limit_of(path: str) -> int | None:
    """The most bytes that may be sent to a path; nothing where the door sees to it itself."""
    return next((most for prefix, most in LIMITS if is_below(path, prefix)), USUAL)


class BodyLimits:
    """Middleware: nothing behind it reads more than the address takes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say that it is too large."""
        most = limit_of(scope["path"]) if scope["type"] == "http" else None
        if most is None:
            await self.app(scope, receive, send)
            return
        body = _Body(receive, send, _too_large(scope["path"], most), most)
        if _declared(scope) > most:
            body.refused = True
        else:
            with suppress(TooLarge):  # who did not expect it passes it on
                await self.app(scope, body.receive, body.send)
        if body.refused and not body.answered:
            await refuse(scope, receive, body.dismiss, body.error)


class _Body:
    """The body of one request, as far as it may be read."""

    def __init__(self, receive: Receive, send: Send, error: TooLarge, most: int) -> None:
        self._receive = receive
        self._send = send
        self._left = most
        self._more = True
        self.error = error
        self.refused = False
        self.answered = False

    async def receive(self) -> Message:
        """The next part. Raises: TooLarge."""
        if self.refused:
            raise self.error
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        self._more = message.get("more_body", False)
        if self._left < 0:
            self.refused = True
            raise self.error
        return message

    async def send(self, message: Message) -> None:
        """Answer; nobody hears what is said of half a body."""
        if self.answered or not self.refused:
            self.answered = True
            await self._send(message)

    async def dismiss(self, message: Message) -> None:
        """Answer for the last time, and let the client finish what it says, within limits."""
        if message["type"] == "http.response.start":
            headers = [*message["headers"], (b"connection", b"close")]
            await self._send({**message, "headers": headers})
            return
        await self._send({**message, "more_body": True})
        with anyio.move_on_after(LINGER_SECONDS):
            while self._more:
                self._more = (await self._receive()).get("more_body", False)
        await self._send({"type": "http.response.body", "body": b""})


def _too_large(path: str, most: int) -> TooLarge:
    size = f"{most // MIB} MiB" if most >= MIB else f"{most // KIB} KiB"
    return TooLarge(
        f"`{path}` takes bodies of up to {size}, and this one is larger", hint="Send less at once."
    )


def _declared(scope: Scope) -> int:
    given = [value for name, value in scope["headers"] if name.lower() == b"content-length"]
    return max((int(value) for value in given if value.isdigit() and len(value) < 20), default=0)


class BusyCheck:
    """Middleware that turns requests away while too many wait."""

    def __init__(self, app: ASGIApp, database: Database, most: int = MOST_WAITING) -> None:
        self.app = app
        self.database = database
        self.most = most
        self._quiet_until = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say when to come again."""
        if scope["type"] == "lifespan" or scope["path"].startswith(PROBES) or not self._is_busy():
            await self.app(scope, receive, send)
            return
        full = Unavailable(
            f"{self.most} requests wait for the database of this server already",
            hint="Try again in a few seconds.",
        )
        self._note(full.message)
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_AGAIN, "reason": full.message})
        else:
            await error_response(full)(scope, receive, send)

    def _note(self, message: str) -> None:
        """Say it in the log, but not for each of those who come at once."""
        now = time.monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + QUIET_SECONDS
            logger.warning("Requests are turned away: %s", message)

    def _is_busy(self) -> bool:
        if self.database.kind != "postgresql":
            return False
        threads = current_default_thread_limiter().statistics().tasks_waiting
        return self.database.waiting + threads >= self.most
