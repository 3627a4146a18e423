"""How much a request may send: one table for every address; what is not in it gets little.

A body that says it is too long is refused before any of it is read, one that says nothing as soon
as it is, and whoever was reading it never gets to answer. What comes after that is thrown away for
a while, so that a client that sends first and listens then hears why.
"""

from contextlib import suppress

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paige.base.errors import BadInput
from paige.server.security import refuse
from paige.server.signed_in import is_below

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
            await refuse(scope, body.dismiss, body.error)


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
