"""Hooks that a server answers: for whoever asks, by their rights and with their own memory.

Without accounts a server decides as the hook's own process would. With them nothing is taken from
the server's environment: the memory is that of the person's tenant, what is kept is theirs, and
who has no right to the machine gets to see nothing of it.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from paige.app.application import App
from paige.app.person_apps import may_on_machine, place_for
from paige.base.errors import PaigeError
from paige.guard.fast.place import Place
from paige.guard.hook_event import Heard, Outcome

if TYPE_CHECKING:
    from paige.guard.spool_drain import Account, HookSpool, Person
    from paige.memory.lifecycle.maintenance import Trigger

logger = logging.getLogger(__name__)


class HookRequest:
    """One event that somebody sends: `refused` says why not, `jobs` wait until it is answered.

    `is_here` says whether they may use this machine, with the roles its agents have.
    """

    def __init__(self, desk: App) -> None:
        self.desk = desk
        self.is_here = may_on_machine(desk.settings, desk.actor, "guard")
        self.refused: PaigeError | None = None
        self.jobs: list[Callable[[], None]] = []

    def place(self, cwd: str, data: str, project: str) -> Place:
        """Where the event is judged. Raises: Refused."""
        try:
            return place_for(self.desk.settings, self.desk.actor, cwd=cwd, project=project)
        except PaigeError as error:
            self.refused = error
            raise

    def decide(self, heard: Heard, place: Place) -> Outcome:
        """What is decided about an event that takes more than compiled rules."""
        from paige.guard.slow_path import decide_slowly  # noqa: PLC0415 - it brings the parser

        return decide_slowly(heard, place, self._person(place) if self.desk.settings.many else None)

    def _person(self, place: Place) -> "Person":
        from paige.guard.spool_drain import Person  # noqa: PLC0415 - it brings memory

        desk = self.desk

        def later(trigger: "Trigger", session: str) -> None:
            self.jobs.append(partial(organise_memory, desk, place, trigger, session or None))

        return Person(
            account=account_of(desk),
            settings=desk.settings,
            database=desk.database,
            memory=desk.memory.open,
            later=later,
        )


def account_of(desk: App) -> "Account":
    """On whose account lines of hooks are taken in."""
    from paige.guard.spool_drain import Account  # noqa: PLC0415 - it brings memory

    return Account(desk.actor, apart=not may_on_machine(desk.settings, desk.actor, "guard"))


def spool_of_desk(desk: App, place: Place) -> "HookSpool":
    """What hooks noted for somebody, to be taken into their memory. Raises: PaigeError."""
    from paige.guard.phases import read_phases  # noqa: PLC0415
    from paige.guard.spool_drain import graph_taking, spool_of  # noqa: PLC0415 - it brings memory

    account = account_of(desk)
    also = graph_taking(desk.settings, desk.database, desk.now, may_migrate=False, account=account)
    phases = read_phases(place)
    return spool_of(desk.memory.open(), desk.settings, phases, also=also, account=account)


def organise_memory(desk: App, place: Place, trigger: "Trigger", session: str | None) -> None:
    """Take in what hooks noted for somebody, and run the jobs of their memory."""
    from paige.guard.phases import read_phases  # noqa: PLC0415
    from paige.guard.spool_drain import organise  # noqa: PLC0415 - it brings memory

    try:
        with desk.memory.alone() as is_alone:
            if not is_alone:
                return  # another server organises the same memory just now
            organise(
                desk.memory.open(),
                spool_of_desk(desk, place),
                read_phases(place),
                trigger=trigger,
                session=session,
                now=desk.now,
            )
    except PaigeError as error:
        logger.warning("Memory was not organised: %s", error.message)
