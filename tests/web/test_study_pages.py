"""The pages of Study besides the session, in a real browser: plots, map, courses, settings."""

import re
import shutil
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from paige.base.clock import system_clock
from tests.live import Live, live_paige
from tests.web.axe import Looks, check_scenes, looks
from tests.web.browser import Problems, is_wider_than_the_window
from tests.web.scenes import WIDTHS
from tests.web.study_scenes import (
    COURSE,
    OWN,
    STUDY_SCENES,
    TITLE,
    begin,
    damage,
    prepare,
    teaching_of,
)
from tests.web.test_shell import tab_to

pytestmark = pytest.mark.browser
SIZES = {**WIDTHS, 320: 640, 820: 900}
CARDS = "front,back\r\nbread,roti\r\nwater,air\r\nrice,nasi\r\n"
# How many points of lines lie on a concept.
POINTS_ON_CONCEPTS = """group => {
  const boxes = [...group.querySelectorAll("button")].map((one) => one.getBoundingClientRect());
  const svg = group.querySelector("svg").getBoundingClientRect();
  const isInside = ({ x, y }, { left, right, top, bottom }) =>
    x > left + 2 && x < right - 2 && y > top + 2 && y < bottom - 2;
  const parts = Array.from({ length: 60 }, (_, part) => part / 59);
  return [...group.querySelector("svg").querySelectorAll("path")]
    .flatMap((path) => parts.map((part) => path.getPointAtLength(path.getTotalLength() * part)))
    .map(({ x, y }) => ({ x: x + svg.left, y: y + svg.top }))
    .filter((point) => boxes.some((box) => isInside(point, box))).length;
}"""
RECALL = "Share remembered on the days to come without any review, point by point"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home whose files a test may change."""
    return tmp_path


@pytest.fixture(scope="module")
def two_months(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two months of studying, to copy: they are written in hundreds of safe steps."""
    folder = tmp_path_factory.mktemp("months")
    prepare(folder, system_clock())
    return folder


@pytest.fixture
def server(home: Path, two_months: Path) -> Iterator[Live]:
    """A server in it."""
    shutil.copytree(two_months, home, dirs_exist_ok=True)
    with live_paige(home) as live:
        yield live


