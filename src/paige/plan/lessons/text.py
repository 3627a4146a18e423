"""Text inside a lesson: one line or a block, and how a block stands in markdown unharmed.

A block may hold anything, code and headings included. Where a line of it would be read as part of
the lesson's own structure, a backslash goes before it, and comes off again when it is read.
"""

import re
from collections.abc import Iterable, Sequence

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
