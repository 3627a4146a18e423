"""The addresses of runs, and of what models cost."""

from paige.doors.frame.rows import get, routes

ROUTES = routes(
    "",
    "paige.doors.traces.operations",
    (
        get("/traces", "runs", strict=True),
        get("/traces/{id}", "run"),
        get("/traces/{id}/span", "span"),
        get("/traces/{id}/journal", "journal", strict=True),
        get("/traces/{id}/journal/{seq}", "entry"),
        get("/traces/{id}/moments", "moments", strict=True),
        get("/costs", "costs", strict=True),
    ),
)
