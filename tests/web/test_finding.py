"""Search, notices and the keyboard across all doors, in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from paige.agent import queries
from paige.agent.journal import Gate
from paige.base.clock import system_clock
from paige.plan.messages import PlanRunChanged
from paige.store.messages import publish
from tests.live import Live, live_paige
from tests.server import learned_project
from tests.web.axe import Looks, check_scenes, looks
from tests.web.finding_scenes import CHOICE, FINDING_SCENES, connected, fill

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which every door was used."""
    folder = tmp_path_factory.mktemp("finding")
    fill(folder, system_clock())
    return folder


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[Live]:
    """A server of that home."""
    with live_paige(home, PROJECT_DIR=str(home / "my-project")) as live:
        yield live


def bell(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("Waiting for you"))


def test_the_palette_finds_what_is_behind_the_doors_and_enter_opens_the_best(
    page: Page, server: Live
) -> None:
    page.goto(server.url)
    connected(page)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("push pull")
    best = page.get_by_role("option", selected=True)
    expect(best).to_contain_text("Push and pull for 3B")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("/plan[?]session=plan-1"))
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_everything_is_searched_with_the_keyboard_alone(page: Page, server: Live) -> None:
    page.goto(server.url)
    connected(page)
    page.keyboard.press("/")
    expect(page.get_by_label("Search everything")).to_be_focused()
    page.keyboard.type("push")
    for kind in ("Plan sessions", "Lessons", "Coaching sessions", "Memories", "Guards"):
        expect(page.get_by_role("region", name=kind, exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("q=push"))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-hit]:focus")).to_contain_text("Pushing and pulling")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Pushing and pulling").first).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Search everything")).to_have_value("push")
    expect(page.get_by_role("region", name="Lessons")).to_be_visible()


def test_every_hit_leads_to_a_page_that_shows_it(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/search?q=push")
    expect(page.get_by_role("region", name="Traces of agents")).to_be_visible()
    links = page.locator("[data-hit]").evaluate_all(
        "all => all.map((each) => each.getAttribute('href'))"
    )

    assert len(links) >= 7
    for link in links:
        page.goto(f"{server.url}{link}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("heading", name="There is no such page")).to_have_count(0)
        expect(page.get_by_role("main")).to_contain_text(re.compile("push", re.IGNORECASE))


def test_what_waits_is_reached_by_two_keys_and_seen_in_every_window(
    context: BrowserContext, page: Page, server: Live
) -> None:
    other = context.new_page()
    for window in (other, page):
        window.goto(server.url)
        connected(window)
        expect(window).to_have_title("(5) Home · Paige")
    page.bring_to_front()
    page.keyboard.press("g")
    page.keyboard.press("n")
    panel = page.get_by_role("dialog", name="Waiting for you")
    expect(panel.get_by_role("link")).to_have_count(5)
    expect(panel.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("session=plan-1"))
    expect(bell(page)).to_have_accessible_name("Waiting for you: 4 new")
    expect(other).to_have_title("(4) Home · Paige")
    page.reload()
    expect(bell(page)).to_have_accessible_name("Waiting for you: 4 new")
    other.close()


def test_a_question_that_comes_later_rings_the_bell_at_once(
    page: Page, server: Live, home: Path
) -> None:
    page.goto(server.url)
    expect(bell(page)).to_have_accessible_name("Waiting for you: 5 new")
    now = system_clock()
    with learned_project.opened(home, now) as app, app.database.transaction(write=True) as stored:
        gate = Gate("t2/hook/x/y/1", 1, {**CHOICE, "title": "Shall it be saved?"})
        queries.open_gate(stored, app.actor, "run-1", gate, now=now)
        changed = PlanRunChanged(session="plan-1", run="run-1", state="waiting")
        publish(stored, app.actor, changed, now=now)

    try:
        expect(bell(page)).to_have_accessible_name("Waiting for you: 6 new")
        said = page.get_by_role("status").filter(has_text="Shall it be saved?")
        expect(said).to_have_count(1)
    finally:
        with (
            learned_project.opened(home, now) as app,
            app.database.transaction(write=True) as stored,
        ):
            late = queries.gates_of(stored, app.actor, "run-1")[-1]
            queries.answer_gate(stored, app.actor, late, {"picked": {}}, now=now)


def test_two_keys_lead_to_pages_and_the_help_names_them(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/search")
    connected(page)
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(help).to_contain_text("While you search")
    expect(help).to_contain_text("Go to a page")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(page.get_by_text("Go to", exact=True)).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_role("heading", level=1, name="Guard")).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(page.get_by_role("heading", level=1, name="Memory")).to_be_focused()
    expect(page.get_by_label("Search the memory")).to_be_visible()  # the page is fetched late
    page.keyboard.press("/")
    expect(page.get_by_label("Search the memory")).to_be_focused()
    page.keyboard.type("gu")
    expect(page.get_by_label("Search the memory")).to_have_value("gu")


def test_on_a_phone_the_other_pages_are_behind_one_button(page: Page, server: Live) -> None:
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(server.url)
    connected(page)
    more = page.get_by_role("button", name="More")
    more.press("Enter")
    panel = page.get_by_role("dialog", name="More")
    expect(panel.get_by_role("link", name="Memory")).to_be_focused()
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    more.click()
    panel.get_by_role("link", name="Memory").click()
    expect(page.get_by_role("heading", level=1, name="Memory")).to_be_focused()
    expect(panel).to_have_count(0)
    expect(more).to_have_attribute("aria-current", "true")
    more.click()
    panel.get_by_role("button", name="Search").click()
    expect(page.get_by_label("Search everything")).to_be_focused()


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, server: Live, seen: Looks
) -> None:
    check_scenes(browser, server.url, FINDING_SCENES, seen)
