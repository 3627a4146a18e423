"""What people expect of a conversation: to change, branch, search and read it undisturbed."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, JSHandle, Locator, Page, expect

from tests.fakes.served_model import ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import Live, live_paige
from tests.server.plan_window import teacher_at
from tests.web.axe import Looks, look, looked_at, looks
from tests.web.browser import Problems, until, wake
from tests.web.chat_scenes import LONG, add_long_session, request_of
from tests.web.plan_scenes import read
from tests.web.test_connection import GONE
from tests.web.test_plan_page import Paused

pytestmark = pytest.mark.browser
LISBON, ROME, OSLO, CAIRO = (
    f"Book me a flight to {city}" for city in ("Lisbon", "Rome", "Oslo", "Cairo")
)
MOST_NODES = 2000
RUNS = 1000


@pytest.fixture(scope="module")
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where everything of the server is kept."""
    return tmp_path_factory.mktemp("habits")


@pytest.fixture(scope="module")
def server(folder: Path, model: ServedModel) -> Iterator[Live]:
    """One server for the whole file, with a session of two thousand messages."""
    with live_paige(folder, **settings(folder, model)) as live:
        read(live, "")  # the door is open, and the database made
        add_long_session(folder / "data", RUNS)
        yield live


def settings(folder: Path, model: ServedModel) -> dict[str, Any]:
    """What the server is told."""
    return {"DATA_DIR": str(folder / "data"), "PAIGE_FALLBACK": "none", **model.variables}


# --- Saying it differently ------------------------------------------------------------------------


def test_a_request_is_said_differently_with_the_keyboard_alone_and_both_stay(
    page: Page, context: BrowserContext, server: Live
) -> None:
    session = asked(server, LISBON, ROME, OSLO)
    other = context.new_page()
    for window in (other, page):
        window.goto(f"{server.url}/plan?session={session}")
        expect(rows(window)).to_have_count(3)
        expect(window.get_by_role("banner")).to_contain_text("Connected")

    # Half said, then a reload: nothing is lost. Escape leaves everything as it was.
    edit = row(page, ROME).get_by_role("button", name="Say it differently")
    edit.press("Enter")
    words = page.get_by_label("The request in other words")
    expect(words).to_be_focused()
    page.keyboard.press("Escape")
    expect(edit).to_be_focused()
    edit.press("Enter")
    expect(words).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(CAIRO)
    page.reload()
    expect(words).to_have_value(CAIRO)
    words.press("Enter")

    expect(rows(page)).to_have_count(2)
    expect(row(page, CAIRO).get_by_text("2 of 2")).to_be_visible()
    expect(row(page, CAIRO).get_by_role("heading", name="Paige did not go on")).to_be_visible()
    expect(row(page, LISBON)).to_be_visible()
    # The other window has heard of it, and has lost nothing.
    expect(row(other, ROME).get_by_text("1 of 2")).to_be_visible()
    expect(rows(other)).to_have_count(3)

    # From branch to branch: the request stays where it was, and so does the focus.
    place = top_of(row(page, CAIRO))
    row(page, CAIRO).get_by_role("button", name="What was asked before").press("ArrowLeft")
    expect(rows(page)).to_have_count(3)
    expect(row(page, ROME).get_by_role("button", name="What was asked before")).to_be_focused()
    assert abs(top_of(row(page, ROME)) - place) < 2
    page.keyboard.press("ArrowRight")
    expect(row(page, CAIRO)).to_be_visible()

    # The same again, where it all began; the way back leads to the branch that was left.
    row(page, LISBON).get_by_role("button", name="Ask the same again").press("Enter")
    expect(rows(page)).to_have_count(1)
    expect(row(page, LISBON).get_by_text("2 of 2")).to_be_visible()
    row(page, LISBON).get_by_role("button", name="What was asked before").press("Enter")
    expect(row(page, CAIRO)).to_be_visible()
    sessions = page.get_by_role("region", name="Sessions")
    expect(sessions.get_by_role("button", name=f"{CAIRO} Branch of {LISBON}")).to_be_visible()


def test_branches_outlive_a_server_that_is_killed(
    page: Page, problems: Problems, tmp_path: Path, model: ServedModel
) -> None:
    problems.expect(GONE, "WebSocket", "fetching the script")
    model.keeps_silent()
    with live_paige(tmp_path, **settings(tmp_path, model)) as before:
        session = asked(before, LISBON)
        page.goto(f"{before.url}/plan?session={session}")
        row(page, LISBON).get_by_role("button", name="Say it differently").click()
        page.get_by_label("The request in other words").fill("Remember: loops for 3B")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Go on with this").click()
        assert model.asked.wait(30)
        expect(page.get_by_text("Paige is working…")).to_be_visible()
        before.stop(signal.SIGKILL)
    with live_paige(tmp_path, PORT=str(before.port), **settings(tmp_path, model)):
        wake(page)
        expect(page.get_by_role("heading", name="This was interrupted")).to_be_visible()
        page.reload()
        expect(page.get_by_text("2 of 2")).to_be_visible()
        page.get_by_role("button", name="What was asked before").click()
        expect(row(page, LISBON).get_by_text("1 of 2")).to_be_visible()


