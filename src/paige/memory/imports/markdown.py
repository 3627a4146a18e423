"""Cuts markdown into the pieces people remember by: a bullet with what is below it, a paragraph.

Every piece knows its line and the headings above it. A paragraph that ends with a colon introduces
the list after it and is carried by the items like a heading: "Before a release:" says nothing on
its own, and the items say little without it. Code stays with the words before it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from paige.base.errors import BadInput
from paige.language.front_matter import Value, read_front_matter
from paige.memory.imports.sources import ImportProblem

_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<text>.*)$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<mark>[-*+]|\d{1,9}[.)])(?P<gap>[ \t]+)(?P<text>.*)$")
_FENCE = re.compile(r"[ \t]*(?P<marks>`{3,}|~{3,})")
_LONGEST_LEAD = 200


class Block(NamedTuple):
    """One piece: where it stands, below which headings, what it says."""

    line: int
    headings: tuple[str, ...]
    text: str
    bullet: bool


class Note(NamedTuple):
    """A file with its front matter read; `problem` says why there is none although it has one."""

    values: dict[str, Value]
    body: str
    first_line: int
    problem: ImportProblem | None = None


def read_note(text: str, shown: str) -> Note:
    """Split front matter from the body. What cannot be read costs the front matter only."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return Note({}, text, 1)
    ends = (at for at, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "..."))
    end = next(ends, None)
    first = 0 if end is None else end + 1
    body = "\n".join(lines[first:])
    try:
        return Note(read_front_matter(text, shown).values, body, first + 1)
    except BadInput as error:
        line, _, what = error.message.removeprefix(f"{shown}:").partition(": ")
        number = int(line) if line.isdecimal() else 1
        fix = f"{error.hint or 'Write it as `key: value`.'} The text below it was read."
        problem = ImportProblem(
            shown, number, f"the front matter cannot be read: {what}", fix, False
        )
        return Note({}, body, first + 1, problem)


@dataclass(slots=True)
class _Piece:
    """The piece being read."""

    line: int
    bullet: bool
    indent: int
    lines: list[str] = field(default_factory=list)
    gap: bool = False

    def add(self, line: str, *, strip: int) -> None:
        if self.gap:
            self.lines.append("")
            self.gap = False
        self.lines.append(line[min(strip, len(line) - len(line.lstrip())) :].rstrip())


def split_blocks(text: str, *, first_line: int = 1) -> Iterator[Block]:
    """The pieces of a text in order."""
    cutter = _Cutter()
    for number, line in enumerate(text.split("\n"), first_line):
        words = line.lstrip()
        cutter.take(number, line[: len(line) - len(words)].expandtabs(4) + words)
        yield from cutter.ready()
    cutter.finish()
    yield from cutter.ready()


def _title(text: str) -> str:
    """The words of a heading; signs at its end, ` ##`, only close it."""
    bare = text.strip().rstrip("#")
    return bare.strip() if bare[-1:].isspace() else text.strip()


class _Cutter:
    """Reads lines one by one; finished pieces wait in `done`."""

    def __init__(self) -> None:
        self.headings: list[tuple[int, str]] = []
        self.open: _Piece | None = None
        self.lead: Block | None = None  # a paragraph that may introduce a list
        self.leading: str | None = None  # the introduction of the list being read
        self.fence = ""
        self.comment = False
        self.done: list[Block] = []

    def ready(self) -> Iterator[Block]:
        done, self.done = self.done, []
        yield from done

    def take(self, number: int, line: str) -> None:
        if self.comment or (not self.fence and line.lstrip().startswith("<!--")):
            self.comment = "-->" not in line
        elif self.fence or _FENCE.match(line):
            self.code(number, line)
        elif not line.strip():
            self.blank()
        elif heading := _HEADING.match(line):
            self.heading(len(heading["marks"]), _title(heading["text"]))
        elif self.is_underlined(line):
            assert self.open is not None
            title, self.open = " ".join(self.open.lines), None
            self.heading(1 if line.strip()[0] == "=" else 2, title)
        elif _RULE.match(line):
            self.close()
        else:
            self.words(number, line)

    def finish(self) -> None:
        self.close()
        self.give_lead()

    def is_underlined(self, line: str) -> bool:
        paragraph = self.open is not None and not self.open.bullet and not self.open.gap
        return paragraph and bool(_UNDERLINE.match(line))

    def heading(self, level: int, text: str) -> None:
        self.finish()
        self.leading = None
        self.headings = [each for each in self.headings if each[0] < level]
        if text:
            self.headings.append((level, text))

    def blank(self) -> None:
        if self.open is None:
            return
        if self.open.bullet:
            self.open.gap = True
        else:
            self.close()

    def code(self, number: int, line: str) -> None:
        """A fenced line: part of the piece before it, whatever it says."""
        current = self.open
        if current is None or (current.bullet and current.gap and line[:1].strip()):
            self.close()
            current = self.open = self.lead_again() or _Piece(number, bullet=False, indent=0)
        current.add(line, strip=current.indent)
        found = _FENCE.match(line)
        if not self.fence:
            assert found is not None
            self.fence = found["marks"]
        elif found and line.strip().startswith(self.fence):
            self.fence = ""

    def words(self, number: int, line: str) -> None:
        item = _ITEM.match(line)
        current = self.open
        if item and not (current and current.bullet and len(item["indent"]) >= current.indent):
            self.close()
            self.begin_item(number, item)
        elif current is None or (current.bullet and current.gap and line[0] != " "):
            self.close()
            self.give_lead()
            self.leading = None
            self.open = _Piece(number, bullet=False, indent=0)
            self.open.add(line, strip=len(line))
        else:
            current.add(line, strip=current.indent if current.bullet else len(line))

    def begin_item(self, number: int, item: re.Match[str]) -> None:
        if self.lead is not None:
            self.leading, self.lead = self.lead.text.rstrip(": "), None
        indent = len(item["indent"]) + len(item["mark"]) + 1
        self.open = _Piece(number, bullet=True, indent=indent)
        self.open.add(item["text"], strip=len(item["text"]))

    def close(self) -> None:
        """Finish the open piece; an introduction waits for what follows it."""
        current, self.open = self.open, None
        text = "\n".join(current.lines).strip() if current else ""
        if current is None or not text:
            return
        headings = tuple(text for _, text in self.headings)
        if current.bullet:
            lead = (self.leading,) if self.leading else ()
            self.done.append(Block(current.line, headings + lead, text, True))
            return
        self.give_lead()
        block = Block(current.line, headings, text, False)
        if text.endswith(":") and len(text) <= _LONGEST_LEAD:
            self.lead = block
        else:
            self.done.append(block)

    def lead_again(self) -> _Piece | None:
        """The waiting paragraph, opened again: it introduces code."""
        lead, self.lead = self.lead, None
        return _Piece(lead.line, bullet=False, indent=0, lines=[lead.text]) if lead else None

    def give_lead(self) -> None:
        """The waiting paragraph introduced no list after all."""
        if self.lead is not None:
            self.done.append(self.lead)
            self.lead = None
