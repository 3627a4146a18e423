"""Settings, first run and tour in a browser, as somebody meets them who has just come."""

import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.fakes.served_model import ServedModel, served_model, spoken
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import Live, live_paige
from tests.web.axe import Looks, check_scenes, looks
from tests.web.browser import Problems
from tests.web.scenes import PASSCODE
from tests.web.settings_scenes import SETTINGS_SCENES

pytestmark = pytest.mark.browser
KEY = "sk-ant-the-right-key-of-a-person-wXyZ"
# While Paige starts again nobody answers, and a new passcode ends the session.
STARTING = (
    r"lost: /",
    r"WebSocket connection",
    r"\b401\b",
    r"ERR_CONNECTION|ERR_EMPTY",
    r"fetching the script",
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The home of somebody new, with a project in it."""
    (tmp_path / "project").mkdir()
    return tmp_path


@pytest.fixture
def fresh(home: Path) -> Iterator[Live]:
    """Paige, started for the first time."""
    with live_paige(home, PROJECT_DIR=str(home / "project")) as live:
        yield live


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model that knows one key."""
    with served_model() as served:
        served.answers_with(
            lambda request: (
                spoken(request, "ready")
                if request.headers.get("authorization") == f"Bearer {KEY}"
                else ANTHROPIC.error(401, "authentication_error", "invalid key")
            )
        )
        yield served


def test_somebody_new_enters_a_key_with_the_keyboard_alone(
    page: Page, problems: Problems, fresh: Live, model: ServedModel, home: Path
) -> None:
    problems.expect(*STARTING)
    page.goto(fresh.url)
    expect(page.get_by_role("heading", name="How would you like to begin?")).to_be_visible()
    press_tab_to(page, page.get_by_role("link", name="Enter a key"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio", name="Decide by the keys")).to_be_checked()
    press_tab_to(page, page.get_by_role("radio", name="Decide by the keys"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Anthropic", exact=True)).to_be_checked()
    field = page.get_by_label("Key for Anthropic")
    press_tab_to(page, field)
    page.keyboard.type("sk-ant-a-wrong-key-of-a-person")
    press_tab_to(page, page.get_by_text("Another address"))
    page.keyboard.press("Enter")
    press_tab_to(page, page.get_by_label("Address"))
    page.keyboard.type(model.url)
    press_tab_to(page, page.get_by_role("button", name="Check", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_text("The key is not accepted")).to_be_visible()

    press_tab_to(page, field, "Shift+Tab")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(KEY)
    press_tab_to(page, page.get_by_role("button", name="Check", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_text("It works", exact=True)).to_be_visible()
    page.keyboard.press("Tab")
    press_tab_to(page, page.get_by_role("button", name="Save", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Paige still runs with the settings from before")).to_be_visible()
    file = home / ".config" / "ai" / "paige.toml"
    assert tomllib.loads(file.read_text()) == {
        "provider": "anthropic",
        "anthropic_api_key": KEY,
        "base_url": model.url,
    }
    assert stat.S_IMODE(file.stat().st_mode) == 0o600

    press_tab_to(page, page.get_by_role("button", name="Start Paige again"), "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Paige runs with the new settings").first).to_be_visible()
    expect(page.get_by_text("Paige still runs with the settings from before")).to_have_count(0)
    assert httpx2.get(f"{fresh.url}/api/setup").json()["provider"]["name"] == "anthropic"
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    expect(field).to_have_attribute("placeholder", "••••wXyZ")
    page.goto(fresh.url)
    expect(page.get_by_text("anthropic · Ready")).to_be_visible()
    expect(page.get_by_text("How would you like to begin?")).to_have_count(0)
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    code, output = fresh.stop()
    assert code == 0
    assert KEY not in output


def test_somebody_looks_around_takes_the_tour_and_removes_the_sample(
    page: Page, problems: Problems, fresh: Live, home: Path
) -> None:
    problems.expect(*STARTING)
    page.goto(fresh.url)
    press_tab_to(page, page.get_by_role("button", name="Use the sample"))
    page.keyboard.press("Enter")
    card = page.get_by_role("complementary")
    for step, door in enumerate(("Plan", "Study", "Coach", "Guard"), 1):
        expect(card).to_contain_text(f"step {step} of 5")
        expect(page.get_by_role("heading", level=1)).to_have_text(door)
        expect(card.get_by_role("button", name="Next")).to_be_focused()
        if door == "Coach":
            page.reload()  # nothing is lost, and the page may be left
            expect(card).to_contain_text("step 3 of 5")
            page.get_by_role("link", name="Memory").first.click()
            expect(page.get_by_role("heading", level=1)).to_have_text("Memory")
            # A page that a link leads to takes the focus itself; only then it is free to go.
            expect(page.get_by_role("heading", level=1)).to_be_focused()
            card.get_by_role("button", name="Next").focus()
        page.keyboard.press("Enter")
    expect(card).to_contain_text("step 5 of 5")
    expect(page.get_by_role("complementary").locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    sample = home / ".paige" / "sample" / "project"
    assert httpx2.get(f"{fresh.url}/api/setup").json()["project"] == str(sample)

    page.goto(f"{fresh.url}/settings/data")
    page.get_by_role("button", name="Run with my own project").click()
    page.get_by_role("button", name="Remove the sample…").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("The sample is gone").first).to_be_visible()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    assert httpx2.get(f"{fresh.url}/api/setup").json()["project"] == str(home / "project")
    assert not sample.exists()
    assert list((home / ".paige" / "workspace" / "classes").iterdir()) == []
    expect(page.get_by_role("button", name="Start the tour")).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Commands")).to_be_focused()
    page.keyboard.type("start the tour")
    page.keyboard.press("Enter")
    expect(card).to_contain_text("step 1 of 5")
    expect(card.get_by_role("button", name="Next")).to_be_focused()
    card.get_by_role("button", name="End the tour").click()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Plan")
    expect(card).to_have_count(0)


def test_a_passcode_is_set_changed_and_removed(
    page: Page, problems: Problems, fresh: Live, home: Path
) -> None:
    problems.expect(*STARTING, r"\b403\b")
    page.goto(f"{fresh.url}/settings/passcode")
    page.get_by_label("New passcode", exact=True).fill(PASSCODE)
    page.get_by_label("New passcode once more").fill(PASSCODE)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Start Paige again").click()
    page.get_by_role("textbox", name="Passcode", exact=True).fill(PASSCODE)
    page.keyboard.press("Enter")
    expect(page.get_by_text("A passcode is asked for")).to_be_visible()

    page.get_by_label("Old passcode").fill("guess")
    page.get_by_label("New passcode", exact=True).fill("another-good-one")
    page.get_by_label("New passcode once more").fill("another-good-one")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The old passcode is wrong")
    page.get_by_label("Old passcode").fill(PASSCODE)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Start Paige again").click()
    page.get_by_role("textbox", name="Passcode", exact=True).fill("another-good-one")
    page.keyboard.press("Enter")

    page.get_by_role("button", name="Remove the passcode…").click()
    page.get_by_label("Old passcode").last.fill("another-good-one")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Start Paige again").click()
    expect(page.get_by_text("No passcode is asked for")).to_be_visible()
    assert "passcode" not in (home / ".config" / "ai" / "paige.toml").read_text()


def test_what_the_environment_says_is_locked_and_what_is_broken_is_checked_again(
    page: Page, tmp_path: Path
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    with live_paige(tmp_path, ANTHROPIC_API_KEY=KEY, PAIGE_NONSENSE="1") as live:
        page.goto(f"{live.url}/settings")
        page.get_by_role("radio", name="Anthropic", exact=True).check()
        expect(page.get_by_text("Set by the variable ANTHROPIC_API_KEY.")).to_be_visible()
        expect(page.get_by_text("••••wXyZ", exact=True)).to_be_visible()
        assert KEY not in page.content()
        page.get_by_role("link", name="Checks").click()
        rows = page.get_by_role("region", name="Checks").get_by_role("listitem")
        checks = httpx2.get(f"{live.url}/api/setup").json()["checks"]
        expect(rows).to_have_count(len(checks))
        expect(rows.filter(has_text="PAIGE_NONSENSE")).to_contain_text("What to do:")
        page.get_by_role("button", name="Run the checks again").click()
        expect(page.get_by_text("The checks were run again").first).to_be_visible()
        page.get_by_role("button", name="Copy setup report").click()
        expect(page.get_by_text("The setup report is in the clipboard").first).to_be_visible()
        report = page.evaluate("navigator.clipboard.readText()")
        assert all(check["name"] in report for check in checks)


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, paige: Live, seen: Looks
) -> None:
    check_scenes(browser, paige.url, SETTINGS_SCENES, seen)


def press_tab_to(page: Page, target: Locator, key: str = "Tab") -> None:
    """Reach something as the keyboard does."""
    expect(target).to_be_visible()
    for _ in range(60):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{target} cannot be reached with {key}")
