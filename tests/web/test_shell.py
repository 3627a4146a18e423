"""The pages and how one gets around them, with the mouse and with the keyboard alone."""

import re

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from paige.doors.setup.operations import DoorStatus, read_doors
from tests.live import Live
from tests.web.browser import background_of

pytestmark = pytest.mark.browser
DOORS = read_doors()
DESCRIBED = [door for door in DOORS if door.id != "plan"]  # Plan has a page of its own
each_door = pytest.mark.parametrize("door", DESCRIBED, ids=[door.id for door in DESCRIBED])


def test_home_says_what_paige_is_and_what_is_set_up(page: Page, paige: Live) -> None:
    setup = httpx2.get(f"{paige.url}/api/setup").json()
    page.goto(paige.url)

    expect(page).to_have_title("Home · Paige")
    expect(heading(page)).to_have_text("Welcome to Paige")
    expect(page.get_by_text("a teaching companion you run yourself")).to_be_visible()
    facts = page.get_by_role("region", name="Configuration")
    for value in (
        setup["version"],
        setup["project"],
        setup["dataDir"],
        f"{setup['provider']['name']} · Ready",
        f"SQLite · Schema {setup['database']['schema']}",
        setup["database"]["location"],
    ):
        expect(facts.get_by_text(value, exact=True)).to_be_visible()
    # Backticks of the server's sentences become code.
    expect(facts).to_contain_text(setup["provider"]["message"].replace("`", ""))
    checks = page.get_by_role("region", name="Checks")
    assert [name.split("\n")[0] for name in checks.get_by_role("listitem").all_inner_texts()] == [
        check["name"] for check in setup["checks"] if check["status"] != "ok"
    ]
    checks.get_by_role("link", name="All checks").click()
    expect(heading(page)).to_contain_text("Settings")


@each_door
def test_a_click_leads_from_home_through_a_door(page: Page, paige: Live, door: DoorStatus) -> None:
    page.goto(paige.url)
    page.get_by_role("region", name="Four doors").get_by_role("link").filter(
        has_text=door.summary
    ).click()

    expect(page).to_have_url(f"{paige.url}/{door.id}")
    expect_door(page, door)
    expect(heading(page)).to_be_focused()


@each_door
def test_the_address_of_a_door_leads_straight_to_it_and_survives_a_reload(
    page: Page, paige: Live, door: DoorStatus
) -> None:
    page.goto(f"{paige.url}/{door.id}")
    expect_door(page, door)
    page.reload()
    expect_door(page, door)


def test_an_address_with_a_slash_at_the_end_is_the_same_page(page: Page, paige: Live) -> None:
    page.goto(f"{paige.url}/plan/")

    expect(heading(page)).to_have_text("Plan")
    expect(current(page)).to_have_text("Plan")


def test_back_and_forward_go_through_the_pages_that_were_seen(page: Page, paige: Live) -> None:
    page.goto(paige.url)
    sidebar(page).get_by_role("link", name="Study").click()
    sidebar(page).get_by_role("link", name="Guard").click()
    expect(heading(page)).to_have_text("Guard")

    page.go_back()
    expect(heading(page)).to_have_text("Study")
    expect(current(page)).to_have_text("Study")
    page.go_forward()
    expect(heading(page)).to_have_text("Guard")


def test_an_unknown_address_says_so_and_leads_home(page: Page, paige: Live) -> None:
    page.goto(f"{paige.url}/no/such/page")

    expect(heading(page)).to_have_text("There is no such page")
    expect(page.get_by_text("/no/such/page")).to_be_visible()
    expect(current(page)).to_have_count(0)
    page.get_by_role("link", name="Go to Home").click()
    expect(heading(page)).to_have_text("Welcome to Paige")


def test_on_a_phone_the_doors_are_in_a_bar_at_the_bottom(page: Page, paige: Live) -> None:
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(paige.url)
    bar = page.get_by_role("navigation", name="Main")
    bar.get_by_role("link", name="Coach").click()

    expect(heading(page)).to_have_text("Coach")
    box = bar.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] == pytest.approx(812)


def test_the_palette_finds_a_page_with_the_keyboard_alone(page: Page, paige: Live) -> None:
    page.goto(paige.url)
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("stu")
    expect(page.get_by_role("option", selected=True)).to_have_text("Study")
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"{paige.url}/study")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(heading(page)).to_be_focused()


