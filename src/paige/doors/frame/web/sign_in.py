"""Middleware that lets in who may: with the passcode, or with accounts by cookie or token.

With accounts it says on every guarded request who asks (`scope["paige.actor"]`). What somebody may
not do ends at the operation; only `/hooks` and `/mcp`, which are no operations, end here. A socket
that is open is looked at again now and then: whoever is signed out gets nothing more.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from http.cookies import CookieError, SimpleCookie

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paige.app.accounts.passcode import COOKIE, CSRF_HEADER, Passcode, WrongPasscode
from paige.app.accounts.sign_ins import WrongSignIn, find_secret
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError, Refused
from paige.base.rights import Right, check_right
from paige.doors.frame.current_app import ACTOR
from paige.doors.frame.web.security import refuse
from paige.store.people_queries import Person, SignIn

SIGNED_IN = "paige.sign_in"
SECURE_COOKIE = f"__Host-{COOKIE}"
GUARDED = ("/api", "/ws", "/mcp", "/hooks")
OPEN = ("/api/session", "/api/session/oidc", "/api/session/oidc/back")  # where one signs in
BY_TOKEN = "/api/answer/"
"""Below it, what is asked for is opened by a token in the address, and by nothing else."""
DOORS: tuple[tuple[str, Right], ...] = (("/hooks", "guard"), ("/mcp", "tools"))
SAFE = ("GET", "HEAD", "OPTIONS")
LOOK_AGAIN = timedelta(seconds=5)
SIGN_IN = 4401
CHANGED = 1012
"""The code for "come again": the roles of whoever holds the socket have changed."""


class PasscodeCheck:
    """Asks for the passcode, as bearer or as cookie; changes by cookie need the CSRF token."""

    def __init__(self, app: ASGIApp, passcode: Passcode, clock: Clock) -> None:
        self.app = app
        self.passcode = passcode
        self.clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or answer it here."""
        if is_shut(scope):
            try:
                self.check(scope)
            except PaigeError as error:
                await turn_away(scope, receive, send, error)
                return
        await self.app(scope, receive, send)

    def check(self, scope: Scope) -> None:
        """Check one request. Raises: WrongPasscode, TooManyTries, Refused."""
        headers = _headers(scope)
        bearer = bearer_of(headers)
        if bearer is not None:
            self.passcode.check(bearer, now=self.clock())
            return
        cookie = read_cookie(headers.get(b"cookie", ""), COOKIE)
        if not cookie or not self.passcode.accepts_cookie(cookie, now=self.clock()):
            raise WrongPasscode(
                "This Paige asks for a passcode", hint="Sign in, or send it as bearer."
            )
        _check_csrf(scope, headers, self.passcode.csrf_of(cookie))


class Accounts:
    """Lets in who has a cookie or a token; changes by cookie need the CSRF token."""

    def __init__(self, app: ASGIApp, paige: App) -> None:
        self.app = app
        self.paige = paige

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or answer it here."""
        if not is_shut(scope):
            await self.app(scope, receive, send)
            return
        try:
            person, opened, secret = await self.check(scope)
        except PaigeError as error:
            await turn_away(scope, receive, send, error)
            return
        scope[ACTOR], scope[SIGNED_IN] = person.actor, opened
        if scope["type"] == "websocket":
            watched = _WatchedSocket(self.paige, secret, person.actor, send)
            await self.app(scope, watched.receiving(receive), watched.send)
        else:
            await self.app(scope, receive, send)

    async def check(self, scope: Scope) -> tuple[Person, SignIn, str]:
        """Who asks, and with what. Raises: WrongSignIn, Refused."""
        headers = _headers(scope)
        bearer = bearer_of(headers)
        # Over https only the one that no other site can have set.
        name = SECURE_COOKIE if scope["scheme"] in ("https", "wss") else COOKIE
        secret = bearer or read_cookie(headers.get(b"cookie", ""), name)
        found = await find_secret(self.paige, secret) if secret else None
        if found is None or secret is None:
            raise WrongSignIn("You are not signed in", hint="Sign in, or send a token as bearer.")
        person, opened = found
        if not bearer:
            _check_csrf(scope, headers, opened.csrf)
        for prefix, right in DOORS:
            if is_below(scope["path"], prefix):
                check_right(person.actor, right)
        return person, opened, secret


class _WatchedSocket:
    """A socket whose owner is looked up again now and then."""

    def __init__(self, paige: App, secret: str, actor: Actor, send: Send) -> None:
        self._paige = paige
        self._secret = secret
        self._actor = actor
        self._send = send
        self._looked: datetime = paige.now()
        self._ended = False

    def receiving(self, receive: Receive) -> Receive:
        """What comes from the client, while it may say something."""

        async def received() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and not await self._may_go_on():
                return {"type": "websocket.disconnect", "code": SIGN_IN}
            return message

        return received

    async def send(self, message: Message) -> None:
        """Hand something to the client, while it may hear it."""
        if message["type"] != "websocket.send" or await self._may_go_on():
            if self._ended and message["type"] == "websocket.close":
                return
            await self._send(message)

    async def _may_go_on(self) -> bool:
        now = self._paige.now()
        if self._ended or abs(now - self._looked) < LOOK_AGAIN:
            return not self._ended
        self._looked = now
        found = await find_secret(self._paige, self._secret)
        if found is None or found[0].actor != self._actor:
            self._ended = True
            code = SIGN_IN if found is None else CHANGED
            reason = "You are signed out" if found is None else "Your account has changed"
            await self._send({"type": "websocket.close", "code": code, "reason": reason})
        return not self._ended


def read_cookie(header: str, name: str) -> str | None:
    """A cookie in a Cookie header."""
    try:
        morsel = SimpleCookie(header).get(name)
    except CookieError:
        return None
    return morsel.value if morsel else None


def is_shut(scope: Scope) -> bool:
    """Whether a request is only for who signed in."""
    if scope["type"] not in ("http", "websocket"):
        return False
    path = scope["path"]
    if path in OPEN or path.startswith(BY_TOKEN):
        return False
    return any(is_below(path, prefix) for prefix in GUARDED)


def is_below(path: str, prefix: str) -> bool:
    """Whether a path is the prefix, or goes on from it."""
    return path == prefix or path.startswith(f"{prefix}/")


def bearer_of(headers: Mapping[bytes, str]) -> str | None:
    """What an Authorization header bears, were it nothing."""
    scheme, _, token = headers.get(b"authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


async def turn_away(scope: Scope, receive: Receive, send: Send, error: PaigeError) -> None:
    """Say to whoever asks why not."""
    if scope["type"] == "http":
        await refuse(scope, receive, send, error)
        return
    # A browser is told the reason of a closed socket only after the handshake.
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.close", "code": SIGN_IN, "reason": error.message[:120]})


def _headers(scope: Scope) -> dict[bytes, str]:
    return {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _check_csrf(scope: Scope, headers: Mapping[bytes, str], right: str) -> None:
    """Refuse a change that a page of another site may have sent. Raises: Refused."""
    if scope["type"] == "websocket" or scope["method"] in SAFE:
        return
    if not right or headers.get(CSRF_HEADER.encode(), "") != right:
        raise Refused(
            f"The header `{CSRF_HEADER}` is missing or wrong", hint="Load the page again."
        )
