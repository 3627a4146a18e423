"""Does the index hold what the logs hold? Compares counts and checksums, and the tables.

"It says saved, and nothing can be found" is what people fear most of a memory, so the comparison
does not trust the index's own cursor: it reads the whole log again.
"""

import zlib
from collections.abc import Iterable
from typing import NamedTuple

from paige.memory.index import queries
from paige.memory.index.catching_up import FollowedLog, log_name
from paige.memory.index.opened import Opened


class Problem(NamedTuple):
    """Something that is not as it should be, and what to do."""

    what: str
    fix: str = "Run `paige memory rebuild`."


def check(opened: Opened, logs: Iterable[FollowedLog]) -> list[Problem]:
    """All differences between the index, its logs and itself."""
    problems: list[Problem] = []
    for log in logs:
        problems += _check_log(opened, log)
    with opened.reading() as connection:
        problems += [
            Problem(f"The index file is damaged: {e}") for e in queries.integrity(connection)
        ]
        counts = queries.counts(connection)
        opened.state(connection)  # reads every block that changed, with its checksum
        metas = queries.metas(connection)
    if counts["words"] != counts["memories"]:
        problems.append(
            Problem(f"{counts['memories']} memories are there, {counts['words']} can be found")
        )
    complete = opened.embedder is not None and metas.get("vectors_up_to", 0) == metas["rows"]
    if complete and counts["vectors"] != counts["memories"]:
        problems.append(
            Problem(f"{counts['memories']} memories are there, {counts['vectors']} vectors")
        )
    return problems


def _check_log(opened: Opened, log: FollowedLog) -> list[Problem]:
    events, checksum, name = 0, 0, log_name(log)
    with opened.reading() as connection:
        state = queries.log_state(connection, name)
    cursor = 0 if state is None else state.cursor
    unread = 0
    for event in log.read(0):
        if event.seq <= cursor:
            events += 1
            checksum = zlib.crc32(event.id.encode(), checksum)
        else:
            unread += 1
    problems: list[Problem] = []
    if state is not None and (state.events != events or state.checksum != checksum):
        problems.append(
            Problem(f"The index read {state.events} events of `{name}`, the log has {events}")
        )
    if unread:
        problems.append(
            Problem(f"{unread} events of `{name}` are not in the index", "Search once, or wait.")
        )
    return problems