def test_the_palette_says_when_nothing_matches_and_gives_the_focus_back(
    page: Page, paige: Live
) -> None:
    page.goto(paige.url)
    button = page.get_by_role("button", name="Commands")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("no such thing")
    expect(page.get_by_text("No page or command matches.")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()


def test_the_setup_report_goes_to_the_clipboard(page: Page, paige: Live) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(paige.url)
    page.get_by_role("button", name="Copy setup report").click()

    expect(notice(page)).to_contain_text("The setup report is in the clipboard")
    report = page.evaluate("navigator.clipboard.readText()")
    setup = httpx2.get(f"{paige.url}/api/setup").json()
    assert report.startswith(f"Paige {setup['version']}\n")
    assert setup["dataDir"] in report


def test_a_clipboard_that_is_closed_is_explained(page: Page, paige: Live) -> None:
    page.goto(paige.url)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy setup report").click()

    expect(notice(page)).to_contain_text("The report could not be copied")
    expect(notice(page)).to_contain_text("only on https or localhost")


def test_the_question_mark_shows_the_shortcuts_unless_it_is_turned_off(
    page: Page, paige: Live
) -> None:
    page.goto(paige.url)
    help_dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    page.keyboard.press("?")
    expect(help_dialog.get_by_text("Find a page, a command")).to_be_visible()

    tab_to(page, help_dialog.get_by_role("switch", name="Use keys without Ctrl"))
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    expect(help_dialog).to_have_count(0)
    page.keyboard.press("?")
    page.keyboard.press("Control+k")  # it opens: the key before it was handled, and did nothing
    expect(page.get_by_role("combobox")).to_be_focused()
    expect(help_dialog).to_have_count(0)


def test_the_theme_is_remembered_and_is_there_before_the_app(page: Page, paige: Live) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(paige.url)
    light = background_of(page)
    page.get_by_role("button", name="Theme: System").click()
    page.get_by_role("button", name="Theme: Light").click()
    expect(page.get_by_role("button", name="Theme: Dark")).to_be_visible()
    dark = background_of(page)
    assert dark != light

    page.route("**/assets/*.js", lambda route: route.abort("aborted"))  # nothing but theme.js runs
    page.reload()
    assert background_of(page) == dark
    page.unroute_all()
    page.reload()
    expect(page.get_by_role("button", name="Theme: Dark")).to_be_visible()
    assert background_of(page) == dark


def test_without_a_choice_the_theme_follows_the_system(page: Page, paige: Live) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(paige.url)
    light = background_of(page)
    page.emulate_media(color_scheme="dark")
    assert background_of(page) != light


def test_a_whole_path_through_the_app_with_the_keyboard_alone(page: Page, paige: Live) -> None:
    page.goto(paige.url)
    expect(page.get_by_role("region", name="Checks")).to_be_visible()

    # The first stop is the link that skips the navigation.
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()

    # Home asks how to begin; whoever does not want that hears of it no more.
    tab_to(page, page.get_by_role("button", name="Do not ask again"), key="Tab")
    page.keyboard.press("Enter")
    expect(heading(page)).to_be_focused()

    # What follows is the first door, then the copy button after the fourth.
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name=re.compile("^Plan For teachers"))).to_be_focused()
    for _ in DOORS:
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Copy setup report")).to_be_focused()

    # A door, another by the palette, and help, which gives the focus back.
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Guard")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Plan")
    expect(heading(page)).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(heading(page)).to_be_focused()

    # Back through the bar above to the navigation, and home.
    tab_to(page, page.get_by_role("button", name="Theme: System"), key="Shift+Tab")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Theme: Light")).to_be_focused()
    tab_to(page, sidebar(page).get_by_role("link", name="Home"), key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Welcome to Paige")
    expect(heading(page)).to_be_focused()


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def sidebar(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Main")


def current(page: Page) -> Locator:
    return sidebar(page).locator("[aria-current=page]")


def notice(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Notices")).get_by_role("listitem")


def expect_door(page: Page, door: DoorStatus) -> None:
    expect(page).to_have_title(f"{door.title} · Paige")
    expect(heading(page)).to_have_text(door.title)
    expect(current(page)).to_have_text(door.title)
    expect(page.locator("main")).to_be_visible()


def tab_to(page: Page, goal: Locator, *, key: str = "Tab", most: int = 30) -> None:
    """Press a key until the focus is on `goal`."""
    for _ in range(most):
        page.keyboard.press(key)
        if goal.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{most} times {key} do not lead to {goal}")
