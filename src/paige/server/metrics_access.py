"""Who may read the metrics: this machine, and whoever knows the token.

They tell how much a school works, what models cost and which versions run, so nobody else reads
them. Behind a proxy everyone seems to come from this machine. So a request counts as local only if
nothing of it says that it was passed on: not its headers, and not the name it asked for.
"""

import hmac
import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from paige.base.errors import Refused
from paige.base.settings import LOOPBACK

SHORTEST_TOKEN = 16
# What proxies add; one of them is enough.
_PASSED_ON = frozenset(
    {
        b"forwarded",
        b"via",
        b"x-forwarded-for",
        b"x-forwarded-host",
        b"x-forwarded-proto",
        b"x-real-ip",
    }
)


class WrongToken(Refused):
    """The token is missing or is another one."""

    status = 401
    code = "sign_in"


def check_reader(client: str | None, headers: Iterable[tuple[bytes, bytes]], *, token: str) -> None:
    """Let a reader of the metrics pass, or not. Raises: Refused, WrongToken."""
    values = {name.lower(): value.decode("latin-1") for name, value in headers}
    if is_local(client, values):
        return
    if not token:
        raise Refused(
            "Metrics are read from this machine only",
            hint="Set `PAIGE_METRICS_TOKEN`, and send it as bearer.",
        )
    if len(token) < SHORTEST_TOKEN:
        raise Refused(
            f"`PAIGE_METRICS_TOKEN` has fewer than {SHORTEST_TOKEN} characters, so nobody gets in",
            hint="Set a long random one.",
        )
    scheme, _, given = values.get(b"authorization", "").partition(" ")
    right = hmac.compare_digest(given.strip().encode(), token.encode())
    if scheme.lower() != "bearer" or not right:
        raise WrongToken(
            "Metrics need the token of this server", hint="Send `PAIGE_METRICS_TOKEN` as bearer."
        )


def is_local(client: str | None, headers: dict[bytes, str]) -> bool:
    """Whether a request comes from this machine, and was not passed on by a proxy."""
    if client is None or _PASSED_ON & headers.keys():
        return False
    try:
        near = ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False
    return near and _host_name(headers.get(b"host", "")) in LOOPBACK


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
