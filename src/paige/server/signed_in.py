"""Middleware that lets only people with the passcode to `/api`, `/ws`, `/mcp` and `/hooks`."""

from http.cookies import CookieError, SimpleCookie

from starlette.types import ASGIApp, Receive, Scope, Send

from paige.base.clock import Clock
from paige.base.errors import PaigeError, Refused
from paige.server.passcode import COOKIE, CSRF_HEADER, Passcode, WrongPasscode
from paige.server.security import refuse

GUARDED = ("/api", "/ws", "/mcp", "/hooks")
OPEN = ("/api/session",)  # where one signs in
BY_TOKEN = "/api/answer/"
"""Below it, what is asked for is opened by a token in the address, and by nothing else."""
SAFE = ("GET", "HEAD", "OPTIONS")
SIGN_IN = 4401


class SignedIn:
    """Asks for the passcode, as bearer or as cookie; changes by cookie need the CSRF token."""

    def __init__(self, app: ASGIApp, passcode: Passcode, clock: Clock) -> None:
        self.app = app
        self.passcode = passcode
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or answer it here."""
        if scope["type"] in ("http", "websocket") and is_shut(scope["path"], OPEN):
            try:
                self.check(scope)
            except PaigeError as error:
                await turn_away(scope, receive, send, error)
                return
        await self.app(scope, receive, send)

    def check(self, scope: Scope) -> None:
        """Check one request. Raises: WrongPasscode, TooManyTries, Refused."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        scheme, _, token = headers.get(b"authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            self.passcode.check(token.strip(), now=self.clock())
            return
        cookie = read_cookie(headers.get(b"cookie", ""))
        if not cookie or not self.passcode.accepts_cookie(cookie, now=self.clock()):
            raise WrongPasscode(
                "This Paige asks for a passcode", hint="Sign in, or send it as bearer."
            )
        if scope["type"] == "websocket" or scope["method"] in SAFE:
            return
        if headers.get(CSRF_HEADER.encode(), "") != self.passcode.csrf_of(cookie):
            raise Refused(
                f"The header `{CSRF_HEADER}` is missing or wrong", hint="Load the page again."
            )


def read_cookie(header: str) -> str | None:
    """Our cookie in a Cookie header."""
    try:
        morsel = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None


def is_shut(path: str, opened: tuple[str, ...]) -> bool:
    """Whether a path is only for who signed in; `opened` are those where one does."""
    if path in opened or path.startswith(BY_TOKEN):
        return False
    return any(is_below(path, prefix) for prefix in GUARDED)


def is_below(path: str, prefix: str) -> bool:
    """Whether a path is the prefix, or goes on from it."""
    return path == prefix or path.startswith(f"{prefix}/")


async def turn_away(scope: Scope, receive: Receive, send: Send, error: PaigeError) -> None:
    """Say to whoever asks why not."""
    if scope["type"] == "http":
        await refuse(scope, send, error)
        return
    # A browser is told the reason of a closed socket only after the handshake.
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": SIGN_IN, "reason": error.message[:120]})
