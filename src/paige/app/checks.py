"""Doctor's questions about the application as a whole."""

from paige.base.checks import Check
from paige.base.paths import SHIPPED
from paige.base.settings import Settings


def checks(settings: Settings) -> list[Check]:
    """The web app, the project folder, and whether the server may be reached from outside."""
    return [_web_app(), _project(settings), _reach(settings)]


def _web_app() -> Check:
    if (SHIPPED / "web" / "index.html").exists():
        return Check("web app", "ok", "built")
    return Check("web app", "fail", "the web app is not built", "Run `make web`.")


def _project(settings: Settings) -> Check:
    folder = settings.project_dir
    if folder is None:
        fix = "Set `PROJECT_DIR` to be coached on a project."
        return Check("project", "warn", "no project is set", fix)
    if not folder.is_dir():
        fix = "Set `PROJECT_DIR` to a folder that exists."
        return Check("project", "fail", f"`{folder}` does not exist", fix)
    return Check("project", "ok", f"`{folder}`")


def _reach(settings: Settings) -> Check:
    if settings.loopback:
        return Check("reach", "ok", "only this machine can reach the server")
    if not settings.passcode:
        fix = "Set `PAIGE_PASSCODE`, or bind `127.0.0.1`."
        return Check("reach", "fail", f"`{settings.host}` is open and has no passcode", fix)
    return Check("reach", "ok", f"`{settings.host}` asks for the passcode")
