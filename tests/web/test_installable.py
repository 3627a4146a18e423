"""Paige as an installed app: its manifest, and the worker that opens it without a server."""

import json
import shutil
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from paige.base.paths import SHIPPED
from tests.live import Live, live_paige
from tests.web.browser import Problems

pytestmark = pytest.mark.browser
WEB = SHIPPED / "web"
GONE = "net::ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET|CONTENT_LENGTH_MISMATCH)"
FRAMES = "caches.keys().then((names) => names.filter((name) => name.startsWith('paige-frame-')))"
KEPT = """async () => {
  const cache = await caches.open((await caches.keys())[0]);
  return (await cache.keys()).map((request) => new URL(request.url).pathname);
}"""
REGISTRATION = "navigator.serviceWorker.getRegistration()"
LOOK_FOR_NEWER = f"{REGISTRATION}.then((found) => found.update()).then(() => null)"
WAITING = f"{REGISTRATION}.then((found) => found.waiting)"


def test_a_browser_finds_everything_it_needs_to_install_paige(page: Page, paige: Live) -> None:
    page.goto(paige.url, wait_until="networkidle")
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    refused = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    manifest = json.loads(found["data"])

    assert found["errors"] == []
    assert [error["errorId"] for error in refused if error["errorId"] != "in-incognito"] == []
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    shortcuts = manifest["shortcuts"]
    assert [each["url"] for each in shortcuts] == ["/plan", "/study", "/coach", "/guard"]
    for icon in manifest["icons"] + [each["icons"][0] for each in shortcuts]:
        if icon["type"] == "image/png":
            assert icon["sizes"] == _size(WEB / icon["src"].lstrip("/"))


def test_the_worker_keeps_the_frame_and_nothing_the_server_says(
    page: Page, problems: Problems, paige: Live
) -> None:
    problems.expect("/api/memory/any", "500")
    _open_with_worker(page, f"{paige.url}/memory")
    kept = page.evaluate(KEPT)

    assert "/" in kept
    assert {Path(path).suffix for path in kept} >= {".js", ".css", ".woff2", ".svg"}
    assert [path for path in kept if path.startswith(("/api", "/ws", "/health", "/mcp"))] == []
    # The next load goes through the worker, and the app is the same.
    page.reload()
    expect(page.get_by_role("heading", level=1, name="Memory")).to_be_visible()
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    # The server's words come from the server: a new answer is seen at once.
    page.route("**/api/memory/any", lambda route: route.fulfill(status=500, body="{}"))
    assert page.evaluate("fetch('/api/memory/any').then((answer) => answer.status)") == 500


def test_without_a_server_the_app_opens_says_what_to_do_and_goes_on_by_itself(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(GONE)
    with live_paige(tmp_path) as paige:
        _open_with_worker(page, paige.url)
        # A server that stops in the middle of a handshake answers it with 500.
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        paige.stop()
    page.goto(f"{paige.url}/study")
    expect(page.get_by_role("heading", level=1)).to_have_text("No connection to Paige")
    expect(page.get_by_role("alert")).to_contain_text("Start it with paige up")
    expect(page.get_by_text(f"No answer from 127.0.0.1:{paige.port}")).to_be_visible()
    page.context.set_offline(offline=True)
    expect(page.get_by_text("Has no network")).to_be_visible()
    page.context.set_offline(offline=False)
    with live_paige(tmp_path, PORT=str(paige.port)):
        expect(page.get_by_role("heading", level=1)).to_have_text("Study")
        expect(page.get_by_role("banner")).to_contain_text("Connected")


def test_a_server_that_came_back_as_another_version_is_told_of_once(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(GONE)
    page.route("**/version.json", lambda route: route.fulfill(json={"build": "another"}))
    notice = page.get_by_role("listitem").filter(has_text="A new version of Paige is here")
    with live_paige(tmp_path) as paige:
        page.goto(paige.url, wait_until="networkidle")
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        expect(notice).to_have_count(0)
        page.evaluate("window.sameDocument = true")
        paige.stop()
        expect(page.get_by_text("Connection lost. Paige keeps trying.")).to_be_attached()
    with live_paige(tmp_path, PORT=str(paige.port)):
        expect(notice).to_be_visible()
        assert page.evaluate("window.sameDocument") is True
        with page.expect_event("load"):
            notice.get_by_role("button", name="Reload").click()
        assert page.evaluate("window.sameDocument === undefined")
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        expect(notice).to_have_count(0)


def test_a_new_server_never_gets_the_old_app_and_old_frames_are_removed(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect("/api/", GONE, "WebSocket")  # only files are served here
    folder = tmp_path / "web"
    shutil.copytree(WEB, folder)
    with _files(folder) as url:
        _open_with_worker(page, url)
        (before,) = page.evaluate(FRAMES)
        _change(folder, "index.html", "a teaching companion", "a newer companion")
        _change(folder, "sw.js", before.removeprefix("paige-frame-"), "0123456789abcdef")

        page.goto(f"{url}/plan", wait_until="commit")
        newer = page.locator("meta[name=description][content*=newer]")
        expect(newer).to_have_count(1)
        # A tab of the old version is open: both frames are kept until somebody takes the new one.
        page.evaluate(LOOK_FOR_NEWER)
        _until_holds(page, f"(await {FRAMES}).length === 2")
        _until_holds(page, f"(await {WAITING}) !== null")
        page.evaluate(f"{WAITING}.then((worker) => worker.postMessage('take-over'))")
        _until_holds(page, f"(await {FRAMES}).join() === 'paige-frame-0123456789abcdef'")


def _open_with_worker(page: Page, url: str) -> None:
    """Go there, let the time pass that the page has for itself, and wait for the worker."""
    page.clock.install()
    page.goto(url, wait_until="load")
    page.clock.fast_forward(6_000)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.evaluate("""() => new Promise((done) => {
      navigator.serviceWorker.ready.then(({ active }) => {
        const look = () => { if (active.state === 'activated') done(null); };
        active.addEventListener('statechange', look);
        look();
      });
    })""")


def _until_holds(page: Page, condition: str) -> None:
    """Wait until an expression holds that has to wait itself."""
    page.evaluate(f"""async () => {{
      for (let left = 500; left > 0; left -= 1) {{
        if ({condition}) return;
        await new Promise((done) => setTimeout(done, 20));
      }}
      throw new Error("it never held");
    }}""")


class _Handler(SimpleHTTPRequestHandler):
    """Files as they are, the index for pages, and nothing remembered."""

    def do_GET(self) -> None:
        if "." not in self.path and not self.path.startswith("/api"):
            self.path = "/index.html"
        super().do_GET()

    def end_headers(self) -> None:
        self.send_header("cache-control", "no-cache")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def _files(folder: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def _change(folder: Path, name: str, before: str, after: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def _size(picture: Path) -> str:
    width, height = struct.unpack(">II", picture.read_bytes()[16:24])
    return f"{width}x{height}"
