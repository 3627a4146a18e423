"""A machine on which agents have run, and what the pages about runs show of it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

import anyio
from playwright.sync_api import Page, expect

from paige.app.application import App, open_app
from paige.base.settings import Settings
from tests.agent.crew import ME
from tests.agent.told_runs import (
    add_calls,
    add_long_run,
    begin,
    eventful_runtime,
    send_back_and_keep,
)
from tests.web.scenes import Scene

TURNS = 1000
"""Of the long run: ten spans each."""
TOLD = "Plan a lesson on fractions"


def fill(home: Path, now: datetime, turns: int = TURNS) -> None:
    """Keep a run in which everything happened, one that waits, a long one, and weeks of calls."""
    settings = Settings(cwd=home, given_data_dir=home / ".paige")
    # In a thread of its own: Playwright has a loop running in this one.
    with (
        open_app(settings, strict=False, now=lambda: now) as app,
        ThreadPoolExecutor(1) as thread,
    ):
        thread.submit(anyio.run, _fill, app, home, now, turns).result()


async def _fill(app: App, home: Path, now: datetime, turns: int) -> None:
    long = await app.database.write(add_long_run, ME, now - timedelta(hours=3), turns)
    await app.database.write(add_calls, ME, now - timedelta(minutes=10), f"session-{long}")
    told = eventful_runtime(app.database, home / "told", now - timedelta(hours=1))
    await send_back_and_keep(told, await begin(told))
    await begin(eventful_runtime(app.database, home / "waits", now - timedelta(minutes=5)))


def arrived(page: Page) -> None:
    """Everything is drawn."""
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    for words in ("Opening the page…", "Reading runs…", "Reading the run…", "Reading the step…"):
        expect(page.get_by_text(words)).to_have_count(0)


def open_run(page: Page, words: str) -> None:
    """Open the last run in the list whose request has these words."""
    page.locator("[data-run]").filter(has_text=words).last.click()
    expect(page.get_by_role("tree")).to_be_visible()
    arrived(page)


def _shows(text: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        expect(page.get_by_text(text).first).to_be_visible()
        arrived(page)

    return arrive


def _opened(words: str, tab: str = "", steps: int = 0) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        open_run(page, words)
        if tab:
            page.get_by_role("tab", name=tab).click()
        for _ in range(steps):
            page.get_by_role("button", name="One step forward").click()
        arrived(page)

    return arrive


def _chosen(name: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        open_run(page, TOLD)
        page.get_by_role("tree").focus()
        page.keyboard.type(name[:6])  # rows out of sight are not in the document
        heading = page.get_by_role("region", name="The chosen step").get_by_role("heading")
        expect(heading).to_contain_text(name)
        arrived(page)

    return arrive


def _read(page: Page) -> None:
    _opened(TOLD, "Journal")(page)
    page.locator("main ol summary").nth(1).click()


TRACE_SCENES = (
    Scene("traces-list", "/traces", _shows("Waits for an answer")),
    Scene("traces-nothing", "/traces?query=no+such+words", _shows("No run fits."), kind="deep"),
    Scene("traces-long", "/traces", _opened("Go on for long"), kind="deep"),
    Scene("traces-tool", "/traces", _chosen("spawn_subagent"), kind="deep"),
    Scene("traces-question", "/traces", _chosen("Is this lesson right?")),
    Scene("traces-step-model", "/traces", _opened(TOLD, "Step by step", 1), kind="deep"),
    Scene("traces-step-gate", "/traces", _opened(TOLD, "Step by step", 9)),
    Scene("traces-journal", "/traces", _read),
    Scene("costs", "/costs", _shows("not in the sums")),
)
EMPTY_SCENES = (
    Scene("traces-empty", "/traces", _shows("Nothing has run yet.")),
    Scene("costs-empty", "/costs?days=365", _shows("No model has been asked yet.")),
    Scene("costs-nothing", "/costs", _shows("No model was asked in this period.")),
)
