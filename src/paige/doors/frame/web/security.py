"""Who may talk to the server: Host and Origin are checked on everything.

A page of another site can make a browser send requests to this machine; the Host check stops DNS
rebinding, the Origin check stops foreign pages, those at another port of this machine included.
Programs send no Origin and pass. The scheme is that of the request; uvicorn takes it from
`X-Forwarded-Proto` where `FORWARDED_ALLOW_IPS` names the sender, and nowhere else.
"""

import ipaddress
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Address
from starlette.types import ASGIApp, Receive, Scope, Send

from paige.base.errors import PaigeError, Refused
from paige.base.origins import read_origin
from paige.base.settings import LOOPBACK, Settings
from paige.doors.frame.http import error_response

logger = logging.getLogger(__name__)
CLOSED = 1008
PASSED_ON = (
    "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip",
)  # fmt: skip
"""What proxies add; one of them is enough."""
LISTED = "paige.listed_origin"
"""Set in a scope that a page of another site sent, which `PAIGE_ALLOWED_ORIGINS` lets pass."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Which names this server answers to, and which other sites may ask."""

    names: frozenset[str]
    any_address: bool  # bound to an outside interface: any IP literal may be its address
    origins: frozenset[str | None] = frozenset()

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
    names = {name.lower() for name in (*LOOPBACK, settings.host, *settings.allowed_hosts)}
    origins = frozenset(map(read_origin, settings.allowed_origins))
    return Reach(frozenset(names), not settings.loopback, origins)


def check_origin(
    headers: Iterable[tuple[bytes, bytes]], reach: Reach, *, scheme: str = "http"
) -> bool:
    """Refuse a foreign Host or Origin; say whether the Origin passes only because it is listed.

    Raises: MisdirectedRequest, Refused.
    """
    given = list(headers)
    host = _only(given, b"host") or ""
    own = read_origin(f"{scheme.replace('ws', 'http')}://{host}")
    if own is None or not reach.has(urlsplit(own).hostname or ""):
        raise MisdirectedRequest(
            f"The Host `{host}` is not this server", hint="Add it to `PAIGE_ALLOWED_HOSTS`."
        )
    origin = _only(given, b"origin")
    if origin is None:
        return False
    read = read_origin(origin)
    if read is None or (read != own and read not in reach.origins):
        raise Refused(
            f"The Origin `{origin}` may not use this server, whose own is `{own}`",
            hint="Open Paige there, let the proxy pass on `Host` and `X-Forwarded-Proto`, or add "
            "the Origin to `PAIGE_ALLOWED_ORIGINS`.",
        )
    return read != own


class OriginCheck:
    """Middleware: nothing behind it sees a request with a foreign Host or Origin."""

    def __init__(self, app: ASGIApp, reach: Reach) -> None:
        self.app = app
        self.reach = reach

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or answer it here."""
        if scope["type"] in ("http", "websocket"):
            try:
                scope[LISTED] = check_origin(scope["headers"], self.reach, scheme=scope["scheme"])
            except Refused as error:
                if scope["type"] == "websocket":  # its client is told no more than a status
                    logger.warning("A socket was refused: %s", error.message)
                await refuse(scope, receive, send, error)
                return
        await self.app(scope, receive, send)


async def refuse(scope: Scope, receive: Receive, send: Send, error: PaigeError) -> None:
    """Answer an HTTP request or a handshake with an error; a handshake ends as HTTP 403."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": CLOSED, "reason": error.message[:120]})
    else:
        await error_response(error)(scope, receive, send)


def is_this_machine(client: Address | None, headers: Mapping[str, str]) -> bool:
    """Whether a request comes from this machine, by address, by name, and not through a proxy.

    Behind a proxy everyone seems to come from here, so nothing of it may say that it was passed on.
    """
    if not is_loopback(client) or any(name in headers for name in PASSED_ON):
        return False
    try:
        name = urlsplit(f"//{headers.get('host', '')}").hostname
    except ValueError:
        return False
    return name in LOOPBACK


def is_loopback(client: Address | None) -> bool:
    """Whether a client's address is one of this machine."""
    try:
        return client is not None and ipaddress.ip_address(client.host).is_loopback
    except ValueError:  # not an address: nobody who came over a network
        return False


def _only(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str | None:
    """A header's value; two of them are one that cannot be right."""
    values = [value.decode("latin-1") for key, value in headers if key.lower() == name]
    return ", ".join(values) if values else None


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
