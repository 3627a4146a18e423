"""Logs for the tests, and a process that writes to one: `python log_writer.py PATH NAME COUNT`.

The process says the id and the number of every event after it was confirmed, one a line.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paige.memory.event import Event
from paige.memory.log.log import Log
from paige.memory.log.log_access import KeptLog
from tests import nursery

AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ROOT = Path(__file__).parents[2]


def event(seq: int, text: str = "", **fields: Any) -> Event:
    """An event that says a text."""
    plain = {"id": f"e{seq}", "at": AT, "type": "note", "scope": "global", "owner": "me"}
    return Event(**{**plain, "seq": seq, "text": text or f"text {seq}", **fields})


def add(log: KeptLog, *texts: str, **fields: Any) -> list[Event]:
    """Append one event for each text."""
    return log.append(lambda seq: [event(seq + i, text, **fields) for i, text in enumerate(texts)])


def texts(log: KeptLog, after: int = 0) -> list[str]:
    """What is in the log."""
    return [each.text for each in log.read(after)]


def kinds(log: KeptLog) -> list[str]:
    """What is wrong with the log."""
    return [problem.kind for problem in log.verify().problems]


def start_writer(log: Path, name: str, count: int, segment_bytes: int) -> subprocess.Popen[bytes]:
    """Start a process that appends events."""
    arguments = (str(log), name, str(count), str(segment_bytes))
    return nursery.start(
        [sys.executable, "-m", "tests.memory.log_writer", *arguments],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )


def main(arguments: Sequence[str]) -> None:
    """Append events, one or a few at a time, and confirm each."""
    path, name, count, segment_bytes = arguments
    log, number, most = Log(Path(path), segment_bytes=int(segment_bytes)), 0, int(count)
    while number < most:
        group = min(most - number, 1 + number % 3)
        made = log.append(lambda seq: _group(seq, name, number, group))  # noqa: B023 - at once
        number += group
        os.write(1, b"".join(f"{each.id} {each.seq}\n".encode() for each in made))


def _group(seq: int, name: str, number: int, size: int) -> list[Event]:
    return [
        event(seq + i, f"{name} says {number + i}. " * (1 + number % 7), id=f"{name}-{number + i}")
        for i in range(size)
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
