"""Builds the site from a tree of markdown files into a folder, and says what is wrong with it."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.site.finding import search_script
from tools.site.layout import Frame, page_html
from tools.site.markdown import Page, read_page
from tools.site.navigation import Section, navigation_of
from tools.site.places import HOME, pages_of, pictures_of

ASSETS = Path(__file__).parent / "assets"
INDEX = "search-index.js"
ICON = "web/public/favicon.svg"


@dataclass(frozen=True, slots=True)
class Built:
    """What came of it: how many pages, how many bytes, and every problem."""

    pages: int
    size: int
    problems: tuple[str, ...]


def build_site(root: Path, out: Path, *, version: str, app: str = "") -> Built:
    """Write the whole site anew. `app` is where the bar leads back to, if a Paige serves it."""
    places = pages_of(root)
    sections = navigation_of(root, places)
    pages = [read_page(root, source, places) for source in places]
    frame = Frame(sections, places, version, app)
    _empty(out)
    for page in pages:
        _write(out / page.address, page_html(page, frame))
    _write(out / INDEX, search_script(pages))
    for path, address in pictures_of(root):
        _copy(path, out / address)
    for path in sorted(ASSETS.iterdir()):
        _copy(path, out / path.name)
    _copy(root / ICON, out / "favicon.svg")
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    return Built(len(pages), size, tuple(_problems(pages, sections, places)))


def _problems(
    pages: Iterable[Page], sections: Iterable[Section], places: Mapping[str, str]
) -> Iterator[str]:
    by_source = {page.source: page for page in pages}
    anchors = {
        source: {heading.anchor for heading in page.headings} for source, page in by_source.items()
    }
    for page in by_source.values():
        yield from page.problems
        for source, anchor in page.links:
            if anchor and anchor not in anchors[source]:
                yield f"{page.source}: `{source}` has no heading `#{anchor}`"
    reached = {HOME, *(entry.source for section in sections for entry in section.entries())}
    for source in sorted(set(places) - reached):
        yield f"{source}: the navigation does not lead there; name it in `{HOME}`"


def _empty(folder: Path) -> None:
    """Make room, but never where something else lies than a site."""
    if folder.exists() and any(folder.iterdir()) and not (folder / INDEX).exists():
        raise FileExistsError(f"{folder} holds something else than a site. Name another folder.")
    shutil.rmtree(folder, ignore_errors=True)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)
