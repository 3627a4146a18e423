"""Every request has an id: in the answer's header, and in each line that is logged meanwhile.

A client or a proxy may give one (`X-Request-Id`), so that its own log and ours can be read side by
side; otherwise one is made. The context of a request also says who asked, for the log, and which
trace of somebody else it belongs to (`traceparent`), for the spans of a run that it starts. Tasks
and threads inherit it: a run that goes on after its request still carries its id.
"""

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paige.base.actor import Actor
from paige.base.secrets import find_secrets
from paige.doors.frame.current_app import ACTOR

HEADER = b"x-request-id"
TRACEPARENT = b"traceparent"
_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# https://www.w3.org/TR/trace-context/: version, trace, span, flags; later versions may add more.
_TRACE = re.compile(r"(?!ff)[0-9a-f]{2}-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-[0-9a-f]{2}")
Headers = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Parent:
    """The span of another program that a request belongs to."""

    trace: str
    span: str


@dataclass(frozen=True, slots=True)
class CurrentRequest:
    """The request that is being answered; the scope learns later who asks."""

    id: str
    parent: Parent | None = None
    scope: Scope = field(default_factory=dict, repr=False)

    @property
    def actor(self) -> Actor | None:
        """Who asks, once it is known."""
        found = self.scope.get(ACTOR)
        return found if isinstance(found, Actor) else None


_ASKING: ContextVar[CurrentRequest | None] = ContextVar("paige_asking", default=None)


def current_request() -> CurrentRequest | None:
    """The request that this task works for."""
    return _ASKING.get()


def given_id(headers: Headers) -> str | None:
    """The id that a client gave, if it is one, and not a secret in the wrong place."""
    text = _value(headers, HEADER)
    if not text:
        return None
    return text if _ID.fullmatch(text) and not find_secrets(text) else None


def given_parent(headers: Headers) -> Parent | None:
    """The span that a client's request belongs to; what is not written as agreed is left out."""
    text = _value(headers, TRACEPARENT)
    match = _TRACE.match(text.strip()) if text else None
    if match is None or not match["trace"].strip("0") or not match["span"].strip("0"):
        return None
    return Parent(match["trace"], match["span"])


class RequestIds:
    """Middleware: gives every request and every socket its id."""

    def __init__(self, app: ASGIApp, new_id: Callable[[], str]) -> None:
        self.app = app
        self.new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, with its id around it and in its answer."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        id = given_id(scope["headers"]) or self.new_id()
        # Not taken back at the end: the task ends with its request, and if the request fails, the
        # server logs that outside of here.
        _ASKING.set(CurrentRequest(id, given_parent(scope["headers"]), scope))
        await self.app(scope, receive, _with_id(send, id))


def _with_id(send: Send, id: str) -> Send:
    header = (HEADER, id.encode())

    async def tell(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.accept"):
            message = {**message, "headers": [*message.get("headers", ()), header]}
        await send(message)

    return tell


def _value(headers: Headers, name: bytes) -> str:
    for key, value in headers:  # names are lower case by now: the server sees to that
        if key == name:
            return value.decode("latin-1")
    return ""
