"""What a page says when the server goes, comes back, or answers badly."""

import re
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.doors.frame.http import error_response
from paige.doors.frame.web.messages import ConnectionError
from paige.store.engine import open_sqlite
from paige.store.messages import publish
from tests.conftest import NOON
from tests.live import Live, live_paige
from tests.web.browser import Problems, wake

pytestmark = pytest.mark.browser
# A server that goes may also cut what it was sending.
GONE = "net::ERR_(CONNECTION_REFUSED|EMPTY_RESPONSE|CONNECTION_RESET|CONTENT_LENGTH_MISMATCH)"


def test_a_lost_server_is_named_and_found_again_without_a_reload(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(GONE)
    with live_paige(tmp_path) as paige:
        page.goto(f"{paige.url}/study", wait_until="networkidle")
        expect(state(page)).to_contain_text("Connected")
        page.evaluate("window.sameDocument = true")
        paige.stop()
        expect(state(page)).to_contain_text(re.compile(r"Retrying in \d+ s|Connecting"))
        expect(page.get_by_role("status").first).to_have_text(
            "Connection lost. Paige keeps trying."
        )
    with live_paige(tmp_path, PORT=str(paige.port)):
        expect(page.get_by_role("status").first).to_have_text("Connected")
        expect(state(page)).not_to_contain_text("Retrying")
        assert page.evaluate("window.sameDocument") is True


def test_events_are_shown_as_they_come_and_those_missed_while_away_are_replayed_once(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(GONE)
    with live_paige(tmp_path) as paige:
        page.goto(paige.url)
        expect(state(page)).to_contain_text("Connected")
        tell(tmp_path, "Written while the page listens")
        expect(notices(page)).to_contain_text(["Written while the page listens"])
        dismiss(notices(page))
        paige.stop()
        expect(page.get_by_role("status").first).to_have_text(
            "Connection lost. Paige keeps trying."
        )
    tell(tmp_path, "First while away")
    tell(tmp_path, "Second while away")
    with live_paige(tmp_path, PORT=str(paige.port)):
        wake(page)
        tell(tmp_path, "After the restart")
        expect(notices(page)).to_contain_text(
            ["First while away", "Second while away", "After the restart"]
        )


def test_a_killed_server_is_noticed_too(page: Page, problems: Problems, tmp_path: Path) -> None:
    problems.expect(GONE)
    with live_paige(tmp_path) as paige:
        page.goto(paige.url, wait_until="networkidle")
        expect(state(page)).to_contain_text("Connected")
    expect(page.get_by_role("status").first).to_have_text("Connection lost. Paige keeps trying.")


def test_a_page_whose_server_goes_before_it_asks_says_what_to_do_and_retries(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(GONE, "handshake")
    with live_paige(tmp_path) as paige:

        def stop_first(route: Route) -> None:
            paige.stop()
            route.continue_()

        page.route("**/api/session", stop_first, times=1)
        page.goto(f"{paige.url}/study")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("Paige does not answer")
        expect(alert).to_contain_text("Start it with paige up")
    with live_paige(tmp_path, PORT=str(paige.port)):
        wake(page)
        expect(page.get_by_role("heading", level=1)).to_have_text("Study")
        expect(state(page)).to_contain_text("Connected")


def test_a_setup_that_cannot_be_read_says_why_and_what_to_do_and_retries(
    page: Page, problems: Problems, paige: Live
) -> None:
    problems.expect("/api/setup")
    answer = error_response(Unavailable("The database is locked", hint="Stop `the other` Paige."))
    page.route(
        "**/api/setup",
        lambda route: route.fulfill(
            status=answer.status_code, body=bytes(answer.body), content_type="application/json"
        ),
    )
    page.goto(paige.url)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The setup could not be read")
    expect(alert).to_contain_text("The database is locked")
    expect(alert).to_contain_text("Stop the other Paige.")

    # The app asks again by itself when the socket opens; that must be over first.
    expect(page.get_by_text("Connected", exact=True)).to_be_visible()
    expect(alert).to_be_visible()
    page.unroute_all()
    alert.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("region", name="Configuration")).to_be_visible()
    expect(alert).to_have_count(0)


def test_what_was_read_stays_when_it_cannot_be_read_again(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(GONE)
    with live_paige(tmp_path) as paige:
        page.goto(paige.url, wait_until="networkidle")
        facts = page.get_by_role("region", name="Configuration")
        expect(facts).to_contain_text(str(tmp_path))
        expect(state(page)).to_contain_text("Connected")
        paige.stop()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("reload")
    page.keyboard.press("Enter")

    expect(notices(page)).to_contain_text(["What you see may be out of date"])
    expect(notices(page)).to_contain_text(["Start it with paige up"])
    expect(facts).to_contain_text(str(tmp_path))


def test_a_dialog_that_cannot_be_fetched_is_explained_and_the_page_stays(
    page: Page, problems: Problems, paige: Live
) -> None:
    problems.expect("/assets/palette-")
    page.route("**/assets/palette-*", lambda route: route.abort("connectionrefused"))
    page.goto(paige.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")

    expect(notices(page)).to_contain_text(["The dialog could not be opened"])
    expect(notices(page)).to_contain_text(["Reload the page"])
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def tell(home: Path, message: str) -> None:
    """Store an event as another process of this installation would."""
    with (
        closing(open_sqlite(home / ".paige" / "paige.db")) as database,
        database.transaction(write=True) as connection,
    ):
        publish(connection, Actor(), ConnectionError(code="TEST", message=message), now=NOON)


def state(page: Page) -> Locator:
    """The words in the bar above the page."""
    return page.get_by_role("banner").get_by_role("paragraph")


def notices(page: Page) -> Locator:
    return page.get_by_role("region", name=re.compile("^Notices")).get_by_role("listitem")


def dismiss(notice: Locator) -> None:
    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_have_count(0)
