"""What the servers of one installation do once between them, however many there are.

A job has its turn once in so many seconds, by the clock of the database. Every server asks; the
turn and the work are one transaction, so that a server that dies in the middle has not had the turn
and a server whose clock is wrong has it no earlier and no later than others.

Only PostgreSQL has such jobs: an embedded installation keeps its events, which are few.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import anyio
from sqlalchemy import Connection

from paige.app.application import App
from paige.app.going_on_queries import drop_ended_wishes
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.store.leasing import take_turn
from paige.store.queries import prune_events, shared_moment

logger = logging.getLogger(__name__)
LOOK_SECONDS = 60.0
KEEP_EVENTS = timedelta(days=30)
"""So long a window may be closed and still catch up; after that it reads everything again."""
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Job:
    """Something with a turn: how often, and what; the number it returns is logged."""

    name: str
    seconds: float
    work: Callable[[Connection, datetime], int]


@dataclass(frozen=True, slots=True)
class Did:
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


class Once:
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

    async def ask(self, job: Job) -> Did | None:
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


def do_once(connection: Connection, job: Job, *, now: datetime) -> Did | None:
    """Take the turn of a job and do it, in one transaction."""
    whole = Actor(person="server")  # the turns of the installation are kept with its own tenant
    turn = take_turn(connection, whole, f"once/{job.name}", now=now, seconds=job.seconds)
    if turn is None:
        return None
    return Did(turn, job.work(connection, shared_moment(connection, now)))
