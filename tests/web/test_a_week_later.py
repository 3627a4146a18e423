"""Whoever comes back after a week, to another server, finds everything where it was left."""

import signal
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from paige.app.application import open_app
from paige.base.clock import system_clock
from paige.base.settings import read_settings
from paige.doors.site.factory import Site
from paige.doors.site.run import bind
from tests.live import environment, live_paige
from tests.server.plan_window import teacher_at
from tests.web.browser import Problems, wake
from tests.web.plan_scenes import JUDGING, lead_to
from tests.web.served_site import served_site
from tests.web.test_connection import GONE
from tests.web.test_plan_page import decide, question, session_of

pytestmark = pytest.mark.browser
WEEK = timedelta(days=7)


def test_a_run_that_waited_for_a_week_goes_on_where_its_killed_server_left_it(
    page: Page, problems: Problems, tmp_path: Path
) -> None:
    problems.expect(GONE, "WebSocket", "fetching the script")
    with live_paige(tmp_path) as before:
        with teacher_at(before) as teacher:
            gate = lead_to(teacher, JUDGING, "feedforward")
            session = session_of(before, gate["run"])
        page.goto(f"{before.url}/plan?session={session}")
        known = question(page, "What I know about 3B")
        known.get_by_role("button", name="Go on, with changes").click()
        known.get_by_label("What should change?").fill("There are 25 pupils now")
        before.stop(signal.SIGKILL)

    page.clock.install(time=system_clock() + WEEK)
    settings = read_settings(environment(tmp_path), tmp_path)
    listener = bind("127.0.0.1", before.port)
    with (
        open_app(settings, strict=False, now=lambda: system_clock() + WEEK) as app,
        served_site(Site(app), listener),
    ):
        wake(page)
        page.goto(f"{before.url}/")
        page.get_by_role("button", name="waiting").click()
        page.get_by_role("link", name="What I know about 3B").click()
        known = question(page, "What I know about 3B")
        # What was half written a week ago is still there.
        expect(known.get_by_label("What should change?")).to_have_value("There are 25 pupils now")
        known.get_by_role("button", name="Go on", exact=True).click()
        question(page, "Before you judge it").get_by_role("button", name="Go on").click()
        judging = question(page, "Judge the draft")
        decide(judging, "Starter", "Accept")
        judging.get_by_role("button", name="Accept the other").click()
        judging.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("heading", name="Saved in your workspace")).to_be_visible()

        page.goto(f"{before.url}/traces")
        expect(page.get_by_role("listitem").filter(has_text="7 d 0 h")).to_be_visible()
