"""The documentation as values: pages, headings, links and fenced blocks."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,})(?P<language>\S*)\s*$")
_HEADING = re.compile(r"^#{1,6} +(?P<text>.+?) *$", re.MULTILINE)
_LINK = re.compile(r"(?<!\\)\]\((?P<target>[^()\s]+)\)")
_CODE = re.compile(r"(`+)[^`].*?\1", re.DOTALL)
_PICTURE = re.compile(r"(?:src|srcset)=\"(?P<target>[^\"]+)\"")


class Block(NamedTuple):
    """One fenced block: its language, its text, and the line it begins on."""

    language: str
    text: str
    line: int


class Page(NamedTuple):
    """One markdown file, its prose apart from its fenced blocks."""

    path: Path
    text: str
    prose: str
    blocks: tuple[Block, ...]

    @property
    def name(self) -> str:
        """The path from the root of the repository."""
        return self.path.relative_to(ROOT).as_posix()

    def anchors(self) -> set[str]:
        """Every heading as GitHub writes it into an address."""
        found: set[str] = set()
        for match in _HEADING.finditer(self.prose):
            slug = re.sub(r"[^\w\- ]", "", match["text"].lower()).replace(" ", "-")
            number = 0
            while (anchor := f"{slug}-{number}" if number else slug) in found:
                number += 1
            found.add(anchor)
        return found

    def links(self) -> list[str]:
        """Targets of links, without those that only show how a link is written."""
        return [match["target"] for match in _LINK.finditer(_CODE.sub("", self.prose))]

    def pictures(self) -> list[str]:
        """Files that are shown."""
        return [match["target"] for match in _PICTURE.finditer(self.prose)]


def read_page(path: Path) -> Page:
    """Read one page."""
    text = path.read_text(encoding="utf-8")
    prose: list[str] = []
    blocks: list[Block] = []
    opened: re.Match[str] | None = None
    inside: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if opened is None and fence is None:
            prose.append(line)
        elif opened is None:
            opened, inside = fence, []
        elif fence is not None and fence["ticks"] == opened["ticks"] and not fence["language"]:
            indent = len(opened["indent"])
            body = "\n".join(row[indent:] for row in inside)
            blocks.append(Block(opened["language"], body, number - len(inside) - 1))
            opened = None
        else:
            inside.append(line)
    assert opened is None, f"{path}: a fenced block is not closed"
    return Page(path, text, "\n".join(prose), tuple(blocks))


def all_pages() -> list[Page]:
    """Every page that people read, in order."""
    own = [ROOT / "web" / "README.md", *ROOT.glob("*.md")]
    return [read_page(path) for path in sorted([*own, *(ROOT / "docs").rglob("*.md")])]


def page(name: str) -> Page:
    """One page by its path from the root."""
    return read_page(ROOT / name)
