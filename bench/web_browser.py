"""A browser that measures: how long until something is drawn, and how even the drawing is.

All times are taken inside the page, from the moment the browser gives to an event to the moment
after the frame that shows its effect. The reference is the smallest page of the same server
(`/health`, a line of text) in the same browser, with a few lines of plain script.
"""

import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize

from bench.servers import free_port, paige_command, running
from tests.web.browser import open_browser

WINDOW: ViewportSize = {"width": 1280, "height": 800}
PLAIN = "/health"
PAINTED = """() => new Promise((done) => {
  const look = () => {
    const [entry] = performance.getEntriesByName("first-contentful-paint");
    if (entry === undefined) setTimeout(look, 5); else done(entry.startTime);
  };
  look();
})"""
# From an event to the moment after the frame in which a condition holds.
_WATCH = """(type) => {
  window.measured = new Promise((done) => {
    const after = (start) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => done(performance.now() - start);
      channel.port2.postMessage(null);
    };
    addEventListener(type, ({ timeStamp }) => {
      const look = () => requestAnimationFrame(() => (%s) ? after(timeStamp) : look());
      look();
    }, { capture: true, once: true });
  });
}"""
# Scrolls what can be scrolled most, a step with each frame, and notes how long each frame took.
_SCROLL = """([frames, step]) => new Promise((done) => {
  const room = (each) => each.scrollHeight - each.clientHeight;
  const root = document.documentElement;
  const moves = (each) => each === root || /auto|scroll/.test(getComputedStyle(each).overflowY);
  const all = [...document.querySelectorAll("*")].filter(moves);
  const [pane] = all.sort((one, other) => room(other) - room(one));
  const times = [];
  const move = (before) => requestAnimationFrame((now) => {
    times.push(now - before);
    pane.scrollTop += step;
    if (times.length <= frames) move(now);
    else done([times.slice(1), room(pane)]);
  });
  pane.scrollTop = 0;
  requestAnimationFrame(move);
})"""


@contextmanager
def paige_in_browser(
    prepare: Callable[[Path], None] = lambda _: None,
) -> Iterator[tuple[Browser, str]]:
    """A browser and the address of a Paige; `prepare` fills its data folder while it runs."""
    port = free_port()
    with tempfile.TemporaryDirectory() as name:
        command, environ = paige_command(Path(name), port)
        with running(command, environ, port), open_browser() as browser:
            prepare(Path(name) / "data")
            yield browser, f"http://127.0.0.1:{port}"


def first_paint(browser: Browser, address: str) -> float:
    """Milliseconds until a browser that knows nothing yet shows something of a page."""
    with browser.new_context(viewport=WINDOW) as context:
        page = context.new_page()
        page.goto(address)
        return page.evaluate(PAINTED)


def open_page(browser: Browser, address: str) -> Page:
    """A page in a tab of its own, with everything it fetched."""
    page = browser.new_context(viewport=WINDOW).new_page()
    page.goto(address, wait_until="networkidle")
    return page


def effect(page: Page, event: str, holds: str, act: Callable[[], None]) -> float:
    """Milliseconds from an event that `act` causes to the frame in which `holds` is true."""
    page.evaluate(_WATCH % holds, event)
    act()
    return page.evaluate("window.measured")


def median_of(times: int, run: Callable[[], float]) -> float:
    """The median of several runs."""
    return statistics.median(run() for _ in range(times))


def slow_frame(page: Page, frames: int = 120, step: int = 240) -> float:
    """Milliseconds that 95 of 100 frames stay below while the page is scrolled."""
    times, room = page.evaluate(_SCROLL, [frames, step])
    if room < frames * step:
        raise RuntimeError(f"there are only {room} pixels to scroll, not {frames * step}")
    return statistics.quantiles(times, n=20)[-1]
