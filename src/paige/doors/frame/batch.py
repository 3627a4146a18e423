"""Batch forms of commands: one JSON object a line in, one a line out, in order.

Programs that are not Python speak to Paige this way, thousands of lines in one process. A line that
cannot be used is answered with what is wrong with it, and the others still count.
"""

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, TextIO

import orjson

from paige.base.errors import BadInput, PaigeError

Answer = Callable[[dict[str, Any]], Mapping[str, Any]]


def answer_lines(lines: BinaryIO, out: TextIO, answer: Answer) -> int:
    """Answer every line; returns how many could not be used."""
    wrong = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            said = answer(_parse(line))
        except PaigeError as error:
            wrong += 1
            said = {"error": {"line": number, "message": error.message, "hint": error.hint}}
        out.write(orjson.dumps(said).decode() + "\n")
        out.flush()
    return wrong


def _parse(line: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInput(f"this is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise BadInput("this is not a JSON object", hint='Write `{"…": …}`.')
    return found
