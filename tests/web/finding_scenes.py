"""Somebody who uses every door: things wait behind each, and one word stands in all of them."""

from datetime import datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page, expect

from paige.agent import queries
from paige.agent.journal import Gate
from paige.agent.tables import RunRow, SessionRow
from paige.app import guards
from paige.app.application import App
from paige.app.memory_use import open_graph, writer_of
from paige.app.places import workspace
from paige.guard.graph.values import NewTrace
from paige.learner.files import LearnerFiles
from paige.memory.event import Draft
from paige.store.documents import DirectoryDocuments
from tests.learner.making import done
from tests.server import learned_project
from tests.study import small_courses
from tests.web import guard_scenes
from tests.web.scenes import Scene
from tests.web.study_scenes import teaching_of

CHOICE = {"kind": "choices", "title": "Is the starter right for 3B?", "text": "", "options": []}
LESSON = "# Pushing and pulling\n\n- Class: 3B\n- Date: 2026-03-02\n\nPush a cart, pull a sledge.\n"


def fill(home: Path, now: datetime) -> None:
    """A question, reviews, a coaching session, a guard, a blocked feature, and words everywhere."""
    with learned_project.opened(home, now) as app:
        _add_sessions(app, now)
        _add_texts(app)
        push = learned_project.command_guard(
            "no-force-push", "Push a new commit instead.", "git", "push", "--force"
        )
        guards.create_from(app, guard=push, why="It happened five times.", by="anna")
        learned_project.add_orchestra(app, now)
        app.memory.open().remember(
            [Draft(text="3B push the chairs in before the bell rings")], writer_of(app)
        )
        pushed = "A push was forced although others had pushed"
        open_graph(app).store(NewTrace(type="violation", what_happened=pushed, rule="git.force"))
    guard_scenes.fill(home, now)
    teaching = teaching_of(home)
    small_courses.malay(teaching)
    LearnerFiles(DirectoryDocuments(teaching)).record(
        "malay", done(3, day=-20), session="s", change_id="c1", now=now - timedelta(days=20)
    )


def _add_sessions(app: App, now: datetime) -> None:
    person = app.actor.person
    began = now - timedelta(minutes=40)
    plan = SessionRow(
        "plan-1", person, "plan", "active", began, now, "Push and pull for 3B",
        plugin="lesson-planning", messages_text="Forces for 3B: push and pull, with carts.",
    )  # fmt: skip
    coach = SessionRow(
        "coach-1", person, "coach", "active", began, now, "Push notifications arrive twice",
        project_dir=str(app.settings.project_dir), issue_number=12,
        issue_title="Push notifications arrive twice",
    )  # fmt: skip
    run = RunRow("run-1", person, "plan-1", 1, 1, {}, "push", "waiting", "local", began, began)
    with app.database.transaction(write=True) as connection:
        queries.insert_session(connection, plan, app.actor)
        queries.insert_session(connection, coach, app.actor)
        queries.insert_run(connection, app.actor, run, {})
        gate = Gate("t1/hook/x/y/1", 1, CHOICE)
        queries.open_gate(connection, app.actor, "run-1", gate, now=now - timedelta(minutes=12))


def _add_texts(app: App) -> None:
    documents = workspace(app.settings)
    documents.write("lessons/2026-03-02-pushing.md", LESSON, base="")


def connected(page: Page) -> None:
    """Everything around the page is there."""
    expect(page.get_by_role("banner")).to_contain_text("Connected")


def _bell(page: Page) -> None:
    connected(page)
    page.get_by_role("button", name="Waiting for you").click()
    panel = page.get_by_role("dialog", name="Waiting for you")
    expect(panel.get_by_role("link").first).to_be_visible()


def _found(page: Page) -> None:
    connected(page)
    expect(page.get_by_role("region", name="Lessons")).to_be_visible()


def _nothing(page: Page) -> None:
    connected(page)
    expect(page.get_by_text("Nothing holds")).to_be_visible()


def _palette(page: Page) -> None:
    connected(page)
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill("push")
    expect(page.get_by_role("option", name="Pushing and pulling")).to_be_visible()


def _more(page: Page) -> None:
    connected(page)
    if page.get_by_role("button", name="More").is_visible():
        page.get_by_role("button", name="More").click()
        expect(page.get_by_role("dialog", name="More")).to_be_visible()


def _going(page: Page) -> None:
    connected(page)
    page.keyboard.press("g")
    expect(page.get_by_text("Go to", exact=True)).to_be_visible()


def _keys(page: Page) -> None:
    connected(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("While you")


FINDING_SCENES = (
    Scene("notices", "/", _bell),
    Scene("search-teach", "/search", connected),
    Scene("search-found", "/search?q=push", _found),
    Scene("search-nothing", "/search?q=zebrafish", _nothing, kind="deep"),
    Scene("palette-found", "/", _palette),
    Scene("more", "/memory", _more, kind="deep"),
    Scene("keys", "/search", _keys),
)
GOING = Scene("going", "/", _going)
