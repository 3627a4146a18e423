"""Reads pages as axe does, in the themes and widths that people have."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.depth import DEEP
from tests.web.browser import Problems, is_wider_than_the_window
from tests.web.scenes import THEMES, WIDTHS, Scene

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
# Entries say what is wrong and where, so that a failing test needs no second run.
# What passes is only counted: describing every element of it is half of the work. Style sheets are
# read again for experimental rules alone, and a page of a file may not read its own.
RUN_AXE = """async () =>
  (await axe.run({ resultTypes: ["violations"], preload: false })).violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`))"""
NOTE_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) => {
  (window.violations ??= []).push(`${event.violatedDirective} ${event.blockedURI}`);
});"""
# What changed last is drawn, and no colour is on its way from an old one. What is folded away is
# not drawn: its colours are looked up once, else the first to ask gets the old ones.
SETTLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let left = 50; left > 0; left -= 1) {
    await frame();
    await frame();
    const moving = document.getAnimations().filter((each) => each instanceof CSSTransition);
    if (moving.length === 0) break;
    await Promise.allSettled(moving.map((each) => each.finished));
  }
  for (const each of document.querySelectorAll("*")) void getComputedStyle(each).color;
}"""


@dataclass(frozen=True, slots=True)
class Look:
    """A theme and a window; a glance only sees whether everything has room."""

    theme: Literal["light", "dark"]
    width: int
    height: int
    glance: bool = False

    @property
    def size(self) -> ViewportSize:
        """The window."""
        return {"width": self.width, "height": self.height}

    def __str__(self) -> str:
        return f"{self.theme}-{self.width}"


Looks = tuple[Look, ...]
"""How a scene is looked at, one after the other, without going there again."""
_WIDE = Look("light", max(WIDTHS), WIDTHS[max(WIDTHS)])
_NARROW = Look("dark", min(WIDTHS), WIDTHS[min(WIDTHS)])


EVERYDAY: Looks = (_WIDE, replace(_NARROW, theme=_WIDE.theme, glance=True))
"""Read once, light and wide, and then only measured on a phone."""
TURNED: Looks = (_WIDE, _NARROW)
"""Read light and wide, then dark and narrow in place."""


def looks(sizes: Mapping[int, int] = WIDTHS) -> list[ParameterSet]:
    """Once in every run; turned in place, and in each theme and width, in `make soak`."""
    pairs = [Look(theme, width, sizes[width]) for theme, width in product(THEMES, sizes)]
    deeply = {"wide, then narrow": TURNED, **{str(pair): (pair,) for pair in pairs}}
    return [
        pytest.param(EVERYDAY, id="once"),
        *(pytest.param(seen, id=id, marks=pytest.mark.soak) for id, seen in deeply.items()),
    ]


@cache
def script() -> str:
    """What a page is given by the debugger: its content policy stays as it is."""
    assert AXE.exists(), f"{AXE} is missing. Run `make test`: it installs the web app's packages."
    return AXE.read_text(encoding="utf-8")


def findings(page: Page) -> list[str]:
    """What is a serious barrier on a page."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(script())
    return page.evaluate(RUN_AXE)


def check_page(page: Page, what: str = "") -> None:
    """A page as it is has no serious barrier, keeps its policy and is not too wide."""
    page.evaluate(SETTLED)
    found = findings(page)
    assert not found, (what, found)
    _check_room(page, what)


def _check_room(page: Page, what: str) -> None:
    violations = page.evaluate("window.violations ?? []")
    assert not violations, (what, violations)
    assert not is_wider_than_the_window(page), f"{what} is too wide"


def check_scenes(browser: Browser, url: str, scenes: Iterable[Scene], seen: Looks) -> None:
    """Go to every scene in a tab of its own, and look at it in every way."""
    with _profile(browser, seen) as new_page:
        for scene in scenes:
            if scene.kind == "picture" or (scene.kind == "deep" and not DEEP):
                continue
            page = new_page()
            scene.show(page, url)
            look(page, seen, scene.name)
            page.close()


@contextmanager
def looked_at(browser: Browser, seen: Looks) -> Iterator[Page]:
    """A tab on which nothing may go wrong."""
    with _profile(browser, seen) as new_page:
        yield new_page()


@contextmanager
def _profile(browser: Browser, seen: Looks) -> Iterator[Callable[[], Page]]:
    problems = Problems()
    first = seen[0]
    with browser.new_context(
        viewport=first.size, color_scheme=first.theme, reduced_motion="reduce"
    ) as context:

        def new_page() -> Page:
            page = context.new_page()
            page.add_init_script(NOTE_VIOLATIONS)
            problems.watch(page)
            return page

        yield new_page
    unexpected = problems.unexpected()
    assert not unexpected, unexpected


def look(page: Page, seen: Looks, what: str = "") -> None:
    """Look at what a page shows in every way; then it is as it was."""
    first, *others = seen
    check_page(page, f"{what}, {first}")
    for each in others:
        _turn(page, each)
        if each.glance:
            page.evaluate(SETTLED)
            _check_room(page, f"{what}, {each}")
        else:
            check_page(page, f"{what}, {each}")
    if others:
        _turn(page, first)


def _turn(page: Page, look: Look) -> None:
    page.set_viewport_size(look.size)
    page.emulate_media(color_scheme=look.theme)
    expect(page.locator("[data-skeleton]")).to_have_count(0)
