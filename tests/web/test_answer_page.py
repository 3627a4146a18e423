"""Answering a worksheet with a code, in a browser, and what the teacher sees of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.live import Live, live_paige
from tests.loops.answering import SHEET, WRONG, Pupil
from tests.plan.planning import WORKSPACE, write_files
from tests.web.axe import Looks, check_page, look, looked_at, looks
from tests.web.browser import Problems
from tests.web.scenes import PASSCODE

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
TEACHER = {"authorization": f"Bearer {PASSCODE}"}


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with a passcode that pupils do not have."""
    folder = tmp_path_factory.mktemp("school")
    files = {**WORKSPACE, "worksheets/loops.md": SHEET}
    workspace = write_files(folder / "workspace", files)
    places = {
        "DATA_DIR": str(folder / "data"),
        "PAIGE_WORKSPACE": str(workspace),
        "AI_MEMORY_PATH": str(folder / "memory" / "events.jsonl"),
    }
    with live_paige(folder, PAIGE_PASSCODE=PASSCODE, **places) as live:
        yield live


@pytest.fixture
def handout(school: Live) -> Any:
    """A fresh handout of the worksheet."""
    body = {"path": "worksheets/loops.md", "classId": "3B", "tokens": 6}
    made = httpx2.post(f"{school.url}/api/plan/handouts", json=body, headers=TEACHER, timeout=60)
    assert made.status_code == 200, made.text
    return made.json()


def test_a_worksheet_is_answered_with_the_keyboard_alone(
    page: Page, school: Live, handout: Any
) -> None:
    page.goto(f"{school.url}/answer/{handout['codes'][0]}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Fixed loops")
    page.get_by_role("radio", name="A) 4 times").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("0")
    page.keyboard.press("Tab")
    page.keyboard.type("for")
    expect(page.get_by_role("status").last).to_contain_text("Saved")
    page.keyboard.press("Enter")

    expect(page.get_by_text("Your answers have arrived.")).to_be_visible()
    stored = Pupil(school.url, handout["codes"][0]).sheet()
    assert stored["answers"] == {"1.1": ["B"], "1.2": ["0"], "1.3": ["for"]}
    assert stored["handedInAt"] is not None


def test_a_draft_is_there_again_after_a_reload(page: Page, school: Live, handout: Any) -> None:
    page.goto(f"{school.url}/answer/{handout['codes'][1]}")
    page.get_by_label("What is the first value").fill("zero")
    expect(page.get_by_role("status").last).to_contain_text("1 of 3 questions answered. Saved")
    page.reload()

    expect(page.get_by_label("What is the first value")).to_have_value("zero")
    expect(page.get_by_role("button", name="Hand in")).to_be_visible()


def test_two_devices_with_one_code_lose_nothing(
    page: Page, problems: Problems, school: Live, handout: Any
) -> None:
    problems.expect(r"\b409\b")
    code = handout["codes"][2]
    page.goto(f"{school.url}/answer/{code}")
    first = page.get_by_label("What is the first value")
    expect(first).to_be_visible()
    assert Pupil(school.url, code).save({"1.2": "one", "1.3": "while"}, 0).status_code == 200

    first.fill("zero")

    expect(page.get_by_role("alert")).to_contain_text("1.2: on the other device it says “one”")
    expect(page.get_by_label("Which word begins")).to_have_value("while")
    expect(page.get_by_role("status").last).to_contain_text("Saved")
    assert Pupil(school.url, code).sheet()["answers"] == {"1.2": ["zero"], "1.3": ["while"]}


def test_a_wrong_code_is_told_and_the_rest_of_paige_stays_shut(
    page: Page, problems: Problems, school: Live
) -> None:
    problems.expect(r"\b404\b")
    page.goto(f"{school.url}/answer/bbb-bbb-bbb")

    expect(page.get_by_role("alert")).to_contain_text("There is no worksheet under this code")
    expect(page.get_by_role("navigation")).to_have_count(0)
    expect(page.get_by_label("Code")).to_be_visible()


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_on_the_page_of_a_code(
    browser: Browser, school: Live, handout: Any, seen: Looks
) -> None:
    code = handout["codes"][3]
    Pupil(school.url, code).save(WRONG, 0)
    with looked_at(browser, seen) as page:
        page.goto(f"{school.url}/answer/{code}")
        expect(page.get_by_text("Your answers have arrived.")).to_be_visible()
        look(page, seen)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_teacher_sees_the_figures_and_keeps_them_for_the_class(
    browser: Browser, school: Live, handout: Any, width: int
) -> None:
    for code in handout["codes"][:5]:
        assert Pupil(school.url, code).save(WRONG, 0).status_code == 200
    size = {"width": width, "height": 800}
    with browser.new_context(viewport=size, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"{school.url}/plan/handouts/{handout['item']['id']}")
        page.get_by_label("Passcode").fill(PASSCODE)
        page.keyboard.press("Enter")
        expect(page.get_by_text("5 of 6 handed in")).to_be_visible()
        table = page.get_by_role("table", name="How many were right")
        expect(table.get_by_role("row").nth(1)).to_contain_text("0 of 5")
        expect(page.get_by_text("5 of them wrote “6 times”")).to_be_visible()
        check_page(page)
        page.get_by_role("button", name="Keep for the class").click()
        expect(page.get_by_text("Kept for the class")).to_be_visible()
        expect(page.get_by_text("5 of 5 got").first).to_be_visible()


def test_a_worksheet_is_handed_out_in_the_web_app(page: Page, school: Live) -> None:
    page.goto(f"{school.url}/plan/handouts")
    page.get_by_label("Passcode").fill(PASSCODE)
    page.keyboard.press("Enter")
    page.get_by_label("Lesson or worksheet").select_option("worksheets/loops.md")
    page.get_by_label("Class").select_option("3B")
    page.get_by_label("Codes").fill("3")
    page.get_by_role("button", name="Hand out").click()

    expect(page.get_by_role("heading", name="Codes to cut and give out")).to_be_visible()
    links = page.get_by_text("/answer/")
    expect(links).to_have_count(3)
    assert Path(links.first.inner_text()).name.count("-") == 2
