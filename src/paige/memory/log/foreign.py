"""Lines that others wrote into the log: by hand, or with a program that knows nothing of the chain.

They are not events. The broker makes events of them and puts the line's mark into the payload of
the new event (`payload.adopted`); from then on the line counts as taken in. A mark is a hash of the
line, so it stays right when files are renamed, and two equal lines are taken in once. The new
event has to be in the same log as the line.

Looking for them is cheap: what was looked through once is remembered, and our own lines are told by
how they end.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from paige.memory.log.chain import is_foreign, looks_sealed, parse
from paige.memory.log.segments import OpenFile, blocks, sample_before

ADOPTED = "adopted"
_MARK = re.compile(rb'"adopted":"([0-9a-f]{32})"')


@dataclass(frozen=True, slots=True)
class ForeignLine:
    """A complete line of someone else: the object in it, or why there is none."""

    segment: str
    line: int
    mark: str
    fields: dict[str, Any] | None
    problem: str | None
    raw: bytes


@dataclass(slots=True)
class Scanned:
    """How far a file was looked through, and what was found."""

    offset: int = 0
    sample: bytes = b""
    lines: int = 0
    foreign: list[tuple[int, bytes]] = field(default_factory=list)
    adopted: set[str] = field(default_factory=set)


def line_mark(raw: bytes) -> str:
    """What a line is known by when it is taken in."""
    return blake2b(raw.removesuffix(b"\n"), digest_size=16).hexdigest()


def scan(file: OpenFile, size: int, known: Scanned | None) -> Scanned:
    """Look through what was added to a file, or through all of it when it was replaced."""
    found = known if known is not None and _same(file, size, known) else Scanned()
    for lines in blocks(file, found.offset, size):
        for raw in lines:
            found.lines += 1
            found.offset += len(raw) + 1
            if looks_sealed(raw):
                if b'"adopted":"' in raw:
                    found.adopted |= {mark.decode() for mark in _MARK.findall(raw)}
            elif raw.strip() and _foreign(raw):
                found.foreign.append((found.lines, raw))
    found.sample = sample_before(file, found.offset)
    return found


def foreign_lines(segment: str, scanned: Scanned) -> Iterator[ForeignLine]:
    """The foreign lines of one file, taken in or not."""
    for number, raw in scanned.foreign:
        fields = parse(raw)
        problem = "It is not a JSON object" if fields is None else None
        yield ForeignLine(segment, number, line_mark(raw), fields, problem, raw)


def _foreign(raw: bytes) -> bool:
    fields = parse(raw)
    return fields is None or is_foreign(fields)


def _same(file: OpenFile, size: int, known: Scanned) -> bool:
    return size >= known.offset and sample_before(file, known.offset) == known.sample
