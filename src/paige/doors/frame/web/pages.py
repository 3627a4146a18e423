"""What is shown to browsers: the built web app, and the documentation at `/docs/`.

The index of the app answers for every address that is a page of it. The build leaves a compressed
copy beside the larger texts; a browser that takes gzip gets that one. Nobody has to sign in to read
the documentation: it says nothing about this Paige.
"""

from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Paige</title>
<h1>{title}</h1>
<p>{words}</p></html>"""
NOT_BUILT = _PAGE.format(
    title="Paige is running",
    words="Its web app is not built. Run <code>make web</code> and load this page again.",
)
DOCS_NOT_BUILT = _PAGE.format(
    title="The documentation is not built",
    words="Run <code>make install</code> and load this page again.",
)
NO_DOCS_PAGE = _PAGE.format(
    title="There is no such page",
    words='The documentation begins <a href="/docs/">here</a>.',
)
DOCS = "/docs"
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
NOT_PAGES = ("assets/", "hooks/", "ws/", "mcp/")
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
PACKED = ".gz"


class WebApp(StaticFiles):
    """Static files whose unknown addresses are pages of the app."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self.folder = folder

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or the index: the app itself knows which pages exist."""
        try:
            response = await self._file(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or path.startswith(NOT_PAGES):
                raise
            response = self._index()
        if path.startswith("assets/"):  # their names hold a hash of their content
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
        else:
            response.headers["cache-control"] = "no-cache"
        response.headers.update(HEADERS)
        return response

    async def _file(self, path: str, scope: Scope) -> Response:
        if not self._has_packed(path):
            return await super().get_response(path, scope)
        is_wanted = takes_gzip(Headers(scope=scope).get("accept-encoding", ""))
        response = await super().get_response(path + PACKED if is_wanted else path, scope)
        response.headers["vary"] = "accept-encoding"
        if is_wanted and response.status_code != 304:
            response.headers["content-encoding"] = "gzip"
        return response

    def _has_packed(self, path: str) -> bool:
        if not path.startswith("assets/"):
            return False
        try:
            return self.lookup_path(path + PACKED)[1] is not None
        except (OSError, ValueError):  # no name of a file; the plain way says so
            return False

    def _index(self) -> Response:
        index = self.folder / "index.html"
        return FileResponse(index) if index.exists() else HTMLResponse(NOT_BUILT)


def takes_gzip(accepted: str) -> bool:
    """Whether an `Accept-Encoding` names gzip, or everything, without a weight of nothing."""
    weights: dict[str, bool] = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        quality = weight.strip().removeprefix("q=").rstrip("0.")
        weights[name.strip()] = weight == "" or quality != ""
    return weights.get("gzip", weights.get("*", False))


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
            response = HTMLResponse(NO_DOCS_PAGE if is_built else DOCS_NOT_BUILT, status_code=404)
        response.headers["cache-control"] = "no-cache"
        response.headers.update(HEADERS)
        return response


def docs_routes(folder: Path) -> list[BaseRoute]:
    """The address of the documentation, with its slash and without."""
    return [
        Route(DOCS, _with_slash),
        Mount(DOCS, app=GZipMiddleware(DocsSite(folder))),
    ]


async def _with_slash(_: Request) -> Response:
    return RedirectResponse(f"{DOCS}/")
