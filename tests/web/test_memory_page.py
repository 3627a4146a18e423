"""The Memory page in a real browser: finding, changing, forgetting, documents in two windows."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.live import Live, live_paige
from tests.web.axe import Looks, check_scenes, looks
from tests.web.browser import Problems
from tests.web.memory_scenes import MEMORY_SCENES, fill
from tests.web.scenes import WIDTHS

pytestmark = pytest.mark.browser
SIZES = {**WIDTHS, 360: 700, 1920: 1080}
ENTRY = "/memory?tab=documents&file=MEMORY.md"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Live]:
    """A server whose memory a test may change."""
    with live_paige(tmp_path) as live:
        yield live


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with memories, for tests that only look."""
    home = tmp_path_factory.mktemp("memories")
    fill(home)
    with live_paige(home) as live:
        yield live


def add(server: Live, text: str, **more: object) -> str:
    answer = httpx2.post(f"{server.url}/api/memory", json={"text": text, "scope": "global", **more})
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


def results(page: Page) -> Locator:
    return page.get_by_role("region", name="Memories").get_by_role("listitem")


def test_a_memory_is_found_opened_edited_and_forgotten_with_the_keyboard_alone(
    page: Page, server: Live
) -> None:
    id = add(server, "The staff room has a new kettle")
    add(server, "Lunch is at noon")
    page.goto(f"{server.url}/memory")
    expect(page.get_by_label("Search the memory")).to_be_visible()

    page.keyboard.press("/")
    expect(page.get_by_label("Search the memory")).to_be_focused()
    page.keyboard.type("kettle")
    expect(results(page)).to_have_count(1)
    expect(page.get_by_role("region", name="Memories")).to_contain_text("1 memory in")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    panel = page.get_by_role("complementary")
    expect(panel.get_by_role("heading", name="One memory")).to_be_focused()
    expect(panel).to_contain_text("Line 1")
    expect(panel.get_by_role("heading", name="Why it was found")).to_be_visible()

    panel.get_by_role("button", name="Edit").press("Enter")
    expect(page.get_by_label("Better text")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("The staff room has a red kettle")
    panel.get_by_role("button", name="Save new version").press("Enter")
    expect(results(page)).to_contain_text("red kettle")
    expect(panel).to_contain_text("The staff room has a new kettle")  # among the versions

    panel.get_by_role("button", name="Forget…").press("Enter")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("This cannot be undone")
    expect(dialog.get_by_role("listitem")).to_have_count(2)
    expect(dialog.get_by_role("button", name="Keep it")).to_be_focused()
    dialog.get_by_role("button", name="Forget all 2").press("Enter")
    expect(page.get_by_text("Forgot 2 memories").first).to_be_visible()
    expect(panel).to_have_count(0)
    expect(page.get_by_text("Nothing matches.").first).to_be_visible()
    assert httpx2.get(f"{server.url}/api/memory/events/{id}").status_code == 404


def test_what_others_add_and_forget_shows_up_by_itself(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/memory")
    expect(page.get_by_text("Nothing is remembered yet.")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Connected")

    id = add(server, "Said by an agent", scope="project", project="alpha")
    expect(results(page)).to_contain_text("Said by an agent")
    expect(page.get_by_role("button", name="Project 1")).to_be_visible()
    httpx2.delete(f"{server.url}/api/memory/events/{id}")
    expect(page.get_by_text("Nothing is remembered yet.")).to_be_visible()


def test_the_address_leads_to_what_was_seen_and_back_closes_the_memory(
    page: Page, filled: Live
) -> None:
    page.goto(f"{filled.url}/memory")
    page.get_by_role("button", name="Prefer small commits").click()
    expect(page.get_by_role("complementary")).to_contain_text("Prefer small commits")
    page.reload()
    expect(page.get_by_role("complementary")).to_contain_text("Prefer small commits")
    page.go_back()
    expect(page.get_by_role("complementary")).to_have_count(0)


def test_on_a_phone_a_memory_is_a_dialog_that_gives_the_focus_back(
    page: Page, filled: Live
) -> None:
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{filled.url}/memory")
    row = page.get_by_role("button", name="Prefer small commits")
    row.click()
    dialog = page.get_by_role("dialog", name="One memory")
    expect(dialog).to_contain_text("Where it comes from")
    page.keyboard.press("Escape")

    expect(dialog).to_have_count(0)
    expect(row).to_be_focused()


def test_a_long_list_is_shown_bit_by_bit(page: Page, server: Live) -> None:
    lines = "\n".join(f'{{"text": "Note number {number}"}}' for number in range(60))
    httpx2.post(f"{server.url}/api/memory/import", content=lines)
    page.goto(f"{server.url}/memory")

    expect(results(page)).to_have_count(20)
    page.get_by_role("button", name="Show more").click()
    expect(results(page)).to_have_count(40)
    page.get_by_role("button", name="Show more").click()
    expect(results(page)).to_have_count(60)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)


def test_two_windows_that_change_one_document_lose_nothing(
    context: BrowserContext, page: Page, server: Live
) -> None:
    text = "# Me\n\n- one\n- two\n- three\n"
    httpx2.put(f"{server.url}/api/memory/files/MEMORY.md", json={"text": text, "base": ""})
    other = context.new_page()
    windows = (page, other)
    for window in windows:
        window.goto(f"{server.url}{ENTRY}")
        expect(window.get_by_label("Text of MEMORY.md")).to_have_value(text)
        expect(window.get_by_role("banner")).to_contain_text("Connected")

    # The other window begins to write before this one saves.
    other.get_by_label("Text of MEMORY.md").fill(text.replace("three", "THREE"))
    page.get_by_label("Text of MEMORY.md").fill(text.replace("one", "ONE"))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    expect(other.get_by_text("Somebody else changed this document")).to_be_visible()
    other.get_by_role("button", name="Save", exact=True).click()

    expect(other.get_by_text("together with what was changed elsewhere")).to_be_visible()
    both = "# Me\n\n- ONE\n- two\n- THREE\n"
    for window in windows:
        expect(window.get_by_label("Text of MEMORY.md")).to_have_value(both)

    # Now both change the same line.
    other.get_by_label("Text of MEMORY.md").fill(both.replace("two", "zwei"))
    page.get_by_label("Text of MEMORY.md").fill(both.replace("two", "dwa"))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(other.get_by_text("Somebody else changed this document")).to_be_visible()
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.get_by_text("both sides changed one place")).to_be_visible()
    kept = other.get_by_label("Text of MEMORY.md").input_value()
    assert "- zwei" in kept
    assert "- dwa" in kept


def test_a_document_is_made_deleted_and_kept_after_all(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/memory?tab=documents")
    page.get_by_text("New document", exact=True).click()
    page.get_by_label("Path of the new document").fill("classes/3B/MEMORY.md")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_label("Text of classes/3B/MEMORY.md")).to_have_value("# 3B\n")
    expect(page.get_by_role("heading", name="Class 3B")).to_be_visible()

    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("There are no memory documents yet.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Class 3B")).to_be_visible()


def test_a_path_that_is_no_document_is_explained(
    page: Page, problems: Problems, server: Live
) -> None:
    problems.expect("/api/memory/files/notes.txt", "400")
    page.goto(f"{server.url}/memory?tab=documents")
    page.get_by_text("New document", exact=True).click()
    page.get_by_label("Path of the new document").fill("notes.txt")
    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_contain_text("not the path of a memory document")


@pytest.mark.parametrize("seen", looks(SIZES))
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, filled: Live, seen: Looks
) -> None:
    check_scenes(browser, filled.url, MEMORY_SCENES, seen)
