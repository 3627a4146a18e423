"""How the web app feels: its first paint, and what a key or a click takes to be seen.

The first paint is compared with the smallest page of the same server in the same browser: a line
of text. A step (open the commands, go to another page, type a letter) is compared with the same
step on a dead copy of the same page: its boxes and its styles, without its program, and a few
lines of script that put in place what the step shows. The rest is what the program takes.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page

from bench.harness import Benchmark, Pair
from bench.web_browser import (
    PLAIN,
    dead_copy,
    effect,
    first_paint,
    median_of,
    open_page,
    paige_in_browser,
)

TIMES = 5
Step = Callable[[Page], float]
Copy = Callable[[Page, Page], None]
_BOX = "document.querySelector('[role=dialog]')"
_HEADING = "document.querySelector('main h1').textContent"
_TEXT = "document.activeElement.value.length"
_SHOW = """(boxes) => addEventListener("keydown", ({ key, ctrlKey }) => {
  const box = document.querySelector("[data-shown]");
  if (key === "Escape") box.remove();
  if (key !== "k" || !ctrlKey || box !== null) return;
  document.body.insertAdjacentHTML("beforeend", `<div data-shown>${boxes}</div>`);
  document.querySelector("[role=combobox]").focus();
})"""
_TURN = """(pages) => addEventListener("click", (event) => {
  event.preventDefault();
  const page = pages[event.target.closest("a").textContent.trim()];
  document.querySelector("main").innerHTML = page;
})"""


@contextmanager
def _paint() -> Iterator[Pair]:
    with paige_in_browser() as (browser, url):
        yield Pair(lambda: first_paint(browser, url), lambda: first_paint(browser, url + PLAIN))


@contextmanager
def _steps(path: str, copy: Copy, step: Step) -> Iterator[Pair]:
    """The same step on a page of the app and on its dead copy."""
    with paige_in_browser() as (browser, url):
        ours = open_page(browser, url + path)
        step(ours)  # what is fetched late is there now
        reference = open_page(browser, url + PLAIN)
        copy(ours, reference)
        yield Pair(lambda: _several(ours, step), lambda: _several(reference, step))


def _several(page: Page, step: Step) -> float:
    page.bring_to_front()
    return median_of(TIMES, lambda: step(page))


def _copy_with_commands(ours: Page, reference: Page) -> None:
    dead_copy(ours, reference)
    ours.keyboard.press("Control+k")
    ours.get_by_role("combobox").wait_for()
    shown = ours.evaluate(f"{_BOX}.previousElementSibling.outerHTML + {_BOX}.outerHTML")
    ours.keyboard.press("Escape")
    reference.evaluate(_SHOW, shown)


def _open_commands(page: Page) -> float:
    """Ctrl+K until the box is there and has the focus."""
    there = f"{_BOX} !== null && document.activeElement.matches('[role=combobox]')"
    taken = effect(page, "keydown", there, lambda: page.keyboard.press("Control+k"))
    effect(page, "keydown", f"{_BOX} === null", lambda: page.keyboard.press("Escape"))
    return taken


def _copy_of_two(ours: Page, reference: Page) -> None:
    pages = {}
    for name in ("Memory", "Study"):
        _link(ours, name).click()
        ours.get_by_role("heading", level=1, name=name).wait_for()
        ours.wait_for_load_state("networkidle")
        pages[name] = ours.locator("main").evaluate("main => main.innerHTML")
    dead_copy(ours, reference)
    reference.evaluate(_TURN, pages)


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


def _interaction(name: str, path: str, copy: Copy, step: Step) -> Benchmark:
    return Benchmark(name, "ms", "lower", lambda: _steps(path, copy, step), promise=2.0, turns=11)


BENCHMARKS = (
    Benchmark("web-first-paint", "ms", "lower", _paint, promise=2.0, turns=15),
    _interaction("web-palette", "/", _copy_with_commands, _open_commands),
    _interaction("web-page", "/study", _copy_of_two, _switch),
    _interaction("web-typing", "/plan", dead_copy, _type),
)
