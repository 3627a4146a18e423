"""Markdown as a flat list of blocks, which is all that a page of Word or PDF knows.

Comments and other HTML are left out: they hold what is not meant for paper.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

_BOXES = {"[ ] ": "☐ ", "[x] ": "☑ "}
# What neither XML nor a page can hold.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text of one look."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title."""

    level: int
    runs: Runs


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `depth` says below how many lists or quotes it stands."""

    runs: Runs
    depth: int = 0
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """The first paragraph of a list item; `number` is set in a numbered list."""

    runs: Runs
    depth: int
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """A program or another text whose spaces count."""

    text: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row has as many cells as the header."""

    header: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the page."""


Block = Heading | Paragraph | Item | Code | Table | Rule


def read_blocks(markdown: str) -> list[Block]:
    """The blocks of a text, in order."""
    tokens = MarkdownIt("commonmark").enable("table").parse(_UNPRINTABLE.sub("", markdown))
    return list(_Reader(tokens).blocks())


def place_of(run: Run) -> str:
    """Where in the curriculum a link points, for readers of paper; empty for other links."""
    return run.link if run.link.startswith("curriculum/") else ""


def plain(runs: Runs) -> str:
    """The text without its looks."""
    return "".join(run.text for run in runs)


class _Reader:
    """Walks the tokens of one text."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._lists: list[int | None] = []  # the next number, or None for bullets
        self._quotes = 0
        self._fresh = False  # the next paragraph is the first of its list item

    def blocks(self) -> Iterator[Block]:
        at = 0
        while at < len(self._tokens):
            token = self._tokens[at]
            if token.type == "table_open":
                end = next(n for n in range(at, len(self._tokens)) if _ends_table(self._tokens[n]))
                yield _table(self._tokens[at:end])
                at = end
            else:
                yield from self._block(token, at)
            at += 1

    def _block(self, token: Token, at: int) -> Iterator[Block]:
        match token.type:
            case "heading_open":
                yield Heading(int(token.tag[1:]), _runs(self._tokens[at + 1]))
            case "paragraph_open":
                yield self._paragraph(_runs(self._tokens[at + 1]))
            case "fence" | "code_block":
                self._fresh = False
                yield Code(token.content.rstrip("\n"), len(self._lists))
            case "hr":
                yield Rule()
            case _:
                self._enter_or_leave(token)

    def _enter_or_leave(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._fresh = True
            case "blockquote_open" | "blockquote_close":
                self._quotes += token.nesting
            case _:
                pass

    def _paragraph(self, runs: Runs) -> Block:
        depth = len(self._lists)
        if not (self._fresh and depth):
            return Paragraph(runs, depth, self._quotes > 0)
        self._fresh = False
        runs = _with_boxes(runs)
        number = self._lists[-1]
        if number is not None:
            self._lists[-1] = number + 1
        return Item(runs, depth, number)


def _with_boxes(runs: Runs) -> Runs:
    """The item with `[ ]` and `[x]` at its start as the boxes they stand for."""
    if not runs or runs[0].text[:4] not in _BOXES:
        return runs
    return (replace(runs[0], text=_BOXES[runs[0].text[:4]] + runs[0].text[4:]), *runs[1:])


def _ends_table(token: Token) -> bool:
    return token.type == "table_close"


def _table(tokens: Sequence[Token]) -> Table:
    rows: list[list[Runs]] = []
    for at, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(_runs(tokens[at + 1]))
    width = len(rows[0])
    filled = [tuple([*row, *[()] * (width - len(row))][:width]) for row in rows]
    return Table(filled[0], tuple(filled[1:]))


def _runs(inline: Token) -> Runs:
    runs: list[Run] = []
    bold = italic = 0
    link = ""
    for token in inline.children or ():
        match token.type:
            case "strong_open":
                bold += 1
            case "strong_close":
                bold -= 1
            case "em_open":
                italic += 1
            case "em_close":
                italic -= 1
            case "link_open":
                link = str(token.attrGet("href") or "")
            case "link_close":
                link = ""
            case "softbreak" | "hardbreak":
                runs.append(Run("\n" if token.type == "hardbreak" else " "))
            case "text" | "code_inline" | "image":
                code = token.type == "code_inline"
                runs.append(Run(token.content, bold > 0, italic > 0, code, link))
            case _:
                pass
    return tuple(run for run in runs if run.text)
