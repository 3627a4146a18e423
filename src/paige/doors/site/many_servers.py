"""What a server does because there may be others with the same PostgreSQL.

It goes on with runs whose server ended, does what is done once between all servers when it is its
turn, and shows its windows what passes by at other servers. On SQLite there is nothing to do: an
embedded installation keeps its events, which are few.

A job has its turn once in so many seconds, by the clock of the database. Every server asks; the
turn and the work are one transaction, so that a server that dies in the middle has not had the turn
and a server whose clock is wrong has it no earlier and no later than others.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import anyio
from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.app.application import App
from paige.app.person_apps import PersonApps
from paige.app.run_takeover_queries import drop_ended_wishes
from paige.base.actor import Actor
from paige.base.errors import PaigeError, Refused
from paige.doors.frame.web.hub import BUS_FRAMES
from paige.store.ephemeral import EphemeralMessage
from paige.store.leases import take_turn
from paige.store.people_queries import find_person
from paige.store.queries import prune_events, shared_moment

if TYPE_CHECKING:
    from paige.app.plan_runs import PlanRuns
    from paige.app.remote_streams import RemoteStreams


logger = logging.getLogger(__name__)
LOOK_SECONDS = 60.0
KEEP_EVENTS = timedelta(days=30)
"""So long a window may be closed and still catch up; after that it reads everything again."""
HOUR = 3600.0


class ManyServers:
    """One server among others."""

    def __init__(self, app: App, desks: PersonApps) -> None:
        self._app = app
        self._desks = desks

    async def run(self) -> None:
        """Work with the others until cancelled."""
        if self._app.database.kind != "postgresql":
            return
        await run_sync(_load)
        from paige.app.plan_runs import STOP  # noqa: PLC0415
        from paige.app.remote_streams import following  # noqa: PLC0415
        from paige.app.run_limits import stop_here  # noqa: PLC0415
        from paige.app.run_takeover import RunTakeover  # noqa: PLC0415 - brings the agent loop along

        others = following(self._app.bus)

        def heard(passed: EphemeralMessage) -> None:
            if passed.topic == STOP:
                stop_here(self._app.database.engine, str(passed.payload.get("run")), passed.actor)
            else:
                others.take(passed, self._app.bus.passing.show)

        self._app.bus.passing.heard = heard
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._forget, others)
            tasks.start_soon(RunTakeover(self._app, self.runs_of).run)
            tasks.start_soon(ClusterJobs(self._app).run)

    async def runs_of(self, actor: Actor) -> "PlanRuns":
        """The runs of a person at this server. Raises: Refused when they may not work here."""
        from paige.doors.plan.operations import open_plan  # noqa: PLC0415 - see above

        desk = self._desks.of(await self._known(actor))
        plan = await desk.openings.open(desk, "plan", open_plan)
        return plan.runs

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

    async def _forget(self, others: "RemoteStreams") -> None:
        """Forget what other servers wrote when an event tells how it ended."""
        while True:
            with self._app.bus.subscribe(BUS_FRAMES) as events:
                async for event in events:
                    others.end(event)


def _load() -> None:
    import paige.app.run_takeover  # noqa: PLC0415 - see above
    import paige.doors.plan.operations  # noqa: F401, PLC0415 - see above


@dataclass(frozen=True, slots=True)
class Job:
    """Something with a turn: how often, and what; the number it returns is logged."""

    name: str
    seconds: float
    work: Callable[[Connection, datetime], int]


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A turn that this server had."""

    turn: int
    count: int


def _prune(connection: Connection, now: datetime) -> int:
    return prune_events(connection, before=now - KEEP_EVENTS)


def _drop_wishes(connection: Connection, _: datetime) -> int:
    return drop_ended_wishes(connection)


JOBS = (
    Job("prune-events", HOUR, _prune),
    Job("drop-wishes", HOUR, _drop_wishes),
)


class ClusterJobs:
    """Asks for turns, for one server."""

    def __init__(
        self, app: App, jobs: Sequence[Job] = JOBS, *, look_seconds: float = LOOK_SECONDS
    ) -> None:
        self._app = app
        self._jobs = jobs
        self._look_seconds = look_seconds

    async def run(self) -> None:
        """Ask until cancelled."""
        while True:
            for job in self._jobs:
                await self.ask(job)
            await anyio.sleep(self._look_seconds)

    async def ask(self, job: Job) -> TurnTaken | None:
        """Do a job if it is its turn and nobody else does it."""
        app = self._app
        try:
            did = await app.database.system.write_quietly(do_once, job, now=app.now())
        except PaigeError as error:  # the turn is still there
            logger.warning("The job %s was not done: %s", job.name, error.message)
            return None
        if did is not None and did.count:
            logger.info("The job %s: %d", job.name, did.count)
        return did


def do_once(connection: Connection, job: Job, *, now: datetime) -> TurnTaken | None:
    """Take the turn of a job and do it, in one transaction."""
    whole = Actor(person="server")  # the turns of the installation are kept with its own tenant
    turn = take_turn(connection, whole, f"once/{job.name}", now=now, seconds=job.seconds)
    if turn is None:
        return None
    return TurnTaken(turn, job.work(connection, shared_moment(connection, now)))
