"""The addresses of the memory."""

from paige.doors.frame.rows import delete, get, patch, post, put, routes

ROUTES = routes(
    "/memory",
    "paige.doors.memory.operations",
    (
        get("", "overview"),
        post("", "remember"),
        get("/search", "search", strict=True),
        post("/search", "search"),
        get("/recent", "recent"),
        post("/import", "take_in", lines="lines"),
        post("/forget", "forget"),
        get("/events/{id}", "show"),
        patch("/events/{id}", "edit"),
        delete("/events/{id}", "forget_one"),
        get("/files", "files"),
        get("/files/{path:path}", "document"),
        put("/files/{path:path}", "write"),
        delete("/files/{path:path}", "delete"),
        get("/policies", "policies"),
        get("/stats", "stats"),
    ),
)
