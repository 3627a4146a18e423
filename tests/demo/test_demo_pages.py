"""Every door of the demo in a real browser: full, without an error, and read by axe."""

from collections.abc import Iterator
from typing import NamedTuple

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from tests.demo.conftest import Filled
from tests.live import Live, live_paige
from tests.web.axe import findings
from tests.web.browser import Problems, is_wider_than_the_window, open_browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
WAIT_MS = 30_000
NOTE = "You are looking at the demo"


class Shown(NamedTuple):
    """A page of the demo, and words that are only there when it is full."""

    path: str
    words: str


PAGES = (
    Shown("/", "Four doors"),
    Shown("/plan", "1 waits for you"),
    Shown("/study", "things are due"),
    Shown("/study/bahasa-melayu", "Mastered"),
    Shown("/study/bahasa-melayu/progress", "What you will remember"),
    Shown("/study/python-algorithms", "Mastered"),
    Shown("/coach", "Splitting a bill loses a penny"),
    Shown("/coach/work", "basket.py"),
    Shown("/guard", "The last 30 days"),
    Shown("/guard/graph", "the newest first"),
    Shown("/guard/guards", "commit-with-checks"),
    Shown("/guard/guards?tab=patterns", "What an agent did again"),
    Shown("/guard/orchestra", "A receipt by mail"),
    Shown("/traces", "Waits for an answer"),
    Shown("/costs?days=90", "Day by day"),
    Shown("/memory", "whole pence"),
    Shown("/memory?tab=documents", "MEMORY.md"),
)


@pytest.fixture(scope="module")
def shown(filled: Filled) -> Iterator[Live]:
    """A server that shows the demo."""
    with live_paige(filled.home, "up", "--demo") as live:
        yield live


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser."""
    with open_browser() as opened:
        yield opened


def look(browser: Browser, live: Live, page_of: Shown) -> list[str]:
    """What is wrong with a page."""
    problems = Problems()
    with browser.new_context(
        viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
    ) as context:
        page = context.new_page()
        problems.watch(page)
        page.goto(f"{live.url}{page_of.path}")
        expect(page.get_by_role("banner")).to_contain_text("Connected", timeout=WAIT_MS)
        expect(page.get_by_text(page_of.words).first).to_be_visible(timeout=WAIT_MS)
        expect(page.get_by_text(NOTE)).to_be_visible()
        expect(page.locator("[data-skeleton]")).to_have_count(0, timeout=WAIT_MS)
        found = findings(page)
        wide = ["it is wider than the window"] if is_wider_than_the_window(page) else []
    return [*problems.unexpected(), *found, *wide]


@pytest.mark.parametrize("page", PAGES, ids=[each.path for each in PAGES])
def test_a_page_of_the_demo_is_full_and_nothing_is_wrong_with_it(
    browser: Browser, shown: Live, page: Shown
) -> None:
    assert look(browser, shown, page) == []


def test_a_lesson_of_the_demo_opens_with_its_evidence(browser: Browser, shown: Live) -> None:
    lessons = httpx2.get(f"{shown.url}/api/plan/lessons", timeout=60).json()
    path = f"/plan?lesson={lessons[0]['path']}&pane=document"

    assert look(browser, shown, Shown(path, "Curriculum evidence")) == []
