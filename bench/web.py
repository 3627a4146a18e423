"""How the web app feels: its first paint, and what a key or a click takes to be seen.

Everything is compared with the smallest page of the same server in the same browser. For a step
(open the commands, go to another page, type a letter) a few lines of plain script put on that page
what the step is about and no more: an empty box, a heading, a text field.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page

from bench.harness import Benchmark, Pair
from bench.web_browser import (
    PLAIN,
    effect,
    first_paint,
    median_of,
    open_page,
    paige_in_browser,
)

TIMES = 5
Step = Callable[[Page], float]
_BOX = "document.querySelector('[role=dialog]')"
_HEADING = "document.querySelector('main h1').textContent"
_TEXT = "document.activeElement.value.length"
_EMPTY = """() => {
  document.body.innerHTML = `
    <nav aria-label="Main"><a href="#">Memory</a> <a href="#">Study</a></nav>
    <main><h1>Study</h1><textarea></textarea></main>`;
  addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector("main h1").textContent = event.target.textContent;
  });
  addEventListener("keydown", ({ key, ctrlKey }) => {
    const box = document.querySelector("[role=dialog]");
    if (key === "Escape") box.remove();
    if (key !== "k" || !ctrlKey || box !== null) return;
    const made = `<div role="dialog"><input role="combobox" /></div>`;
    document.body.insertAdjacentHTML("beforeend", made);
    document.querySelector("[role=combobox]").focus();
  });
}"""


@contextmanager
def _paint() -> Iterator[Pair]:
    with paige_in_browser() as (browser, url):
        yield Pair(lambda: first_paint(browser, url), lambda: first_paint(browser, url + PLAIN))


@contextmanager
def _steps(path: str, step: Step) -> Iterator[Pair]:
    """The same step on a page of the app and on an empty one."""
    with paige_in_browser() as (browser, url):
        ours = open_page(browser, url + path)
        step(ours)  # what is fetched late is there now
        reference = open_page(browser, url + PLAIN)
        reference.evaluate(_EMPTY)
        yield Pair(lambda: _several(ours, step), lambda: _several(reference, step))


def _several(page: Page, step: Step) -> float:
    page.bring_to_front()
    return median_of(TIMES, lambda: step(page))


def _open_commands(page: Page) -> float:
    """Ctrl+K until the box is there and has the focus."""
    there = f"{_BOX} !== null && document.activeElement.matches('[role=combobox]')"
    taken = effect(page, "keydown", there, lambda: page.keyboard.press("Control+k"))
    effect(page, "keydown", f"{_BOX} === null", lambda: page.keyboard.press("Escape"))
    return taken


def _switch(page: Page) -> float:
    """A click in the navigation until the heading is that of the other page."""
    name = "Study" if page.evaluate(_HEADING) == "Memory" else "Memory"
    return effect(page, "click", f"{_HEADING} === '{name}'", _link(page, name).click)


def _link(page: Page, name: str) -> Locator:
    navigation = page.get_by_role("navigation", name="Main")
    return navigation.get_by_role("link", name=name, exact=True)


def _type(page: Page) -> float:
    """A letter until it stands in the text."""
    page.get_by_role("textbox").last.focus()
    before = page.evaluate(_TEXT)
    return effect(page, "keydown", f"{_TEXT} > {before}", lambda: page.keyboard.press("a"))


def _interaction(name: str, path: str, step: Step) -> Benchmark:
    return Benchmark(name, "ms", "lower", lambda: _steps(path, step), promise=2.0, turns=11)


BENCHMARKS = (
    Benchmark("web-first-paint", "ms", "lower", _paint, promise=2.0, turns=15),
    _interaction("web-palette", "/", _open_commands),
    _interaction("web-page", "/study", _switch),
    _interaction("web-typing", "/plan", _type),
)
