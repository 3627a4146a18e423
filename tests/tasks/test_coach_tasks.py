"""Ten things that a developer who is new to Paige tries, from outside and with wrong turns."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from playwright.sync_api import Page, expect

from paige.app.application import open_app
from paige.app.demo.coach import show_gap
from paige.base.settings import read_settings
from tests.coach.test_coach_plugin import _reply as claude_reply
from tests.fakes.coding_models import DONE, GEMINI, Step
from tests.fakes.served_model import served_model
from tests.live import PAIGE, environment, live_paige
from tests.mcp.clients import javascript, native, run_client
from tests.tasks.people import Agent, House, Person, task

FILE = "shop.py"
SHOP = "def add(item, basket=[]):\n    basket.append(item)\n    return basket\n"
ISSUES = [
    {"number": 1, "title": "Baskets are shared", "body": "Two customers find each other's items."},
    {"number": 2, "title": "Rewrite everything", "body": "In another language. It is urgent."},
]
PLAN = """\
1. Look at `shop.py` and find where the default value of `add` is made.
2. Change `add` in `shop.py` so that each call has a list of its own.
3. Test it with two baskets.
"""
SUMMARY = "Two baskets share their items because of a default value"
SAID = (
    "Person: Why do two baskets share their items? I do not understand it.\n"
    "Coach: When is the default value made?\n"
    "Person: So a mutable default argument is shared between calls. I tried basket=[] again."
)
GAP = {
    "topic": "mutable default arguments",
    "severity": "high",
    "evidence": "Tests failed in 3 of 4 runs.",
}
WRONG = "def write(line, diary=[]):\n    diary.append(line)\n    return diary\n"
RIGHT = """\
def write(line, diary=None):
    diary = [] if diary is None else diary
    diary.append(line)
    return diary
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A developer's home with a small project that has a bug; Paige runs for it."""
    home = tmp_path_factory.mktemp("developer")
    project = home / "shop"
    project.mkdir()
    (project / FILE).write_text(SHOP, encoding="utf-8")
    (project / "issues.json").write_text(json.dumps(ISSUES), encoding="utf-8")
    with live_paige(home, PROJECT_DIR=str(project)) as live:
        yield House(home, live)


@pytest.fixture
def dev(me: Person, house: House) -> Person:
    """Somebody in the folder of the project."""
    me.place = house.home / "shop"
    return me


def planned(agent: Agent) -> list[dict[str, object]]:
    """A coding agent hands its plan over; the phases that come of it."""
    arguments = {"planText": PLAN, "issueSummary": SUMMARY}
    return agent.call("paige_run_coaching_pipeline", **arguments)["phases"]


def with_a_gap(dev: Person, url: str) -> None:
    """A session that showed a gap, from its start to its end; the gap is what a model would say."""
    session = json.loads(dev.paige("coach", "start", "--title", "Baskets are shared", "--json"))
    agent = dev.agent(url)
    planned(agent)
    settings = read_settings(environment(dev.home, **dev.variables), dev.place)
    with open_app(settings, strict=False) as app:
        anyio.run(show_gap, app, session["session"], GAP)
    told = agent.call("paige_end_session", sessionTranscript=SAID)["note"]
    assert told.startswith("Judging what you still lack needs a model")


@task(
    "Find an issue that suits me",
    way="terminal",
    proof="the wrong folder says what is missing; in the right one issues are listed, not judged",
)
def test_find_an_issue_that_suits_me(dev: Person, house: House) -> None:
    dev.place = house.home
    assert "issues.json" in dev.paige("coach", "issues", code=1)
    dev.place = house.home / "shop"
    listed = dev.paige("coach", "issues")
    assert re.search(r"#1 .*Baskets are shared", listed)
    assert "needs a model" in listed
    assert "#1 Baskets are shared" in dev.paige("coach", "start", "--issue", "1")
    assert "active for 0 minutes  #1 Baskets are shared" in dev.paige("coach", "status")


