"""The addresses of the server against the page that lists them."""

from pathlib import Path

from starlette.routing import Route

from paige.app.application import open_app
from paige.base.settings import Settings
from paige.doors.site.api import describe_api
from paige.doors.site.factory import Site
from tests.docs.pages import page

IMPLIED = {"HEAD", "OPTIONS"}


def test_every_address_of_the_server_has_a_row(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path)
    with open_app(settings, strict=False) as app:
        routes = Site(app).asgi.routes
    described = {
        f"`{method.upper()} /api{path}`"
        for path, methods in describe_api(many=False)["paths"].items()
        for method in methods
    }
    plain = {
        f"`{method} {route.path}`"
        for route in routes
        if isinstance(route, Route) and route.methods
        for method in route.methods - IMPLIED
    }

    text = page("docs/reference/http-api.md").text

    assert "`GET /health`" in plain
    assert "`POST /api/session`" in described
    assert [row for row in sorted(described | plain) if f"| {row} |" not in text] == []
