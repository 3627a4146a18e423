"""Where the active file of a log stands: its last event and how far its complete lines go.

Once known it is carried forward over new bytes only. A process that starts looks at the end of the
file; if anything there is out of order, it reads the file from the beginning instead.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from paige.base.files import write_atomic
from paige.memory.log.chain import (
    START,
    Link,
    content_holds,
    follow,
    header_holds,
    is_foreign,
    parse,
)
from paige.memory.log.segments import OpenFile, Segment, blocks, next_sealed, open_segment
from paige.memory.log.verification import LogProblem

_SCRUBBED = b'{"forgotten":true}\n'


def is_whole(raw: bytes, link: Link) -> bool:
    """Whether only the newline of a last line is missing: ours if it is proven, else any object."""
    fields = parse(raw)  # no object is the beginning of a longer one
    if fields is None:
        return False
    if is_foreign(fields):
        return True
    return header_holds(fields) and content_holds(fields) and follow(link, fields) is not None


def set_aside(log: Path, seq: int, raw: bytes) -> None:
    """Keep an unfinished line in a new file; the log is cut by the caller, after this."""
    number = 1
    while True:
        try:
            handle = os.open(_torn_path(log, seq, number), _NEW, 0o600)
            break
        except FileExistsError:
            number += 1
    try:
        while raw:
            raw = raw[os.write(handle, raw) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def torn_problems(log: Path) -> Iterator[LogProblem]:
    """What was set aside so far."""
    for seq, path in torn_files(log):
        yield LogProblem(
            path.name,
            None,
            seq,
            "torn",
            f"A line that was never finished, where event {seq} would have been, was set aside",
            f"Nothing that was confirmed is missing. Look into `{path.name}`, then delete it.",
        )


def torn_files(log: Path) -> list[tuple[int, Path]]:
    """The files with unfinished lines, and the event each would have been."""
    form = re.compile(rf"{re.escape(log.name)}\.torn-(\d+)-(\d+)")
    try:
        names = os.listdir(log.parent)
    except FileNotFoundError:
        return []
    found = [(int(match[1]), int(match[2]), name) for name in names if (match := form.match(name))]
    return [(seq, log.with_name(name)) for seq, _, name in sorted(found)]


def scrub_torn(log: Path, ids: Collection[str], texts: Collection[str]) -> None:
    """Empty the files that name a forgotten event or hold its words."""
    words = [orjson.dumps(word) for word in {*ids, *texts} if word]
    for _, path in torn_files(log):
        held = path.read_bytes()
        if any(word in held for word in words):
            write_atomic(path, _SCRUBBED)


_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def _torn_path(log: Path, seq: int, number: int) -> Path:
    return log.with_name(f"{log.name}.torn-{seq}-{number}")


WINDOW = 2**16
WIDE = 2**20  # for a log with a long line at its end
PROBES = 8


class LogPosition(NamedTuple):
    """Where the log stands at an offset of its active file, and the first event of that file."""

    end: int
    link: Link
    first: int | None


def advance(file: OpenFile, standing: LogPosition, size: int) -> LogPosition:
    """Carry on over the complete lines that were added."""
    end, link, first = standing
    for lines in blocks(file, end, size):
        for raw in lines:
            end += len(raw) + 1
            fields = parse(raw)
            following = follow(link, fields) if fields is not None else None
            if following is not None:
                link = following
                first = link.seq if first is None else first
    return LogPosition(end, link, first)


def find_standing(file: OpenFile, size: int, before: Callable[[], Link]) -> LogPosition:
    """Where a file stands that is seen for the first time; `before` tells where it began."""
    end = _complete(file, size)
    link = _orderly_end(file, end, WINDOW) or _orderly_end(file, end, WIDE)
    if link is None:
        return advance(file, LogPosition(0, before(), None), end)
    begin = next_sealed(file, 0, end)
    return LogPosition(end, link, begin.link.seq if begin else None)


def link_before(segments: Sequence[Segment]) -> Link:
    """Where the chain stands at the end of the full files."""
    if not segments:
        return START
    file = open_segment(segments[-1].path)
    if file is None:
        return link_before(segments[:-1])
    return find_standing(file, file.size(), lambda: link_before(segments[:-1])).link


def _complete(file: OpenFile, size: int) -> int:
    """Where the last complete line ends."""
    end = size
    while end > 0:
        start = max(0, end - WINDOW)
        newline = file.read(start, end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def _orderly_end(file: OpenFile, end: int, window: int) -> Link | None:
    """The last event, if the last lines follow one another and the file grows in order."""
    start = max(0, end - window)
    lines = file.read(start, end - start).split(b"\n")[:-1]
    link: Link | None = None
    for raw in lines[1:] if start else lines:
        fields = parse(raw)
        if fields is None or is_foreign(fields):
            continue  # if an event was lost here, the next one does not link
        if not header_holds(fields):
            return None
        following = follow(link or Link(0, None), fields)
        if following is None or (link is not None and fields.get("prev") != link.hash):
            return None
        link = following
    return link if link is not None and _grows(file, end, link) else None


def _grows(file: OpenFile, end: int, last: Link) -> bool:
    """Whether numbers rise through the file: old lines pasted at its end would not."""
    seen = 0
    for probe in range(PROBES if end > WINDOW else 0):
        found = next_sealed(file, end * probe // PROBES, end)
        if found is not None and not seen <= found.link.seq <= last.seq:
            return False
        seen = found.link.seq if found else seen
    return True
