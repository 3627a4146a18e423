"""Markdown as a flat list of blocks, which is all that a page of Word or PDF knows.

Comments and other HTML are left out: they hold what is not meant for paper.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

Node = SyntaxTreeNode
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
    return list(_blocks(SyntaxTreeNode(tokens).children))


def place_of(run: Run) -> str:
    """Where in the curriculum a link points, for readers of paper; empty for other links."""
    return run.link if run.link.startswith("curriculum/") else ""


def plain(runs: Runs) -> str:
    """The text without its looks."""
    return "".join(run.text for run in runs)


def _blocks(nodes: Sequence[Node], depth: int = 0, *, quoted: bool = False) -> Iterator[Block]:
    for node in nodes:
        match node.type:
            case "heading":
                yield Heading(int(node.tag[1:]), _runs(node))
            case "paragraph":
                yield Paragraph(_runs(node), depth, quoted)
            case "fence" | "code_block":
                yield Code(node.content.rstrip("\n"), depth)
            case "hr":
                yield Rule()
            case "table":
                yield _table(node)
            case "blockquote":
                yield from _blocks(node.children, depth, quoted=True)
            case "bullet_list" | "ordered_list":
                yield from _items(node, depth + 1, quoted=quoted)
            case _:
                pass


def _items(listed: Node, depth: int, *, quoted: bool) -> Iterator[Block]:
    start = int(listed.attrs.get("start", 1))
    for number, item in enumerate(listed.children, start):
        rest = item.children
        if rest and rest[0].type == "paragraph":
            runs = _with_boxes(_runs(rest[0]))
            yield Item(runs, depth, number if listed.type == "ordered_list" else None)
            rest = rest[1:]
        yield from _blocks(rest, depth, quoted=quoted)


def _with_boxes(runs: Runs) -> Runs:
    """The item with `[ ]` and `[x]` at its start as the boxes they stand for."""
    if not runs or runs[0].text[:4] not in _BOXES:
        return runs
    return (replace(runs[0], text=_BOXES[runs[0].text[:4]] + runs[0].text[4:]), *runs[1:])


def _table(table: Node) -> Table:
    rows = [
        [_runs(cell) for cell in row.children] for part in table.children for row in part.children
    ]
    width = len(rows[0])
    filled = [tuple([*row, *[()] * (width - len(row))][:width]) for row in rows]
    return Table(filled[0], tuple(filled[1:]))


def _runs(node: Node) -> Runs:
    return tuple(run for run in _pieces(node, Run("")) if run.text)


def _pieces(node: Node, look: Run) -> Iterator[Run]:
    """The text inside a node, in the look it has there."""
    for each in node.children:
        match each.type:
            case "strong":
                yield from _pieces(each, replace(look, bold=True))
            case "em":
                yield from _pieces(each, replace(look, italic=True))
            case "link":
                yield from _pieces(each, replace(look, link=str(each.attrs.get("href", ""))))
            case "softbreak":
                yield Run(" ")
            case "hardbreak":
                yield Run("\n")
            case "text" | "code_inline" | "image":
                yield replace(look, text=each.content, code=each.type == "code_inline")
            case "inline":
                yield from _pieces(each, look)
            case _:
                pass
