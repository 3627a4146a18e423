"""What a server does because there may be others with the same PostgreSQL.

It goes on with runs whose server ended, does what is done once between all servers when it is its
turn, and shows its windows what passes by at other servers. On SQLite there is nothing to do.
"""

from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync

from paige.app.application import App
from paige.app.person_apps import PersonApps
from paige.base.actor import Actor
from paige.base.errors import Refused
from paige.server.hub import BUS_FRAMES, Hub
from paige.server.plan_mount import PlanMount
from paige.store.passing import Passed
from paige.store.people_queries import find_person

if TYPE_CHECKING:
    from paige.app.plan_runs import PlanRuns
    from paige.app.relaying import Following


class ManyServers:
    """One server among others."""

    def __init__(self, app: App, hub: Hub, plan: PlanMount, desks: PersonApps) -> None:
        self._app = app
        self._hub = hub
        self._plan = plan
        self._desks = desks

    async def run(self) -> None:
        """Work with the others until cancelled."""
        if self._app.database.kind != "postgresql":
            return
        await run_sync(_load)
        from paige.app.going_on import GoingOn  # noqa: PLC0415 - brings the agent loop along
        from paige.app.once import Once  # noqa: PLC0415
        from paige.app.plan_runs import STOP  # noqa: PLC0415
        from paige.app.relaying import following  # noqa: PLC0415
        from paige.app.run_limits import stop_here  # noqa: PLC0415

        others = following(self._app.bus)

        def heard(passed: Passed) -> None:
            if passed.topic == STOP:
                stop_here(self._app.database.engine, str(passed.payload.get("run")), passed.actor)
            else:
                others.take(passed, self._hub.send)

        self._app.bus.passing.heard = heard
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._forget, others)
            tasks.start_soon(GoingOn(self._app, self.runs_of).run)
            tasks.start_soon(Once(self._app).run)

    async def runs_of(self, actor: Actor) -> "PlanRuns":
        """The runs of a person at this server. Raises: Refused when they may not work here."""
        door = await self._plan.open(self._desks.of(await self._known(actor)))
        return door.runs

    async def _known(self, actor: Actor) -> Actor:
        own = self._app.actor
        if not self._app.settings.many:
            if (actor.tenant, actor.person) != (own.tenant, own.person):
                raise Refused(f"`{actor.person}` has no desk here", hint="Turn accounts on.")
            return own
        person = await self._app.database.system.read(find_person, actor, actor.person)
        if person is None or person.state != "active":
            raise Refused(f"`{actor.person}` has no account that is active")
        return person.actor

    async def _forget(self, others: "Following") -> None:
        """Forget what other servers wrote when an event tells how it ended."""
        while True:
            with self._app.bus.subscribe(BUS_FRAMES) as events:
                async for event in events:
                    others.end(event)


def _load() -> None:
    import paige.app.going_on  # noqa: F401, PLC0415 - see above
