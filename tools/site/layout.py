"""One page of the site as HTML: the bar, the contents, the text, what stands on the page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape

from tools.site.markdown import Heading, Page
from tools.site.navigation import Section, beside, section_of
from tools.site.places import HOME, up

LEAST_HEADINGS = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """What all pages share. `app` is the address of a Paige that serves them, or nothing."""

    sections: tuple[Section, ...]
    places: Mapping[str, str]
    version: str
    app: str = ""


def page_html(page: Page, frame: Frame) -> str:
    """The whole document."""
    root = up(page.address)
    title = "Paige documentation" if page.source == HOME else f"{page.title} · Paige"
    return "".join(
        [
            f'<!doctype html>\n<html lang="en" data-root="{root}">\n<head>\n',
            '<meta charset="utf-8">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f"<title>{escape(title)}</title>\n",
            f'<link rel="icon" href="{root}favicon.svg">\n',
            f'<link rel="stylesheet" href="{root}site.css">\n',
            f'<script src="{root}theme.js"></script>\n',
            f'<script src="{root}site.js" defer></script>\n',
            f'<script src="{root}ranking.js" defer></script>\n',
            f'<script src="{root}search.js" defer></script>\n</head>\n<body>\n',
            '<a class="skip" href="#content">Skip to content</a>\n',
            _bar(root, frame.app),
            '<div class="columns">\n',
            *_contents(page, frame),
            f'<main id="content" tabindex="-1">\n{page.html}',
            *_turns(page, frame),
            "</main>\n",
            *_here(page.headings),
            f"</div>\n<footer>Paige {escape(frame.version)}</footer>\n</body>\n</html>\n",
        ]
    )


def _bar(root: str, app: str) -> str:
    back = f'<a class="app" href="{app}">Open Paige</a>' if app else ""
    return f"""<header class="bar">
<a class="brand" href="{root}index.html"><img src="{root}favicon.svg" alt="" width="28" height="28">
Paige <span>documentation</span></a>
<form role="search" hidden><label class="unseen" for="query">Search the documentation</label>
<input id="query" type="search" placeholder="Search" autocomplete="off" spellcheck="false"
aria-keyshortcuts="/" aria-controls="found"></form>
{back}<button type="button" id="theme" hidden></button>
<button type="button" id="contents" aria-expanded="false" aria-controls="menu" hidden>
Contents</button>
<section id="found" aria-label="Search results" hidden><p role="status"></p><ol></ol></section>
</header>
"""


def _contents(page: Page, frame: Frame) -> Iterator[str]:
    """The sections, and the pages of the one that is open."""
    root = up(page.address)
    current = section_of(frame.sections, page.source)
    home = ' aria-current="page"' if page.source == HOME else ""
    yield '<nav id="menu" aria-label="Contents">\n<ul>\n'
    yield f'<li><a href="{root}index.html"{home}>Home</a></li>\n'
    for section in frame.sections:
        link = f'<a href="{root}index.html#{section.anchor}">{escape(section.title)}</a>'
        yield f'<li class="section">{link}\n'
        if section is current:
            yield from _pages(page, section, frame)
        yield "</li>\n"
    yield "</ul>\n</nav>\n"


def _pages(page: Page, section: Section, frame: Frame) -> Iterator[str]:
    root = up(page.address)
    for group in section.groups:
        if group.title:
            yield f'<p class="group">{escape(group.title)}</p>\n'
        yield "<ul>\n"
        for entry in group.entries:
            here = ' aria-current="page"' if entry.source == page.source else ""
            address = root + frame.places[entry.source]
            yield f'<li><a href="{address}"{here}>{escape(entry.title)}</a></li>\n'
        yield "</ul>\n"


def _turns(page: Page, frame: Frame) -> Iterator[str]:
    before, after = beside(frame.sections, page.source)
    if before is None and after is None:
        return
    root = up(page.address)
    yield '<nav class="turns" aria-label="Before and after">\n'
    for entry, word in ((before, "Before"), (after, "Next")):
        if entry is not None:
            address = root + frame.places[entry.source]
            yield f'<a href="{address}"><span>{word}</span> {escape(entry.title)}</a>\n'
    yield "</nav>\n"


def _here(headings: tuple[Heading, ...]) -> Iterator[str]:
    shown = [heading for heading in headings if heading.level == 2]
    if len(shown) < LEAST_HEADINGS:
        yield '<div class="here"></div>\n'
        return
    yield '<nav class="here" aria-label="On this page">\n<p>On this page</p>\n<ul>\n'
    for heading in shown:
        yield f'<li><a href="#{heading.anchor}">{escape(heading.text)}</a></li>\n'
    yield "</ul>\n</nav>\n"
