"""A whole study session in the browser: recall, lessons, all five kinds of exercise, the summary.

Two concepts were learned a month ago. Today they come back and three are new. Files are edited on
the disk between the steps, code runs in the sandbox, a photo is uploaded. Once by rules alone, once
with a model that answers over the wire.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.cli.test_study_terminal import QUOTE, TEXT, scripted
from tests.fakes.served_model import ServedModel, served_model
from tests.live import Live, live_paige, run_paige
from tests.study.answering import fill_in, right_answer
from tests.study.small_course import FIVE, MALAY, write_five, write_malay
from tests.web.axe import EVERYDAY, Look, Looks, look, looked_at
from tests.web.browser import Problems

pytestmark = pytest.mark.browser
MOST_STEPS = 60
BOTH = (Look("light", 1280, 800), Look("dark", 360, 800))
KINDS = {
    "words": "worksheet",
    "doubling": "code",
    "ideas": "conversation",
    "shape": "long_form",
    "drawing": "image_review",
}
NAMES = {
    "worksheet": "Worksheet",
    "code": "Code",
    "conversation": "Conversation",
    "long_form": "Long answer",
    "image_review": "Photo",
}


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course `lima`, two concepts of which were learned a month ago, and a photo."""
    folder = tmp_path_factory.mktemp("learned")
    write_five(folder)
    Image.new("RGB", (400, 300), "white").save(folder / "tree.png")
    then = datetime.now(UTC) - timedelta(days=30)  # noqa: TID251 - servers have no other clock
    step = command(folder, then, "start", "--course", FIVE, "--minutes", "25", "--seed", "3")
    for number in range(MOST_STEPS):
        if step["stage"] == "over":
            break
        answer = right_answer(folder, step)
        step = command(folder, then + timedelta(seconds=20 * number), "next", *answer)
    assert [each["concept"] for each in step["summary"]["exercises"]] == ["words", "ideas"]
    return folder


