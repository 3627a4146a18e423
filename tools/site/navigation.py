"""The order of the pages: the headings and lists of the home page are the navigation."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.site.markdown import MARKDOWN, slug_of, words_of
from tools.site.places import HOME, joined


@dataclass(frozen=True, slots=True)
class Entry:
    """One page in the navigation."""

    source: str
    title: str


@dataclass(frozen=True, slots=True)
class Group:
    """Pages below one smaller heading; the first of a section may have none."""

    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the home page with everything below it."""

    title: str
    anchor: str
    groups: tuple[Group, ...]

    def entries(self) -> list[Entry]:
        """Its pages in order."""
        return [entry for group in self.groups for entry in group.entries]


def navigation_of(root: Path, places: Mapping[str, str]) -> tuple[Section, ...]:
    """Read the sections from the home page."""
    tokens = MARKDOWN.parse((root / HOME).read_text(encoding="utf-8"))
    sections: list[tuple[str, list[tuple[str, list[Entry]]]]] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag in ("h2", "h3"):
            title = words_of(tokens[place + 1])
            if token.tag == "h2":
                sections.append((title, [("", [])]))
            else:
                sections[-1][1].append((title, []))
        elif token.type == "inline" and sections:
            children = token.children or []
            for number, child in enumerate(children):
                if child.type == "link_open":
                    source = joined(HOME, str(child.attrGet("href")).partition("#")[0])
                    if source in places and source is not None:
                        entry = Entry(source, children[number + 1].content)
                        sections[-1][1][-1][1].append(entry)
    return tuple(
        Section(title, slug_of(title), tuple(Group(t, tuple(e)) for t, e in groups if e))
        for title, groups in sections
    )


def section_of(sections: tuple[Section, ...], source: str) -> Section | None:
    """The section a page stands in."""
    for section in sections:
        if any(entry.source == source for entry in section.entries()):
            return section
    return None


def beside(sections: tuple[Section, ...], source: str) -> tuple[Entry | None, Entry | None]:
    """The pages before and after one, in its own section."""
    section = section_of(sections, source)
    entries = section.entries() if section else []
    place = next((n for n, entry in enumerate(entries) if entry.source == source), -1)
    before = entries[place - 1] if place > 0 else None
    after = entries[place + 1] if 0 <= place < len(entries) - 1 else None
    return before, after
