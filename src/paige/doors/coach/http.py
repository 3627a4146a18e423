"""The addresses of the coach. They only read; what a person does goes over the socket."""

from paige.doors.frame.rows import get, routes

ROUTES = routes(
    "/coach",
    "paige.doors.coach.operations",
    (
        get("", "overview"),
        get("/sessions/{id}", "look_back"),
        get("/actions", "actions", strict=True),
        get("/budget", "budget"),
        get("/dashboard", "dashboard", strict=True),
        get("/gaps", "gaps"),
        get("/tree", "tree"),
        get("/file", "read_file", strict=True),
    ),
)
