"""What the memory log costs over the disk: an event against a raw line of the same length.

The reference does what any durable log has to: `os.write` and `os.fsync` on a file in the same
folder. Ours adds the lock that other processes respect, the check whether they wrote, and the
chain; it syncs with `fdatasync`, which leaves out the times of the file, and the length is kept
all the same. The folder is inside the checkout: the folder for temporary files is in memory on many
systems, where a sync costs nothing.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.harness import Benchmark, Pair
from paige.memory.event import AgentRef, Event
from paige.memory.log.log import Log

APPENDS, GROUP = 20, 50
AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
TEXT = "The slow tests need a database; start it before the whole suite is run on this machine."


def _event(seq: int) -> Event:
    return Event(
        id=f"{seq:026d}",
        seq=seq,
        at=AT,
        type="note",
        scope="project",
        owner="me",
        project="paige",
        session="s-20260302",
        agent=AgentRef("coder-1"),
        text=TEXT,
    )


@contextmanager
def _single() -> Iterator[Pair]:
    with _prepared(1) as pair:
        yield pair


@contextmanager
def _grouped() -> Iterator[Pair]:
    with _prepared(GROUP) as pair:
        yield pair


@contextmanager
def _prepared(group: int) -> Iterator[Pair]:
    with TemporaryDirectory(prefix=".memory-log-", dir=Path(__file__).parent) as folder:
        log = Log(Path(folder) / "events.jsonl")

        def append(start: int) -> None:
            log.append(lambda seq: made[start : start + group])

        made = _events(1, group)
        append(0)
        lines = log.path.read_bytes()
        raw = os.open(Path(folder) / "raw", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

        def ours() -> float:
            made[:] = _events(log.last_seq() + 1, APPENDS * group)
            return _mean(append, group)

        def write(_: int) -> None:
            os.write(raw, lines)
            os.fsync(raw)

        try:
            yield Pair(ours, lambda: _mean(write, group))
        finally:
            os.close(raw)


def _events(first: int, count: int) -> list[Event]:
    return [_event(first + number) for number in range(count)]


def _mean(step: Callable[[int], None], group: int) -> float:
    """Microseconds for one event."""
    start = time.perf_counter()
    for number in range(0, APPENDS * group, group):
        step(number)
    return (time.perf_counter() - start) / APPENDS / group * 1e6


BENCHMARKS = (
    Benchmark("memory-append", "us", "lower", _single, promise=1.5, turns=200),
    Benchmark("memory-append-50", "us", "lower", _grouped, turns=50),
)