def command(folder: Path, at: datetime, *arguments: str) -> dict[str, Any]:
    """One command of the real program: what it printed."""
    variables = {"PAIGE_TEACHING_DIR": str(folder), "DATA_DIR": str(folder / "data")}
    done = run_paige(folder, "study", *arguments, "--json", "--at", at.isoformat(), **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def root(learned: Path, tmp_path: Path) -> Path:
    """A copy of that for one test."""
    return Path(shutil.copytree(learned, tmp_path / "teaching"))


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


def study_server(root: Path, **settings: str) -> Any:
    """A server whose courses are below `root`."""
    return live_paige(root, PAIGE_TEACHING_DIR=str(root), DATA_DIR=str(root / "data"), **settings)


@dataclass
class Learner:
    """Somebody in front of the browser, with the files behind it at hand."""

    page: Page
    root: Path
    looks: Callable[[str], None] = lambda what: None
    course: str = FIVE
    shown: list[str] = field(default_factory=list)

    def state(self) -> dict[str, Any]:
        """Where the session stands, with what only Paige knows."""
        paths = (self.root / "learner" / self.course / "sessions").glob("*.state")
        return json.loads(max(paths).read_text())

    def sitting(self) -> dict[str, Any]:
        """The exercise that is being done."""
        return self.state()["sitting"]

    def file(self) -> Path:
        """Its file or folder."""
        return self.root / self.sitting()["exercise"]["file_path"]

    def press(self, name: str) -> None:
        """Press a button of the page."""
        self.page.get_by_role("main").get_by_role("button", name=name, exact=True).click()

    def feedback(self) -> str:
        """Read what came of an answer, and go on with Enter."""
        box = self.page.get_by_role("region").filter(has=self.page.locator("#study-feedback"))
        expect(box).to_be_visible(timeout=30_000)
        self.looks(f"feedback in stage {self.state()['stage']}")
        text = box.inner_text()
        self.shown.append(text)
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#study-feedback")).to_have_count(0)
        return text

    def finish(self) -> None:
        """Do whatever comes, until the session is over."""
        over = self.page.get_by_role("heading", name="Session done")
        for _ in range(MOST_STEPS):
            state = self.state()
            if state["stage"] == "over":
                expect(over).to_be_visible()
                return
            concept = state["plan"][state["at"]]["concept_id"]
            match state["stage"]:
                case "teach":
                    self.read()
                case "check":
                    self.check(concept)
                case _:
                    self.exercise(concept)
        raise AssertionError("the session does not end")

    def read(self) -> None:
        """Read a lesson."""
        expect(self.page.get_by_role("button", name="Got it")).to_be_visible()
        self.looks("a lesson")
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_text("Did it stick?")).to_be_visible()

    def check(self, answer: str) -> None:
        """Answer the question after a lesson."""
        expect(self.page.get_by_role("textbox", name="Your answer")).to_be_focused()
        self.page.keyboard.type(answer)
        self.page.keyboard.press("Enter")
        assert "That is right" in self.feedback()

    def exercise(self, concept: str) -> None:
        """Do an exercise as the kind that its concept stands for here."""
        wanted = KINDS[concept]
        if self.sitting()["exercise"]["modality"] != wanted:
            self.press("More")
            self.page.get_by_role("menuitem", name=f"Do it as: {NAMES[wanted]}").click()
        expect(self.page.get_by_text(f"· {NAMES[wanted]}")).to_be_visible()
        self.looks(wanted)
        getattr(self, wanted)()

    def worksheet(self) -> None:
        """Fill the worksheet in on the disk, see it here, and say that it is ready."""
        self.press("As a file")
        editor = self.page.get_by_role("textbox", name=re.compile("^Text of .*words.md"))
        expect(editor).to_contain_text("Worksheet: Words")
        self.looks("a worksheet as a file")
        fill_in(self.file())
        self.press("Read it again")
        expect(editor).to_contain_text(re.compile("satu|dua|tiga|empat"))
        expect(editor).not_to_contain_text("ANSWER_KEY")
        self.press("The file is ready")
        assert "That is right" in self.feedback()

    def conversation(self) -> None:
        """Answer every question."""
        items = self.sitting()["exercise"]["items"]
        for number, question in enumerate(items, 1):
            expect(self.page.get_by_text(f"Question {number} of {len(items)}")).to_be_visible()
            field = self.page.get_by_role("textbox", name="Your answer")
            expect(field).to_be_focused()
            self.page.keyboard.type((question["key"] or question["answers"])[0])
            self.page.keyboard.press("Enter")
            self.feedback()

    def code(self) -> None:
        """Run what is there, hand it in, mend it on the disk, run it again, hand it in."""
        editor = self.page.get_by_role("textbox", name="Text of exercise.py")
        expect(editor).to_contain_text("def double(n):")
        self.press("Run the tests")
        expect(self.page.get_by_text("0 of 3 tests pass", exact=True)).to_be_visible(timeout=30_000)
        self.looks("tests that fail")
        self.press("Hand it in")
        expect(self.page.get_by_role("button", name="Hand it in as it is")).to_be_visible(
            timeout=30_000
        )
        folder = self.file()
        (folder / "exercise.py").write_text((folder / "solution.py").read_text())
        self.press("Read it again")
        expect(editor).to_contain_text("return 2 * n")
        self.press("Run the tests")
        expect(self.page.get_by_text("3 of 3 tests pass", exact=True)).to_be_visible(timeout=30_000)
        self.press("Hand it in")
        assert "3 of 3" in self.feedback()

    def long_form(self) -> None:
        """Write the text into its file with another editor."""
        self.page.get_by_text("How it is judged").click()
        self.looks("how it is judged")
        self.press("As a file")
        response = self.file()
        response.write_text(response.read_text() + TEXT)
        self.press("Read it again")
        expect(self.page.get_by_role("textbox", name=re.compile("^Text of"))).to_contain_text(QUOTE)
        self.press("The file is ready")
        either = self.page.get_by_text("Nobody here can judge a text").or_(
            self.page.locator("#study-feedback")
        )
        expect(either.first).to_be_visible(timeout=30_000)
        if self.page.locator("#study-feedback").count() == 0:
            self.looks(self.page)
            self.page.keyboard.press("3")
        self.feedback()

    def image_review(self) -> None:
        """Upload a photo and hand it in; where nobody can look at it, judge it oneself."""
        self.page.get_by_label("Choose a photo").first.set_input_files(self.root / "tree.png")
        expect(self.page.get_by_text("tree.png is uploaded.")).to_be_visible()
        picture = self.page.get_by_role("img", name="Your photo")
        expect(picture).to_be_visible()
        self.looks("a photo")
        self.press("Hand in the photo")
        either = self.page.get_by_text("Nobody here can look at photos").or_(
            self.page.locator("#study-feedback")
        )
        expect(either.first).to_be_visible(timeout=30_000)
        if self.page.locator("#study-feedback").count() == 0:
            self.page.keyboard.press("3")
        self.feedback()


def records(root: Path) -> list[dict[str, Any]]:
    """What today's session recorded."""
    log = max((root / "learner" / FIVE / "sessions").glob("*.json"))
    return json.loads(log.read_text())["exercises"]


def begin(page: Page, server: Live, minutes: str = "60") -> None:
    """Start a session from the page of one."""
    page.goto(f"{server.url}/study/{FIVE}/session")
    page.get_by_label("How long").select_option(minutes)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("Before anything new")).to_be_visible()


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(EVERYDAY, id="once"),
        pytest.param(BOTH, id="wide and narrow, every time", marks=pytest.mark.soak),
    ],
)
def test_a_session_with_all_five_kinds_by_rules_alone(
    browser: Browser, root: Path, seen: Looks
) -> None:
    with study_server(root) as server, looked_at(browser, seen) as page:
        page.set_default_timeout(15_000)
        known: set[str] = set()

        def looks(what: str) -> None:
            if seen == BOTH or what not in known:
                known.add(what)
                look(page, seen, what)

        begin(page, server)
        me = Learner(page, root, looks)
        me.finish()
        looks("the summary")

        done = records(root)
        assert {each["concept_id"]: each["modality"] for each in done} == KINDS
        assert {each["modality"] for each in done if each["source"] == "self"} == {
            *("long_form", "image_review"),
        }
        page.get_by_text("Exercise by exercise").click()
        expect(page.get_by_role("listitem").filter(has_text="Doubling")).to_contain_text("100 %")
        page.get_by_role("link", name="Back to Study").click()
        expect(page.get_by_text("1 day in a row")).to_be_visible()
        looks("Study after it")


