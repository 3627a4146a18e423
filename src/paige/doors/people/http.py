"""The addresses of accounts, and of signing in with or without them."""

from typing import Any

from paige.doors.frame.rows import delete, get, patch, post, put, routes


def _browser(request: Any) -> object:  # noqa: ANN401 - a request; nothing is imported for a row
    from paige.doors.people.values import Browser  # noqa: PLC0415 - as above

    sign_in = request.scope.get("paige.sign_in")
    return Browser(
        address=request.client.host if request.client else "",
        agent=request.headers.get("user-agent", ""),
        home=f"{request.url.scheme}://{request.url.netloc}",
        secure=request.url.scheme == "https",
        cookie=request.headers.get("cookie", ""),
        csrf=request.headers.get("x-paige-csrf", ""),
        sign_in=sign_in.id if sign_in else "",
    )


_ASKS = {"browser": _browser}
SESSIONS = "paige.doors.people.sessions"
ROUTES = (
    *routes(
        "/session",
        SESSIONS,
        (get("", "passcode_session"), post("", "give_passcode"), delete("", "forget_passcode")),
        fills=_ASKS,
        accounts=False,
    ),
    *routes(
        "/session",
        SESSIONS,
        (
            get("", "session"),
            post("", "begin"),
            delete("", "end"),
            get("/oidc", "leave"),
            get("/oidc/back", "come"),
        ),
        fills=_ASKS,
        accounts=True,
    ),
    *routes(
        "",
        "paige.doors.people.operations",
        (
            get("/me", "me"),
            patch("/me", "rename"),
            put("/me/password", "change_password", fills=_ASKS),
            get("/me/sign-ins", "sign_ins", fills=_ASKS),
            delete("/me/sign-ins/{id}", "revoke", fills=_ASKS),
            post("/me/tokens", "make_token"),
            get("/people", "listed"),
            post("/people", "add"),
            patch("/people/{id}", "change"),
            put("/people/{id}/password", "set_password"),
            delete("/people/{id}/sign-ins", "end_sign_ins"),
            get("/limits", "limits"),
            put("/limits", "limit"),
            get("/audit", "audit"),
        ),
    ),
)
