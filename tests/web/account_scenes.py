"""The pages of an installation with accounts, each as a way to get there."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.live import run_paige
from tests.web.scenes import Scene

PASSWORD = "seven green kettles"
ADMIN = "root"
PEOPLE = (
    ("mbrown", "Morgan Brown", "teacher"),
    ("learner7", "", "learner"),
    ("kit", "Kit Okafor", "developer"),
)


def add_admin(home: Path) -> None:
    """The first account, made as somebody makes it."""
    add_person(home, ADMIN, "admin")


def add_person(home: Path, id: str, role: str, name: str = "") -> None:
    """Another account, made the same way."""
    named = ("--name", name) if name else ()
    _run(home, "add", id, "--role", role, *named, "--password", stdin=f"{PASSWORD}\n")


def fill(home: Path) -> None:
    """An admin, some people, and what they may spend."""
    add_admin(home)
    for id, name, role in PEOPLE:
        add_person(home, id, role, name)
    _run(home, "limit", "--month", "200")
    _run(home, "limit", "mbrown", "--day", "0")


def sign_in(page: Page, name: str = ADMIN, password: str = PASSWORD) -> None:
    """Fill in the form and send it."""
    page.get_by_label("Name or e-mail").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def _run(home: Path, *rest: str, stdin: str = "") -> None:
    done = run_paige(home, "people", *rest, stdin=stdin)
    assert done.returncode == 0, done.stderr


def _at_the_door(page: Page) -> None:
    expect(page.get_by_label("Name or e-mail")).to_be_focused()


def _inside(title: str, then: Callable[[Page], None] | None = None) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        # The profile of the browser is shared by all scenes: the first one signs in.
        heading = page.get_by_role("heading", level=1)
        name = page.get_by_label("Name or e-mail")
        expect(heading.filter(has_text=title).or_(name)).to_be_visible()
        if name.is_visible():
            sign_in(page)
        expect(heading).to_have_text(title)
        if then is not None:
            then(page)

    return arrive


def _people(page: Page) -> None:
    expect(page.get_by_role("row", name="Morgan Brown").first).to_be_visible()
    expect(page.get_by_text("$0.00 of $200.00")).to_be_visible()


def _audit(page: Page) -> None:
    expect(page.get_by_role("row", name="person.add").first).to_be_visible()


def _you(page: Page) -> None:
    expect(page.get_by_text("This browser")).to_be_visible()


ACCOUNT_SCENES = (
    Scene("account-sign-in", "/", _at_the_door),
    Scene("account-you", "/you", _inside("You", _you)),
    Scene("account-people", "/you/people", _inside("You: People", _people)),
    Scene("account-audit", "/you/audit", _inside("You: Audit log", _audit)),
)
