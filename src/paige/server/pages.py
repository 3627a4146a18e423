"""The built web app: its files, and its index for every address that is a page."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Paige</title>
<h1>Paige is running</h1>
<p>Its web app is not built. Run <code>make web</code> and load this page again.</p></html>"""
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
)
NOT_PAGES = ("assets/", "hooks/", "ws/", "mcp/")
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


class WebApp(StaticFiles):
    """Static files whose unknown addresses are pages of the app."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self.folder = folder

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or the index: the app itself knows which pages exist."""
        try:
            response = await super().get_response(path, scope)
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

    def _index(self) -> Response:
        index = self.folder / "index.html"
        return FileResponse(index) if index.exists() else HTMLResponse(NOT_BUILT)
