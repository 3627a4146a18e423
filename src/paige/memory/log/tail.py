"""Where the active file of a log stands: its last event and how far its complete lines go.

Once known it is carried forward over new bytes only. A process that starts looks at the end of the
file; if anything there is out of order, it reads the file from the beginning instead.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from paige.memory.log.chain import START, Link, follow, header_holds, is_foreign, parse
from paige.memory.log.segments import OpenFile, Segment, blocks, next_sealed, open_segment

WINDOW = 2**16
WIDE = 2**20  # for a log with a long line at its end
PROBES = 8


class Standing(NamedTuple):
    """Where the log stands at an offset of its active file, and the first event of that file."""

    end: int
    link: Link
    first: int | None


def advance(file: OpenFile, standing: Standing, size: int) -> Standing:
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
    return Standing(end, link, first)


def find_standing(file: OpenFile, size: int, before: Callable[[], Link]) -> Standing:
    """Where a file stands that is seen for the first time; `before` tells where it began."""
    end = _complete(file, size)
    link = _orderly_end(file, end, WINDOW) or _orderly_end(file, end, WIDE)
    if link is None:
        return advance(file, Standing(0, before(), None), end)
    begin = next_sealed(file, 0, end)
    return Standing(end, link, begin.link.seq if begin else None)


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
