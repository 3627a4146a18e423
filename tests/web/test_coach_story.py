"""The coach's story in a real browser, without a model; the gap that one would find is planted.

Somebody works on a real bug, goes round in circles, is spoken to once, finishes, and is told that
nobody judged it. The kata is due in Study; a wrong solution is refused by its tests. The right one
raises the level, opens a constraint and closes the gap.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from playwright.sync_api import Locator, Page, expect

from paige.app.demo.coach import show_gap
from paige.coach.inquiry.topics import topic_named
from paige.coach.log.queries import recent_actions
from paige.coach.observer.rules import ObserverState
from tests.coach.coaching_room import SHOP
from tests.coach.observing import Hands, until
from tests.coach.test_story import PLAN, SOLVED, TOPIC, TRIED
from tests.web.coach_site import CoachSite, coach_site

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
PATIENCE_MS = 30_000
FILE = "shop.py"
KATA = "A diary for everyone"
COURSE = "Practice from coaching"
FIRST = "Baskets are shared"
GAP = {"topic": TOPIC, "severity": "high", "evidence": "It went round in circles."}
ISSUES = [
    {"number": 1, "title": FIRST, "body": "Two customers find each other's items."},
]
ROUNDS = 8  # of going in circles
SPOKEN_TO = 5  # the text has come back for the second time
WRONG = """def write(line, diary=None):
    diary = diary or []
    diary.append(line)
    return diary
"""
RIGHT = """def write(line, diary=None):
    diary = [] if diary is None else diary
    diary.append(line)
    return diary
"""


@dataclass(slots=True)
class Story:
    """A developer at a browser, a coding agent, and a clock that goes by hand."""

    page: Page
    site: CoachSite
    clock: Hands

    def call(self, tool: str, **arguments: object) -> Any:
        """Call a tool as a coding agent does."""

        async def ask() -> Any:
            async with Client(f"{self.site.url}/mcp") as agent:
                result: Any = await agent.call_tool(tool, arguments)
            assert not result.is_error, result.content[0].text
            return json.loads(result.content[0].text)

        return self.site.portal.call(ask)

    def go_on(self, seconds: float) -> None:
        """Let time pass, for the server and in the browser."""
        self.site.portal.call(self.clock.go_on, seconds)
        self.page.clock.set_fixed_time(self.clock.now())

    def actions(self, kind: str) -> list[dict[str, Any]]:
        """What was logged of a kind, the oldest first."""
        return self.site.portal.call(self._actions, kind)

    def logged(self, kind: str, count: int) -> None:
        """Wait until so many actions of a kind are logged."""

        async def look() -> bool:
            return len(await self._actions(kind)) >= count

        self.site.portal.call(until, look)

    async def _actions(self, kind: str) -> list[dict[str, Any]]:
        read, session = self.site.site.app.database.read, self.observer.session_id
        found = await read(recent_actions, self.site.actor, session, limit=500, types=(kind,))
        return [dict(action.data or {}) for action in found[::-1]]

    @property
    def observer(self) -> ObserverState:
        """What the observer remembers of the session."""
        state = self.site.coach.observer.state(self.site.actor)
        assert state is not None, "no session is observed"
        return state

    def phase(self, number: int, status: str) -> None:
        """The agent says how far the developer is, and the page shows it."""
        self.call("paige_update_phase", phase=number, status=status)
        shown = self.page.get_by_role("region", name="Phases").get_by_role("listitem")
        expect(shown.nth(number - 1)).to_contain_text("Now" if status == "active" else "Done")

    def save(self) -> None:
        """Save with a key; the observer has looked at it when this returns."""
        saves = len(self.actions("file_save")) + 1
        self.page.keyboard.press("Control+s")
        self.logged("file_save", saves)
        expect(self.page.get_by_role("tab", name=FILE, exact=True)).to_be_visible()

        async def rests() -> bool:
            return not self.observer.evaluating

        self.site.portal.call(until, rests)

    @property
    def editor(self) -> Locator:
        """The text of the file."""
        return self.page.get_by_label(f"Text of {FILE}")

    def start(self, issue: int, title: str) -> Any:
        """Choose an issue on the dashboard; the agent hands over a plan, which is shown."""
        self.page.goto(f"{self.site.url}/coach")
        self.page.get_by_role("button", name=f"Start on issue {issue}").click()
        expect(self.page).to_have_url(f"{self.site.url}/coach/work")
        coach = self.page.get_by_role("region", name="Coach")
        expect(coach.get_by_role("heading", name=title)).to_be_visible()
        expect(coach).to_contain_text("There is no plan yet")
        made = self.call(
            "paige_run_coaching_pipeline",
            planText=PLAN,
            issueSummary="Two baskets share their items because of a default value",
        )
        shown = self.page.get_by_role("region", name="Phases").get_by_role("listitem")
        expect(shown).to_have_count(len(made["phases"]))
        return made["phases"]

    def open(self) -> None:
        """Open the file that glows."""
        self.page.get_by_role("treeitem", name=re.compile(rf"^{FILE} ")).click()
        expect(self.editor).to_be_visible()


@pytest.fixture
def story(page: Page, tmp_path: Path) -> Iterator[Story]:
    """A small shop with a real bug, and nobody's key."""
    expect.set_options(timeout=PATIENCE_MS)
    page.set_default_timeout(PATIENCE_MS)
    clock = Hands()
    page.clock.set_fixed_time(clock.now())
    given = {
        "given_teaching_dir": tmp_path / "teaching",
        "provider": "local",
        "environ": {"HOME": str(tmp_path)},
    }
    with coach_site(tmp_path, None, clock=clock, **given) as site:
        site.write(FILE, SHOP)
        site.write("issues.json", json.dumps(ISSUES))
        yield Story(page, site, clock)


