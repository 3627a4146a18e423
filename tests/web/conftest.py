"""A browser for each module, a fresh profile for each test, a server for those that only look."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.live import Live, live_paige
from tests.web.browser import Problems, open_browser
from tests.web.scenes import PASSCODE

WAIT_MS = 15_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser.

    Not for the whole session: while Playwright is open its event loop counts as running, and no
    async test of another module could start.
    """
    expect.set_options(timeout=WAIT_MS)
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="session")
def paige(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server for tests that change nothing on it."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "project").mkdir()
    with live_paige(folder, PROJECT_DIR=str(folder / "project")) as live:
        yield live


@pytest.fixture(scope="session")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server that asks for a passcode."""
    with live_paige(tmp_path_factory.mktemp("locked"), PAIGE_PASSCODE=PASSCODE) as live:
        yield live


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A profile without any history."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as fresh:
        fresh.set_default_timeout(WAIT_MS)
        yield fresh


@pytest.fixture
def problems() -> Problems:
    """What went wrong on `page`; a test may expect some of it."""
    return Problems()


@pytest.fixture
def page(context: BrowserContext, problems: Problems) -> Iterator[Page]:
    """A tab; the test fails when anything goes wrong on it that was not expected."""
    tab = context.new_page()
    problems.watch(tab)
    yield tab
    assert problems.unexpected() == []
