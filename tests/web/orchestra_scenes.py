"""A machine whose agents have learned something, and what the pages show of it."""

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page, expect

from paige.base.platform import process_start
from paige.guard.state.files import write_object
from paige.orchestra.running.project_files import LEASE, progress
from tests.server import learned_project
from tests.server.learned_project import MARKED, SKIPPED
from tests.web.guard_scenes import arrived
from tests.web.scenes import Scene


def fill(home: Path, now: datetime, neighbours: int = 120) -> None:
    """Keep weeks of traces, a guard in every stage, and an orchestra at work."""
    with learned_project.opened(home, now) as app:
        learned_project.add_traces(app, now)
        learned_project.add_neighbours(app, now, neighbours)
        learned_project.add_orchestra(app, now)
        lease = {"pid": os.getpid(), "start": process_start(os.getpid()) or "", "since": ""}
        write_object(progress(home / "my-project") / LEASE, lease)
    with learned_project.opened(home, now - timedelta(days=5)) as app:
        learned_project.add_guards(app)
    learned_project.add_lines(home, now)


def _shows(text: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        expect(page.get_by_text(text).first).to_be_visible()
        arrived(page)

    return arrive


def _drawn(page: Page) -> None:
    _shows("What led to it, what came of it")(page)
    page.get_by_role("heading", name="What led to it").evaluate("h2 => h2.scrollIntoView()")


def _promoting(page: Page) -> None:
    _shows("What happened to it")(page)
    page.get_by_role("button", name="Promote…").click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    dialog.get_by_label("Why", exact=True).fill("It held for a week, and met only what it should.")


def _tried(page: Page) -> None:
    _shows("What happened to it")(page)
    page.get_by_role("button", name="Try it out now").click()
    question = page.get_by_text("Keep things as they are, or change them?")
    expect(question).to_be_visible()
    page.get_by_role("heading", name="Trials").evaluate("h3 => h3.scrollIntoView()")
    dismiss = page.get_by_role("button", name="Dismiss")
    if dismiss.count():
        dismiss.first.click()


def _scrolled(heading: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        _shows(heading)(page)
        page.get_by_role("heading", name=heading).evaluate("h2 => h2.scrollIntoView()")

    return arrive


ID = "tested-needs-evidence"
ORCHESTRA_SCENES = (
    Scene("graph-list", "/guard/graph", _shows("the newest first")),
    Scene("graph-trace", f"/guard/graph?id={MARKED}", _shows("What led to it"), kind="deep"),
    Scene("graph-around", f"/guard/graph?id={MARKED}", _drawn, kind="picture"),
    Scene("graph-many", f"/guard/graph?id={SKIPPED}", _drawn),
    Scene("guards-stages", "/guard/guards", _shows("Guards by stage")),
    Scene("guards-one", f"/guard/guards?id={ID}", _shows("What happened to it"), kind="deep"),
    Scene("guards-tried", f"/guard/guards?id={ID}", _tried),
    Scene("guards-promoting", f"/guard/guards?id={ID}", _promoting),
    Scene("guards-patterns", "/guard/guards?tab=patterns", _shows("What an agent did again")),
    Scene("guards-report", "/guard/guards?tab=report", _shows("Signs of learning")),
    Scene("orchestra-board", "/guard/orchestra", _shows("Rule compliance")),
    Scene("orchestra-handoffs", "/guard/orchestra", _scrolled("Handoffs"), kind="picture"),
    Scene(
        "orchestra-metrics", "/guard/orchestra", _scrolled("Does work go better?"), kind="picture"
    ),
)
EMPTY_SCENES = (
    Scene("graph-empty", "/guard/graph", _shows("Nothing has been learned from yet.")),
    Scene("guards-empty", "/guard/guards", _shows("No guard has been learned yet.")),
    Scene("orchestra-empty", "/guard/orchestra", _shows("No orchestra has played here yet.")),
)