@pytest.mark.clients
@task(
    "Be coached on this repository through Claude Code",
    way="coding CLI",
    proof="one `paige install`; the real Claude Code hears that it is a coach, its plan is phases",
)
def test_be_coached_on_this_repository_through_claude_code(dev: Person, house: House) -> None:
    script = (Step("paige_run_coaching_pipeline", {"planText": PLAN, "issueSummary": SUMMARY}),)
    dev.variables["PORT"] = str(house.live.port)
    assert "Paige is installed for Claude Code" in dev.paige("install", "claude-code")
    dev.paige("coach", "start", "--issue", "1")
    assert "has no plan yet" in dev.paige("coach", "phases")
    with served_model() as model:
        model.answers_with(lambda request: claude_reply(request, script))
        program = native("@anthropic-ai/claude-code-*/claude*")
        asked = ("-p", "Help me with the issue.", "--model", "claude-sonnet-4-5")
        allowed = ("--max-turns", "6", "--allowedTools", "mcp__paige")
        dev.count()
        done = run_client(
            [*program, *asked, *allowed],
            dev.place,
            **on_path(dev),
            ANTHROPIC_BASE_URL=model.url,
            ANTHROPIC_API_KEY="sk-ant-dummy",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_TELEMETRY="1",
            DISABLE_ERROR_REPORTING="1",
            DISABLE_AUTOUPDATER="1",
            ENABLE_TOOL_SEARCH="false",
        )
        heard = json.dumps([request.body for request in model.requests])

    assert done.returncode == 0, done.stdout + done.stderr
    assert "You are Paige, a coach for developers" in heard
    phases = dev.paige("coach", "phases")
    assert "1  pending" in phases
    assert "Test it with two baskets" in phases
    dev.paige("uninstall", "claude-code")


def on_path(dev: Person) -> dict[str, str]:
    """The environment of somebody who has Paige on the PATH."""
    path = f"{Path(PAIGE).parent}:{os.environ['PATH']}"
    return {"HOME": str(dev.home), "PATH": path, "PORT": dev.variables["PORT"]}


@pytest.mark.browser
@task(
    "Give me a smaller hint",
    way="browser",
    proof="the slider takes the marked lines away and leaves the file; moved back they return",
)
def test_give_me_a_smaller_hint(dev: Person, house: House, page: Page) -> None:
    dev.visits(page, f"{house.url}/coach")
    dev.clicks(page.get_by_role("button", name="Start on issue 1"))
    expect(page.get_by_role("region", name="Coach")).to_contain_text("There is no plan yet")
    agent = dev.agent(house.url)
    planned(agent)
    agent.call("paige_update_phase", phase=1, status="active")
    dev.clicks(page.get_by_role("treeitem", name=re.compile(rf"^{FILE} ")))
    marked = page.locator(".cm-paige-focus")
    expect(marked.first).to_be_visible()
    slider = page.get_by_role("slider", name="How much help?")
    before = slider.get_attribute("aria-valuetext")
    slider.focus()
    dev.count()
    page.keyboard.press("Home")
    expect(marked).to_have_count(0)
    expect(slider).not_to_have_attribute("aria-valuetext", before or "")
    dev.count()
    page.keyboard.press("End")
    expect(marked.first).to_be_visible()


@task(
    "What does this code mean?",
    way="terminal",
    proof="without a model what the lines define, and who could explain it; a wrong name is told",
)
def test_what_does_this_code_mean(newcomer: Person) -> None:
    newcomer.writes_file(FILE, SHOP)
    assert "`shpo.py`" in newcomer.paige("coach", "explain", "shpo.py:1-3", code=1)
    told = newcomer.paige("coach", "explain", f"{FILE}:1-3")
    assert "Explaining code needs a model" in told
    assert "It defines `add(item, basket=[])`." in told


@task(
    "What did I learn this week?",
    way="terminal",
    proof="sessions, the gap and the stage of each skill, and what to read about it",
)
def test_what_did_i_learn_this_week(dev: Person, house: House) -> None:
    with_a_gap(dev, house.url)
    week = dev.paige("coach", "dashboard", "--period", "7d")
    assert re.search(r"sessions completed +[1-9]", week)
    assert re.search(r"gaps found +[1-9]", week)
    assert "mutable default arguments: novice" in week
    assert "Why are default values shared" in dev.paige("coach", "materials")
    assert "7d" in dev.paige("coach", "dashboard", "--period", "week", code=2)


@pytest.mark.browser
@task(
    "Let my agent see what I typed but did not save",
    way="MCP client",
    proof="without a session it is told how to begin one; then it reads the change off the editor",
)
def test_let_my_agent_see_what_i_typed_but_did_not_save(
    dev: Person, house: House, page: Page
) -> None:
    (dev.place / "note.py").write_text("total = 1\n", encoding="utf-8")
    agent = dev.agent(house.url)
    if "No session is active" not in dev.paige("coach", "status"):
        dev.paige("coach", "end")
    assert "No active session" in agent.fails("paige_get_session_state")
    dev.paige("coach", "start", "--title", "Count to two")
    dev.visits(page, f"{house.url}/coach/work")
    dev.clicks(page.get_by_role("treeitem", name=re.compile(r"^note\.py")))
    editor = page.get_by_label("Text of note.py")
    editor.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# two\n")
    dev.count()
    expect(page.get_by_role("tab", name="note.py not saved")).to_be_visible()

    [change] = agent.call("paige_get_diff", path="note.py")["diffs"]
    assert "+# two" in change["diff"]
    assert "note.py" in agent.call("paige_get_open_files")["files"]
    assert (dev.place / "note.py").read_text(encoding="utf-8") == "total = 1\n"
    editor.focus()
    dev.count()
    page.keyboard.press("Control+s")
    expect(page.get_by_role("tab", name="note.py", exact=True)).to_be_visible()


