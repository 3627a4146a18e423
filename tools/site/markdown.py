"""Turns one markdown file into a page: HTML, headings, where it leads, and what can be searched.

Everything a reader would stumble over is a problem, not a guess: a link that leads nowhere, a
picture without words, a heading that skips a level, a diagram that nobody drew.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from tools.site.places import joined, up

OUTSIDE = ("http://", "https://", "mailto:")
# What is coloured, and what is shown as it is.
COLOURED = {"sh": "bash", "bash": "bash", "json": "json", "toml": "toml", "python": "python"}
COLOURED |= {"ts": "typescript", "yaml": "yaml"}
PLAIN = {"", "text", "markdown"}
TAGS = re.compile(r"<\s*/?\s*(?P<name>[a-zA-Z][\w-]*)")
FINE_TAGS = {"picture", "source", "img"}
ADDRESS = re.compile(r"\b(?P<name>src|srcset)=\"(?P<target>[^\"]+)\"")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
LONGEST_CODE = 2_000
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
RENDERER = RendererHTML(MARKDOWN)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, and the anchor that leads to it."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands below one heading, as words to search."""

    heading: Heading
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it is shown, and everything that has to be checked about it."""

    source: str
    address: str
    title: str
    html: str
    headings: tuple[Heading, ...]
    passages: tuple[Passage, ...]
    links: tuple[tuple[str, str], ...]  # page from the root, anchor
    problems: tuple[str, ...]


@dataclass(slots=True)
class _Reading:
    root: Path
    source: str
    places: Mapping[str, str]
    links: list[tuple[str, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return self.places[self.source]

    def problem(self, text: str) -> None:
        self.problems.append(f"{self.source}: {text}")


def read_page(root: Path, source: str, places: Mapping[str, str]) -> Page:
    """Read one file of the repository as a page; `places` says where every page lies."""
    reading = _Reading(root, source, places)
    tokens = MARKDOWN.parse((root / source).read_text(encoding="utf-8"))
    headings = _headings(tokens, reading)
    passages = tuple(_passages(tokens, headings))
    html = "".join(_shown(tokens, reading))
    title = headings[0].text if headings else source
    return Page(
        source=source,
        address=reading.address,
        title=title,
        html=html,
        headings=tuple(headings),
        passages=passages,
        links=tuple(reading.links),
        problems=tuple(reading.problems),
    )


def slug_of(text: str) -> str:
    """A heading as an anchor, the way Git hosts write it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def words_of(inline: Token) -> str:
    """The text of a line without its markup."""
    shown = ("text", "code_inline", "softbreak", "image")
    parts = [child for child in inline.children or () if child.type in shown]
    return "".join(" " if part.type == "softbreak" else part.content for part in parts)


def _headings(tokens: Sequence[Token], reading: _Reading) -> list[Heading]:
    found: list[Heading] = []
    taken: set[str] = set()
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        level, text = int(opening.tag[1]), words_of(inline)
        if level > (found[-1].level if found else 0) + 1:
            reading.problem(f"the heading “{text}” skips a level")
        slug, number = slug_of(text), 0
        while (anchor := f"{slug}-{number}" if number else slug) in taken:
            number += 1
        taken.add(anchor)
        opening.attrSet("id", anchor)
        found.append(Heading(level, anchor, text))
    if [heading.level for heading in found].count(1) != 1:
        reading.problem("a page has one title")
    return found


def _passages(tokens: Sequence[Token], headings: Sequence[Heading]) -> Iterator[Passage]:
    """The words below each heading; long listings count with their beginning."""
    waiting = iter(headings)
    heading: Heading | None = None
    words: list[str] = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            if heading is not None:
                yield Passage(heading, " ".join(words))
            heading, words = next(waiting), []
        elif token.type == "inline" and tokens[place - 1].type != "heading_open":
            words.append(words_of(token))
        elif token.type == "fence":
            words.append(" ".join(token.content[:LONGEST_CODE].split()))
    if heading is not None:
        yield Passage(heading, " ".join(words))


