"""The documentation at `/docs/`: the pages that came with this version, without a network.

Nobody has to sign in to read them: they say nothing about this Paige.
"""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from paige.server.pages import HEADERS

PATH = "/docs"
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Paige</title>
<h1>The documentation is not built</h1>
<p>Run <code>make install</code> and load this page again.</p></html>"""
NOT_THERE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Paige</title>
<h1>There is no such page</h1>
<p>The documentation begins <a href="/docs/">here</a>.</p></html>"""


class DocsSite(StaticFiles):
    """The built pages; what is missing is said in words."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)
        self.folder = folder

    async def check_config(self) -> None:
        """A folder that is not there is said in words below, not as a fault."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A page or a file of the site, asked for again whenever it may have changed."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            is_built = (self.folder / "index.html").exists()
            response = HTMLResponse(NOT_THERE if is_built else NOT_BUILT, status_code=404)
        response.headers["cache-control"] = "no-cache"
        response.headers.update(HEADERS)
        return response


def docs_routes(folder: Path) -> list[BaseRoute]:
    """The address of the documentation, with its slash and without."""
    return [
        Route(PATH, _with_slash),
        Mount(PATH, app=GZipMiddleware(DocsSite(folder))),
    ]


async def _with_slash(_: Request) -> Response:
    return RedirectResponse(f"{PATH}/")