@task(
    "Practise what I did not know",
    way="terminal",
    proof="a wrong solution is refused by its tests, the right one passes and closes the gap",
)
def test_practise_what_i_did_not_know(newcomer: Person) -> None:
    newcomer.writes_file(FILE, SHOP)
    assert "There are no katas yet" in newcomer.paige("coach", "practice")
    with live_paige(newcomer.home) as live:
        with_a_gap(newcomer, live.url)
    assert "A diary for everyone" in newcomer.paige("coach", "practice")
    assert "Kata not found" in newcomer.paige("coach", "practice", "dairy", code=1)
    newcomer.paige("coach", "practice", "diary", "--out", "diary.py")
    assert "def write" in (newcomer.place / "diary.py").read_text(encoding="utf-8")
    newcomer.writes_file("diary.py", WRONG)
    refused = newcomer.paige("coach", "review", "diary", "diary.py", code=1)
    assert "tests pass" in refused
    newcomer.writes_file("diary.py", RIGHT)
    assert "All 5 tests pass" in newcomer.paige("coach", "review", "diary", "diary.py")
    assert re.search(r"gaps found +1, 1 of them closed", newcomer.paige("coach", "dashboard"))


@pytest.mark.browser
@task(
    "Stop for today and see what I learnt",
    way="browser",
    proof="the page says how many phases are done; the terminal knows that the session is over",
)
def test_stop_for_today_and_see_what_i_learnt(dev: Person, house: House, page: Page) -> None:
    dev.visits(page, f"{house.url}/coach")
    dev.clicks(page.get_by_role("button", name="Start on issue 1"))
    planned(dev.agent(house.url))
    coach = page.get_by_role("region", name="Coach")
    expect(page.get_by_role("region", name="Phases").get_by_role("listitem")).to_have_count(3)
    dev.clicks(coach.get_by_role("button", name="End session"))
    dev.clicks(page.get_by_role("alertdialog").get_by_role("button", name="End session"))
    expect(page.get_by_role("heading", level=1, name="What you learnt")).to_be_visible()
    expect(page.get_by_text("0 of 3 phases done")).to_be_visible()
    assert "completed" in dev.paige("coach", "status")


@task(
    "I started a session twice and want the first one back",
    way="terminal",
    proof="the first is named when it is left, and `resume` goes on with it",
)
def test_i_started_a_session_twice_and_want_the_first_one_back(newcomer: Person) -> None:
    assert "`paige coach start`" in newcomer.paige("coach", "end", code=1)
    newcomer.paige("coach", "start", "--title", "First")
    told = newcomer.paige("coach", "start", "--title", "Second")
    assert "is abandoned; `paige coach resume` goes on with it" in told
    newcomer.paige("coach", "resume")
    assert "First" in newcomer.paige("coach", "status").partition("\n")[0]
    assert "Completed the session" in newcomer.paige("coach", "end")


@pytest.mark.clients
@pytest.mark.browser
@task(
    "Let Gemini point at the line it talks about",
    way="coding CLI",
    proof="after one `paige install gemini` the lines are marked in my editor",
)
def test_let_gemini_point_at_the_line_it_talks_about(dev: Person, house: House, page: Page) -> None:
    lines = {
        "path": FILE,
        "start": 1,
        "end": 1,
        "style": "warning",
        "hoverText": "When is it made?",
    }
    script = (Step("paige_open_file", {"path": FILE}), Step("paige_highlight_lines", lines))
    dev.variables["PORT"] = str(house.live.port)
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    (house.home / ".gemini").mkdir()
    (house.home / ".gemini" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    assert "Paige is installed for Gemini CLI" in dev.paige("install", "gemini")
    dev.visits(page, f"{house.url}/coach/work")
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    with served_model() as model:
        model.answers_with(lambda request: GEMINI.reply(request, script))
        program = javascript("@google", "gemini-cli", "bundle", "gemini.js")
        options = ("--approval-mode", "yolo", "--skip-trust", "-m", "gemini-2.5-flash")
        dev.count()
        done = run_client(
            [*program, "-p", "Where should I look?", *options],
            dev.place,
            **on_path(dev),
            GEMINI_API_KEY="dummy",
            GOOGLE_GEMINI_BASE_URL=model.url,
        )

    assert done.returncode == 0, done.stderr
    assert DONE in done.stdout
    expect(page.get_by_label(f"Text of {FILE}")).to_be_visible()
    expect(page.locator(".cm-paige-warning").first).to_be_visible()
    dev.paige("uninstall", "gemini")
