"""People with accounts, each in a browser of their own."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.live import Live, live_paige
from tests.web.account_scenes import (
    ACCOUNT_SCENES,
    PASSWORD,
    add_admin,
    add_person,
    fill,
    sign_in,
)
from tests.web.axe import Looks, check_page, check_scenes, looks
from tests.web.browser import Problems
from tests.web.conftest import WAIT_MS

pytestmark = pytest.mark.browser


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Live]:
    """A server with one admin, made as somebody makes the first account."""
    with live_paige(tmp_path, PAIGE_ACCOUNTS="on") as live:
        add_admin(tmp_path)
        yield live


@contextmanager
def another(browser: Browser, problems: Problems) -> Iterator[Page]:
    """A browser of somebody else."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as fresh:
        fresh.set_default_timeout(WAIT_MS)
        tab = fresh.new_page()
        problems.watch(tab)
        yield tab


def test_an_admin_lets_a_teacher_in_and_out_again(
    page: Page, browser: Browser, problems: Problems, school: Live
) -> None:
    problems.expect(r"\b401\b", r"\b403\b")
    page.goto(school.url)
    expect(page).to_have_title("Sign in · Paige")
    expect(page.get_by_label("Name or e-mail")).to_be_focused()
    sign_in(page, "root", "not the password")
    expect(page.get_by_role("alert")).to_contain_text("The name or the password is wrong")
    sign_in(page, "root", PASSWORD)
    expect(heading(page)).to_have_text("Welcome to Paige")

    page.get_by_role("link", name="root").click()
    page.get_by_role("link", name="People").click()
    page.get_by_label("Id", exact=True).fill("ada")
    page.get_by_label("Name (may be left out)").fill("Ada Lovelace")
    page.get_by_role("checkbox", name="Teacher: plans lessons").check()
    page.get_by_role("checkbox", name="Learner: studies").uncheck()
    page.get_by_role("button", name="Add the person").click()
    password = page.get_by_role("alert").locator("code").inner_text()
    expect(page.get_by_role("row", name="Ada Lovelace")).to_be_visible()

    with another(browser, problems) as hers:
        hers.goto(f"{school.url}/you")
        sign_in(hers, "ada", password)
        expect(hers.get_by_text("This browser")).to_be_visible()
        expect(hers.get_by_role("link", name="People")).to_have_count(0)
        expect(hers.get_by_role("link", name="Guard")).to_have_count(0)
        expect(hers.get_by_role("link", name="Plan")).to_be_visible()
        assert hers.evaluate("fetch('/api/people').then(answer => answer.status)") == 403
        (cookie,) = hers.context.cookies()
        assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Lax")

        with another(browser, problems) as elsewhere:
            elsewhere.goto(f"{school.url}/you")
            sign_in(elsewhere, "ada", password)
            expect(elsewhere.get_by_text("This browser")).to_be_visible()
            elsewhere.get_by_role("button", name="Sign out Mozilla").click()
            # Not the advice that other browsers are signed out.
            expect(elsewhere.get_by_text(re.compile(r"^Signed out"))).to_be_visible()
        hers.reload()
        expect(hers.get_by_label("Name or e-mail")).to_be_focused()

    page.get_by_role("link", name="Audit log").click()
    expect(page.get_by_role("row", name="person.add").first).to_be_visible()
    expect(page.get_by_role("row", name="sign_in.revoke").first).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Name or e-mail")).to_be_focused()


def test_an_admin_limits_what_a_person_spends_and_takes_it_away(
    page: Page, problems: Problems, school: Live, tmp_path: Path
) -> None:
    problems.expect(r"\b400\b")
    add_person(tmp_path, "ada", "learner")
    page.goto(f"{school.url}/you/people")
    sign_in(page, "root", PASSWORD)
    spending = page.get_by_role("region", name="Spending")
    expect(spending.get_by_text("Nothing is limited")).to_be_visible()

    spending.get_by_label("Whom").select_option("ada")
    day, month = (spending.get_by_label(f"US dollars a {each}") for each in ("day", "month"))
    for wrong in ("-1", "much"):
        day.fill(wrong)
        with page.expect_response(lambda answer: answer.request.method == "PUT"):
            day.press("Enter")
        expect(spending.get_by_role("button", name="Save the limit")).to_be_enabled()
        expect(day).to_have_attribute("aria-invalid", "true")
        expect(day).to_have_accessible_description(re.compile("US dollars as a number, 0 or more"))
        expect(month).not_to_have_attribute("aria-invalid", "true")
    check_page(page, "a refused limit")
    day.fill("2.5")
    day.press("Enter")
    expect(page.get_by_text("The limit is set: ada.", exact=True)).to_be_visible()
    page.reload()
    row = spending.get_by_role("row", name="ada")
    expect(row).to_contain_text("$0.00 of $2.50")
    expect(row).to_contain_text("no limit")

    row.get_by_role("button", name="Change the limit: ada").press("Enter")
    expect(day).to_be_focused()
    expect(day).to_have_value("2.5")
    row.get_by_role("button", name="Take away the limit: ada").press("Enter")
    expect(spending.get_by_text("Nothing is limited")).to_be_visible()
    expect(spending.get_by_role("group", name="Limits on spending")).to_be_focused()
    expect(day).to_have_value("")


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, tmp_path: Path, seen: Looks
) -> None:
    with live_paige(tmp_path, PAIGE_ACCOUNTS="on") as live:
        fill(tmp_path)
        check_scenes(browser, live.url, ACCOUNT_SCENES, seen)


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)
