"""A server with a passcode, seen from a browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.live import Live, live_paige
from tests.web.browser import Problems, wake
from tests.web.scenes import PASSCODE

pytestmark = pytest.mark.browser
REFUSED = r"\b401\b"


def test_before_the_passcode_nothing_else_is_shown(page: Page, locked: Live) -> None:
    page.goto(f"{locked.url}/plan")

    expect(page).to_have_title("Sign in · Paige")
    expect(field(page)).to_be_focused()
    expect(page.get_by_role("navigation")).to_have_count(0)
    assert page.evaluate("fetch('/api/session').then(answer => answer.json())") == {
        "required": True,
        "signedIn": False,
        "csrf": None,
        "demo": False,
    }


def test_a_wrong_passcode_is_explained_and_the_right_one_opens_the_page_that_was_asked_for(
    page: Page, problems: Problems, locked: Live
) -> None:
    problems.expect(REFUSED)
    page.goto(f"{locked.url}/study")
    field(page).fill("guess")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The passcode is wrong")
    expect(page.get_by_role("alert")).to_contain_text("PAIGE_PASSCODE")
    expect(field(page)).to_have_attribute("aria-invalid", "true")
    expect(field(page)).to_be_focused()

    page.keyboard.type(PASSCODE)  # the wrong one is selected, so typing replaces it
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("Study")
    expect(heading(page)).to_be_focused()
    expect(page.get_by_role("banner")).to_contain_text("Connected")


def test_a_session_outlives_a_reload_and_ends_with_signing_out(
    page: Page, problems: Problems, locked: Live
) -> None:
    sign_in(page, locked.url)
    page.reload()
    expect(heading(page)).to_have_text("Welcome to Paige")
    expect(page.get_by_role("banner")).to_contain_text("Connected")

    page.get_by_role("button", name="Sign out").click()
    expect(field(page)).to_be_focused()
    problems.expect(REFUSED)
    assert page.evaluate("fetch('/api/setup').then(answer => answer.status)") == 401
    page.reload()
    expect(field(page)).to_be_visible()


def test_the_palette_signs_out_too(page: Page, locked: Live) -> None:
    sign_in(page, locked.url)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("sign out")
    page.keyboard.press("Enter")

    expect(field(page)).to_be_focused()


def test_the_cookie_cannot_be_read_by_scripts_or_sent_by_other_sites(
    page: Page, locked: Live
) -> None:
    sign_in(page, locked.url)
    (cookie,) = page.context.cookies()

    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Strict")
    assert page.evaluate("document.cookie") == ""


def test_a_change_with_the_cookie_alone_is_refused(
    page: Page, problems: Problems, locked: Live
) -> None:
    problems.expect(r"\b403\b")
    sign_in(page, locked.url)
    # `/mcp` takes changes; `/api/session` is open, for one signs in there.
    ask = "fetch('/mcp', { method: 'POST' }).then(answer => answer.json())"

    assert re.search("x-paige-csrf", page.evaluate(ask)["error"]["message"])


def test_another_passcode_ends_every_session(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(REFUSED, "net::ERR_", "WebSocket")
    with live_paige(tmp_path, PAIGE_PASSCODE=PASSCODE) as paige:
        sign_in(page, paige.url)
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        expect(page.get_by_role("heading", name="What is set up")).to_be_visible()
        paige.stop()
    with live_paige(tmp_path, PAIGE_PASSCODE="another", PORT=str(paige.port)):
        wake(page)
        expect(field(page)).to_be_focused()  # without a reload: the socket was closed with 4401


def sign_in(page: Page, url: str) -> None:
    page.goto(url)
    field(page).fill(PASSCODE)
    page.get_by_role("button", name="Sign in").click()
    expect(heading(page)).to_have_text("Welcome to Paige")


def field(page: Page) -> Locator:
    return page.get_by_label("Passcode")


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)
