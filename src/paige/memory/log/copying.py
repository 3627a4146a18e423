"""Copies a log into a table line for line: ids, numbers, order, salts and hashes stay.

It can be broken off at any moment and begun again: it goes on after the last line of the table. A
line that lost its words in the source since it was copied loses them in the copy too.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from paige.base.errors import Conflict
from paige.memory.log.chain import START, Link, parse
from paige.memory.log.kept import KeptLog
from paige.memory.log.table_log import TableLog

TOGETHER = 1000


class Copied(NamedTuple):
    """How many events were copied, and how many were there already."""

    events: int
    already: int
    forgotten: int = 0  # events that lost their words after an earlier copy


def copy_log(
    source: KeptLog,
    target: TableLog,
    *,
    most: int = TOGETHER,
    progress: Callable[[int], None] | None = None,
) -> Copied:
    """Copy what the table has not; `progress` is told the last number after each transaction.

    Raises: Conflict when the table holds something else than the beginning of this log.
    """
    lines = source.lines()
    place, forgotten, already = _already_there(lines, target)
    lost = target.forget(forgotten) if forgotten else 0
    copied = 0
    while batch := list(islice(lines, most)):
        place = target.take_lines(place, batch)
        copied += len(batch)
        if progress is not None:
            progress(place.seq)
    return Copied(copied, already, lost)


def _already_there(
    lines: Iterator[tuple[int, bytes]], target: TableLog
) -> tuple[Link, list[str], int]:
    """Go over what was copied before: where it ends, what of it was forgotten since, how much."""
    place, forgotten, count = START, list[str](), 0
    for seq, there in target.lines():
        here = next(lines, None)
        if here is None:
            raise Conflict(
                "The table holds more events than the log that is copied",
                hint="Someone has written to it since; it is not copied over.",
            )
        if here[1] != there:
            forgotten += _forgotten(here, (seq, there))
        place, count = Link(seq, str((parse(there) or {}).get("hash"))), count + 1
    return place, forgotten, count


def _forgotten(here: tuple[int, bytes], there: tuple[int, bytes]) -> list[str]:
    """The id of an event that lost its words since it was copied. Raises: Conflict."""
    mine, theirs = parse(here[1]) or {}, parse(there[1]) or {}
    if here[0] != there[0] or not mine.get("hash") or mine["hash"] != theirs.get("hash"):
        raise Conflict(
            f"The table holds another event {there[0]} than the log that is copied",
            hint="Copy into an empty database, or name another one.",
        )
    return [str(mine.get("id"))] if "forgotten" in mine else []
