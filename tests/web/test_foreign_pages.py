"""What pages of other sites get from a server on this machine: nothing."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Page, expect

from tests.live import Live
from tests.web.browser import Problems

pytestmark = pytest.mark.browser
BLOCKED = r"CORS policy|net::ERR_FAILED|\b403\b|WebSocket connection"

READ = "url => fetch(url).then(answer => answer.text(), error => `blocked: ${error.name}`)"
CHANGE = """url => fetch(url, {
  method: "DELETE", headers: { "Content-Type": "application/json" },
}).then(answer => answer.text(), error => `blocked: ${error.name}`)"""
LISTEN = """url => new Promise(resolve => {
  const socket = new WebSocket(url);
  socket.onopen = () => resolve("open");
  socket.onclose = event => resolve(`closed: ${event.code}`);
})"""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[int]:
    """The port of somebody else's web server on this machine."""
    with serve_page(b"<!doctype html><title>Elsewhere</title>") as port:
        yield port


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "foreign.test"])
def test_a_page_from_elsewhere_cannot_read_the_api(
    page: Page, problems: Problems, paige: Live, elsewhere: int, host: str
) -> None:
    problems.expect(BLOCKED)
    page.goto(f"http://{host}:{elsewhere}/")

    assert page.evaluate(READ, f"{paige.url}/api/setup") == "blocked: TypeError"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "foreign.test"])
def test_a_page_from_elsewhere_cannot_change_anything(
    page: Page, problems: Problems, paige: Live, elsewhere: int, host: str
) -> None:
    problems.expect(BLOCKED, r"\b4\d\d\b")
    page.goto(f"http://{host}:{elsewhere}/")

    assert page.evaluate(CHANGE, f"{paige.url}/api/session") == "blocked: TypeError"


def test_a_page_of_another_site_cannot_listen(
    page: Page, problems: Problems, paige: Live, elsewhere: int
) -> None:
    problems.expect(BLOCKED)
    page.goto(f"http://foreign.test:{elsewhere}/")

    assert page.evaluate(LISTEN, paige.ws) == "closed: 1006"


def test_a_foreign_name_that_points_to_this_machine_gets_no_page(
    page: Page, problems: Problems, paige: Live
) -> None:
    problems.expect(r"\b421\b")
    answer = page.goto(f"http://rebound.test:{paige.port}/")

    assert answer is not None
    assert answer.status == 421


def test_paige_cannot_be_put_into_a_frame(page: Page, problems: Problems, paige: Live) -> None:
    problems.expect("frame-ancestors", "net::ERR_BLOCKED_BY_RESPONSE")
    frame = f'<!doctype html><title>Trap</title><iframe src="{paige.url}"></iframe>'
    with serve_page(frame.encode()) as port:
        page.goto(f"http://127.0.0.1:{port}/", wait_until="networkidle")

        inside = page.frame_locator("iframe").get_by_role("heading", name="Welcome to Paige")
        expect(inside).to_have_count(0)
        assert any("frame-ancestors" in problem for problem in problems.seen)


@contextmanager
def serve_page(body: bytes) -> Iterator[int]:
    """A web server with one page, on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/"
            self.send_response(200 if found else 204)
            self.send_header("content-type", "text/html")
            self.end_headers()
            if found:
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
