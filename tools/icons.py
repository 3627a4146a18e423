"""Draws the icons of the installed app from `web/public/favicon.svg`.

    python -m tools.icons

It needs the browser of the tests and writes `web/public/icons/`. Run it again when the favicon
or the colours of the doors change.
"""

import re
from pathlib import Path

from playwright.sync_api import Browser

from tests.web.browser import open_browser

PUBLIC = Path(__file__).parents[1] / "web" / "public"
BOOK = "#1b5e4b"  # the cover in the favicon
BOARD = "#17392f"
PAPER = "#f5f5ee"
# the spines of `web/src/styles/tokens.css`, by day
DOORS = {"plan": "#d8a62a", "study": "#5a9f5c", "coach": "#4a8fb8", "guard": "#cb6450"}
SAFE = 0.62  # a system may cut a maskable icon down to a circle of 80 %: the corners stay inside


def main() -> None:
    """Write every icon."""
    book = (PUBLIC / "favicon.svg").read_text(encoding="utf-8")
    with open_browser() as browser:
        for size in (192, 512):
            _draw(browser, book, f"icon-{size}", size)
            _draw(browser, book, f"maskable-{size}", size, share=SAFE, ground=BOARD)
        _draw(browser, book, "apple-touch-icon", 180, share=0.8, ground=PAPER)
        for door, colour in DOORS.items():
            _draw(browser, re.sub(BOOK, colour, book), f"{door}-192", 192)


def _draw(
    browser: Browser,
    svg: str,
    name: str,
    size: int,
    *,
    share: float = 1,
    ground: str = "transparent",
) -> None:
    page = browser.new_page(viewport={"width": size, "height": size})
    style = (
        f"html,body{{margin:0;height:100%;background:{ground};display:grid;place-items:center}}"
        f"svg{{width:{size * share}px;height:{size * share}px}}"
    )
    page.set_content(f"<style>{style}</style>{svg}")
    page.screenshot(path=PUBLIC / "icons" / f"{name}.png", omit_background=True)
    page.close()


if __name__ == "__main__":
    main()
