"""The clicks of a tutorial, read from its own sentences and done in a real browser.

A tutorial says what to do in one of these ways, and names what is on the page in bold:

    Open **Plan**.                          a link, a tab or a folder
    Press **Send**.                         a button, or anything else that can be pressed
    Choose **Accept**.                      one of several
    Choose **Revise** under **Starter…**.   one of several, in a part of the page
    Choose `3B` in **Class**.               an entry of a list
    Write `fixed loops` into **Request**.   a field
    You see **Saved in your workspace**.    a text that has to come

A name that ends with `…` is only a part of what stands there.
"""

import re
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

WAIT_MS = 30_000
_CLICK = re.compile(
    r"(?:(?P<do>Open|Press|Choose|You see) |(?P<fill>Write|Choose) `(?P<text>[^`]+)` in(?:to)? )"
    r"\*\*(?P<name>[^*]+)\*\*(?: under \*\*(?P<part>[^*]+)\*\*)?"
)
_ROLES = ("button", "link", "tab", "radio", "menuitem", "option", "treeitem", "checkbox", "switch")


class Click(NamedTuple):
    """One thing to do in the browser."""

    do: str
    name: str
    text: str
    part: str
    line: int


def clicks_of(line: str, number: int) -> list[Click]:
    """What a line of a tutorial asks for, in its order."""
    return [
        Click(
            "Fill" if found["fill"] == "Write" else "Select" if found["fill"] else found["do"],
            found["name"],
            found["text"] or "",
            found["part"] or "",
            number,
        )
        for found in _CLICK.finditer(line)
    ]


def do_click(page: Page, click: Click) -> None:
    """Do it, or fail as a reader would: nothing of this name is there."""
    name = _name(click.name)
    match click.do:
        case "You see":
            expect(_shown(page.get_by_text(name))).to_be_visible(timeout=WAIT_MS)
        case "Fill":
            _shown(page.get_by_label(name)).fill(click.text)
        case "Select":
            _shown(page.get_by_label(name)).select_option(click.text)
        case "Choose":
            part = page.get_by_role("region", name=_name(click.part)) if click.part else page
            _shown(part.get_by_text(name, exact=True)).click()
        case _:
            _pressable(page, name).click()


def _shown(found: Locator) -> Locator:
    return found.locator("visible=true").first


def _pressable(page: Page, name: str | re.Pattern[str]) -> Locator:
    """What of this name can be pressed, wherever a person would find it."""
    within = page.get_by_role("main").or_(page.get_by_role("dialog"))
    found = within.get_by_role(_ROLES[0], name=name, exact=True)
    for place in (within, page.get_by_role("navigation"), page.get_by_role("banner")):
        for role in _ROLES:
            found = found.or_(place.get_by_role(role, name=name, exact=True))
    asked = page.get_by_role("alertdialog").get_by_role("button", name=name, exact=True)
    found = found.or_(asked).or_(page.get_by_role("menuitem", name=name, exact=True))
    shown = _shown(found)
    expect(shown).to_be_visible(timeout=WAIT_MS)
    return shown


def _name(written: str) -> str | re.Pattern[str]:
    begun = written.removesuffix("…")
    return written if begun == written else re.compile(re.escape(begun))
