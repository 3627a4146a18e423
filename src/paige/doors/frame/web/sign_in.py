"""Middleware that knows who asks: puts `scope["paige.actor"]` on every guarded request.

Without accounts it is the one person this server works for. With accounts it is whoever's cookie or
token comes along, and what they may not do ends here, by the first part of the path. A socket that
is open is looked at again now and then: whoever is signed out gets nothing more.
"""

from datetime import datetime, timedelta
from http.cookies import CookieError, SimpleCookie

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paige.app.application import App
from paige.app.signing_in import WrongSignIn, find_secret
from paige.base.actor import Actor
from paige.base.errors import PaigeError, Refused
from paige.base.rights import Right, check_right
from paige.server.passcode import CSRF_HEADER
from paige.server.signed_in import SAFE, SIGN_IN, is_below, is_shut, turn_away
from paige.store.people_queries import Person, SignIn

ACTOR = "paige.actor"
SIGNED_IN = "paige.sign_in"
COOKIE = "paige_session"
SECURE_COOKIE = f"__Host-{COOKIE}"
OPEN = ("/api/session", "/api/session/oidc", "/api/session/oidc/back")
LOOK_AGAIN = timedelta(seconds=5)
CHANGED = 1012
"""The code for "come again": the roles of whoever holds the socket have changed."""

# The first part of a path that fits decides; what is not here is for everyone who is signed in.
DOORS: tuple[tuple[str, Right], ...] = (
    ("/api/plan/classes", "classes"),  # before the rest of Plan: an admin may see these too
    ("/api/plan", "plan"),
    ("/api/study", "study"),
    ("/api/memory", "memory"),
    ("/api/coach", "coach"),
    ("/api/guard", "guard"),
    ("/api/guards", "guard"),
    ("/api/graph", "guard"),
    ("/api/orchestra", "orchestra"),
    ("/api/settings", "settings"),
    ("/api/people", "people"),
    ("/api/limits", "people"),
    ("/api/audit", "audit"),
    ("/hooks", "guard"),
    ("/mcp", "tools"),
)


class OnePerson:
    """Without accounts: everything is asked by the one person of this server."""

    def __init__(self, app: ASGIApp, actor: Actor) -> None:
        self.app = app
        self.actor = actor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say who asks, and pass the request on."""
        if scope["type"] in ("http", "websocket"):
            scope[ACTOR] = self.actor
        await self.app(scope, receive, send)


class Accounts:
    """Lets in who has a cookie or a token; changes by cookie need the CSRF token."""

    def __init__(self, app: ASGIApp, paige: App) -> None:
        self.app = app
        self.paige = paige

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or answer it here."""
        if scope["type"] not in ("http", "websocket") or not is_guarded(scope["path"]):
            await self.app(scope, receive, send)
            return
        try:
            person, opened, secret = await self.check(scope)
        except PaigeError as error:
            await turn_away(scope, receive, send, error)
            return
        scope[ACTOR], scope[SIGNED_IN] = person.actor, opened
        if scope["type"] == "websocket":
            watched = _Watched(self.paige, secret, person.actor, send)
            await self.app(scope, watched.receiving(receive), watched.send)
        else:
            await self.app(scope, receive, send)

    async def check(self, scope: Scope) -> tuple[Person, SignIn, str]:
        """Who asks, and with what. Raises: WrongSignIn, Refused."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        bearer = bearer_of(headers.get(b"authorization", ""))
        secure = scope["scheme"] in ("https", "wss")
        secret = bearer or read_cookie(headers.get(b"cookie", ""), secure=secure)
        found = await find_secret(self.paige, secret) if secret else None
        if found is None or secret is None:
            raise WrongSignIn("You are not signed in", hint="Sign in, or send a token as bearer.")
        person, opened = found
        if bearer is None and not _is_safe(scope) and not _has_csrf(headers, opened):
            raise Refused(
                f"The header `{CSRF_HEADER}` is missing or wrong", hint="Load the page again."
            )
        right = right_for(scope["path"])
        if right is not None:
            check_right(person.actor, right)
        return person, opened, secret


class _Watched:
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


def is_guarded(path: str) -> bool:
    """Whether a path is only for people who are signed in."""
    return is_shut(path, OPEN)


def right_for(path: str) -> Right | None:
    """What one must be allowed to do for a path; nothing where everyone is welcome."""
    return next((right for prefix, right in DOORS if is_below(path, prefix)), None)


def bearer_of(header: str) -> str | None:
    """The token of an Authorization header."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def read_cookie(header: str, *, secure: bool) -> str | None:
    """Our cookie in a Cookie header; over https only the one no other site can have set."""
    try:
        morsel = SimpleCookie(header).get(SECURE_COOKIE if secure else COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None


def _is_safe(scope: Scope) -> bool:
    return scope["type"] == "websocket" or scope["method"] in SAFE


def _has_csrf(headers: dict[bytes, str], opened: SignIn) -> bool:
    return bool(opened.csrf) and headers.get(CSRF_HEADER.encode(), "") == opened.csrf