# --- Reading --------------------------------------------------------------------------------------


def test_nobody_who_reads_is_moved_and_what_is_written_is_told_in_sentences(
    page: Page, server: Live, model: ServedModel
) -> None:
    lines = [f"- [class 3B] Note number {number} about starters.\n" for number in range(60)]
    stream = ANTHROPIC.text_stream(*lines)
    paused = Paused(stream.events, 45)
    model.answers(type(stream)(paused, headers=stream.headers))
    page.goto(f"{server.url}/plan")
    page.get_by_label("What to make").select_option(label="Remember something")
    page.get_by_label("Your request").fill("What I noticed about 3B")
    page.keyboard.press("Enter")
    notes = page.get_by_role("feed")
    expect(notes.get_by_text("Note number 38")).to_be_in_viewport()
    told = page.get_by_role("log")
    expect(told).to_contain_text("Note number 30 about starters.")
    assert told.locator("p").count() < 6  # handfuls, not lines

    # A turn of the wheel is enough: the end does not pull anybody back.
    page.mouse.move(800, 400)
    page.mouse.wheel(0, -200)
    newest = page.get_by_role("button", name="Go to the newest")
    expect(newest).to_be_visible()
    place = top_of(notes.get_by_text("Note number 35"))
    # A pane that becomes narrower breaks the lines anew; the one that is read stays.
    page.get_by_role("button", name="Hide the workspace").click()
    page.get_by_role("button", name="Show the workspace").click()
    paused.go_on.set()
    expect(page.get_by_role("button", name="New below")).to_be_visible()
    expect(page.get_by_role("heading", name="Should I remember this?")).to_be_attached()
    assert abs(top_of(notes.get_by_text("Note number 35").first) - place) < 2

    page.get_by_role("button", name="New below").click()
    expect(page.get_by_role("heading", name="Should I remember this?")).to_be_in_viewport()
    expect(page.get_by_role("button", name="New below")).to_have_count(0)


def test_two_thousand_messages_stay_few_on_the_page_and_every_place_is_reached(
    page: Page, server: Live
) -> None:
    page.goto(f"{server.url}/plan?session={LONG}")
    expect(row(page, request_of(RUNS))).to_be_in_viewport()
    assert nodes(page) < MOST_NODES
    pane = scroller(page)

    # Upwards, past pages that are read on the way: each step moves by what was asked for.
    page.mouse.move(800, 400)
    for _ in range(12):
        seen = first_in_sight(page)
        before = top_of(seen)
        page.mouse.wheel(0, -400)
        until(page, f"Math.abs({TOP_OF.format(place(seen))} - {before} - 400) < 2")
        assert nodes(page) < MOST_NODES
    for share in (0.5, 0.1, 0.9, 0):
        pane.evaluate(f"pane => {{ pane.scrollTop = pane.scrollHeight * {share} }}")
        until(page, READABLE)
        assert nodes(page) < MOST_NODES
    expect(row(page, request_of(1))).to_be_in_viewport()
    expect(row(page, request_of(1))).to_have_attribute("aria-setsize", str(RUNS))

    # By keyboard from request to request, and to the end.
    page.keyboard.press("Alt+ArrowDown")
    expect(row(page, request_of(1))).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    expect(row(page, request_of(2))).to_be_focused()
    page.get_by_role("button", name="Go to the newest").press("Enter")
    expect(row(page, request_of(RUNS))).to_be_in_viewport()


# --- Searching ------------------------------------------------------------------------------------


