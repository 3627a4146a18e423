"""Runs and costs in a real browser: ten thousand steps, keys, the run step by step, a live run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from paige.base.clock import system_clock
from tests.live import Live, live_paige, run_paige
from tests.web.axe import Looks, check_scenes, looks
from tests.web.browser import until
from tests.web.trace_scenes import (
    EMPTY_SCENES,
    TOLD,
    TRACE_SCENES,
    TURNS,
    fill,
    open_run,
)

pytestmark = pytest.mark.browser
MOST_ROWS = 60
MOST_ELEMENTS = 1_500
LONG = "Go on for long"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server on whose machine agents have run."""
    home = tmp_path_factory.mktemp("ran")
    fill(home, system_clock())
    with live_paige(home) as live:
        yield live


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server on whose machine nothing has run."""
    with live_paige(tmp_path_factory.mktemp("bare")) as live:
        yield live


def chosen(page: Page) -> str:
    """The words of the chosen row."""
    return page.get_by_role("treeitem", selected=True).inner_text()


def test_ten_thousand_steps_are_opened_scrolled_and_walked_with_few_rows_drawn(
    page: Page, filled: Live
) -> None:
    page.goto(f"{filled.url}/traces")
    open_run(page, LONG)
    tree, rows = page.get_by_role("tree"), page.get_by_role("treeitem")
    expect(page.get_by_text("10,000 steps")).to_be_visible()
    tree.focus()
    page.keyboard.press("End")
    expect(rows.filter(has_text=f"Turn {TURNS}")).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(rows.filter(has_text="read_file").last).to_be_in_viewport()
    assert "read_file" in chosen(page)
    page.get_by_role("button", name="Open all").click()
    high = tree.evaluate("tree => tree.scrollHeight")
    assert high > 400_000
    for share in (0.1, 0.5, 0.9, 1):
        tree.evaluate(f"tree => {{ tree.scrollTop = tree.scrollHeight * {share} }}")
        middle = f"document.querySelector('[role=tree]').scrollTop > {high * share * 0.9}"
        until(page, f"{middle} && document.querySelectorAll('[role=treeitem]').length > 10")
        assert rows.count() < MOST_ROWS
        assert page.evaluate("document.querySelectorAll('main *').length") < MOST_ELEMENTS
    tree.focus()
    page.keyboard.press("Home")
    expect(rows.filter(has_text="marathon")).to_be_in_viewport()
    page.keyboard.type("turn 777")
    assert "Turn 777" in chosen(page)
    expect(rows.filter(has_text="Turn 777")).to_be_in_viewport()
    page.get_by_role("button", name="Next failure").click()
    expect(page.get_by_role("treeitem", selected=True)).to_contain_text("failed")
    page.get_by_role("button", name="Close all").click()
    expect(rows.filter(has_text="read_file")).to_have_count(0)
    expect(page.get_by_role("treeitem", selected=True)).to_contain_text("Turn 8")  # 800


def test_a_run_is_found_walked_and_told_again_with_the_keyboard_alone(
    page: Page, filled: Live
) -> None:
    page.goto(f"{filled.url}/traces")
    page.get_by_label("Search runs").focus()
    page.keyboard.type("fractions")
    rows = page.locator("[data-run]")
    expect(rows).to_have_count(2)
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    tree = page.get_by_role("tree")
    tree.focus()
    page.keyboard.type("echo")
    panel = page.get_by_role("region", name="The chosen step")
    expect(panel).to_contain_text("fractions")
    panel.get_by_role("button", name="See it step by step").press("Enter")
    expect(page.get_by_text("Step 4 of 14")).to_be_visible()
    slider = page.get_by_role("slider", name="Step of the run")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.get_by_text("Step 1 of 14")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("First what is known, then the plan.")).to_be_visible()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Change it: A quiz, please")).to_be_visible()
    page.get_by_role("button", name="See it in the timeline").press("Enter")
    expect(page.get_by_role("treeitem", selected=True)).to_contain_text("Is this lesson right?")
    tab = page.get_by_role("tab", name="Journal")
    tab.focus()
    page.keyboard.press("Enter")
    page.locator("main ol summary").first.press("Enter")
    expect(page.locator("main ol pre").first).to_be_visible()


def test_time_in_which_a_person_thought_can_be_left_out(page: Page, filled: Live) -> None:
    page.goto(f"{filled.url}/traces")
    open_run(page, TOLD)
    bar = page.get_by_role("treeitem").filter(has_text="Turn 1").locator("span.rounded-sm").last
    packed = bar.bounding_box()
    page.get_by_label("Leave waiting out").uncheck()
    whole = bar.bounding_box()
    assert packed is not None
    assert whole is not None
    assert packed["width"] > whole["width"] * 4


def test_costs_are_shown_for_a_period_and_saved(page: Page, filled: Live) -> None:
    page.goto(f"{filled.url}/costs")
    expect(page.get_by_text("not in the sums")).to_be_visible()
    plot = page.get_by_role("slider", name="Cost by day and model, point by point")
    plot.focus()
    expect(page.locator("figcaption")).to_contain_text("claude-sonnet-4-5 $0.02")
    page.get_by_text("7 days", exact=True).click()
    expect(page).to_have_url(f"{filled.url}/costs?days=7")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("day,provider,model,door,purpose,calls")
    assert any(",coach_agent," in line for line in lines)


def test_a_real_run_from_a_terminal_appears_while_one_looks(page: Page, tmp_path: Path) -> None:
    asked = ("create-lesson", "Grade 3 fractions, one hour", "--yes")
    with live_paige(tmp_path) as live:
        page.goto(f"{live.url}/traces")
        expect(page.get_by_text("Nothing has run yet.")).to_be_visible()
        made = run_paige(tmp_path, "plan", *asked, PAIGE_PROVIDER="local")
        assert made.returncode == 0, made.stderr
        row = page.locator("[data-run]")
        expect(row).to_contain_text("Done")
        row.click()
        expect(page.get_by_role("tree")).to_contain_text("Turn 1")
        expect(page.get_by_text("by local rules").first).to_be_visible()


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, filled: Live, bare: Live, seen: Looks
) -> None:
    check_scenes(browser, filled.url, TRACE_SCENES, seen)
    check_scenes(browser, bare.url, EMPTY_SCENES[:2], seen)
