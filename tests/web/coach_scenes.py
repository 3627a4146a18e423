"""A developer's project and history, and what the coach's pages show of them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from playwright.sync_api import Page, expect
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.message_parts import (
    Anchor,
    Decoration,
    FileHint,
    LineHint,
    NudgeContext,
    RankedIssue,
    Recommendation,
)
from paige.coach.model import CoachedPlan, PlanText, Progress
from paige.coach.records import CoachSession
from paige.learner.gaps import Constraint, Gap
from paige.learner.queries import Assessment, NewKata, insert_kata, record_gap, upsert_assessment
from paige.learner.stages import STAGES
from tests.coach.coached_phases import coached_phase
from tests.coach.scripted_model import ISSUE, MATERIAL, ScriptedModel
from tests.web.coach_site import CoachSite
from tests.web.scenes import Scene

CART = "src/shop/cart.py"
PRICES = "src/shop/prices.py"
KATA = "kata-sums"
SCAFFOLD = "def total(prices):\n    return 0\n"
CART_TEXT = '''"""A shopping cart."""

from shop.prices import price_of


class Cart:
    """What somebody wants to buy."""

    def __init__(self):
        self.items = []

    def add(self, name, count=1):
        self.items.append((name, count))

    def total(self):
        result = 0
        for name, count in self.items:
            result += price_of(name)  # the count is forgotten
        return result
'''
PRICES_TEXT = """PRICES = {"apple": 30, "pear": 45}


def price_of(name):
    return PRICES[name]