def _shown(tokens: Sequence[Token], reading: _Reading) -> Iterator[str]:
    for place, token in enumerate(tokens):
        if token.type == "inline":
            yield from _inline(token, reading)
        elif token.type == "fence":
            yield _fence(token, reading)
        elif token.type == "html_block":
            yield _raw(token.content, reading)
        elif token.type in ("th_open", "td_open"):
            yield _cell(token, tokens[place + 1])
        elif token.type == "th_close" and not tokens[place - 1].content:
            yield "</td>\n"
        elif token.type == "table_open":
            yield '<div class="scrolls"><table>\n'
        elif token.type == "table_close":
            yield "</table></div>\n"
        elif token.type == "heading_close":
            anchor = tokens[place - 2].attrGet("id")
            text = escape(words_of(tokens[place - 1]))
            label = f'aria-label="Link to “{text}”"'
            yield f' <a class="anchor" href="#{anchor}" {label}>#</a></{token.tag}>\n'
        else:
            yield RENDERER.render([token], MARKDOWN.options, {})


def _cell(token: Token, inline: Token) -> str:
    """The start of a cell; a heading without words heads nothing."""
    tag = token.tag if inline.content else "td"
    aligned = str(token.attrGet("style") or "").rpartition(":")[2]
    return f'<{tag} class="{aligned}">' if aligned else f"<{tag}>"


def _inline(token: Token, reading: _Reading) -> Iterator[str]:
    children = token.children or []
    dropped = 0  # links to what is not in the site become plain words
    for child in children:
        if child.type == "link_open":
            address = _link(str(child.attrGet("href")), reading)
            if address is None:
                dropped += 1
                continue
            child.attrSet("href", address)
            if address.startswith(OUTSIDE):
                child.attrSet("rel", "noreferrer")
        elif child.type == "link_close" and dropped:
            dropped -= 1
            continue
        elif child.type == "image":
            yield _picture(child, reading)
            continue
        elif child.type == "html_inline":
            yield _raw(child.content, reading)
            continue
        yield RENDERER.renderInline([child], MARKDOWN.options, {})


def _link(target: str, reading: _Reading) -> str | None:
    """The address of a link in the site; nothing for a file that only the repository has."""
    if target.startswith(OUTSIDE):
        return target
    name, _, anchor = target.partition("#")
    path = joined(reading.source, name) if name else reading.source
    if path is not None and path in reading.places:
        reading.links.append((path, anchor))
        start = "" if path == reading.source else up(reading.address) + reading.places[path]
        return (start + (f"#{anchor}" if anchor else "")) or reading.address.rpartition("/")[2]
    if path is None or not (reading.root / path).exists():
        reading.problem(f"the link to `{target}` leads nowhere")
    return None


def _picture(token: Token, reading: _Reading) -> str:
    words = token.content.strip()
    if not words:
        reading.problem(f"the picture `{token.attrGet('src')}` has no words")
    address = _picture_address(str(token.attrGet("src")), reading)
    path = joined(reading.source, str(token.attrGet("src")))
    if path is not None and path.endswith(".svg") and (reading.root / path).is_file():
        text = (reading.root / path).read_text(encoding="utf-8")
        if 'class="diagram"' in text:  # ours: takes its colours from the page
            return STYLE.sub("", text).strip()
    return f'<img src="{escape(address)}" alt="{escape(words)}" loading="lazy">'


def _picture_address(target: str, reading: _Reading) -> str:
    path = joined(reading.source, target)
    if path is None or not path.startswith("docs/") or not (reading.root / path).is_file():
        reading.problem(f"the picture `{target}` is not in `docs`")
        return target
    return up(reading.address) + path.removeprefix("docs/")


def _raw(html: str, reading: _Reading) -> str:
    """HTML in a page: pictures for two themes, and comments, which are left out."""
    html = COMMENT.sub("", html)
    strange = {match["name"].lower() for match in TAGS.finditer(html)} - FINE_TAGS
    if strange:
        reading.problem(f"the tag `<{min(strange)}>` is not shown; write it as code")
        return escape(html)
    return ADDRESS.sub(
        lambda match: f'{match["name"]}="{_picture_address(match["target"], reading)}"', html
    )


def _fence(token: Token, reading: _Reading) -> str:
    language = token.info.strip()
    if language in COLOURED:
        lexer = get_lexer_by_name(COLOURED[language])
        code = highlight(token.content, lexer, HtmlFormatter(nowrap=True))
    else:
        if language not in PLAIN:
            reading.problem(f"a block in `{language}` is neither drawn nor coloured")
        code = escape(token.content)
    block = f'<div class="scrolls code"><pre><code>{code}</code></pre></div>\n'
    is_typed = language in ("sh", "bash")  # gets a button that copies it
    return f'<div class="listing">{block}</div>\n' if is_typed else block
