"""Goes on with runs whose server ended: any server takes them over when the lease ran out.

Every server looks, at once when it starts and then again and again. Who finds a run that is to go
on and that nobody works on claims it in the database, so that one of them tries; the lease of the
run and its fence keep two from working at the same time. The run goes on from its journal.

It brings the agent loop along, so a server imports it late.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime

import anyio

from paige.agent.run_lease import busy_runs
from paige.app.application import App
from paige.app.plan_runs import PlanRuns
from paige.app.run_takeover_queries import PREFIX, WaitingRun, waiting_runs
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.platform import UNKNOWN, process_start
from paige.store.leases import NOBODY, Holder, Lease, take_turn, this_process

logger = logging.getLogger(__name__)
LOOK_SECONDS = 10.0
CLAIM_SECONDS = 30.0
MOST_TIMES = 20
"""A run that was taken over so often ends every server that works on it: it waits for a person."""
OpenRuns = Callable[[Actor], Awaitable[PlanRuns]]


class RunTakeover:
    """Looks for runs to take over, for one server."""

    def __init__(
        self, app: App, open_runs: OpenRuns, *, look_seconds: float = LOOK_SECONDS
    ) -> None:
        """`open_runs` opens the runs of a person at this server."""
        self._app = app
        self._open_runs = open_runs
        self._look_seconds = look_seconds

    async def run(self) -> None:
        """Look until cancelled."""
        said = ""
        while True:
            try:
                await self.look()
                said = ""
            except PaigeError as error:  # the database may answer at the next look
                if error.message != said:
                    logger.warning("Runs to go on with were not looked for: %s", error.message)
                said = error.message
            await anyio.sleep(self._look_seconds)

    async def look(self) -> int:
        """Take over what nobody works on; how many runs."""
        database = self._app.database
        looked = await database.system.read(waiting_runs, self._app.now())
        here, busy = this_process(), busy_runs(database.location)
        taken = 0
        for each in looked.waiting:
            if each.run not in busy and is_free(each.lease, here, looked.at):
                taken += await self._take_over(each)
        return taken

    async def _take_over(self, waiting: WaitingRun) -> bool:
        try:
            runs = await self._open_runs(waiting.actor)
            if runs.works_on(waiting.run) or not runs.has_room:
                return False  # it begins just now; or another server has room, or this one later
            turn = await self._app.database.write_quietly(
                take_turn,
                waiting.actor,
                PREFIX + waiting.run,
                now=self._app.now(),
                seconds=CLAIM_SECONDS,
            )
            if turn is None:
                return False  # another server was quicker
            if turn > MOST_TIMES:
                await runs.give_up(waiting.run, turn - 1)
                return False
        except PaigeError as error:
            logger.warning("Run %s was not taken over: %s", waiting.run, error.message)
            return False
        logger.info("Going on with run %s, which nobody works on any more", waiting.run)
        runs.take_over(waiting.run)
        return True


def is_free(lease: Lease | None, here: Holder, now: datetime) -> bool:
    """Whether nobody works on a run; a lease of this process counts only for what it works on."""
    if lease is None or lease.holder in (NOBODY, here) or lease.until <= now:
        return True
    if lease.holder.host != here.host:
        return False  # nobody sees the processes of another host: there only the time counts
    return process_start(lease.holder.pid) not in (lease.holder.started, UNKNOWN)
