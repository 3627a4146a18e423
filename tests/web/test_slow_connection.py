"""On a line like that of a phone in the countryside: the frame shows early, and nothing breaks."""

import pytest
from playwright.sync_api import Page, expect

from tests.live import Live
from tests.web.browser import until

pytestmark = pytest.mark.browser
# Slow 3G as browsers' own tools name it, with half the wait.
SLOW = {
    "offline": False,
    "latency": 200,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}
TIMES = """() => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  const [page] = performance.getEntriesByType("navigation");
  const files = performance.getEntriesByType("resource");
  const app = files.find(({ name }) => name.includes("/start-"));
  const share = app.encodedBodySize / app.decodedBodySize;
  return [page.responseEnd, paint.startTime, app.responseEnd, share];
}"""


@pytest.mark.soak
def test_the_frame_is_there_long_before_the_app_and_the_app_works(page: Page, paige: Live) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    page.goto(paige.url, wait_until="commit")
    until(page, "performance.getEntriesByName('first-contentful-paint').length === 1")
    # Nothing of the app is there yet, but a page is.
    assert page.locator(".first-frame").count() == 1
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome to Paige")
    expect(page.locator(".first-frame")).to_have_count(0)
    arrived, painted, started, share = page.evaluate(TIMES)

    assert painted < arrived + (started - arrived) / 2
    assert share < 0.5  # it came compressed

    # A part that is fetched late says that it is on the way, and comes.
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Guard").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Guard")
    expect(page.get_by_text("No coding agent is guarded yet.")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Connected")
