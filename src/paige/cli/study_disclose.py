"""`paige study disclose --jsonl`: a reply a line in, whether it may be shown a line out.

A line that cannot be used is answered with what is wrong with it, and the others still count.
"""

from typing import BinaryIO, TextIO

from paige.cli.memory_batch import answer_lines
from paige.exercise.disclosure.requests import answer_request


def disclose_lines(lines: BinaryIO, out: TextIO) -> int:
    """Judge every line; returns how many could not be used."""
    return answer_lines(lines, out, answer_request)
