"""The addresses of Study."""

from typing import Any

from paige.doors.frame.rows import get, post, put, routes


def _home(request: Any) -> str:  # noqa: ANN401 - a request; nothing is imported for a row
    return str(request.base_url).removesuffix("/").removesuffix("/api")


ROUTES = routes(
    "/study",
    "paige.doors.study.operations",
    (
        get("", "today"),
        get("/progress", "report"),
        get("/courses/{name}", "course"),
        post("/courses", "begin"),
        post("/import", "import_course", data="data"),
        get("/export", "export_course", fills={"home": _home}),
        post("/sessions", "start_session"),
        get("/session", "look_at"),
        post("/session/act", "act_on"),
        post("/session/run", "run_code"),
        post("/session/run/stop", "stop_code"),
        post("/undo", "undo"),
        get("/session/file", "read_file"),
        put("/session/file", "write_file", query=("course", "path", "learner")),
        post("/session/upload", "upload", data="data"),
        get("/session/upload", "uploaded"),
        get("/session/audio", "audio"),
        get("/profile", "profile"),
        put("/profile", "change_profile", query=("learner",)),
    ),
)
