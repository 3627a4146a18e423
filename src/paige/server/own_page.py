"""Who may change settings: a page of this very server, opened by somebody who may.

With a passcode or accounts, signing in and the CSRF token have been checked before. Without, only
this machine may, and only through a page that this server sent: a page at another port of it
is another program, and what comes through a proxy is another machine.
"""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from fastapi import Request

from paige.base.errors import Refused
from paige.base.settings import LOOPBACK
from paige.server.security import LISTED

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class OwnPage:
    """A dependency of every address that changes settings."""

    def __init__(self, *, signed_in: bool) -> None:
        """`signed_in`: whoever gets this far has signed in."""
        self._signed_in = signed_in

    async def __call__(self, request: Request) -> None:
        """Let the request pass, or say why not. Raises: Refused."""
        origin = request.headers.get("origin")
        if request.scope.get(LISTED):
            raise Refused(
                f"A page of `{origin}` may not change settings",
                hint="Open Paige at its own address.",
            )
        client = request.client.host if request.client else ""
        check_own_page(request.headers, client, signed_in=self._signed_in)


def check_own_page(headers: Mapping[str, str], client: str, *, signed_in: bool) -> None:
    """Refuse what no page of this server sent, its Origin apart. Raises: Refused."""
    if headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Refused("Only Paige's own pages may change settings")
    if signed_in:
        return
    if not is_this_machine(headers, client):
        raise Refused(
            "Without a passcode, settings are changed only on the machine Paige runs on",
            hint="Set a passcode there first, or edit the settings file.",
        )
    if headers.get("origin") is None:
        raise Refused(
            "Without a passcode, settings are changed only by Paige's own pages",
            hint="A program edits the settings file instead.",
        )


def is_this_machine(headers: Mapping[str, str], client: str) -> bool:
    """Whether a request comes from this machine, by address, by name, and not through a proxy."""
    if any(name in headers for name in FORWARDED):
        return False
    return _name(headers.get("host", "")) in LOOPBACK and _is_loopback(client)


def _name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(client: str) -> bool:
    try:
        return ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False
