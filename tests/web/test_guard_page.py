"""The Guard page in a real browser: live decisions, explaining, installing with the keyboard."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from paige.base.clock import system_clock
from tests.live import Live, live_paige
from tests.web.axe import Looks, check_page, check_scenes, looks
from tests.web.guard_scenes import DENIED, EMPTY, GUARD_SCENES, arrived, fill, line
from tests.web.scenes import WIDTHS

pytestmark = pytest.mark.browser
SIZES = {**WIDTHS, 360: 700, 1920: 1080}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Live]:
    """A server whose home a test may change."""
    with live_paige(tmp_path) as live:
        yield live


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with three weeks of decisions, for tests that only look."""
    home = tmp_path_factory.mktemp("guarded")
    (home / "my-project").mkdir()
    fill(home, system_clock())
    with live_paige(home, PROJECT_DIR=str(home / "my-project")) as live:
        yield live


def test_what_a_hook_decides_shows_up_while_one_looks(
    page: Page, server: Live, tmp_path: Path
) -> None:
    page.goto(f"{server.url}/guard")
    expect(page.get_by_text("No coding agent is guarded yet.")).to_be_visible()
    spool = tmp_path / ".paige" / "spool"
    spool.mkdir(parents=True)
    file = spool / "claude-code-s.jsonl"
    now = system_clock()
    file.write_text(line(now, id="a", input={"command": "git status"}) + "\n", encoding="utf-8")
    row = page.get_by_role("button", name="git status")
    expect(row).to_be_visible()

    command, rule, reason = DENIED[0]
    later = now + timedelta(seconds=5)
    told = {"decision": "deny", "rule": rule, "reason": reason, "input": {"command": command}}
    with file.open("a", encoding="utf-8") as spooled:
        spooled.write(line(later, id="b", **told) + "\n")

    fresh = page.get_by_role("button", name=command)
    expect(fresh).to_contain_text("New")
    expect(fresh).to_contain_text("Denied")
    expect(page.get_by_text("1 is new since you came.")).to_be_visible()
    expect(row).not_to_contain_text("New")


def test_a_decision_is_found_opened_and_explained_with_the_keyboard(
    page: Page, filled: Live
) -> None:
    page.goto(f"{filled.url}/guard")
    arrived(page)
    page.get_by_label("Search decisions").focus()
    page.keyboard.type("force main")
    expect(page).to_have_url(f"{filled.url}/guard?query=force+main")
    rows = page.locator("[data-decision]")
    expect(rows.first).to_contain_text("git push --force origin main")
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(rows.first).to_have_attribute("aria-expanded", "true")
    page.get_by_role("button", name="Explain this command").press("Enter")

    expect(page.get_by_role("tab", name="Explain")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("region", name="Judgement")).to_contain_text("It would be denied.")
    box = page.get_by_label("Command", exact=True)
    expect(box).to_have_value("git push --force origin main")
    box.fill("git status")
    box.press("Control+Enter")
    expect(page.get_by_role("region", name="Judgement")).to_contain_text("without a question.")
    page.go_back()
    expect(page.get_by_role("tab", name="Decisions")).to_have_attribute("aria-selected", "true")


def test_installing_shows_the_files_first_and_uninstalling_leaves_them_as_they_were(
    page: Page, server: Live, tmp_path: Path
) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    before = '{\n  "model": "opus"\n}\n'
    settings.write_text(before, encoding="utf-8")
    page.goto(f"{server.url}/guard?tab=hosts")
    card = page.get_by_role("region", name="Claude Code")
    card.get_by_role("button", name="Install in Claude Code…").press("Enter")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text('"PreToolUse"')
    expect(dialog.get_by_role("button", name="Leave it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert settings.read_text(encoding="utf-8") == before

    card.get_by_role("button", name="Install in Claude Code…").press("Enter")
    _confirm(dialog, "Install")
    expect(dialog).to_have_count(0)
    expect(card).to_contain_text("Guarded")
    expect(card).to_contain_text("is refused")  # doctor has tried it
    assert "PreToolUse" in settings.read_text(encoding="utf-8")

    card.get_by_role("button", name="Uninstall from Claude Code…").press("Enter")
    _confirm(dialog, "Uninstall")
    expect(card).to_contain_text("Not guarded")
    assert settings.read_text(encoding="utf-8") == before


def _confirm(dialog: Locator, name: str) -> None:
    """Say yes once there is something to say yes to."""
    button = dialog.get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled()
    button.press("Enter")


def test_rules_lead_to_their_examples_and_decisions(page: Page, filled: Live) -> None:
    page.goto(f"{filled.url}/guard?tab=rules")
    page.get_by_label("Search rules").fill("git.push-force")
    page.get_by_role("link", name="Decisions of git.push-force").first.click()

    expect(page.locator("[data-decision]").first).to_contain_text("git push --force")
    expect(page.get_by_role("combobox", name="Rule")).to_have_value("git.push-force")


@pytest.mark.parametrize("seen", looks(SIZES))
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, filled: Live, seen: Looks
) -> None:
    check_scenes(browser, filled.url, GUARD_SCENES, seen)


def test_axe_finds_nothing_serious_where_nothing_is_guarded(page: Page, server: Live) -> None:
    EMPTY.show(page, server.url)
    check_page(page)
