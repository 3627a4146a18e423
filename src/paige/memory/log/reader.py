"""Reading a log without a lock: from any event on, without going through those before it.

The file to begin with is known by its name. Inside, a reader goes on where one stopped before, or
searches by halves. Both trust that numbers rise through a file; the caller can ask for the slow way
when what comes first is not what should come first.
"""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from paige.memory.log.chain import START, Link, follow
from paige.memory.log.segments import (
    OpenFile,
    Place,
    blocks,
    next_sealed,
    open_segment,
    sample_before,
    seek,
    snapshot,
)

NEARBY = 2000  # events between a remembered place and the wanted one


class _Hint(NamedTuple):
    """Where a reader stopped, and the bytes before, which tell whether it is still the place."""

    place: Place
    sample: bytes


class LogReader:
    """Reads the lines of all files of a log, in order."""

    def __init__(self, active: Path) -> None:
        self._active = active
        self._hints: dict[str, _Hint] = {}

    def files(self) -> Iterator[tuple[str, OpenFile]]:
        """All files, by name."""
        segments, active = snapshot(self._active)
        for segment in segments:
            file = open_segment(segment.path)
            if file is not None:
                yield segment.path.name, file
        if active is not None:
            yield self._active.name, active

    def lines(self) -> Iterator[tuple[str, int, bytes]]:
        """All complete lines, with the name of the file and the number of the line."""
        for name, file in self.files():
            number = 0
            for block in blocks(file, 0, file.size()):
                for raw in block:
                    number += 1
                    yield name, number, raw

    def events(self, after: int, *, slowly: bool = False) -> Iterator[dict[str, Any]]:
        """The parsed lines of the events after a number."""
        link: Link | None = None
        for name, begin, file in self._files_from(after):
            if link is None:
                place = Place(0, begin) if slowly else self._find(name, file, after, begin)
            else:
                place = Place(0, link)
            link = yield from self._events_of(name, file, place, after)

    def _files_from(self, after: int) -> Iterator[tuple[str, Link, OpenFile]]:
        """The files from the one on that event `after + 1` is in, and where each begins."""
        segments, active = snapshot(self._active)
        begin = next_sealed(active, 0, active.size()) if active and segments else None
        if begin is None or begin.link.seq > after + 1:
            earlier = [s for s in segments if s.first is not None and s.first <= after + 1]
            for segment in segments[max(0, len(earlier) - 1) :]:
                file = open_segment(segment.path)
                if file is not None:
                    yield segment.path.name, _before(segment.first or 1), file
        if active is not None:
            yield self._active.name, _before(begin.link.seq if begin else 1), active

    def _find(self, name: str, file: OpenFile, after: int, begin: Link) -> Place:
        if after <= begin.seq:
            return Place(0, begin)
        end, hint = file.size(), self._hints.get(name)
        if hint is not None and 0 <= after - hint.place.link.seq <= NEARBY:
            offset = hint.place.offset
            if offset <= end and sample_before(file, offset) == hint.sample:
                return hint.place
        return seek(file, end, after, begin)

    def _events_of(
        self, name: str, file: OpenFile, place: Place, after: int
    ) -> Generator[dict[str, Any], None, Link]:
        """The events of one file; returns where the chain stands at its end."""
        offset, (seq, own) = place
        loads = orjson.loads
        try:
            for lines in blocks(file, offset, file.size()):
                for raw in lines:
                    offset += len(raw) + 1
                    try:
                        fields = loads(raw)
                    except orjson.JSONDecodeError:
                        continue
                    if type(fields) is not dict:
                        continue
                    if _is_next(fields, seq, own):  # `follow` says the same, more slowly
                        seq, own = seq + 1, fields["hash"]
                    elif (following := follow(Link(seq, own), fields)) is not None:
                        seq, own = following
                    else:
                        continue
                    if seq > after:
                        yield fields
        finally:
            if own is not None and offset:
                hint = Place(offset, Link(seq, own))
                self._hints[name] = _Hint(hint, sample_before(file, offset))
        return Link(seq, own)


def _is_next(fields: dict[str, Any], seq: int, own: str | None) -> bool:
    """Whether a line continues exactly where the chain stands, as nearly all do."""
    number = fields.get("seq")
    return (
        type(number) is int
        and number == seq + 1
        and own is not None
        and fields.get("prev") == own
        and type(fields.get("hash")) is str
    )


def _before(first: int) -> Link:
    return START if first <= 1 else Link(first - 1, None)
