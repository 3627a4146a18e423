"""The addresses of Plan, and those that pupils open with a token and without signing in."""

from typing import Any

from paige.doors.frame.rows import delete, get, post, put, routes

OPERATIONS = "paige.doors.plan.operations"


def _address(request: Any) -> str:  # noqa: ANN401 - a request; nothing is imported for a row
    return request.client.host if request.client else ""


_PRIVATE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
_PUBLIC = {"headers": _PRIVATE, "fills": {"address": _address}}
ROUTES = (
    *routes(
        "/plan",
        OPERATIONS,
        (
            get("", "overview"),
            get("/files", "files"),
            get("/file", "read_file"),
            put("/file", "write_file", query=("path",)),
            delete("/file", "delete_file", query=("path", "version")),
            get("/lines", "read_lines"),
            get("/sessions", "sessions"),
            get("/sessions/{id}", "session"),
            post("/runs", "start"),
            post("/runs/{run}/branch", "branch"),
            post("/runs/{run}/gates/{gate:path}", "answer"),
            post("/runs/{run}/continue", "go_on"),
            post("/runs/{run}/stop", "stop"),
            get("/lessons", "lessons"),
            get("/lesson", "lesson"),
            get("/export", "export"),
            get("/proposals", "proposals"),
            post("/proposals/{key}", "decide"),
            get("/classes/{id}/misconceptions", "misconceptions"),
            get("/handouts", "handouts"),
            post("/handouts", "hand_out"),
            get("/handouts/{id}", "handout"),
            post("/handouts/{id}/close", "close"),
            post("/handouts/{id}/open", "reopen"),
            post("/handouts/{id}/keep", "keep"),
        ),
    ),
    # Nothing leads on from a token: there is no list, no class, no key, no other token.
    *routes(
        "/answer",
        OPERATIONS,
        (get("/{token}", "open_sheet", **_PUBLIC), put("/{token}", "save_answers", **_PUBLIC)),
    ),
)
