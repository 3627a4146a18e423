"""Lines that the graph could not take yet: kept in a file until the database answers again.

Memory must not wait for the graph, and the graph must lose nothing. Whoever empties the spool
brings the lines here; they are taken in before newer ones. A file that is taken twice, because a
process was killed in between, adds nothing: lines are known by their ids.
"""

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from paige.base.errors import Conflict, PaigeError, Refused, Unavailable

logger = logging.getLogger(__name__)
FILE = "graph-waiting.jsonl"
FOLDER = "guard"
MOST_BYTES = 16 * 2**20
LATER = (Unavailable, Conflict, Refused)
"""What may be over later: a database that does not answer, is newer, or may not be written."""
Lines = Sequence[Mapping[str, Any]]


def take_or_keep(data: Path, lines: Lines, take: Callable[[Lines], object]) -> bool:
    """Give lines to `take`, those that waited first; whether it took them. It never raises."""
    path = data / FOLDER / FILE
    try:
        waiting = read_waiting(path)
        if waiting or lines:
            _take([*waiting, *lines], take)
    except (*LATER, OSError) as error:
        logger.warning("The graph takes no lines now: %s", error)
        _keep(path, lines)
        return False
    if waiting:
        path.unlink(missing_ok=True)
    return True


def _take(lines: Lines, take: Callable[[Lines], object]) -> None:
    """Give the lines away together, or one by one when there is one that nobody can store."""
    try:
        take(lines)
    except LATER:
        raise
    except PaigeError:
        for line in lines:
            try:
                take([line])
            except LATER:
                raise
            except PaigeError as error:
                logger.warning("A line is not in the graph: %s", error)


def read_waiting(path: Path) -> list[dict[str, Any]]:
    """The lines that wait; half a line at the end of a full disk is left out."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return []
    found: list[dict[str, Any]] = []
    for line in raw.splitlines():
        try:
            each = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if isinstance(each, dict):
            found.append(each)
    return found


def _keep(path: Path, lines: Lines) -> None:
    if not lines:
        return
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MOST_BYTES:
            logger.warning("`%s` is full; %d lines are not kept for the graph", path, len(lines))
            return
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as file:
            # A line break first: what stands before may be half a line.
            file.write(b"\n" + b"".join(orjson.dumps(each) + b"\n" for each in lines))
    except (OSError, TypeError) as error:
        logger.warning("Lines for the graph could not be kept in `%s`: %s", path, error)
