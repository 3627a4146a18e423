"""Everything the app can show, each as a way to get there: for checks and for pictures of all."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Page, expect

PASSCODE = "a-horse-in-the-library"
WIDTHS = {1280: 800, 375: 812}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Scene:
    """A page, or something that lies over one."""

    name: str
    path: str
    arrive: Callable[[Page], None]
    passcode: bool = False
    kind: Literal["page", "deep", "picture"] = "page"
    """`deep`: what it shows is read in another scene or test. `picture`: a page, only scrolled."""

    def show(self, page: Page, url: str) -> None:
        """Go there, and wait until everything is drawn."""
        page.goto(f"{url}{self.path}")
        self.arrive(page)
        expect(page.locator("[data-skeleton]")).to_have_count(0)
        page.evaluate("document.fonts.ready.then(() => null)")


def _heading(text: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        expect(page.get_by_text("Reading the setup…")).to_have_count(0)

    return arrive


def _setup(page: Page) -> None:
    _heading("Welcome to Paige")(page)
    page.get_by_role("heading", name="What is set up").evaluate("h2 => h2.scrollIntoView()")


def _palette(page: Page) -> None:
    _heading("Welcome to Paige")(page)
    page.get_by_role("button", name="Commands").click()
    expect(page.get_by_role("combobox")).to_be_focused()


def _shortcuts(page: Page) -> None:
    _heading("Plan")(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def _notice(page: Page) -> None:
    _heading("Welcome to Paige")(page)
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy setup report").click()
    expect(page.get_by_role("button", name="Dismiss")).to_be_visible()


def _sign_in(page: Page) -> None:
    expect(page.get_by_label("Passcode")).to_be_focused()


def _memory_empty(page: Page) -> None:
    _heading("Memory")(page)
    expect(page.get_by_text("Nothing is remembered yet.")).to_be_visible()


SCENES = (
    Scene("home", "/", _heading("Welcome to Paige")),
    Scene("setup", "/", _setup, kind="picture"),
    Scene("plan", "/plan", _heading("Plan")),
    Scene("study", "/study", _heading("Study")),
    Scene("coach", "/coach", _heading("Coach")),
    Scene("guard", "/guard", _heading("Guard")),
    Scene("memory-empty", "/memory", _memory_empty),
    Scene("unknown", "/no/such/page", _heading("There is no such page")),
    Scene("palette", "/", _palette, kind="deep"),
    Scene("shortcuts", "/plan", _shortcuts, kind="deep"),
    Scene("notice", "/", _notice),
    Scene("sign-in", "/", _sign_in, passcode=True),
)
