"""Opens Plan doors without waiting for them: the server answers while their rooms are imported.

Everyone has a door of their own, opened when they first come. The one of the person who owns the
installation opens soon after the start, as there may be runs to tell of. A door that nobody used
for a while is closed, unless a run goes on behind it; runs whose person went away thus go on.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup
from anyio.to_thread import run_sync

from paige.app.application import App
from paige.base.errors import Unavailable
from paige.server.hub import Hub

if TYPE_CHECKING:
    from paige.app.plan_door import PlanDoor


LATER = 1.0
"""Seconds: so long the door leaves a starting server alone, unless somebody wants it."""
Person = tuple[str, str]
"""Tenant and person: roles may change while a door is open."""
MOST_DOORS = 256
IDLE_SECONDS = 900.0
LOOK_SECONDS = 60.0


@dataclass(eq=False, slots=True)
class _Opening:
    """A door that opens, or is open."""

    desk: App
    used: float
    wanted: anyio.Event = field(default_factory=anyio.Event)
    ready: anyio.Event = field(default_factory=anyio.Event)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    door: "PlanDoor | None" = None

    @property
    def busy(self) -> bool:
        """Whether somebody would miss it: it is not open yet, or a run goes on behind it."""
        return not self.ready.is_set() or (self.door is not None and self.door.runs.works > 0)


class PlanMount:
    """The Plan doors once they are there; early requests wait."""

    def __init__(
        self, app: App, hub: Hub, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._hub = hub
        self._monotonic = monotonic
        self._tasks: TaskGroup | None = None
        self._started = anyio.Event()
        self._doors: dict[Person, _Opening] = {}

    @property
    def desks(self) -> list[App]:
        """The desks whose doors are open."""
        return [each.desk for each in self._doors.values()]

    async def run(self) -> None:
        """Keep doors open until cancelled."""
        try:
            async with anyio.create_task_group() as self._tasks:
                if not self._app.settings.many:
                    self._begin(self._app, later=LATER)
                self._started.set()
                while True:
                    await anyio.sleep(LOOK_SECONDS)
                    self.close_idle()
        finally:
            self._tasks = None
            self._started.set()
            for each in self._doors.values():
                each.ready.set()

    async def open(self, desk: App) -> "PlanDoor":
        """The door of a desk. Raises: Unavailable when the server stops or is full."""
        await self._started.wait()
        opening = self._doors.get(_person(desk)) or self._begin(desk)
        opening.used = self._monotonic()
        opening.wanted.set()
        await opening.ready.wait()
        if opening.door is None:
            raise Unavailable("Paige is stopping", hint="Try again when it has started.")
        return opening.door

    def close_idle(self) -> None:
        """Close the doors that nobody used for long and behind which nothing goes on."""
        before = self._monotonic() - IDLE_SECONDS
        for each in list(self._doors.values()):
            if each.used <= before and not each.busy and each.desk is not self._app:
                del self._doors[_person(each.desk)]
                each.scope.cancel()

    def _begin(self, desk: App, *, later: float = 0.0) -> _Opening:
        if self._tasks is None:
            raise Unavailable("Paige is stopping", hint="Try again when it has started.")
        if len(self._doors) >= MOST_DOORS:
            self.close_idle()
        if len(self._doors) >= MOST_DOORS:
            raise Unavailable(
                f"{MOST_DOORS} people plan at this server already", hint="Try again in a while."
            )
        opening = self._doors[_person(desk)] = _Opening(desk, self._monotonic())
        self._tasks.start_soon(self._keep, opening, later)
        return opening

    async def _keep(self, opening: _Opening, later: float) -> None:
        """Import the door in a thread, then keep it open until it is idle or the server stops."""
        try:
            with opening.scope:
                with anyio.move_on_after(later):
                    await opening.wanted.wait()
                door = await run_sync(_load)
                async with door(opening.desk, self._hub.send).running() as opening.door:
                    opening.ready.set()
                    await anyio.sleep_forever()
        finally:
            opening.door = None
            opening.ready.set()


def _person(desk: App) -> Person:
    return desk.actor.tenant, desk.actor.person


def _load() -> "type[PlanDoor]":
    from paige.app.plan_door import PlanDoor  # noqa: PLC0415 - a quarter of a second

    return PlanDoor
