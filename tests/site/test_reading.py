"""The site in a real browser: from a folder and from a plain server, with keys, in both themes."""

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.axe import Looks, look, looked_at, looks
from tests.web.browser import Problems, background_of

pytestmark = pytest.mark.browser
QUESTIONS = {
    "passcode": "how-to/put-a-passcode.html",
    "how do I plan a lesson": "how-to/plan-a-lesson.html",
    "install on a server with systemd": "how-to/run-on-a-server.html",
    "back up my data": "how-to/back-up-and-move.html",
    "connect mcp client": "how-to/connect-an-mcp-client.html",
    "PAIGE_GUARD_JUDGE": "reference/guard-rules.html",
    "postgresql": "how-to/use-postgresql.html",
    "write my own course": "how-to/write-a-course.html",
    "who imports whom": "explanation/architecture.html",
    "why sqlalchemy": "decisions/0004-sqlalchemy-core-on-two-engines.html",
    "forget memories": "how-to/use-the-memory.html",
    "block force push": "how-to/teach-paige-a-guard.html",
    "docker": "how-to/run-on-a-server.html",
}

# What newcomers type in their own words, and the page that they should see among the first three.
TYPED = {
    "spaced repetition": "how-to/study-a-course.html",
    "export to word": "how-to/plan-a-lesson.html",
    "flashcards": "how-to/study-a-course.html",
    "anki": "how-to/study-a-course.html",
    "forgot my password": "how-to/let-many-people-in.html",
    "forgot my passcode": "how-to/put-a-passcode.html",
    "stop the guard": "how-to/guard-a-coding-agent.html",
    "it blocked my command": "how-to/let-a-block-become-a-guard.html",
    "undo": "explanation/web-app.html",
    "uninstall": "how-to/install.html",
    "update to a new version": "how-to/install.html",
    "delete my data": "how-to/install.html",
    "delete a person's data": "how-to/back-up-and-move.html",
    "restore a backup": "how-to/back-up-and-move.html",
    "lesson plan": "how-to/plan-a-lesson.html",
    "import curriculum pdf": "how-to/add-a-curriculum.html",
    "quiz my students": "how-to/mark-a-class.html",
    "homework": "how-to/mark-a-class.html",
    "print a worksheet": "how-to/mark-a-class.html",
    "student privacy": "explanation/security.html",
    "grade code": "how-to/grade-exercises.html",
    "api key": "how-to/set-up-in-the-browser.html",
    "change the port": "how-to/set-up-in-the-browser.html",
    "use ollama": "how-to/set-up-in-the-browser.html",
    "what does it cost": "how-to/read-a-run.html",
    "spending limit": "how-to/let-many-people-in.html",
    "add a user": "how-to/let-many-people-in.html",
    "invite a colleague": "how-to/let-many-people-in.html",
    "sso login": "how-to/let-many-people-in.html",
    "https certificate": "how-to/run-behind-a-proxy-or-on-another-host.html",
    "work offline": "how-to/install-as-an-app.html",
    "dark mode": "tutorial/first-start.html",
    "keyboard shortcuts": "how-to/find-anything.html",
    "what does paige remember about me": "how-to/use-the-memory.html",
    "resume a run": "how-to/run-an-agent.html",
    "claude code hooks": "how-to/coach-with-claude-code.html",
}


class Quiet(SimpleHTTPRequestHandler):
    """A plain server of files that says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    """The site behind Python's own server of files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def address(site: Path, name: str = "index.html") -> str:
    return f"{site.as_uri()}/{name}"


def search(page: Page, words: str) -> None:
    page.get_by_role("searchbox").fill(words)
    expect(page.locator("#found [role=status]")).to_contain_text(f"“{words}”")


def test_the_search_finds_the_right_page_first(page: Page, site: Path) -> None:
    page.goto(address(site, "reference/settings.html"))
    found: dict[str, str] = {}
    for question in QUESTIONS:
        search(page, question)
        first = page.locator("#found a").first.get_attribute("href") or ""
        found[question] = first.removeprefix("../").partition("#")[0]

    assert found == QUESTIONS


