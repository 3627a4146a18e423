"""Reads server-sent events from bytes as they arrive."""

from collections.abc import AsyncGenerator
from contextlib import aclosing


class EventReader:
    """Cuts a stream of bytes into the `data` of its events; pieces may end anywhere.

    Lines are cut as bytes: a JSON text may hold characters that `str.splitlines` takes for a line
    end. Names of events are not needed: every provider repeats them in the data.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[bytes] = []

    def feed(self, piece: bytes) -> list[str]:
        """The events that this piece completes."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        events: list[str] = []
        for line in lines:
            line = line.removesuffix(b"\r")
            if line.startswith(b"data:"):
                self._data.append(line[5:].removeprefix(b" "))
            elif not line and self._data:
                events.append(self._take())
        return events

    def finish(self) -> list[str]:
        """The last event, when the stream ends without an empty line."""
        events = self.feed(b"\n\n")
        self._rest = b""
        return events

    def _take(self) -> str:
        text = b"\n".join(self._data).decode("utf-8", "replace")
        self._data.clear()
        return text


async def events_of(pieces: AsyncGenerator[bytes]) -> AsyncGenerator[str]:
    """The data of every event of a response body."""
    reader = EventReader()
    async with aclosing(pieces):
        async for piece in pieces:
            for event in reader.feed(piece):
                yield event
    for event in reader.finish():
        yield event
