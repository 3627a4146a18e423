"""The plumbing of these tests notices what it is there to notice."""

import pytest
from playwright.sync_api import Page

from tests.live import Live
from tests.web.browser import NoBrowser, Problems, open_browser

pytestmark = pytest.mark.browser


def test_without_a_browser_one_is_told_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(NoBrowser, match="Run `make test`"), open_browser():
        pass


@pytest.mark.parametrize(
    ("script", "event", "noted"),
    [
        ("console.error('a word')", "console", "console: a word"),
        ("setTimeout(() => { throw new Error('a fault') })", "pageerror", "thrown: a fault"),
        ("fetch('/assets/none.js')", "response", "answer: /assets/none.js 404"),
        ("fetch('http://127.0.0.1:1/').catch(() => null)", "console", "connect-src 'self'"),
    ],
)
def test_what_goes_wrong_on_a_page_is_noted(
    page: Page, problems: Problems, paige: Live, script: str, event: str, noted: str
) -> None:
    page.goto(paige.url, wait_until="networkidle")
    assert problems.seen == []

    def is_noted(_: object) -> bool:
        return any(noted in problem for problem in problems.unexpected())

    # The page may say other things at the same time: the one that was noted is waited for.
    with page.expect_event(event, predicate=is_noted):
        page.evaluate(f"() => {{ {script} }}")

    problems.expect(".")
