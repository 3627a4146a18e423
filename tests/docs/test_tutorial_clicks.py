"""Tutorials that lead through the browser: every step is done in a real Chromium, in its order."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from tests.docs.clicks import Click, do_click
from tests.docs.executing import reading
from tests.docs.pages import Page, all_pages
from tests.docs.steps import clicks_on
from tests.web.browser import open_browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
PAGES = [page for page in all_pages() if clicks_on(page)]
WAIT_MS = 30_000
DOORS = ("lesson", "course", "coaching", "guard")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for all tutorials."""
    expect.set_options(timeout=WAIT_MS)
    with open_browser() as opened:
        yield opened


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """A reader's browser."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        context.set_default_timeout(WAIT_MS)
        yield context.new_page()


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)
def test_a_tutorial_can_be_followed_step_by_step(shown: Page, tmp_path: Path, tab: Tab) -> None:
    def click(address: str, step: Click) -> None:
        if tab.url == "about:blank":
            tab.goto(address)
        do_click(tab, step)

    with reading(shown, tmp_path / "home") as opened:
        opened.click = click
        complaints = opened.all_steps()

    assert not complaints, "\n\n".join(complaints)


def test_every_door_has_a_tutorial_with_clicks_and_commands() -> None:
    names = {page.path.stem for page in PAGES}

    assert {f"first-{door}" for door in DOORS} <= names
