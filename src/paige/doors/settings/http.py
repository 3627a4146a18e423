"""The addresses of the settings, and who may change them: a page of this very server.

With a passcode or accounts, signing in and the CSRF token have been checked before. Without, only
this machine may, and only through a page that this server sent: a page at another port of it
is another program, and what comes through a proxy is another machine.
"""

from typing import Any

from paige.base.errors import Refused
from paige.doors.frame.current_app import server_app
from paige.doors.frame.rows import delete, get, patch, post, put, routes
from paige.doors.frame.web.security import LISTED, is_this_machine


def own_page(request: Any) -> None:  # noqa: ANN401 - a request; nothing is imported for a row
    """Let a request pass that changes settings, or say why not. Raises: Refused."""
    if request.scope.get(LISTED):
        raise Refused(
            f"A page of `{request.headers.get('origin')}` may not change settings",
            hint="Open Paige at its own address.",
        )
    settings = server_app(request.scope).settings
    signed_in = bool(settings.passcode) or settings.many
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        raise Refused("Only Paige's own pages may change settings")
    if signed_in:
        return
    if not _is_here(request):
        raise Refused(
            "Without a passcode, settings are changed only on the machine Paige runs on",
            hint="Set a passcode there first, or edit the settings file.",
        )
    if request.headers.get("origin") is None:
        raise Refused(
            "Without a passcode, settings are changed only by Paige's own pages",
            hint="A program edits the settings file instead.",
        )


def _is_here(request: Any) -> bool:  # noqa: ANN401 - as above
    return is_this_machine(request.client, request.headers)


_UNKEPT = {"cache-control": "no-store"}
OPERATIONS = "paige.doors.settings.operations"
ROUTES = (
    *routes(
        "/settings",
        OPERATIONS,
        (get("", "seen", fills={"here": _is_here}), get("/data", "data"), get("/sample", "sample")),
        headers=_UNKEPT,
    ),
    *routes(
        "/settings",
        OPERATIONS,
        (
            patch("", "change"),
            post("/check", "check"),
            post("/restart", "restart"),
            put("/passcode", "change_passcode"),
            delete("/passcode", "remove_passcode"),
            post("/sample", "put_sample"),
            delete("/sample", "take_sample"),
        ),
        headers=_UNKEPT,
        lets=own_page,
    ),
)
