"""The site, built once for all tests, and a browser that has no network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.web.browser import Problems, open_browser
from tools.site.building import Built, build_site

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the site is built into."""
    return tmp_path_factory.mktemp("site") / "docs"


@pytest.fixture(scope="session", autouse=True)
def built(site: Path) -> Built:
    """What the build said."""
    return build_site(ROOT, site, version="1.2.3")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for a module."""
    expect.set_options(timeout=15_000)
    with open_browser() as opened:
        yield opened


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A profile without any history, and without a network."""
    with browser.new_context(viewport={"width": 1280, "height": 800}, offline=True) as fresh:
        fresh.set_default_timeout(15_000)
        yield fresh


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A tab on which nothing may go wrong."""
    problems = Problems()
    tab = context.new_page()
    problems.watch(tab)
    yield tab
    assert problems.unexpected() == []
