"""Everything the app shows, in both themes and widths, read by axe; and its content policy."""

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import Live
from tests.web.axe import NOTE_VIOLATIONS, Looks, check_scenes, findings, looks
from tests.web.browser import Problems, until
from tests.web.scenes import SCENES, WIDTHS

pytestmark = pytest.mark.browser
WHAT_HAS_THE_FOCUS = """() => {
  const element = document.activeElement;
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const at = (y) => element.contains(document.elementFromPoint((left + right) / 2, y));
  return [element.textContent, element !== document.body && !(at(top + 3) && at(bottom - 3))];
}"""


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, paige: Live, locked: Live, seen: Looks
) -> None:
    check_scenes(browser, paige.url, [each for each in SCENES if not each.passcode], seen)
    check_scenes(browser, locked.url, [each for each in SCENES if each.passcode], seen)


def test_axe_would_find_something_serious(page: Page, paige: Live) -> None:
    page.goto(paige.url)
    heading = page.get_by_role("heading", name="Welcome to Paige")
    heading.evaluate("h1 => { h1.innerHTML += '<img src=/favicon.svg>' }")

    (finding,) = findings(page)
    assert finding.startswith('image-alt: <img src="/favicon.svg">')


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_no_bar_covers_what_has_the_focus(page: Page, paige: Live, width: int, key: str) -> None:
    page.set_viewport_size({"width": width, "height": 500})
    page.goto(paige.url)
    expect(page.get_by_role("button", name="Copy setup report")).to_be_visible()
    expect(page.get_by_role("heading", name="How would you like to begin?")).to_be_visible()
    reached: list[str] = []
    while "Copy setup report" not in reached or len(reached) < 5:
        assert len(reached) < 30
        page.keyboard.press(key)
        name, covered = page.evaluate(WHAT_HAS_THE_FOCUS)
        assert not covered, name
        reached.append(name)


@pytest.mark.parametrize("path", ["/", "/plan", "/no/such/page", "/theme.js"])
def test_every_page_and_file_comes_with_the_content_policy(paige: Live, path: str) -> None:
    policy = httpx2.get(f"{paige.url}{path}").headers["content-security-policy"]

    assert policy.startswith("default-src 'self';")
    assert "frame-ancestors 'none'" in policy
    assert "script-src" not in policy  # so that scripts come from this server only, none inline


def test_a_script_that_slips_into_the_page_does_not_run(
    page: Page, problems: Problems, paige: Live
) -> None:
    problems.expect("Content Security Policy")
    page.add_init_script(NOTE_VIOLATIONS)
    page.goto(paige.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.slippedIn = true";
      document.body.append(script);
    }""")

    until(page, "window.violations?.length === 1")
    assert page.evaluate("window.slippedIn") is None
