"""The application: everything a door needs, built from settings once."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from paige.app.openings import Openings
from paige.app.remembering import LazyMemory, has_memory, run_jobs
from paige.base.actor import Actor
from paige.base.clock import Clock, system_clock
from paige.base.errors import PaigeError
from paige.base.settings import Settings, provider_of
from paige.sandbox.terms import Runs, RunTerms, run_terms
from paige.store.bus import Bus
from paige.store.engine import Database, LateDatabase, open_database
from paige.store.migrate import bring_up_to_date

logger = logging.getLogger(__name__)


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