"""
AREAS = {"Python": 2, "Testing": 0, "Debugging": 1, "Git": 3, "Design": 1}
ASSESSED = datetime(2026, 2, 14, 9, tzinfo=UTC)


@dataclass
class DeskModel(ScriptedModel):
    """Answers about the shop."""

    async def run_pipeline(
        self, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
    ) -> CoachedPlan:
        """Three phases, the first with hints."""
        return SHOP_PLAN

    async def rank_issues(self, actor: Actor) -> list[RankedIssue]:
        """One of each kind."""
        await super().rank_issues(actor)
        return ISSUES

    async def find_materials(self, actor: Actor) -> list[Recommendation]:
        """One article."""
        await super().find_materials(actor)
        return [MATERIAL]


SHOP_PLAN = CoachedPlan(
    phases=(
        coached_phase(
            number=1,
            title="Find where the total is made",
            description="Read the cart and say in one sentence what `total` adds up.",
            hint_level="line",
            expected_files=(CART,),
            file_hints=(
                FileHint(path=CART, style="important", directories=True),
                FileHint(path=PRICES, style="suggested"),
            ),
            line_hints=(
                LineHint(path=CART, start=17, end=19, style="focus", hover_text="What is added?"),
                LineHint(path=CART, start=12, end=12, style="hint", hover_text="Two values here."),
            ),
        ),
        coached_phase(2, "Count every piece", "Use the count.", "region", (CART,)),
        coached_phase(3, "Prove it", "Write a test.", "none", ("tests/test_cart.py",)),
    ),
    memory_connection="A voucher was added twice in the same way last week.",
    estimated_difficulty="beginner",
)
ISSUES = [
    ISSUE.model_copy(
        update={
            "number": 12,
            "title": "The total ignores how many pieces are bought",
            "summary": "Three apples cost as much as one.",
            "suitability_reason": "Small, and it is about loops, which you practise.",
        }
    ),
    ISSUE.model_copy(
        update={
            "number": 21,
            "title": "Round prices to whole cents",
            "summary": "Totals show 0.30000000000000004.",
            "suitability": "stretch",
            "suitability_reason": "Floating-point numbers are new to you.",
            "estimated_difficulty": "intermediate",
        }
    ),
    ISSUE.model_copy(
        update={
            "number": 33,
            "title": "Two tills at the same time lose a sale",
            "summary": "A race in the stock.",
            "suitability": "too_advanced",
            "suitability_reason": "Try it after some work with threads.",
            "estimated_difficulty": "advanced",
        }
    ),
]


def fill_project(desk: CoachSite) -> None:
    """A small shop with a real bug."""
    desk.write(CART, CART_TEXT)
    desk.write(PRICES, PRICES_TEXT)
    desk.write("src/shop/__init__.py", "")
    desk.write("tests/test_cart.py", "def test_nothing():\n    assert True\n")
    desk.write("README.md", "# Shop\n")


def fill_history(desk: CoachSite) -> None:
    """Stages in five skills, a gap, and a kata for it."""

    async def store() -> None:
        await desk.site.app.database.write(_store_history, desk.actor)

    desk.portal.call(store)


def _store_history(connection: Connection, actor: Actor) -> None:
    for number, (area, stage) in enumerate(AREAS.items()):
        assessment = Assessment(
            f"a{number}", actor.person, area, STAGES[stage], 0.7, "seen in sessions", ASSESSED
        )
        upsert_assessment(connection, actor, assessment)
    gap = Gap(topic="loops", severity="medium", evidence="The count was forgotten")
    record_gap(connection, actor, gap, gap_id="gap-loops", now=ASSESSED)
    kata = NewKata(
        title="Add up what is bought",
        description="Write `total` so that it adds up **all** prices.\n\n- an empty list gives 0",
        scaffolding_code=SCAFFOLD,
        constraints=(
            Constraint("No loop", "Do it without `for` and `while`.", 1),
            Constraint("One line", "The body has one line.", 4),
            Constraint("No built-in", "Not even `sum`.", 8),
        ),
    )
    insert_kata(connection, actor, "gap-loops", kata, kata_id=KATA)


def begin(desk: CoachSite) -> None:
    """A session with a plan, a message beside a line, and one by itself."""
    desk.do(desk.coach.start_session, 12, ISSUES[0].title)
    desk.plan()
    anchor = Anchor(path=CART, start_line=19)
    desk.do(desk.coach.show_message, "What does `count` do here?", type="hint", anchor=anchor)
    desk.do(desk.coach.show_message, "Take your time.", type="info")


def nudge(desk: CoachSite) -> None:
    """The observer speaks."""
    context = NudgeContext(current_file=PRICES, expected_file=CART, time_in_file="4 min")
    desk.do(desk.coach.nudge, signal="wrong_file", confidence=0.9, context=context)


def many_hints(desk: CoachSite, path: str, count: int, lines: int) -> None:
    """Highlights all over a long file, as one coach may set them."""
    step = lines // count
    for number in range(count):
        start = 1 + number * step
        style = ("hint", "focus", "warning")[number % 3]
        hint = Decoration(start=start, end=start + 2, style=style, hover_text=f"Hint {number}")
        desk.do(desk.coach.highlight, path, hint)


def _drawn(page: Page) -> None:
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    expect(page.locator("[data-skeleton]")).to_have_count(0)


def _shows(text: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        expect(page.get_by_text(text).first).to_be_visible()
        _drawn(page)

    return arrive


def pane(page: Page, name: str) -> None:
    """Bring a part to the front where not all have room."""
    tab = page.get_by_role("tab", name=name, exact=True)
    if tab.count() > 0:
        tab.click()


def _cart(page: Page) -> None:
    expect(page.get_by_label(f"Text of {CART}")).to_be_visible()
    expect(page.locator(".cm-paige-focus").first).to_be_visible()
    _drawn(page)


def _coach(page: Page) -> None:
    expect(page.get_by_label(f"Text of {CART}")).to_be_visible()
    pane(page, "Coach")
    expect(page.get_by_text("Find where the total is made").first).to_be_visible()
    _drawn(page)


def _tree(page: Page) -> None:
    expect(page.get_by_label(f"Text of {CART}")).to_be_visible()
    pane(page, "Files")
    expect(page.get_by_role("treeitem", name="cart.py important")).to_be_visible()
    _drawn(page)


def _terminal(page: Page) -> None:
    _cart(page)
    page.get_by_role("button", name="Terminal").click()
    expect(page.locator(".xterm-screen")).to_be_visible()


def _kata(page: Page) -> None:
    expect(page.get_by_role("heading", level=1, name="Add up what is bought")).to_be_visible()
    expect(page.locator(".cm-content")).to_be_visible()
    _drawn(page)


WORK = f"/coach/work?file={CART}"
COACH_SCENES = (
    Scene("coach-dashboard", "/coach", _shows("Try it after some work with threads.")),
    Scene("coach-editor", WORK, _cart),
    Scene("coach-panel", WORK, _coach, kind="deep"),
    Scene("coach-files", WORK, _tree, kind="deep"),
    Scene("coach-terminal", WORK, _terminal),
    Scene("coach-practice", f"/coach/practice/{KATA}", _kata),
    Scene(
        "coach-no-kata",
        "/coach/practice/nobody",
        _shows("The kata could not be opened"),
        kind="deep",
    ),
    Scene("coach-wrap-up-none", "/coach/wrap-up", _shows("No session was ended in this tab.")),
)