@pytest.fixture(scope="module")
def studied(two_months: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with two months of studying, for tests that only look."""
    folder = tmp_path_factory.mktemp("studied")
    shutil.copytree(two_months, folder, dirs_exist_ok=True)
    with live_paige(folder) as live:
        begin(live)
        yield live


# --- Plots ----------------------------------------------------------------------------------------


def test_a_plot_is_read_point_by_point_with_the_keyboard_alone(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/{COURSE}/progress")
    points = page.get_by_role("slider", name=RECALL)
    expect(points).to_be_visible()
    points.focus()
    today = points.get_attribute("aria-valuetext") or ""
    page.keyboard.press("End")
    last = points.get_attribute("aria-valuetext") or ""

    assert _share(last) < _share(today)
    expect(page.get_by_text(last, exact=True)).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_text(last, exact=True)).to_have_count(0)


def test_a_point_is_read_out_where_the_pointer_is(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/{COURSE}/progress")
    points = page.get_by_role("slider", name=RECALL)
    box = points.bounding_box()
    assert box is not None
    points.hover(position={"x": box["width"] - 10, "y": 60})

    expect(points).to_have_attribute("aria-valuenow", "31")


def test_every_number_of_a_plot_is_in_the_table_behind_it(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/{COURSE}/progress")
    section = page.get_by_role("region", name="Reviews to come")
    section.get_by_text("As a table").click()

    expect(section.get_by_role("row")).to_have_count(31)


def test_the_calendar_shows_minutes_as_well_and_keeps_its_place(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/{COURSE}/progress")
    section = page.get_by_role("region", name="Your days")
    days = section.get_by_role("slider")
    expect(days).to_have_attribute("aria-label", "Exercises by day, point by point")
    before = _height(section)
    section.get_by_text("Minutes", exact=True).click()

    expect(days).to_have_attribute("aria-label", "Minutes by day, point by point")
    assert _height(section) == before


def test_the_exam_stands_on_the_plots(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/{COURSE}/progress")

    expect(page.locator("svg text", has_text="Exam")).to_have_count(2)


# --- The map --------------------------------------------------------------------------------------


def test_the_map_is_walked_along_its_lines_with_arrow_keys(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/{COURSE}")
    concepts = page.get_by_role("group", name="Concepts by what they need")
    tab_to(page, concepts.get_by_role("button").first)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    chosen = concepts.locator("[aria-pressed=true]")
    expect(chosen).to_be_focused()
    detail = page.get_by_role("complementary", name="One concept")
    title = detail.get_by_role("heading").inner_text()
    expect(chosen).to_contain_text(title)
    detail.get_by_role("button").first.click()
    expect(detail.get_by_role("heading")).not_to_have_text(title)


def test_lines_of_the_map_pass_no_concept(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/python-algorithms")
    concepts = page.get_by_role("group", name="Concepts by what they need")
    expect(concepts.get_by_role("button")).to_have_count(17)
    covered = concepts.evaluate(POINTS_ON_CONCEPTS)

    assert covered == 0


def test_on_a_phone_the_map_is_a_list_that_opens_in_place(page: Page, studied: Live) -> None:
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{studied.url}/study/{COURSE}")
    family = page.get_by_role("button", name="Family").first
    family.click()

    expect(family).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("complementary", name="One concept")).to_have_count(0)
    expect(
        page.get_by_text("Often mixed up with").or_(page.get_by_text("Can be asked"))
    ).to_be_visible()
    assert not is_wider_than_the_window(page)


def test_problems_of_a_course_name_file_line_and_fix(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/{OWN}")
    found = page.get_by_role("region", name=re.compile("problems? in files"))

    expect(found).to_contain_text(f"courses/{OWN}/concepts.json line 3")
    expect(found).to_contain_text("gone")
    expect(found).to_contain_text("Change the prerequisites.")


# --- Courses --------------------------------------------------------------------------------------


def test_a_table_of_cards_becomes_a_course(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/study/courses")
    _choose(page, "kitchen.csv", CARDS.encode())
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("3 items added.")).to_be_visible()
    page.get_by_role("link", name="Look at the course").click()

    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("group", name="Concepts by what they need")).to_be_visible()


def test_a_file_that_cannot_be_read_is_told_why_and_the_next_one_works(
    page: Page, problems: Problems, server: Live
) -> None:
    problems.expect("400", "import")
    page.goto(f"{server.url}/study/courses")
    _choose(page, "broken.apkg", b"no deck at all")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("apkg")
    _choose(page, "kitchen.csv", CARDS.encode())
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Import").click()

    expect(page.get_by_text("3 items added.")).to_be_visible()


def test_a_zip_that_is_no_track_is_told_so(page: Page, problems: Problems, server: Live) -> None:
    problems.expect("40\\d", "import")
    page.goto(f"{server.url}/study/courses")
    _choose(page, "photos.zip", _zip({"photos/one.txt": "nothing"}))
    page.get_by_role("button", name="Import").click()

    expect(page.get_by_role("alert")).to_be_visible()


def test_a_course_is_begun_from_a_template(page: Page, home: Path, server: Live) -> None:
    page.goto(f"{server.url}/study/courses")
    page.get_by_label("A language").check()
    page.get_by_label("Name of the folder").fill("esperanto")
    page.get_by_label("Title").fill("Esperanto for two")
    page.get_by_role("button", name="Make the course").click()

    expect(page.get_by_role("heading", level=1, name="Esperanto for two")).to_be_visible()
    assert (teaching_of(home) / "courses" / "esperanto" / "concepts.json").exists()


def test_a_course_is_taken_along_as_a_table(page: Page, studied: Live) -> None:
    page.goto(f"{studied.url}/study/{COURSE}")
    page.get_by_role("button", name="Take it along").click()
    with page.expect_download() as coming:
        page.get_by_role("menuitem", name="Table of cards").click()

    assert coming.value.suggested_filename.endswith(".csv")


# --- Settings -------------------------------------------------------------------------------------


def test_settings_are_kept_and_known_to_the_plots(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/study/settings")
    page.get_by_label("Share to remember when asked").fill("85")
    expect(page.get_by_text(re.compile("times less often"))).to_be_visible()
    page.get_by_label("Monday").check()
    page.get_by_label(f"Day of the exam in {TITLE}").fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("region", name="Notices")).to_contain_text("Saved")
    page.reload()

    expect(page.get_by_label("Monday")).to_be_checked()
    expect(page.get_by_label("Share to remember when asked")).to_have_value("85")
    page.goto(f"{server.url}/study/{COURSE}/progress")
    expect(page.locator("svg text", has_text="Aim 85%")).to_be_visible()
    expect(page.locator("svg text", has_text="Exam")).to_have_count(0)


def test_a_damaged_profile_is_shown_with_its_line_and_never_written_over(
    page: Page, home: Path, server: Live
) -> None:
    damage(home)
    place = teaching_of(home) / "learner" / "profile.json"
    before = place.read_bytes()
    page.goto(f"{server.url}/study/settings")
    found = page.get_by_role("region", name=re.compile("profile cannot be read"))
    expect(found).to_contain_text("profile.json line 3")
    expect(found).to_contain_text("colon")
    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    assert place.read_bytes() == before
    place.write_text("{}", encoding="utf-8")
    found.get_by_role("button", name="Read it again").click()

    expect(page.get_by_role("button", name="Save")).to_be_visible()


# --- Everything -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", looks(SIZES))
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, studied: Live, seen: Looks
) -> None:
    check_scenes(browser, studied.url, STUDY_SCENES, seen)


# --- Shorthands -----------------------------------------------------------------------------------


def _share(text: str) -> int:
    found = re.search(r"(\d+)%", text)
    assert found, text
    return int(found[1])


def _height(found: Locator) -> float:
    box = found.bounding_box()
    assert box is not None
    return box["height"]


def _choose(page: Page, name: str, data: bytes) -> None:
    chooser: Locator = page.locator("input[type=file]")
    chooser.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": data})


def _zip(files: dict[str, str]) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return made.getvalue()
