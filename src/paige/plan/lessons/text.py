"""Text inside a lesson: a line, a block unharmed in markdown, and the pieces of a section.

A block may hold anything, code and headings included. Where a line of it would be read as part of
the lesson's own structure, a backslash goes before it, and comes off again when it is read. The
pieces are parts under small headings, bullets, and numbered questions.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_FACT = re.compile(r"^[-*+] \**(?P<name>[A-Z]\w*)\**:\**\s*(?P<value>.*\S)", re.M)


def facts_of(markdown: str) -> Mapping[str, str]:
    """The facts by name, the first of each."""
    head = f"\n{markdown}".partition("\n## ")[0]
    facts: dict[str, str] = {}
    for found in _FACT.finditer(head):
        facts.setdefault(found["name"], found["value"])
    return facts


_FENCE = re.compile(r"^\s*(`{3,}|~{3,})(.*)$")
_HEADING = re.compile(r"^(\s*)(\\*#)")
_ESCAPED_HEADING = re.compile(r"^(\s*)\\(\\*#)")
_ITEM = re.compile(r"^(\s*)(\\*(?:[-*+] |[*_]{0,2}Answer))")
_ESCAPED_ITEM = re.compile(r"^(\s*)\\(\\*(?:[-*+] |[*_]{0,2}Answer))")
_OPENER = re.compile(r"^(\\*(?:#|`{3}|~{3}))")
_ESCAPED_OPENER = re.compile(r"^\\(\\*(?:#|`{3}|~{3}))")
_SPACES = re.compile(r"\s+")
# What else ends a line for Python's `splitlines` must not end one for us.
_ODD_BREAKS = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")


def one_line(text: str) -> str:
    """The text with every run of spaces and line breaks as one space."""
    return _SPACES.sub(" ", _ODD_BREAKS.sub("\n", text)).strip()


def shortened(text: str, most: int) -> str:
    """The text on one line of at most so many characters; what is cut off ends with `…`."""
    line = one_line(text)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def block(text: str) -> str:
    """The text with plain line breaks, no empty ends, and every code fence closed."""
    lines = [line.rstrip() for line in _ODD_BREAKS.sub("\n", text).split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    if lines:
        lines[0] = lines[0].lstrip()
    marker = _open_fence(lines)
    return "\n".join([*lines, marker] if marker else lines)


def fenced(lines: Sequence[str]) -> list[bool]:
    """For each line, whether it stands in a code block; a fence nobody closes opens none."""
    inside = [False] * len(lines)
    unclosed: dict[str, int] = {}  # by sign, the shortest marker known to have no end any more
    at = 0
    while at < len(lines):
        marker = _opens(lines[at])
        end = None
        if marker and len(marker) < unclosed.get(marker[0], len(marker) + 1):
            end = _closing(lines, at + 1, marker)
            if end is None:
                unclosed[marker[0]] = len(marker)
        if end is None:
            at += 1
            continue
        for number in range(at, end + 1):
            inside[number] = True
        at = end + 1
    return inside


def escape(text: str, *, items: bool = False) -> str:
    """The block with a backslash before what looks like a heading (or an item) of the lesson."""
    return _outside_fences(text, _HEADING, _ITEM if items else None, r"\1\\\2")


def unescape(text: str, *, items: bool = False) -> str:
    """What `escape` was given."""
    return _outside_fences(text, _ESCAPED_HEADING, _ESCAPED_ITEM if items else None, r"\1\2")


def escape_line(line: str) -> str:
    """A paragraph of one line that opens neither a heading nor a code block."""
    return _OPENER.sub(r"\\\1", line)


def unescape_line(line: str) -> str:
    """What `escape_line` was given."""
    return _ESCAPED_OPENER.sub(r"\1", line)


def opens_fence(line: str) -> bool:
    """Whether a code block may begin on this line."""
    return bool(_opens(line))


def indented(text: str, by: int) -> list[str]:
    """The lines of a block, each but the empty ones moved to the right."""
    return [" " * by + line if line else "" for line in text.split("\n")]


def dedented(lines: Iterable[str], by: int) -> str:
    """The block whose lines were moved to the right, by as much as each of them has."""
    return "\n".join(line[min(by, len(line) - len(line.lstrip(" "))) :] for line in lines)


def _outside_fences(
    text: str, heading: re.Pattern[str], item: re.Pattern[str] | None, to: str
) -> str:
    lines = text.split("\n")
    inside = fenced(lines)
    for at, line in enumerate(lines):
        if inside[at]:
            continue
        changed = heading.sub(to, line)
        if item is not None and changed == line:
            changed = item.sub(to, line)
        lines[at] = changed
    return "\n".join(lines)


def _opens(line: str) -> str:
    found = _FENCE.match(line)
    if found is None or (found[1][0] == "`" and "`" in found[2]):
        return ""
    return found[1]


def _closing(lines: Sequence[str], start: int, marker: str) -> int | None:
    for at in range(start, len(lines)):
        found = _FENCE.match(lines[at])
        if found and found[1].startswith(marker) and not found[2].strip():
            return at
    return None


def _open_fence(lines: Sequence[str]) -> str:
    """The marker of a fence that is not closed, or nothing."""
    at = 0
    while at < len(lines):
        marker = _opens(lines[at])
        if not marker:
            at += 1
            continue
        end = _closing(lines, at + 1, marker)
        if end is None:
            return marker
        at = end + 1
    return ""


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
