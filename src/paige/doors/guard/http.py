"""The addresses of the Guard: decisions and rules, learned guards, the context graph."""

from paige.doors.frame.rows import get, post, routes

ROUTES = (
    *routes(
        "/guard",
        "paige.doors.guard.operations",
        (
            get("", "overview"),
            get("/decisions", "decisions", strict=True),
            get("/decisions/{id}", "decision"),
            get("/rules", "rules"),
            post("/explain", "explain"),
            get("/hosts", "hosts"),
            post("/hosts/{cli}/plan", "plan"),
            post("/hosts/{cli}", "carry_out"),
        ),
    ),
    *routes(
        "/guards",
        "paige.doors.guard.learned_operations",
        (
            get("", "guards"),
            get("/lessons", "lessons"),
            get("/metrics", "metrics"),
            get("/{id}", "guard"),
            post("/{id}/try", "try_out"),
            post("/{id}/shadow", "shadow"),
            post("/{id}/promote", "promote"),
            post("/{id}/rollback", "roll_back"),
        ),
    ),
    *routes(
        "/graph",
        "paige.doors.guard.graph_operations",
        (
            get("", "overview"),
            get("/traces", "traces", strict=True),
            get("/traces/{id}", "trace"),
            get("/traces/{id}/around", "around", strict=True),
        ),
    ),
)
