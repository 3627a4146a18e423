"""The application: everything a door needs, built from settings once."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from paige.app.accounts.passcode import Passcode
from paige.app.lazy_memory import LazyMemory, has_memory, run_jobs
from paige.app.openings import Openings
from paige.base.actor import Actor
from paige.base.clock import Clock, system_clock
from paige.base.errors import PaigeError, Unavailable
from paige.base.settings import Settings, provider_of
from paige.sandbox.terms import Runs, RunTerms, run_terms
from paige.store.bus import Bus
from paige.store.engine import Database, LateDatabase, open_database
from paige.store.migrate import bring_up_to_date

if TYPE_CHECKING:
    from paige.app.accounts.oidc import Oidc
    from paige.coach.live import LiveCoach

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Restart:
    """Starting again in the same process, at the same address, with settings just changed.

    `stop` is there when it can be done. The listening socket stays open, so that nobody finds the
    door closed: what arrives meanwhile waits.
    """

    boot: str = ""
    """Another one after every start."""
    stop: Callable[[], None] | None = None
    wanted: Settings | None = None

    @property
    def possible(self) -> bool:
        """Whether whoever runs this server starts it again."""
        return self.stop is not None

    def ask(self, settings: Settings) -> None:
        """End the server and start it with these settings. Raises: Unavailable."""
        if self.stop is None:
            raise Unavailable(
                "This server cannot start itself again", hint="Stop it and start it by hand."
            )
        self.wanted = settings
        self.stop()


@dataclass(slots=True)
class ServerParts:
    """What a running server has besides: who is let in, and how it starts again."""

    passcode: Passcode | None = None
    oidc: "Oidc | None" = None
    restart: Restart = field(default_factory=Restart)
    app: "App | None" = field(default=None, repr=False, compare=False)
    """The application of the installation, whoever asks."""
    waiting: tuple[str, Passcode] | None = None
    """The passcode that a restart would bring, and the text that it was made from."""


@dataclass(frozen=True, slots=True)
class App:
    """What doors hold: settings, database, bus, clock, and the person this process acts for."""

    settings: Settings
    provider: str
    database: Database
    bus: Bus
    now: Clock
    memory: LazyMemory
    actor: Actor = field(default_factory=Actor)
    runs: Runs = field(default_factory=Runs)  # code that is running; every desk shares it
    openings: Openings = field(default_factory=Openings)  # of everyone in this process
    at_machine: bool = False  # whoever acts sits at this machine, and may name any file of theirs
    strict: bool = False  # `paige serve`: nothing is answered by anyone but the provider
    server: ServerParts = field(default_factory=ServerParts)
    coach: "LiveCoach | None" = None  # of this process, which every desk shares

    @property
    def live_coach(self) -> "LiveCoach":
        """The coach of this process. Raises: Unavailable."""
        if self.coach is None:
            raise Unavailable("The coach does not run here", hint="`paige up` starts it.")
        return self.coach

    def run_terms(self) -> RunTerms:
        """The terms on which this person's code is run."""
        return run_terms(self.settings, self.actor, self.runs)

    def stop_runs(self) -> int:
        """Stop the code that this person is running; how many runs that were."""
        return self.runs.stop((self.actor.tenant, self.actor.person))


def wake_memory(app: App) -> None:
    """What a server does about memory when it has started: look for Chroma, and organise."""
    try:
        if app.settings.chromadb_url:
            app.memory.open().coach.connect()
        if has_memory(app.settings):
            run_jobs(app.memory, "session_start")
    except PaigeError as error:
        logger.warning("Memory cannot be used: %s", error.message)


@contextmanager
def open_app(
    settings: Settings, *, strict: bool, now: Clock = system_clock, at_machine: bool = False
) -> Iterator[App]:
    """Open the database, bring it up to date, and close it again; `strict` is `paige serve`.

    For whoever sits at this machine (`at_machine`) that is done when something first needs it.
    """
    if at_machine:
        database = LateDatabase(settings, partial(bring_up_to_date, settings))
    else:
        database = open_database(settings)
    try:
        if not at_machine:
            bring_up_to_date(settings, database)
        provider = provider_of(settings, strict=strict)
        memory = LazyMemory(settings, database, now)
        try:
            yield App(
                settings,
                provider,
                database,
                Bus(database),
                now,
                memory,
                strict=strict,
                at_machine=at_machine,
            )
        finally:
            memory.close()
    finally:
        database.close()