def test_the_story_of_a_shared_basket_in_the_browser(story: Story) -> None:
    story.page.goto(f"{story.site.url}/coach")
    expect(story.page.get_by_text("Nothing to read: no gap is open.")).to_be_visible()
    phases = story.start(1, FIRST)
    story.phase(1, "active")
    story.open()
    hints_are(story, "Lines", ".cm-paige-focus")
    story.go_on(60)
    story.phase(1, "complete")
    story.phase(2, "active")

    go_round_in_circles(story)
    mend_it(story)
    story.phase(2, "complete")
    story.phase(3, "active")
    work_in_flow(story)
    for number in range(3, len(phases) + 1):
        story.phase(number, "complete")

    end_and_see_the_gap(story, len(phases))
    due_in_study(story, "1 thing is due")
    practise(story)
    gap_is_closed(story)
    due_in_study(story, "Nothing is due")


def hints_are(story: Story, level: str, look: str) -> None:
    """The slider, the lines in the editor and the list say how finely Paige points."""
    slider = story.page.get_by_role("slider", name="How much help?")
    expect(slider).to_have_attribute("aria-valuetext", level)
    expect(story.page.locator(look).first).to_be_visible()
    listed = story.page.get_by_role("region", name="Hints in this file")
    expect(listed.get_by_role("button", name=re.compile("add")).first).to_be_visible()


def go_round_in_circles(story: Story) -> None:
    """Change the last line and change it back; one word comes, and not at the first changes."""
    page = story.page
    card = page.get_by_role("region", name="A word from the observer")
    said_at = 0
    for number in range(ROUNDS):
        before, after = ("basket", "list(basket)")[:: 1 if number % 2 == 0 else -1]
        story.editor.focus()
        go_to(page, down=3)
        for _ in before:
            page.keyboard.press("Backspace")
        page.keyboard.type(after)
        story.save()
        assert story.site.read(FILE) == (TRIED if number % 2 == 0 else SHOP)
        if story.observer.last_nudge is not None and not said_at:
            said_at = number + 1
            expect(card).to_contain_text("changed the same lines several times")
            expect(card).to_contain_text(FILE)
        story.go_on(25)
    assert said_at == SPOKEN_TO
    story.logged("nudge_sent", 1)
    assert [said["signal"] for said in story.actions("nudge_sent")] == ["edit_loop"]
    card.get_by_role("button", name="Dismiss").click()
    expect(card).to_have_count(0)


def go_to(page: Page, *, down: int) -> None:
    """Go to the end of a line, with keys."""
    page.keyboard.press("Control+Home")
    for _ in range(down):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")


def mend_it(story: Story) -> None:
    """Write what is right; the editor indents as Python wants it."""
    page = story.page
    story.editor.focus()
    go_to(page, down=0)
    for _ in range(len("[]):")):
        page.keyboard.press("Backspace")
    page.keyboard.type("None):")
    go_to(page, down=1)
    page.keyboard.type("\nif basket is None:\nbasket = []")
    story.go_on(150)
    story.save()
    assert story.site.read(FILE) == SOLVED


def work_in_flow(story: Story) -> None:
    """One save after the other, without a pause: nobody speaks."""
    page = story.page
    story.go_on(60)
    for number in range(12):
        page.keyboard.press("Control+End")
        page.keyboard.type(f"# {number}\n")
        story.save()
        story.go_on(2)
    story.logged("nudge_suppressed", 1)
    assert {"reason": "flow_state"} in story.actions("nudge_suppressed")
    assert len(story.actions("nudge_sent")) == 1, "somebody in flow was disturbed"
    expect(page.get_by_role("region", name="A word from the observer")).to_have_count(0)


