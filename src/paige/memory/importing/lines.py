"""Reads a stream of JSON lines without ever holding more than one of them.

A line that is too long, not UTF-8 or not an object is a problem with its number; the next one is
read as if nothing had happened.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

import orjson

from paige.memory.importing.report import Problem
from paige.memory.importing.sources import is_empty

LONGEST_LINE = 16 * 2**20
_FIX = "Write one JSON object a line, as UTF-8."


class Line(NamedTuple):
    """An object and the number of its line."""

    number: int
    fields: dict[str, Any]


def read_lines(
    stream: BinaryIO, name: str, *, longest: int = LONGEST_LINE
) -> Iterator[Line | Problem]:
    """The objects of a stream, with a problem where there is none."""
    number = 0
    while raw := stream.readline(longest + 1):
        number += 1
        if len(raw) > longest and not raw.endswith(b"\n"):
            _skip_line(stream, longest)
            what = f"the line is longer than {longest} bytes"
            yield Problem(name, number, what, "Split the text into several memories.")
            continue
        content = (raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw).strip()
        if content:
            yield _parse(content, name, number)
    if number == 0:
        yield is_empty(name)


def _parse(content: bytes, name: str, number: int) -> Line | Problem:
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        return Problem(name, number, f"this is not JSON: {error.msg}", _FIX)
    if isinstance(found, dict):
        return Line(number, found)
    return Problem(name, number, "this is not an object with fields", _FIX)


def _skip_line(stream: BinaryIO, step: int) -> None:
    while (rest := stream.readline(step)) and not rest.endswith(b"\n"):
        pass
