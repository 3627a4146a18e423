"""The documentation behind a running Paige: at `/docs/`, without a passcode, by its own rules."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from paige.base.paths import SHIPPED
from paige.doors.frame.web.pages import docs_routes
from tests.live import Live, live_paige
from tests.site.conftest import ROOT
from tests.web.browser import Problems
from tools.site.building import build_site

NOTE_VIOLATIONS = """addEventListener("securitypolicyviolation", (event) => {
  (window.violations ??= []).push(`${event.violatedDirective} ${event.blockedURI}`);
});"""


@pytest.fixture
def client(site: Path) -> TestClient:
    return TestClient(Starlette(routes=docs_routes(site)))


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server that asks for a passcode, with the documentation as it is shipped."""
    if not (SHIPPED / "docs/index.html").exists():  # `make test` builds it; so does this, alone
        build_site(ROOT, SHIPPED / "docs", version="0", app="/")
    with live_paige(tmp_path_factory.mktemp("locked"), PAIGE_PASSCODE="a-long-passcode") as live:
        yield live


def test_the_address_without_a_slash_leads_to_the_home(client: TestClient) -> None:
    answer = client.get("/docs")

    assert answer.url.path == "/docs/"
    assert "<h1" in answer.text


def test_pages_come_packed_and_with_the_policy_of_the_app(client: TestClient) -> None:
    answer = client.get("/docs/search-index.js", headers={"accept-encoding": "gzip"})

    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-security-policy"].startswith("default-src 'self';")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_page_that_does_not_exist_leads_back(client: TestClient) -> None:
    answer = client.get("/docs/how-to/fly.html")

    assert answer.status_code == 404
    assert 'href="/docs/"' in answer.text


@pytest.mark.parametrize(
    "path", ["/docs/../../base/paths.py", "/docs/%2e%2e/%2e%2e/pyproject.toml"]
)
def test_nothing_outside_the_folder_is_sent(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_without_a_build_the_page_says_what_to_do(tmp_path: Path) -> None:
    answer = TestClient(Starlette(routes=docs_routes(tmp_path / "none"))).get("/docs/")

    assert answer.status_code == 404
    assert "make install" in answer.text


def test_nobody_has_to_sign_in_to_read(locked: Live) -> None:
    assert httpx2.get(f"{locked.url}/docs/how-to/put-a-passcode.html").status_code == 200
    assert httpx2.get(f"{locked.url}/api/setup").status_code == 401


@pytest.mark.browser
def test_searching_breaks_no_rule_of_the_content_policy(browser: Browser, locked: Live) -> None:
    problems = Problems()
    with browser.new_context() as context:
        page = context.new_page()
        problems.watch(page)
        page.add_init_script(NOTE_VIOLATIONS)
        page.goto(f"{locked.url}/docs/explanation/architecture.html")
        page.get_by_role("searchbox").fill("passcode")
        expect(page.locator("#found a").first).to_contain_text("Put a passcode on it")
        assert page.evaluate("window.violations ?? []") == []
        page.get_by_role("link", name="Open Paige").click()
        expect(page).to_have_url(f"{locked.url}/")
    assert problems.unexpected() == []


@pytest.mark.browser
def test_help_in_the_app_leads_to_the_page_about_the_door(
    browser: Browser, tmp_path: Path, locked: Live
) -> None:
    with live_paige(tmp_path) as live, browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{live.url}/plan")
        with context.expect_page() as opened:
            page.get_by_role("link", name="Help").click()

        expect(opened.value.get_by_role("heading", level=1)).to_contain_text("Plan a lesson")


def test_every_page_that_help_leads_to_exists(site: Path) -> None:
    source = (ROOT / "web/src/shell/help.ts").read_text(encoding="utf-8")
    named = set(re.findall(r'"([\w/-]+\.html)"', source))

    assert len(named) > 10
    assert [name for name in sorted(named) if not (site / name).is_file()] == []