def test_words_are_found_in_a_session_and_across_sessions(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/plan?session={LONG}")
    expect(row(page, request_of(RUNS))).to_be_visible()
    page.keyboard.press("Control+f")
    box = page.get_by_label("Search this session").and_(page.get_by_role("textbox"))
    expect(box).to_be_focused()
    page.keyboard.type("heron")
    found = page.get_by_text("10 of 10")
    expect(found).to_be_visible()
    heron = page.get_by_text("A heron stands by the pond.")
    expect(row(page, request_of(907)).get_by_text("A heron")).to_be_in_viewport()
    assert marked(page) == ["heron"]
    page.keyboard.press("Enter")  # from the last to the first, a thousand messages away
    expect(page.get_by_text("1 of 10")).to_be_visible()
    expect(row(page, request_of(7)).get_by_text("A heron")).to_be_in_viewport()
    page.keyboard.press("Shift+Enter")
    expect(found).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("pelican")
    expect(page.get_by_text("Not found")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Ask for more")).to_be_focused()
    expect(box).to_have_count(0)

    session = asked(server, "Book me a flight to Ushuaia")
    page.get_by_label("Search sessions").fill("ushuaia")
    page.get_by_role("region", name="Sessions").get_by_role("button", name="Ushuaia").click()
    expect(page.get_by_text("1 of 1")).to_be_visible()
    assert session in page.url
    assert marked(page) == ["Ushuaia"]
    expect(heron).to_have_count(0)


# --- Panels ---------------------------------------------------------------------------------------


def test_what_was_put_away_stays_away(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/plan")
    classes = page.get_by_role("group").filter(has_text=re.compile("^Classes"))
    expect(classes.get_by_role("button", name="3B")).to_be_visible()
    classes.get_by_text("Classes").click()
    expect(classes.get_by_role("button", name="3B")).not_to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Hide the workspace")).to_be_visible()
    expect(classes).to_be_visible()
    expect(classes.get_by_role("button", name="3B")).not_to_be_visible()


# --- How it looks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", looks())
def test_axe_finds_nothing_serious_in_any_state(
    browser: Browser, server: Live, seen: Looks
) -> None:
    session = asked(server, LISBON, ROME)
    with looked_at(browser, seen) as page:
        page.goto(f"{server.url}/plan?session={session}")
        row(page, ROME).get_by_role("button", name="Say it differently").click()
        # Also at the end, which is followed: what one writes in stays in sight.
        expect(page.get_by_label("The request in other words")).to_be_in_viewport()
        expect(page.get_by_role("button", name="Cancel")).to_be_in_viewport()
        look(page, seen, "said differently")
        page.get_by_label("The request in other words").fill(CAIRO)
        page.keyboard.press("Enter")
        expect(page.get_by_text("2 of 2")).to_be_visible()
        look(page, seen, "a branch")
        page.goto(f"{server.url}/plan?session={LONG}&find=heron")
        expect(page.get_by_text("10 of 10")).to_be_visible()
        look(page, seen, "a search")
        assert nodes(page) < MOST_NODES


# --- Shorthands -----------------------------------------------------------------------------------

TOP_OF = "document.querySelector('[data-row=\"{}\"]').getBoundingClientRect().top"
READABLE = """(() => {
  const pane = document.querySelector('[role=feed]').parentElement.parentElement;
  const {top, bottom} = pane.getBoundingClientRect();
  const seen = [...document.querySelectorAll('[data-row]')].filter((row) => {
    const box = row.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  return seen.length > 0 && !seen.some((row) => row.querySelector('.animate-pulse'));
})()"""


def asked(server: Live, *prompts: str) -> str:
    """A session in which these were asked; none of them is planning, so each ends at once."""
    with teacher_at(server) as teacher:
        session = None
        for prompt in prompts:
            begun = teacher.ask(prompt, session=session)
            teacher.until(begun["run"], "ended")
            session = begun["session"]
    assert session is not None
    return session


def rows(page: Page) -> Locator:
    return page.get_by_role("article")


def row(page: Page, prompt: str) -> Locator:
    return page.get_by_role("article", name=prompt, exact=True)


def place(row: Locator) -> str:
    return row.get_attribute("data-row") or ""


def top_of(found: Locator) -> float:
    return found.evaluate("node => node.getBoundingClientRect().top")


def first_in_sight(page: Page) -> Locator:
    """The row that lies across the middle of the window."""
    number = page.evaluate(
        "document.elementFromPoint(800, 400).closest('[data-row]')?.dataset.row ?? null"
    )
    if number is None:  # between two of them
        number = page.evaluate(
            "document.elementFromPoint(800, 440).closest('[data-row]').dataset.row"
        )
    return page.locator(f'[data-row="{number}"]')


def scroller(page: Page) -> JSHandle:
    return page.get_by_role("feed").evaluate_handle("feed => feed.parentElement.parentElement")


def nodes(page: Page) -> int:
    return page.evaluate("document.querySelectorAll('*').length")


def marked(page: Page) -> list[str]:
    """The words that are marked as the place that is looked at."""
    now = "[...(CSS.highlights.get('paige-found-now') ?? [])]"
    return page.evaluate(f"{now}.map((range) => range.toString())")
