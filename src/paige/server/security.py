"""Who may talk to the server: Host and Origin are checked on everything.

A page of another site can make a browser send requests to this machine; the Host check stops DNS
rebinding, the Origin check stops foreign pages. Programs send no Origin and pass.
"""

import ipaddress
import json
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from paige.base.errors import PaigeError, Refused
from paige.base.settings import LOOPBACK, Settings

CLOSED = 1008


@dataclass(frozen=True, slots=True)
class Reach:
    """Which names this server answers to."""

    names: frozenset[str]
    any_address: bool  # bound to an outside interface: any IP literal may be its address

    def has(self, host: str) -> bool:
        """Whether a host name (without port) is one of ours."""
        if host in self.names:
            return True
        return self.any_address and _is_address(host)


class MisdirectedRequest(Refused):
    """The Host header names somebody else."""

    status = 421


def reach_of(settings: Settings) -> Reach:
    """The names a server with these settings answers to."""
    names = frozenset({*LOOPBACK, settings.host, *settings.allowed_hosts})
    return Reach(names, any_address=not settings.loopback)


def check_origin(headers: Iterable[tuple[bytes, bytes]], reach: Reach) -> None:
    """Refuse a foreign Host or Origin. Raises: MisdirectedRequest, Refused."""
    values = {name.lower(): value.decode("latin-1") for name, value in headers}
    host = values.get(b"host", "")
    if not reach.has(_host_name(f"//{host}")):
        raise MisdirectedRequest(
            f"The Host `{host}` is not this server", hint="Add it to `PAIGE_ALLOWED_HOSTS`."
        )
    origin = values.get(b"origin")
    own = {*reach.names, _host_name(f"//{host}")}
    if origin is not None and _host_name(origin) not in own:
        raise Refused(
            f"The Origin `{origin}` may not use this server",
            hint="Add its host to `PAIGE_ALLOWED_HOSTS`.",
        )


class OriginCheck:
    """Middleware: nothing behind it sees a request with a foreign Host or Origin."""

    def __init__(self, app: ASGIApp, reach: Reach) -> None:
        self.app = app
        self.reach = reach

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or answer it here."""
        if scope["type"] in ("http", "websocket"):
            try:
                check_origin(scope["headers"], self.reach)
            except Refused as error:
                await refuse(scope, send, error)
                return
        await self.app(scope, receive, send)


async def refuse(scope: Scope, send: Send, error: PaigeError) -> None:
    """Answer an HTTP request or a handshake with an error; a handshake ends as HTTP 403."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": CLOSED, "reason": error.message[:120]})
        return
    said = {"code": error.code, "message": error.message, "hint": error.hint, "field": None}
    body = json.dumps({"error": said})
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})


def _host_name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
