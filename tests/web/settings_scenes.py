"""The settings, the first run and the tour, each as a way to get there."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.scenes import Scene


def _page(text: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible()
        expect(page.get_by_role("heading", level=2, name=text).first).to_be_visible()
        expect(page.get_by_role("main").get_by_role("status").filter(has_text="…")).to_have_count(0)

    return arrive


def _with_a_key(page: Page) -> None:
    _page("Who answers")(page)
    page.get_by_role("radio", name="Anthropic", exact=True).check()
    page.get_by_label("Key for Anthropic").fill("sk-ant-not-a-key")
    page.get_by_text("Another address").click()
    page.get_by_label("Address").fill("http://127.0.0.1:9")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("There is no way to the provider")).to_be_visible()


def _passcode_wrong(page: Page) -> None:
    _page("Passcode")(page)
    page.get_by_label("New passcode", exact=True).fill("a-horse-in-the-library")
    page.get_by_label("New passcode once more").fill("a-house-in-the-library")
    page.get_by_role("button", name="Set a passcode").click()
    expect(page.get_by_text("The two are not the same.")).to_be_visible()


def _first_run(page: Page) -> None:
    expect(page.get_by_role("heading", name="How would you like to begin?")).to_be_visible()


def _tour(page: Page) -> None:
    _first_run(page)
    page.get_by_role("button", name="Begin without a key").click()
    expect(page.get_by_role("complementary", name="Plan: lessons for your classes")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_focused()


SETTINGS_SCENES = (
    Scene("first-run", "/", _first_run, kind="deep"),
    Scene("settings", "/settings", _page("Who answers"), kind="deep"),
    Scene("settings-key", "/settings", _with_a_key),
    Scene("settings-passcode", "/settings/passcode", _passcode_wrong),
    Scene("settings-agents", "/settings/agents", _page("Claude Code")),
    Scene("settings-checks", "/settings/checks", _page("Checks")),
    Scene("settings-data", "/settings/data", _page("Sample")),
    Scene("tour", "/", _tour),  # the last: afterwards Home does not ask any more
)
