"""Opens the Plan door without waiting for it: the server answers while its rooms are imported."""

from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync

from paige.app.application import App
from paige.base.errors import Unavailable
from paige.server.hub import Hub

if TYPE_CHECKING:
    from paige.app.plan_door import PlanDoor


LATER = 1.0
"""Seconds: so long the door leaves a starting server alone, unless somebody wants it."""


class PlanMount:
    """The Plan door once it is there; early requests wait."""

    def __init__(self, app: App, hub: Hub) -> None:
        self._app = app
        self._hub = hub
        self._wanted = anyio.Event()
        self._ready = anyio.Event()
        self._door: PlanDoor | None = None

    async def run(self) -> None:
        """Import the door in a thread, then keep it open until cancelled."""
        try:
            with anyio.move_on_after(LATER):
                await self._wanted.wait()
            door = await run_sync(_load)
            async with door(self._app, self._hub.send).running() as self._door:
                self._ready.set()
                await anyio.sleep_forever()
        finally:
            self._door = None
            self._ready.set()

    async def open(self) -> "PlanDoor":
        """The door. Raises: Unavailable when the server stops."""
        self._wanted.set()
        await self._ready.wait()
        if self._door is None:
            raise Unavailable("Paige is stopping", hint="Try again when it has started.")
        return self._door


def _load() -> "type[PlanDoor]":
    from paige.app.plan_door import PlanDoor  # noqa: PLC0415 - a quarter of a second

    return PlanDoor
