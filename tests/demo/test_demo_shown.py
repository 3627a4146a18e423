"""A filled demo: every door full, apart from one's own, the same every time.

Everything that needs it full is in this file, so that one worker fills it once.
"""

import signal
from collections.abc import Iterator
from typing import NamedTuple

import httpx2
import pytest
from playwright.sync_api import BrowserContext, expect

from tests.demo.conftest import LEFT, Filled, own_files, reset
from tests.demo.dumped import dumped
from tests.live import Live, live_paige, run_paige
from tests.web.axe import findings
from tests.web.browser import Problems, is_wider_than_the_window, open_browser

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]
WAIT_MS = 30_000
LONG = 60
NOTE = "You are looking at the demo"


class Shown(NamedTuple):
    """A page of the demo, and words that are only there when it is full."""

    path: str
    words: str


PAGES = (
    Shown("/", "Four doors"),
    Shown("/plan", "1 waits for you"),
    Shown("/study", "things are due"),
    Shown("/study/bahasa-melayu", "Mastered"),
    Shown("/study/bahasa-melayu/progress", "What you will remember"),
    Shown("/study/python-algorithms", "Mastered"),
    Shown("/coach", "Splitting a bill loses a penny"),
    Shown("/coach/work", "basket.py"),
    Shown("/guard", "The last 30 days"),
    Shown("/guard/graph", "the newest first"),
    Shown("/guard/guards", "commit-with-checks"),
    Shown("/guard/guards?tab=patterns", "What an agent did again"),
    Shown("/guard/orchestra", "A receipt by mail"),
    Shown("/traces", "Waits for an answer"),
    Shown("/costs?days=90", "Day by day"),
    Shown("/memory", "whole pence"),
    Shown("/memory?tab=documents", "MEMORY.md"),
)


@pytest.fixture(scope="module")
def shown(filled: Filled) -> Iterator[Live]:
    """A server that shows the demo."""
    with live_paige(filled.home, "up", "--demo") as live:
        yield live


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    """One profile, as somebody has who goes from page to page."""
    with (
        open_browser() as browser,
        browser.new_context(
            viewport={"width": 1280, "height": 900}, reduced_motion="reduce"
        ) as opened,
    ):
        yield opened


def ask(live: Live, path: str) -> httpx2.Response:
    answer = httpx2.get(f"{live.url}/api{path}", timeout=LONG)
    assert answer.status_code == 200, answer.text
    return answer


def look(context: BrowserContext, live: Live, page_of: Shown, *, read: bool = False) -> list[str]:
    """What is wrong with a page; also by axe, if it is `read`."""
    problems = Problems()
    with context.new_page() as page:
        problems.watch(page)
        page.goto(f"{live.url}{page_of.path}")
        expect(page.get_by_role("banner")).to_contain_text("Connected", timeout=WAIT_MS)
        expect(page.get_by_text(page_of.words).first).to_be_visible(timeout=WAIT_MS)
        expect(page.get_by_text(NOTE)).to_be_visible()
        expect(page.locator("[data-skeleton]")).to_have_count(0, timeout=WAIT_MS)
        found = findings(page) if read else []
        wide = ["it is wider than the window"] if is_wider_than_the_window(page) else []
    return [*problems.unexpected(), *found, *wide]


@pytest.mark.parametrize("page", PAGES, ids=[each.path for each in PAGES])
def test_a_page_of_the_demo_is_full_and_nothing_is_wrong_with_it(
    context: BrowserContext, shown: Live, page: Shown
) -> None:
    assert look(context, shown, page) == []


@pytest.mark.soak
@pytest.mark.parametrize("page", PAGES, ids=[each.path for each in PAGES])
def test_axe_finds_nothing_serious_on_a_full_page(
    context: BrowserContext, shown: Live, page: Shown
) -> None:
    assert look(context, shown, page, read=True) == []


def test_a_lesson_of_the_demo_opens_with_its_evidence(context: BrowserContext, shown: Live) -> None:
    lessons = ask(shown, "/plan/lessons").json()
    path = f"/plan?lesson={lessons[0]['path']}&pane=document"

    assert look(context, shown, Shown(path, "Curriculum evidence"), read=True) == []


