"""The pieces of a section of a lesson: parts under small headings, bullets, numbered questions."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from paige.plan.lesson_text import block, dedented, fenced, one_line, unescape

_PART = re.compile(r"^ {0,3}#{3,6}\s++((?:[^\s:]++|[\s:]++(?!$))*+)[\s:]*+$")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])(?:\s+(.*))?$")
_LABEL = re.compile(r"^(?:[-*+]\s+)?\*\*(?P<name>.+?)\*\*:(?:\s+(?P<value>.*))?$")
_INSIDE_LABEL = re.compile(r"^(?:[-*+]\s+)?\*\*(?P<name>[^*]+?):\*\*(?:\s+(?P<value>.*))?$")
_PLAIN_LABEL = re.compile(
    r"^(?:[-*+]\s++)?(?P<name>[^:|\u2013\u2014]{1,60}?)(?:\s*+:|\s++[\u2013\u2014]\s)\s*+(?P<value>.*)$"
)
_ROW_LABEL = re.compile(
    r"^\|\s*+\**+(?P<name>(?:[^\s|*]++|\s++(?![|*]))++)\s*+\**+\s*+\|"
    r"\s*+(?P<value>(?:[^\s|]++|\s++(?!\|))*+)\s*+\|\s*+$"
)
_NUMBER = re.compile(r"^ {0,2}(?:\*\*)?(?:Q\s?)?\d{1,3}[.):](?:\*\*)?(?:\s+(.*))?$")
_OPTION = re.compile(r"^\s*[-*+]\s+\[(?P<mark>[ xX\u2713])\](?:\s+(?P<text>.*))?$")
_ANSWER = re.compile(r"^\s*(?:[-*+]\s+)?[*_]{0,2}Answer[*_]{0,2}:[*_]{0,2}(?:\s+(?P<text>.*))?$")
_INDENT = 3


@dataclass(frozen=True, slots=True)
class Part:
    """What stands below one small heading; `name` is in small letters, empty before the first."""

    name: str
    lines: list[str]
    start: int


@dataclass(frozen=True, slots=True)
class Item:
    """One bullet or one numbered question, with the answer or options below it."""

    text: str
    line: int
    answer: str | None = None
    options: tuple[tuple[bool, str], ...] = ()


def parts(lines: Sequence[str], start: int) -> list[Part]:
    """The lines of a section by their small headings; `start` is the number of the first line."""
    inside = fenced(lines)
    found = [Part("", [], start)]
    for at, line in enumerate(lines):
        heading = None if inside[at] else _PART.match(line)
        if heading:
            found.append(Part(heading[1].lower(), [], start + at + 1))
        else:
            found[-1].lines.append(line)
    return [part for part in found if part.name or any(line.strip() for line in part.lines)]


def bullets(lines: Sequence[str], start: int) -> list[Item]:
    """The bullets of a part; a line that is indented goes on with the bullet above it."""
    items: list[Item] = []
    for at, line in enumerate(lines):
        found = _BULLET.match(line)
        if found and not line.startswith("   "):
            items.append(Item(one_line(found[1] or ""), start + at))
        elif line.strip() and items and (line[0] == " " or (at and lines[at - 1].strip())):
            last = items[-1]
            items[-1] = Item(one_line(f"{last.text} {line}"), last.line)
        elif line.strip():
            items.append(Item(one_line(line), start + at))
    return items


def paragraph(lines: Iterable[str]) -> str:
    """All lines as one; a bullet before a lone sentence is left out."""
    text = [line for line in lines if line.strip()]
    if len(text) == 1 and (found := re.match(r"^\s*[-*+]\s+(I can\b.*)$", text[0])):
        return one_line(found[1])
    return one_line("\n".join(text))


def labelled(line: str) -> tuple[str, str] | None:
    """Name and value of `**name**: value`, in the ways people write it."""
    for pattern in (_LABEL, _INSIDE_LABEL, _ROW_LABEL, _PLAIN_LABEL):
        if found := pattern.match(line.strip()):
            return one_line(found["name"]), one_line(found["value"] or "")
    return None


def numbered(lines: Sequence[str], start: int) -> tuple[list[str], list[Item]]:
    """The lines before the first number, and the numbered questions."""
    inside = fenced(lines)
    intro: list[str] = []
    starts = [at for at, line in enumerate(lines) if not inside[at] and _NUMBER.match(line)]
    if not starts:
        return list(lines), []
    intro = list(lines[: starts[0]])
    ends = [*starts[1:], len(lines)]
    return intro, [
        _question(lines[begin:end], start + begin) for begin, end in zip(starts, ends, strict=True)
    ]


def _question(lines: Sequence[str], line: int) -> Item:
    found = _NUMBER.match(lines[0])
    first = (found[1] if found else "") or ""
    inside = fenced(lines)
    text: list[str] = []
    options: list[tuple[bool, str]] = []
    answer: str | None = None
    for at in range(1, len(lines)):
        option = None if inside[at] else _OPTION.match(lines[at])
        reply = None if inside[at] else _ANSWER.match(lines[at])
        if option:
            options.append((option["mark"] != " ", one_line(option["text"] or "")))
        elif reply:
            answer = one_line(reply["text"] or "")
        else:
            text.append(lines[at])
    whole = block("\n".join([first, dedented(text, _INDENT)]))
    return Item(unescape(whole, items=True), line, answer, tuple(options))