def test_what_newcomers_type_finds_the_page_among_the_first_three(page: Page, site: Path) -> None:
    page.goto(address(site))
    missed: dict[str, list[str]] = {}
    for typed, wanted in TYPED.items():
        search(page, typed)
        found = page.locator("#found a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
        first = [each.partition("#")[0] for each in found[:3]]
        if wanted not in first:
            missed[typed] = first

    assert missed == {}


def test_half_a_word_is_enough_while_one_types(page: Page, site: Path) -> None:
    page.goto(address(site))
    search(page, "postgr")

    expect(page.locator("#found a").first).to_contain_text("PostgreSQL")


def test_from_a_folder_one_searches_and_reads_with_keys_alone(page: Page, site: Path) -> None:
    page.goto(address(site))
    page.keyboard.press("/")
    page.keyboard.type("passcode")
    expect(page.locator("#found")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#found a").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_contain_text("Put a passcode on it")
    assert page.url.startswith("file://")


def test_escape_closes_what_was_found(page: Page, site: Path) -> None:
    page.goto(address(site))
    search(page, "passcode")
    page.keyboard.press("Escape")

    expect(page.locator("#found")).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_one_wrong_letter_is_forgiven_and_nonsense_is_told(page: Page, site: Path) -> None:
    page.goto(address(site))
    search(page, "pascode")
    expect(page.locator("#found a").first).to_contain_text("Put a passcode on it")
    search(page, "xylophonequartett")

    expect(page.locator("#found [role=status]")).to_contain_text("Nothing was found")
    expect(page.locator("#found a")).to_have_count(0)


def test_what_is_searched_for_is_never_taken_as_a_pattern_or_as_html(
    page: Page, site: Path
) -> None:
    page.goto(address(site))
    for words in ["(", "[a-", ".*", "<img src=x>", "\\", "$&"]:
        page.get_by_role("searchbox").fill(words)
        expect(page.locator("#found [role=status]")).to_contain_text(words)
    assert page.locator("#found img").count() == 0


def test_a_plain_server_is_enough(browser: Browser, served: str) -> None:
    problems = Problems()
    with browser.new_context() as context:
        asked: list[str] = []
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        problems.watch(page)
        page.goto(f"{served}/how-to/plan-a-lesson.html")
        search(page, "passcode")
        page.locator("#found a").first.click()
        expect(page).to_have_url(re.compile("put-a-passcode"))

    assert problems.unexpected() == []
    assert [url for url in asked if not url.startswith(served)] == []


@pytest.mark.parametrize("seen", looks())
@pytest.mark.parametrize(
    "name",
    [
        "index.html",
        "about.html",
        "how-to/put-a-passcode.html",
        "explanation/architecture.html",
        "explanation/doors-that-meet.html",
        "reference/settings.html",
        "reference/hook-manifests.html",
    ],
)
def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Browser, site: Path, name: str, seen: Looks
) -> None:
    with looked_at(browser, seen) as page:
        page.context.set_offline(True)
        page.goto(address(site, name))
        if seen[0].width > 1000:
            search(page, "passcode")
        look(page, seen, name)


def test_the_theme_is_changed_and_remembered(page: Page, site: Path) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(address(site))
    light = background_of(page)
    page.get_by_role("button", name="Change to the dark theme").click()
    dark = background_of(page)
    page.goto(address(site, "roadmap.html"))

    assert dark != light
    assert background_of(page) == dark


def test_on_a_phone_the_contents_open_and_close_with_keys(page: Page, site: Path) -> None:
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(address(site, "how-to/plan-a-lesson.html"))
    menu = page.get_by_role("navigation", name="Contents")
    expect(menu).to_be_hidden()
    button = page.get_by_role("button", name="Contents")
    button.press("Enter")
    expect(menu).to_be_visible()
    expect(menu.get_by_role("link", name="Home")).to_be_focused()
    page.keyboard.press("Escape")

    expect(menu).to_be_hidden()
    expect(button).to_be_focused()


def test_without_scripts_everything_but_the_search_is_there(browser: Browser, site: Path) -> None:
    with browser.new_context(
        java_script_enabled=False, viewport={"width": 375, "height": 700}
    ) as c:
        page = c.new_page()
        page.goto(address(site, "how-to/plan-a-lesson.html"))

        expect(page.get_by_role("navigation", name="Contents")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("searchbox")).to_be_hidden()


def test_a_diagram_takes_the_colours_of_the_page_and_says_what_it_shows(
    page: Page, site: Path
) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(address(site, "explanation/architecture.html"))
    rooms = page.get_by_role("img", name=re.compile("The rooms in rows, the highest first: doors"))
    colour = "svg => getComputedStyle(svg.querySelector('text')).fill"
    before = rooms.evaluate(colour)
    page.get_by_role("button", name="Change to the dark theme").click()

    assert rooms.evaluate(colour) != before