def test_every_door_of_the_demo_has_something_behind_it(shown: Live) -> None:
    lessons = ask(shown, "/plan/lessons").json()
    sessions = ask(shown, "/plan/sessions").json()["sessions"]
    courses = {each["name"]: each for each in ask(shown, "/study").json()["courses"]}
    progress = ask(shown, "/study/progress?course=bahasa-melayu").json()
    coach = ask(shown, "/coach/dashboard?period=all").json()
    decisions = ask(shown, "/guard/decisions").json()
    guards = {each["id"]: each["standing"] for each in ask(shown, "/guards").json()["guards"]}
    orchestra = ask(shown, "/orchestra").json()
    graph = ask(shown, "/graph").json()
    runs = ask(shown, "/traces").json()["runs"]
    costs = ask(shown, "/costs?days=90").json()
    memories = ask(shown, "/memory/search?query=pence").json()["results"]

    assert len(lessons) >= 12
    assert {each["classId"] for each in lessons} >= {"1B", "2A", "2C", "3B"}
    assert any(each["state"] == "waiting" for each in sessions)
    assert {"bahasa-melayu", "python-algorithms", "how-memory-works", "coach"} <= set(courses)
    assert progress
    assert len(coach["dreyfus"]) >= 3
    assert {"production", "shadow"} <= set(guards.values())
    assert len(decisions["decisions"]) >= 20
    assert orchestra["features"]
    assert set(graph["types"]) == {"approval", "correction", "decision", "violation"}
    assert len(runs) >= 15
    assert len(costs["days"]) == 90
    assert memories


def test_nobody_resets_the_demo_while_a_server_shows_it(shown: Live, filled: Filled) -> None:
    refused = run_paige(filled.home, "demo", "reset", "--yes")
    again = run_paige(filled.home, "up", "--demo")

    assert (refused.returncode, again.returncode) == (1, 1)
    assert "Another process of Paige uses the demo" in refused.stderr
    assert "Stop the server" in again.stderr


# The last that needs the server: it ends here.
def test_the_demo_says_where_it_is_and_how_to_leave_it(shown: Live, filled: Filled) -> None:
    session = ask(shown, "/session").json()
    setup = ask(shown, "/setup").json()
    code, said = shown.stop(signal.SIGINT)

    assert session["demo"] is True
    assert setup["project"] == str(filled.demo / "project")
    assert setup["provider"]["name"] == "local"
    assert code == 0
    assert "Paige is ready at http://127.0.0.1:" in said
    assert "This is the demo" in said
    assert "`paige demo reset` puts it back" in said
    assert "Traceback" not in said, said


def test_an_installation_of_ones_own_is_no_demo(filled: Filled) -> None:
    with live_paige(filled.home, "up") as live:
        assert ask(live, "/session").json()["demo"] is False
        assert ask(live, "/plan/lessons").json() == []


def test_a_reset_removes_what_lay_there_and_touches_nothing_else(filled: Filled) -> None:
    assert not (filled.demo / LEFT).exists()
    assert filled.own_after == filled.own_before
    assert len(filled.own_before) == 3


@pytest.mark.soak
def test_a_second_reset_brings_back_the_same_demo_and_touches_nothing_else(filled: Filled) -> None:
    with live_paige(filled.home, "up", "--demo"):
        pass  # whatever a server notes by itself
    own = own_files(filled.home, filled.demo)
    lesson = next((filled.demo / "workspace/lessons").iterdir())
    lesson.unlink()
    (filled.demo / "project" / "basket.py").write_text("# broken\n", encoding="utf-8")
    (filled.demo / "mine.txt").write_text("left here by mistake\n", encoding="utf-8")

    reset(filled.home)

    assert (lesson.exists(), (filled.demo / "mine.txt").exists()) == (True, False)
    assert dumped(filled.demo) == filled.before
    assert own_files(filled.home, filled.demo) == own
