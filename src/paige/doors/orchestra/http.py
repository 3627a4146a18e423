"""The addresses of the orchestra: only looked at, for it is started elsewhere."""

from paige.doors.frame.rows import get, routes

ROUTES = routes(
    "/orchestra",
    "paige.doors.orchestra.operations",
    (get("", "board"), get("/handoffs", "handoffs", strict=True)),
)
