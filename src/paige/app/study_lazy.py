"""The Study doors of a server, each opened when its person first wants it.

Its rooms take time to import. A person has one door in the process, so that whatever they use
shares its models; doors that nobody used for a while are closed, all of them with the server.
"""

import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync

from paige.app.application import App
from paige.base.errors import Unavailable

if TYPE_CHECKING:
    from paige.app.study_door import StudyDoor

Person = tuple[str, str]
"""Tenant and person: roles may change while a door is open."""
MOST_DOORS = 256
IDLE_SECONDS = 600.0


class LazyStudy:
    """The Study doors that are open."""

    def __init__(self, app: App, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._monotonic = monotonic
        self._opening = anyio.Lock()
        self._doors: OrderedDict[Person, tuple[float, StudyDoor]] = OrderedDict()
        self._closed = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator["LazyStudy"]:
        """Be there until the block is left."""
        try:
            yield self
        finally:
            self._closed = True
            for _, door in self._doors.values():
                await door.aclose()

    async def open(self, desk: App | None = None) -> "StudyDoor":
        """The door of a desk, or the application's own. Raises: Unavailable."""
        desk = desk or self._app
        person = (desk.actor.tenant, desk.actor.person)
        async with self._opening:
            if self._closed:
                raise Unavailable("Paige is stopping", hint="Try again when it has started.")
            now = self._monotonic()
            _, door = self._doors.get(person, (now, None))
            if door is None:
                await self._close_idle(now)
                door = (await run_sync(_load))(desk)
            self._doors[person] = (now, door)
            self._doors.move_to_end(person)
            return door

    async def _close_idle(self, now: float) -> None:
        """Close the doors that nobody uses; the longest unused is the first in the row."""
        while self._doors:
            person, (used, door) = next(iter(self._doors.items()))
            if now - used < IDLE_SECONDS:
                break
            del self._doors[person]
            await door.aclose()
        if len(self._doors) >= MOST_DOORS:
            raise Unavailable(
                f"{MOST_DOORS} people study at this server already", hint="Try again in a while."
            )


def _load() -> "type[StudyDoor]":
    from paige.app.study_door import StudyDoor  # noqa: PLC0415 - a second, with its rooms

    return StudyDoor
