"""Doctor's questions about the application as a whole."""

from paige.base.checks import Check
from paige.base.paths import SHIPPED
from paige.base.settings import Settings
from paige.store.checks import row_security_checks


def checks(settings: Settings) -> list[Check]:
    """The web app, the project folder, who can reach the server, who the database binds."""
    return [_web_app(), _project(settings), _reach(settings), *row_security_checks(settings)]


def _web_app() -> Check:
    if (SHIPPED / "web" / "index.html").exists():
        return Check("web app", "ok", "built")
    clone = (SHIPPED.parents[2] / "web" / "package.json").exists()
    fix = "Run `make web`." if clone else "Install Paige again, from a wheel that has it."
    return Check("web app", "fail", "the web app is not built", fix)


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