@pytest.mark.soak
def test_the_same_session_with_a_model_on_the_wire(
    page: Page, root: Path, model: ServedModel
) -> None:
    model.answers_with(scripted)
    with study_server(root, **model.variables) as server:
        begin(page, server)
        me = Learner(page, root)
        me.finish()
    found = {each["modality"]: each for each in records(root)}
    assert set(found) == set(KINDS.values())
    assert found["long_form"]["source"] == found["image_review"]["source"] == "anthropic"
    told = "\n".join(me.shown)
    assert "Short and clear." in told
    assert QUOTE in told
    assert "A tree with three leaves." in told
    assert "without a model" not in told
    assert model.requests


def test_a_lesson_and_cards_with_the_keyboard_alone(page: Page, tmp_path: Path) -> None:
    write_malay(tmp_path)
    with study_server(tmp_path) as server:
        page.goto(f"{server.url}/study")
        expect(page.get_by_role("heading", name="How it works")).to_be_visible()
        start = page.get_by_role("button", name="Start · 25 minutes (Malay, small)")
        start.focus()
        page.keyboard.press("Enter")
        me = Learner(page, tmp_path, course=MALAY)
        me.read()
        me.check("greetings")
        page.get_by_role("button", name="More").focus()
        page.keyboard.press("Enter")
        items = page.get_by_role("menuitem")
        expect(items.first).to_be_focused()
        for place in range(1, items.all_inner_texts().index("Do it as: Flashcard") + 1):
            page.keyboard.press("ArrowDown")
            expect(items.nth(place)).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_label("Say it to yourself")).to_be_focused()
        count = len(me.sitting()["exercise"]["items"])
        for number in range(1, count + 1):
            expect(page.get_by_text(f"Question {number} of {count}")).to_be_visible()
            page.keyboard.press("Enter")
            expect(page.get_by_text("How was it?")).to_be_visible()
            page.keyboard.press("4" if number > 1 else "1")
        me.feedback()
        assert [each["modality"] for each in me.state()["done"]] == ["flashcard"]


def test_a_reload_and_a_second_window_show_the_same_step_and_keep_what_was_typed(
    page: Page, problems: Problems, context: BrowserContext, root: Path
) -> None:
    problems.expect("409")
    with study_server(root) as server:
        begin(page, server)
        field = page.get_by_role("textbox", name="Your answer")
        field.fill("half an answ")
        page.reload()
        expect(page.get_by_text("Welcome back.")).to_be_visible()
        expect(field).to_have_value("half an answ")

        other = context.new_page()
        other.goto(page.url)
        expect(other.get_by_role("banner")).to_contain_text("Connected")
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        me = Learner(other, root)
        question = me.sitting()["exercise"]["items"][0]
        other.get_by_role("textbox", name="Your answer").fill(question["answers"][0])
        other.keyboard.press("Enter")
        me.feedback()
        expect(page.get_by_text("Question 2 of")).to_be_visible()
        expect(other.get_by_text("Question 2 of")).to_be_visible()
        page.get_by_role("link", name="Pause").click()
        expect(page.get_by_role("link", name="Go on (Five)")).to_be_visible()


def test_a_file_that_somebody_else_changed_is_not_written_over(
    page: Page, problems: Problems, root: Path
) -> None:
    problems.expect("409")
    with study_server(root) as server:
        begin(page, server)
        me = Learner(page, root)
        me.press("More")
        page.get_by_role("menuitem", name="Do it as: Worksheet").click()
        me.press("As a file")
        editor = page.get_by_role("textbox", name=re.compile("^Text of"))
        expect(editor).to_contain_text("Worksheet")
        editor.click()
        page.keyboard.press("Control+End")
        page.keyboard.type("mine")
        fill_in(me.file())
        me.press("Save")
        expect(page.get_by_role("alert")).to_contain_text("changed in another place")
        me.press("Take the other")
        expect(editor).to_contain_text(re.compile("satu|dua|tiga|empat"))
        expect(editor).not_to_contain_text("mine")
        me.press("The file is ready")
        assert "That is right" in me.feedback()


def test_a_gap_left_open_is_named_beside_what_was_right(page: Page, root: Path) -> None:
    with study_server(root) as server:
        begin(page, server)
        me = Learner(page, root)
        me.press("More")
        page.get_by_role("menuitem", name="Do it as: Worksheet").click()
        page.get_by_role("textbox").first.fill("nonsense")
        me.press("Hand it in")
        named = page.get_by_role("main").get_by_text("Not answered:", exact=True)
        expect(named.first).to_be_attached(timeout=30_000)
        assert "not answered" in me.feedback()
