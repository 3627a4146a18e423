"""Answers quick tools with plain JSON in the handshake era, as the stateless era does anyway.

The SDK opens an event stream for every request, which costs as much as the rest of a call. A stream
is needed only by what sends something before its answer, so the tool that is called decides. The
protocol lets a server choose for each request.
"""

from collections.abc import Callable
from contextvars import ContextVar
from uuid import UUID

import orjson
from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 * 1024  # a longer request is not looked into
_plain: ContextVar[bool] = ContextVar("plain", default=False)


class _Transport(StreamableHTTPServerTransport):
    """A session's transport that asks for every request how it is answered."""

    @property
    def is_json_response_enabled(self) -> bool:
        """Whether the request of this task is answered with JSON."""
        return _plain.get()

    @is_json_response_enabled.setter
    def is_json_response_enabled(self, value: bool) -> None:
        """What the manager says for all requests is not asked."""


class PlainManager(StreamableHTTPSessionManager):
    """A manager whose sessions decide for each request."""

    def _admit_session(
        self, requestor: AuthorizationContext | None
    ) -> StreamableHTTPServerTransport | None:
        transport = super()._admit_session(requestor)
        if transport is not None:
            transport.__class__ = _Transport  # the SDK has no place to name another class
            self._name_again(transport)
        return transport

    def _name_again(self, transport: StreamableHTTPServerTransport) -> None:
        """Write the session's UUID the usual way; the SDK leaves the hyphens out."""
        short = str(transport.mcp_session_id)
        name = transport.mcp_session_id = str(UUID(short))
        self._server_instances[name] = self._server_instances.pop(short)
        if short in self._session_owners:
            self._session_owners[name] = self._session_owners.pop(short)


class PlainAnswers:
    """Looks into a request, and says how it is to be answered."""

    def __init__(self, app: ASGIApp, is_quick: Callable[[object], bool]) -> None:
        self._app = app
        self._is_quick = is_quick

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on a request whose beginning was read."""
        if scope["method"] != "POST" or not _short(scope):
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        _plain.set(body is not None and self._wants_plain(body))
        await self._app(scope, _again(body, receive), send)

    def _wants_plain(self, body: bytes) -> bool:
        try:
            request = orjson.loads(body)
            return request["method"] == "tools/call" and self._is_quick(request["params"]["name"])
        except (ValueError, TypeError, KeyError):
            return False  # whoever reads it next says what is wrong


def _short(scope: Scope) -> bool:
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return length.isdigit() and int(length) <= MOST_BYTES


async def _body(receive: Receive) -> bytes | None:
    parts: list[bytes] = []
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def _again(body: bytes | None, receive: Receive) -> Receive:
    gone: Message = {"type": "http.disconnect"}
    first = [gone if body is None else {"type": "http.request", "body": body}]

    async def once() -> Message:
        return first.pop() if first else await receive()

    return once
