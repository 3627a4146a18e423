"""The Study door of a server, opened when somebody first wants it: its rooms take time to import.

It is one for all doors of the process, so that they share its models, and closed with the server.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync

from paige.app.application import App
from paige.base.errors import Unavailable

if TYPE_CHECKING:
    from paige.app.study_door import StudyDoor


class LazyStudy:
    """The Study door once it is there."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._opening = anyio.Lock()
        self._door: StudyDoor | None = None
        self._closed = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator["LazyStudy"]:
        """Be there until the block is left."""
        try:
            yield self
        finally:
            self._closed = True
            if self._door is not None:
                await self._door.aclose()

    async def open(self) -> "StudyDoor":
        """The door. Raises: Unavailable when the server stops."""
        async with self._opening:
            if self._closed:
                raise Unavailable("Paige is stopping", hint="Try again when it has started.")
            if self._door is None:
                self._door = (await run_sync(_load))(self._app)
            return self._door


def _load() -> "type[StudyDoor]":
    from paige.app.study_door import StudyDoor  # noqa: PLC0415 - a second, with its rooms

    return StudyDoor
