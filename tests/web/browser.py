"""A real Chromium, and what goes wrong on the pages it shows."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

# The first is Chromium without its own windows and menus: the same pages for half the work.
PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Names under `.test` belong to nobody: here they are foreign sites on this machine.
    "--host-resolver-rules=MAP *.test 127.0.0.1",
)


class NoBrowser(RuntimeError):
    """There is no browser to test with."""


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start the browser of this machine. Raises: NoBrowser."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        names = " or ".join(f"`{name}`" for name in PROGRAMS)
        raise NoBrowser(f"No {names} on the PATH. Run `make test`: it installs what is missing.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass  # without slots: Playwright keeps its wrappers on the object
class Problems:
    """Everything that went wrong on a page; a test says which of it has to happen."""

    seen: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def expect(self, *patterns: str) -> None:
        """Let problems pass that match one of these regular expressions."""
        self.expected += patterns

    def unexpected(self) -> list[str]:
        """What the test did not ask for."""
        return [
            problem
            for problem in self.seen
            if not any(re.search(pattern, problem) for pattern in self.expected)
        ]

    def watch(self, page: Page) -> None:
        """Note console errors and warnings, thrown errors, lost requests and refused ones."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.seen.append(f"thrown: {error}"))
        page.on("requestfailed", self._lost)
        page.on("response", lambda answer: self._answer(answer.status, answer.url))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.seen.append(f"console: {message.text} ({message.location['url']})")

    def _lost(self, request: Request) -> None:
        # A page that is left drops what it was still waiting for.
        if request.failure != "net::ERR_ABORTED":
            self.seen.append(f"lost: {urlsplit(request.url).path} {request.failure}")

    def _answer(self, status: int, url: str) -> None:
        if status >= 400:
            self.seen.append(f"answer: {urlsplit(url).path} {status}")


def background_of(page: Page) -> str:
    """The colour behind the page, as the browser drew it."""
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def is_wider_than_the_window(page: Page) -> bool:
    """Whether one has to scroll sideways, once everything has found its place."""
    return page.evaluate("""() => new Promise(done => {
        const root = document.documentElement, ends = performance.now() + 3000;
        const look = () => {
            const wider = root.scrollWidth > root.clientWidth;
            if (!wider || performance.now() > ends) done(wider); else requestAnimationFrame(look);
        };
        look();
    })""")


def until(page: Page, condition: str) -> None:
    """Wait until an expression holds; Playwright's own way is forbidden by the content policy."""
    page.evaluate(f"""() => new Promise((done, failed) => {{
      const look = (left) => {{
        if ({condition}) done(null);
        else if (left === 0) failed(new Error("it never held"));
        else setTimeout(look, 20, left - 1);
      }};
      look(1500);
    }})""")


def wake(page: Page) -> None:
    """Tell a page that waits for the server to try at once, as a network that returns does."""
    page.evaluate("dispatchEvent(new Event('online'))")
