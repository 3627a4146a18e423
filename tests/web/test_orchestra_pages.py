"""Graph, guards and orchestra in a real browser: walking, promoting, watching the board."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from paige.base.clock import system_clock
from tests.live import Live, live_paige
from tests.server.learned_project import SKIPPED
from tests.web.axe import Looks, check_scenes, looks
from tests.web.browser import Problems
from tests.web.guard_scenes import arrived
from tests.web.orchestra_scenes import EMPTY_SCENES, ORCHESTRA_SCENES, fill

pytestmark = pytest.mark.browser
MANY = 450


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose agents have learned something."""
    folder = tmp_path_factory.mktemp("learned")
    fill(folder, system_clock(), neighbours=MANY)
    return folder


@pytest.fixture(scope="module")
def filled(home: Path) -> Iterator[Live]:
    """A server of that home."""
    with live_paige(home, PROJECT_DIR=str(home / "my-project")) as live:
        yield live


def test_a_trace_is_found_opened_and_walked_from_with_the_keyboard(
    page: Page, filled: Live
) -> None:
    page.goto(f"{filled.url}/guard/graph")
    arrived(page)
    page.get_by_label("Search traces").focus()
    page.keyboard.type("called tested although no test ran")
    rows = page.locator("[data-trace]")
    expect(rows.first).to_contain_text("Called a feature tested")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.goto(f"{filled.url}/guard/graph?id=trace-0000000000000002")
    expect(page.get_by_role("heading", level=2, name="Called a feature tested")).to_be_focused()
    here = page.locator('[data-around] [aria-current="true"]')
    here.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(here).to_be_focused()
    page.get_by_role("button", name="Correction:").press("Enter")
    expect(page.get_by_role("heading", level=2, name="A person said")).to_be_focused()
    page.go_back()
    expect(page.get_by_role("heading", level=2, name="Called a feature tested")).to_be_visible()


def test_hundreds_of_neighbours_are_drawn_in_part_and_reached_by_key(
    page: Page, filled: Live
) -> None:
    page.goto(f"{filled.url}/guard/graph?id={SKIPPED}")
    drawing = page.locator("[data-around]")
    expect(drawing).to_contain_text("more")
    nodes = drawing.locator("[data-node]")
    assert nodes.count() < MANY
    drawing.locator('[aria-current="true"]').focus()
    page.keyboard.press("ArrowRight")
    for _ in range(200):
        page.keyboard.press("ArrowDown")
    focused = drawing.locator("[data-node]:focus")
    expect(focused).to_be_in_viewport()
    assert drawing.evaluate("box => box.scrollTop") > 0


def test_a_guard_goes_through_its_stages_each_with_a_reason_that_is_kept(
    page: Page, filled: Live, home: Path, problems: Problems
) -> None:
    problems.expect("promote")  # it is refused at first
    page.goto(f"{filled.url}/guard/guards")
    page.locator('[data-guard="no-drop-database"]').press("Enter")
    page.get_by_role("button", name="Try it out now").press("Enter")
    expect(page.get_by_text("Keep things as they are, or change them?")).to_be_visible()
    _move(page, "To shadow", "It fits every case")
    page.get_by_role("button", name="Promote…").press("Enter")
    dialog = page.get_by_role("alertdialog")
    dialog.get_by_label("Why", exact=True).fill("It is right")
    dialog.get_by_role("button", name="Promote", exact=True).press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("in shadow")  # it has not seen enough
    dialog.get_by_label("Even though").check()
    dialog.get_by_role("button", name="Promote", exact=True).press("Enter")
    expect(dialog).to_have_count(0)
    _move(page, "Roll back", "Only a try")
    expect(page.get_by_text("Only a try")).to_be_visible()
    path = home / "my-project" / ".ai" / "guards" / "no-drop-database.json"
    steps = json.loads(path.read_text(encoding="utf-8"))["versions"][-1]["history"]
    kept = [(each["stage"], each["why"], each.get("forced", False)) for each in steps[1:]]
    assert kept == [
        ("validate", "It fits every case", False),
        ("production", "It is right", True),
        ("rolled_back", "Only a try", False),
    ]


def _move(page: Page, name: str, why: str) -> None:
    """Take a guard to another stage."""
    page.get_by_role("button", name=f"{name}…").press("Enter")
    dialog = page.get_by_role("alertdialog")
    dialog.get_by_label("Why", exact=True).fill(why)
    dialog.get_by_role("button", name=name, exact=True).press("Enter")
    expect(dialog).to_have_count(0)


def test_the_board_follows_the_files_while_one_looks(page: Page, filled: Live, home: Path) -> None:
    page.goto(f"{filled.url}/guard/orchestra")
    expect(page.get_by_role("region", name="Coding").locator("[data-feature]")).to_have_count(1)
    path = home / "my-project/.claude/progress/feature-list.json"
    before = path.read_text(encoding="utf-8")
    path.write_text("{", encoding="utf-8")
    expect(page.get_by_text("feature-list.json").first).to_be_visible()
    path.write_text(before, encoding="utf-8")
    expect(page.get_by_text("feature-list.json")).to_have_count(0)


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, filled: Live, seen: Looks
) -> None:
    check_scenes(browser, filled.url, ORCHESTRA_SCENES, seen)


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_serious_where_nothing_was_learned(
    browser: Browser, tmp_path: Path, seen: Looks
) -> None:
    with live_paige(tmp_path) as live:
        check_scenes(browser, live.url, EMPTY_SCENES, seen)
