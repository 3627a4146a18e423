"""The addresses of the one search."""

from paige.doors.frame.rows import get, routes

ROUTES = routes(
    "",
    "paige.doors.search.operations",
    (get("/search", "find"), get("/notices", "notices")),
)
