"""The Plan page in a real browser: from a request to a lesson, two windows, the keyboard alone."""

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from threading import Event
from typing import Any

import httpx2
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    WebSocketRoute,
    expect,
)
from pypdf import PdfReader

from tests.fakes.model_server import Recorded, Reply
from tests.fakes.served_model import ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import Live, live_paige
from tests.plan.composing import Composer
from tests.server.plan_window import teacher_at
from tests.web.axe import NOTE_VIOLATIONS, Looks, check_page, check_scenes, looks
from tests.web.browser import Problems, wake
from tests.web.plan_scenes import (
    CURRICULUM,
    JUDGING,
    MARKED,
    PLAN_SCENES,
    REFUSED,
    WRONG,
    lead_to,
    prepare,
    read,
    saved_lesson,
    write,
)
from tests.web.scenes import WIDTHS
from tests.web.test_connection import GONE
from tests.web.test_shell import tab_to

pytestmark = pytest.mark.browser
SIZES = {**WIDTHS, 360: 700, 1100: 800, 1920: 1080}
NOTES = "- [class 3B] Short starters work best.\n- [class 3B] Pairs before groups."


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Live]:
    """A server whose workspace a test may change."""
    with live_paige(tmp_path) as live:
        yield live


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with lessons and sessions, for tests that only look."""
    with live_paige(tmp_path_factory.mktemp("desk")) as live:
        prepare(live)
        yield live


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


class Paused(list[Mapping[str, Any]]):
    """Events of a stream that stops in the middle until it is told to go on."""

    def __init__(self, events: Sequence[Mapping[str, Any]], first: int) -> None:
        super().__init__(events)
        self.first = first
        self.go_on = Event()

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for number, event in enumerate(list.__iter__(self)):
            if number == self.first:
                assert self.go_on.wait(60), "nobody told the stream to go on"
            yield event


# --- From a request to a lesson -------------------------------------------------------------------


def writing(lesson: str) -> Callable[[Recorded], Reply]:
    """A model that drafts this lesson, a shorter starter, and two alternatives of a section."""
    two = "<alternative>- One idea.</alternative>\n<alternative>- Another idea.</alternative>"
    short = "Alone, on paper.\n\n### Questions\n\n1. What does a loop do?\n   - Answer: it repeats"

    def answer(request: Recorded) -> Reply:
        task = str(request.body["system"])
        text = lesson
        if "one section of a lesson anew" in task:
            text = two if "<alternative>" in task else short
        streamed = request.body.get("stream")
        return ANTHROPIC.text_stream(text) if streamed else ANTHROPIC.answer(text)

    return answer


def test_a_teacher_gets_from_a_request_to_a_lesson_in_word(
    page: Page, tmp_path: Path, model: ServedModel
) -> None:
    model.answers_with(writing(Composer(tmp_path).say("create-lesson", JUDGING)))
    with live_paige(tmp_path, **model.variables) as server:
        from_a_request_to_word(page, server, tmp_path)


def from_a_request_to_word(page: Page, server: Live, tmp_path: Path) -> None:
    """Ask, correct, think, judge, choose, remember, open, export, look up the line."""
    page.goto(f"{server.url}/plan")
    page.get_by_role("button", name=JUDGING).click()
    expect(request(page)).to_be_focused()
    page.get_by_role("button", name="Send").click()

    known = question(page, "What I know about 3B")
    expect(known).to_contain_text("24 pupils")
    known.get_by_role("button", name="Go on, with changes").click()
    known.get_by_label("What should change?").fill("There are 25 pupils now")
    known.get_by_role("button", name="Go on", exact=True).click()

    thinking = question(page, "Before you judge it")
    expect(page.get_by_role("heading", name="Exit check")).to_have_count(1)  # the draft, once
    thinking.get_by_role("textbox").first.fill("Yes, that is the one")
    thinking.get_by_role("button", name="Go on").click()

    judging = question(page, "Judge the draft")
    decide(judging, "Starter", "Revise")
    judging.get_by_label("What should change in Starter?").fill("make it shorter")
    decide(judging, "Misconceptions", "Show alternatives")
    judging.get_by_role("button", name="Accept the other").click()
    judging.get_by_role("button", name="Go on").click()

    choosing = question(page, "Which one for “Misconceptions”?")
    expect(choosing.get_by_role("listitem").filter(has_text="Alternative 2")).to_be_visible()
    check_page(page, "alternatives")
    choosing.get_by_role("button", name="Choose this: Alternative 1").click()

    again = question(page, "Judge what was written anew")
    expect(again.locator("ins, del").first).to_be_visible()
    expect(again.get_by_role("group", name=re.compile("^Your decision"))).to_have_count(1)
    decide(again, "Starter", "Accept")
    again.get_by_role("button", name="Go on").click()

    remembering = question(page, "Should I remember this?")
    expect(page.get_by_role("heading", name="Saved in your workspace")).to_be_visible()
    for each in remembering.get_by_role("group", name=re.compile("^Your decision")).all():
        each.get_by_text("Remember it", exact=True).click()
    remembering.get_by_role("button", name="Go on").click()
    expect(page.get_by_label("Ask for more")).to_be_visible()
    # What was remembered is listed, apart from files.
    expect(page.get_by_role("link", name="About 3B")).to_be_visible()

    page.get_by_role("button", name="Open it").click()
    lesson = page.get_by_role("article", name="Fixed loops")
    expect(lesson).to_contain_text("How the time is spent")
    [item] = read(server, "/lessons")
    with page.expect_download() as download:
        lesson.get_by_role("button", name="Export").click()
        page.get_by_role("menuitem", name="Word").click()
    assert download.value.suggested_filename == f"{Path(item['path']).stem}.docx"
    download.value.save_as(tmp_path / "lesson.docx")
    with zipfile.ZipFile(tmp_path / "lesson.docx") as file:
        assert item["title"] in file.read("word/document.xml").decode()

    lesson.get_by_role("button", name=re.compile("^Show the curriculum line")).last.click()
    beside = page.get_by_role("complementary")
    expect(beside).to_contain_text("Cited: - **TCH 3-15a**")
    expect(lesson).to_be_visible()
    page.reload()  # the address carries all of it
    expect(lesson).to_be_visible()
    expect(beside).to_contain_text("Cited: - **TCH 3-15a**")
    expect(page.get_by_role("heading", name="Saved in your workspace")).to_be_visible()
    beside.get_by_role("button", name="Open the whole file").click()
    expect(editor(page, CURRICULUM)).to_contain_text("TCH 3-15a")


def test_a_whole_lesson_is_planned_with_the_keyboard_alone(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/plan")
    expect(page.get_by_role("button", name=JUDGING)).to_be_visible()
    tab_to(page, request(page), most=60)
    page.keyboard.type("Iteration with for loops for 3B")
    page.keyboard.press("Enter")

    # The next question always has the focus: nobody has to look for it.
    expect(page.get_by_role("heading", name="What I know about 3B")).to_be_focused()
    tab_to(page, page.get_by_role("button", name="Go on with this"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Before you judge it")).to_be_focused()
    tab_to(page, question(page, "Before you judge it").get_by_role("button", name="Go on"))
    page.keyboard.press("Enter")
    judging = question(page, "Judge the draft")
    expect(judging.get_by_role("heading", name="Judge the draft")).to_be_focused()
    tab_to(page, judging.get_by_role("radio", name="Accept").first)
    page.keyboard.press("Space")
    tab_to(page, judging.get_by_role("button", name="Accept the other"), most=60)
    page.keyboard.press("Enter")
    expect(judging.get_by_role("button", name="Go on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Should I remember this?")).to_be_focused()
    remembering = question(page, "Should I remember this?")
    tab_to(page, remembering.get_by_role("radio", name="Remember it", exact=True).first)
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(remembering.get_by_role("radio", name="Do not remember it").first).to_be_checked()
    tab_to(page, remembering.get_by_role("button", name="Go on"))
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Saved in your workspace")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # open it
    expect(page.get_by_role("heading", name=re.compile("^lessons.2"))).to_be_focused()
    tab_to(page, page.get_by_role("button", name="Export"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Word")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem", name="PDF")).to_be_focused()
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".pdf")
    pointer = page.get_by_role("article").get_by_role(
        "button", name=re.compile("^Show the curriculum line")
    )
    tab_to(page, pointer.last)
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary").get_by_role("heading")).to_be_focused()
    page.keyboard.press("Escape")
    expect(pointer.last).to_be_focused()
    close = page.get_by_role("button", name="Close the document")
    tab_to(page, close, key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("Fixed loops")).first).to_be_focused()


# --- Breaks, and other windows --------------------------------------------------------------------


def test_a_half_written_answer_and_its_question_outlive_the_server_and_a_reload(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(GONE, "WebSocket", "fetching the script")
    with live_paige(tmp_path) as before:
        with teacher_at(before) as teacher:
            gate = lead_to(teacher, JUDGING, "feedforward")
            session = session_of(before, gate["run"])
        page.goto(f"{before.url}/plan?session={session}")
        page.get_by_role("button", name="Go on, with changes").click()
        page.get_by_label("What should change?").fill("There are 25 pupils")
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        before.stop()
        expect(page.get_by_role("banner")).to_contain_text(re.compile("Retrying|Connecting"))
        page.get_by_role("button", name="Go on", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("Paige does not answer")
    with live_paige(tmp_path, PORT=str(before.port)):
        wake(page)
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        page.reload()
        expect(page.get_by_label("What should change?")).to_have_value("There are 25 pupils")
        page.get_by_role("button", name="Go on", exact=True).click()
        expect(page.get_by_role("heading", name="Before you judge it")).to_be_visible()


def test_words_are_shown_while_they_are_written_also_to_who_comes_in_the_middle(
    page: Page, context: BrowserContext, tmp_path: Path, model: ServedModel
) -> None:
    stream = ANTHROPIC.text_stream(*(f"{word} " for word in NOTES.split(" ")))
    paused = Paused(stream.events, len(stream.events) - 6)
    model.answers(type(stream)(paused, headers=stream.headers))
    with live_paige(tmp_path, PAIGE_FALLBACK="none", **model.variables) as live:
        page.goto(f"{live.url}/plan")
        page.get_by_label("What to make").select_option(label="Remember something")
        request(page).fill("Short starters work for 3B")
        page.keyboard.press("Enter")
        words = "Short starters work best."
        expect(page.get_by_role("feed").get_by_text(words)).to_be_visible()
        expect(page.get_by_text("Paige is writing…")).to_be_visible()
        expect(page.get_by_role("button", name="Stop")).to_be_visible()
        assert announced(page) == ""

        late = context.new_page()
        late.goto(page.url)
        expect(late.get_by_role("feed").get_by_text(words)).to_be_visible()
        paused.go_on.set()
        for window in (page, late):
            expect(window.get_by_role("heading", name="Should I remember this?")).to_be_visible()
            expect(window.get_by_text("Pairs before groups.").last).to_be_visible()
        assert announced(page) == "Paige asks: Should I remember this?"


def test_who_reads_above_is_left_there_and_who_is_at_the_end_stays_at_the_end(
    page: Page, tmp_path: Path, model: ServedModel
) -> None:
    lines = [f"- [class 3B] Note number {number} about starters.\n" for number in range(80)]
    stream = ANTHROPIC.text_stream(*lines)
    paused = Paused(stream.events, 70)
    model.answers(type(stream)(paused, headers=stream.headers))
    with live_paige(tmp_path, PAIGE_FALLBACK="none", **model.variables) as live:
        page.goto(f"{live.url}/plan")
        page.get_by_label("What to make").select_option(label="Remember something")
        request(page).fill("What I noticed about 3B")
        page.keyboard.press("Enter")
        notes = page.get_by_role("feed")
        expect(notes.get_by_text("Note number 60")).to_be_in_viewport()

        notes.get_by_text("Note number 2 about").scroll_into_view_if_needed()
        expect(page.get_by_role("button", name="Go to the newest")).to_be_visible()
        place = notes.get_by_text("Note number 2 about").bounding_box()
        paused.go_on.set()
        expect(page.get_by_role("button", name="New below")).to_be_visible()
        expect(page.get_by_role("heading", name="Should I remember this?")).to_be_attached()
        assert notes.get_by_text("Note number 2 about").first.bounding_box() == place
        page.get_by_role("button", name="Go to the question").click()
        expect(page.get_by_role("heading", name="Should I remember this?")).to_be_focused()


def test_a_run_that_the_server_left_in_the_middle_is_continued(
    page: Page, problems: Problems, tmp_path: Path, model: ServedModel
) -> None:
    problems.expect(GONE, "WebSocket", "fetching the script")
    model.keeps_silent()
    settings = {"PAIGE_FALLBACK": "none", **model.variables}
    with live_paige(tmp_path, **settings) as before:
        page.goto(f"{before.url}/plan")
        page.get_by_label("What to make").select_option(label="Remember something")
        request(page).fill("Short starters work for 3B")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Paige is working…")).to_be_visible()
        assert model.asked.wait(30)
    model.says(NOTES)
    with live_paige(tmp_path, PORT=str(before.port), **settings):
        wake(page)
        expect(page.get_by_role("heading", name="This was interrupted")).to_be_visible()
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_role("heading", name="Should I remember this?")).to_be_focused()


def test_a_run_is_stopped_and_goes_on_when_one_likes(
    page: Page, tmp_path: Path, model: ServedModel
) -> None:
    model.keeps_silent()
    with live_paige(tmp_path, PAIGE_FALLBACK="none", **model.variables) as live:
        page.goto(f"{live.url}/plan")
        page.get_by_label("What to make").select_option(label="Remember something")
        request(page).fill("Short starters work for 3B")
        page.keyboard.press("Enter")
        assert model.asked.wait(30)
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_text("It was stopped.")).to_be_visible()
        model.says(NOTES)
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_role("heading", name="Should I remember this?")).to_be_visible()


def test_two_windows_stay_in_step_and_the_later_answer_is_told_so(
    page: Page, problems: Problems, context: BrowserContext, server: Live
) -> None:
    problems.expect("409")
    with teacher_at(server) as teacher:
        session = session_of(server, lead_to(teacher, JUDGING, "feedforward")["run"])
    address = f"{server.url}/plan?session={session}"
    other = context.new_page()
    other.goto(address)
    deaf = Deaf()
    page.route_web_socket("**/ws", deaf.connect)
    page.goto(address, wait_until="networkidle")  # what it reads once it is connected, too
    for window in (page, other):
        expect(window.get_by_role("button", name="Go on with this")).to_be_visible()
        expect(window.get_by_role("banner")).to_contain_text("Connected")

    deaf.hears = False
    other.get_by_role("button", name="Go on with this").click()
    expect(other.get_by_role("heading", name="Before you judge it")).to_be_visible()
    page.get_by_role("button", name="Leave it aside").click()
    expect(page.get_by_text("Somebody answered this meanwhile").first).to_be_visible()
    expect(page.get_by_role("heading", name="Before you judge it")).to_be_visible()
    deaf.hears = True

    page.get_by_role("button", name="Go on", exact=True).click()
    expect(other.get_by_role("heading", name="Judge the draft")).to_be_visible()


class Deaf:
    """A window that may stop hearing of what happens elsewhere."""

    def __init__(self) -> None:
        self.hears = True

    def connect(self, socket: WebSocketRoute) -> None:
        """Pass messages on as long as it hears."""
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(text) if self.hears else None)


# --- Files ----------------------------------------------------------------------------------------


def test_a_class_is_changed_its_problems_stand_by_their_line_and_others_see_it(
    page: Page, context: BrowserContext, server: Live
) -> None:
    other = context.new_page()
    other.goto(f"{server.url}/plan?file=classes/3B.md")
    expect(editor(other, "classes/3B.md")).to_contain_text("size: 24")
    page.add_init_script(NOTE_VIOLATIONS)
    page.goto(f"{server.url}/plan")
    page.get_by_role("region", name="Workspace", exact=True).get_by_role(
        "button", name="3B"
    ).click()
    field = editor(page, "classes/3B.md")
    field.get_by_text("size: 24").click()
    page.keyboard.press("End")
    page.keyboard.type(" or so")
    page.keyboard.press("Control+s")

    problem = page.get_by_role("region", name="1 problem in this file")
    expect(problem).to_contain_text("size")
    expect(page.locator(".cm-lint-marker-warning")).to_be_visible()
    expect(editor(other, "classes/3B.md")).to_contain_text("size: 24 or so")
    # Half a change, and a reload: nothing is lost.
    page.keyboard.type("!")
    expect(page.get_by_text("Not saved").first).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(editor(page, "classes/3B.md")).to_contain_text("size: 24 or so!")
    problem.get_by_role("button", name="Line").click()
    expect(editor(page, "classes/3B.md")).to_be_focused()
    assert page.evaluate("window.violations ?? []") == []


def test_a_file_that_both_sides_changed_shows_both_texts(
    page: Page, context: BrowserContext, server: Live
) -> None:
    other = context.new_page()
    for window in (page, other):
        window.goto(f"{server.url}/plan?file=teacher.md")
        expect(editor(window, "teacher.md")).to_be_visible()
        expect(window.get_by_role("banner")).to_contain_text("Connected")
    type_at_the_end(page, "teacher.md", "Written here.")
    type_at_the_end(other, "teacher.md", "Written there.")
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.get_by_text("Saved", exact=True)).to_be_visible()

    both = page.get_by_role("region", name="Both sides changed this file")
    expect(both.locator("ins")).to_contain_text("here")
    expect(both.locator("del")).to_contain_text("there")
    both.get_by_role("button", name="Save mine over it").click()
    expect(both).to_have_count(0)
    expect(editor(other, "teacher.md")).to_contain_text("Written here.")
    assert "Written here." in file_text(server, "teacher.md")


def test_a_class_is_made_used_and_deleted(page: Page, problems: Problems, server: Live) -> None:
    # What the page still asks about the class when it goes.
    problems.expect("/api/plan/classes/4A/misconceptions")
    page.goto(f"{server.url}/plan")
    page.get_by_text("New file", exact=True).click()
    page.get_by_label("Path of the new file").fill("classes/4A.md")
    page.keyboard.press("Enter")
    expect(editor(page, "classes/4A.md")).to_contain_text("class: 4A")
    expect(page.get_by_label("For which class").get_by_role("option", name="4A")).to_be_attached()

    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_label("For which class").get_by_role("option", name="4A")).to_have_count(0)
    expect(page.get_by_role("region", name="Document")).to_have_count(0)


# --- What goes wrong ------------------------------------------------------------------------------


def test_a_request_that_is_no_planning_is_refused_with_what_to_do(page: Page, filled: Live) -> None:
    page.goto(f"{filled.url}/plan")
    page.get_by_label("Search sessions").fill("Lisbon")
    page.get_by_role("region", name="Sessions").get_by_role("button", name=REFUSED).click()
    expect(page.get_by_role("heading", name="Paige did not go on")).to_be_visible()
    expect(page.get_by_text("is not lesson planning")).to_be_visible()
    page.get_by_role("button", name="Change the request").click()
    expect(page.get_by_label("Ask for more")).to_have_value(REFUSED)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("session=nobody", "The session could not be read"),
        ("lesson=lessons/none.md", "The lesson could not be read"),
        ("file=../../../etc/passwd", "The file could not be read"),
        ("file=memory/MEMORY.md", "is a memory document"),
        (f"lines={CURRICULUM}%23L9000-L9001", "The curriculum line could not be read"),
    ],
)
def test_an_address_that_leads_nowhere_says_so(
    page: Page, problems: Problems, filled: Live, address: str, says: str
) -> None:
    problems.expect("answer: /api/plan/", r"status of 4\d\d")
    page.goto(f"{filled.url}/plan?{address}")

    expect(page.get_by_role("alert")).to_contain_text(says)
    expect(page.get_by_role("alert").get_by_role("button", name="Try again")).to_be_visible()
    expect(page.get_by_role("heading", level=1, name="Plan")).to_be_visible()


def test_wrong_input_is_explained_where_it_was_made(
    page: Page, problems: Problems, server: Live
) -> None:
    problems.expect("/api/plan/file", "/api/plan/export", r"status of 4\d\d")
    with teacher_at(server) as teacher:
        session = session_of(server, lead_to(teacher, JUDGING, "teacher-adjudication")["run"])
        write(teacher, "lessons/notes.md", "# Only notes\n\nNo lesson at all.\n")
    page.goto(f"{server.url}/plan?session={session}&lesson=lessons/notes.md")
    judging = question(page, "Judge the draft")
    decide(judging, "Starter", "Revise")
    judging.get_by_role("button", name="Accept the other").click()
    judging.get_by_role("button", name="Go on").click()
    expect(judging.get_by_role("alert")).to_contain_text("Say what should change in Starter")
    expect(judging.get_by_role("heading", name="Starter")).to_be_focused()

    page.get_by_role("button", name="Export").click()
    page.get_by_role("menuitem", name="Quiz").click()
    expect(page.get_by_text("The file could not be made").first).to_be_visible()

    page.get_by_text("New file", exact=True).click()
    page.get_by_label("Path of the new file").fill("../outside.md")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="outside.md")).to_be_visible()


def test_the_page_is_fetched_when_it_is_opened_and_a_failed_fetch_is_explained(
    page: Page, problems: Problems, server: Live
) -> None:
    problems.expect("/assets/plan-page-", "ERR_FAILED")
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.route("**/assets/plan-page-*.js", lambda route: route.abort())
    page.goto(server.url, wait_until="networkidle")
    assert not any("plan-page" in url or "code-editor" in url for url in fetched)

    page.get_by_role("navigation", name="Main").get_by_role("link", name="Plan").click()
    expect(page.get_by_role("alert")).to_contain_text("The Plan page could not be loaded")
    page.unroute_all()
    page.reload()
    expect(page.get_by_role("heading", name="What are you planning?")).to_be_visible()
    assert not any("code-editor" in url for url in fetched)


# --- How it looks ---------------------------------------------------------------------------------


def test_on_a_phone_the_parts_are_tabs_and_a_lesson_is_planned_all_the_same(
    page: Page, server: Live
) -> None:
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(f"{server.url}/plan")
    page.get_by_role("button", name=JUDGING).click()
    page.get_by_role("button", name="Send").click()
    page.get_by_role("button", name="Go on with this").click()
    question(page, "Before you judge it").get_by_role("button", name="Go on").click()
    judging = question(page, "Judge the draft")
    judging.get_by_role("button", name="Accept everything").click()
    judging.get_by_role("button", name="Go on").click()
    expect(
        question(page, "Should I remember this?").get_by_role("heading").first
    ).to_be_in_viewport()
    page.get_by_role("button", name="Open it").click()

    expect(page.get_by_role("tab", selected=True)).to_have_text("Document")
    expect(page.get_by_role("article")).to_be_visible()
    page.get_by_role("tab", name="Workspace").click()
    expect(page.get_by_role("article")).not_to_be_visible()
    page.get_by_role("tabpanel").get_by_role("button", name="3B", exact=True).click()
    expect(editor(page, "classes/3B.md")).to_be_visible()
    page.get_by_role("tab", name="Chat").click()
    expect(page.get_by_role("heading", name="Should I remember this?")).to_be_visible()


def test_a_lesson_is_printed_without_what_is_around_it(page: Page, filled: Live) -> None:
    page.goto(f"{filled.url}/plan?lesson={MARKED}")
    lesson = page.get_by_role("article", name="Loops, with marks")
    expect(lesson).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 680, "height": 1000})  # as wide as a sheet

    expect(lesson.get_by_role("heading", name="Starter")).to_be_visible()
    for around in (
        page.get_by_role("navigation", name="Main"),
        page.get_by_role("banner"),
        request(page),
        lesson.get_by_role("button", name="Print"),
    ):
        expect(around).not_to_be_visible()
    assert lesson.evaluate("node => getComputedStyle(node).color") == "rgb(0, 0, 0)"
    height = lesson.evaluate("node => node.scrollHeight")
    assert page.evaluate("document.documentElement.scrollHeight") < height + 100  # nothing else
    sheets = PdfReader(BytesIO(page.pdf(format="A4"))).pages
    printed = "".join(sheet.extract_text() for sheet in sheets)
    assert "Loops, with marks" in printed
    assert "What are you planning?" not in printed


def test_the_panes_are_resized_and_remembered(page: Page, filled: Live) -> None:
    page.goto(f"{filled.url}/plan?lesson={MARKED}")
    line = page.get_by_role("separator", name="Width of the document")
    line.focus()
    page.keyboard.press("End")
    widest = width_of(page.get_by_role("region", name="Document"))
    page.keyboard.press("Home")
    assert width_of(page.get_by_role("region", name="Document")) < widest
    page.get_by_role("button", name="Hide the workspace").click()
    expect(page.get_by_role("region", name="Workspace", exact=True)).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="Show the workspace")).to_be_visible()
    expect(line).to_have_attribute("aria-valuenow", "30")


def test_problems_of_the_workspace_are_named_on_the_desk(page: Page, filled: Live) -> None:
    page.goto(f"{filled.url}/plan")
    page.get_by_role("button", name=f"{WRONG}, Line 4").click()

    expect(editor(page, WRONG)).to_contain_text("size: many")
    expect(page.get_by_role("region", name="1 problem in this file")).to_contain_text("size")


def test_a_saved_lesson_is_in_the_workspace_of_every_window(page: Page, server: Live) -> None:
    page.goto(f"{server.url}/plan")
    expect(page.get_by_text("Lessons you accept are saved here.")).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    ended = saved_lesson(server)

    workspace = page.get_by_role("region", name="Workspace", exact=True)
    workspace.get_by_role("button", name=re.compile("Fixed loops")).click()
    expect(page.get_by_role("heading", name=ended["lesson"])).to_be_focused()


@pytest.mark.parametrize("seen", looks(SIZES))
def test_axe_finds_nothing_serious_and_nothing_is_too_wide(
    browser: Browser, filled: Live, seen: Looks
) -> None:
    check_scenes(browser, filled.url, PLAN_SCENES, seen)


# --- Shorthands -----------------------------------------------------------------------------------


def request(page: Page) -> Locator:
    return page.get_by_label("Your request")


def question(page: Page, title: str) -> Locator:
    found = page.get_by_role("region", name=title)
    expect(found).to_be_visible()
    return found


def decide(where: Locator, section: str, choice: str) -> None:
    where.get_by_role("group", name=f"Your decision on {section}").get_by_text(
        choice, exact=True
    ).click()


def editor(page: Page, path: str) -> Locator:
    return page.get_by_role("textbox", name=f"Text of {path}")


def type_at_the_end(page: Page, path: str, text: str) -> None:
    editor(page, path).click()
    page.keyboard.press("Control+End")
    page.keyboard.type(text)


def session_of(server: Live, run: str) -> str:
    for session in read(server, "/sessions")["sessions"]:
        if any(each["id"] == run for each in read(server, f"/sessions/{session['id']}")["runs"]):
            return session["id"]
    raise AssertionError(f"no session has the run {run}")


def file_text(server: Live, path: str) -> str:
    return httpx2.get(f"{server.url}/api/plan/file", params={"path": path}).json()["text"]


def announced(page: Page) -> str:
    """What the chat has told screen readers."""
    return page.get_by_role("region", name="Chat").get_by_role("status").first.inner_text()


def width_of(found: Locator) -> float:
    box = found.bounding_box()
    assert box is not None
    return box["width"]