def end_and_see_the_gap(story: Story, phases: int) -> None:
    """The wrap-up says that nobody judged, and offers the kata of the gap that was planted."""
    page = story.page
    story.site.portal.call(show_gap, story.site.site.app, story.observer.session_id, GAP)
    page.get_by_role("region", name="Coach").get_by_role("button", name="End session").click()
    page.get_by_role("alertdialog").get_by_role("button", name="End session").click()
    expect(page.get_by_role("heading", level=1, name="What you learnt")).to_be_visible()
    expect(page.get_by_text(f"{phases} of {phases} phases done")).to_be_visible()
    counts = page.get_by_role("main").locator("dl")
    expect(page.get_by_text("Judging what you still lack needs a model")).to_be_visible()
    expect(counts).to_contain_text(re.compile("Things remembered[1-9]"))
    kata = page.get_by_role("listitem").filter(has_text=KATA)
    expect(kata).to_contain_text(f"{TOPIC} · Not tried yet")
    stages = page.get_by_role("table", name="Stage of each skill")
    expect(stages.get_by_role("row", name=re.compile(f"^{TOPIC} Novice"))).to_be_visible()


def due_in_study(story: Story, words: str) -> None:
    """Study knows the kata as an exercise of the coach's course."""
    page = story.page
    page.goto(f"{story.site.url}/study")
    expect(page.get_by_role("main")).to_contain_text(words)
    expect(page.get_by_role("link", name=COURSE, exact=True)).to_be_visible()
    today = page.request.get(f"{story.site.url}/api/study").json()
    [course] = [each for each in today["courses"] if each["name"] == "coach"]
    assert course["due"] == (0 if words.startswith("Nothing") else 1)


def practise(story: Story) -> None:
    """A wrong solution is refused by its tests; the right one passes and opens a constraint."""
    page = story.page
    page.goto(f"{story.site.url}/coach")
    page.get_by_role("link", name=f"Practise {KATA}").click()
    expect(page.get_by_role("heading", level=1, name=KATA)).to_be_visible()
    harder = page.get_by_role("group", name="Make it harder")
    locked = harder.get_by_role("listitem").filter(has_text="No if statement")
    expect(locked).to_contain_text("Locked. Needs level 4")
    facts = page.get_by_role("main").locator("dl")
    expect(facts).to_contain_text("none yet")

    review = page.get_by_role("region", name="What Paige says")
    submit(page, WRONG)
    expect(review).to_contain_text("Not passed yet")
    expect(review).to_contain_text("3 of 5 tests pass")
    expect(review.locator("code").filter(has_text="test_case_3")).to_have_count(2)
    expect(locked).to_contain_text("Locked. Needs level 4")
    low = level_in(review)

    submit(page, RIGHT)
    expect(review).to_contain_text(re.compile("Newly open:.*No if statement"))
    expect(review).to_contain_text("All 5 tests pass")
    high = level_in(review)
    assert low < 4 <= high
    expect(facts).to_contain_text(f"Level {high} of 10")
    expect(harder.get_by_label("No if statement")).to_be_visible()
    topic = topic_named(TOPIC)
    assert topic is not None
    assert topic.kata.solution not in page.content(), "the page gives the solution away"


def submit(page: Page, code: str) -> None:
    """Type a solution as people do: the editor indents."""
    text = page.get_by_label("Your solution").last
    text.click()
    page.keyboard.press("Control+a")
    page.keyboard.type("\n".join(line.strip() for line in code.strip().splitlines()))
    expect(text).to_have_text(re.compile(re.escape(code.splitlines()[1])))
    page.get_by_role("button", name="Submit").click()


def level_in(review: Locator) -> int:
    """The level that a review gives."""
    found = re.search(r"Level (\d+) of 10", review.inner_text())
    assert found is not None
    return int(found[1])


def gap_is_closed(story: Story) -> None:
    """The dashboard counts the gap as closed, and the stage of its skill has risen."""
    page = story.page
    page.get_by_role("link", name="Back to the coach").click()
    expect(page.get_by_role("region", name="Your work")).to_contain_text("Gaps closed1")
    row = page.get_by_role("row", name=re.compile(f"^{TOPIC} Advanced beginner"))
    expect(row).to_be_visible()
    kata = page.get_by_role("listitem").filter(has_text=KATA)
    expect(kata).to_contain_text("2 attempts")
