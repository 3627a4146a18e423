"""The memory of an application: opened when it is first used, closed with the application.

Opening it imports NumPy and reads a table, which most commands and the start of the server can do
without. What is noted around a run (what was recalled, how it ended) never breaks the run.
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.memory.intake.project_identity import project_of
from paige.store.engine import Database
from paige.store.leases import give_back, hold_lease

if TYPE_CHECKING:
    from paige.agent.memories import MemoryAccess
    from paige.agent.tables import RunRow, SpanRow
    from paige.memory.intake.spool import ProjectOf, Remember, Spool
    from paige.memory.lifecycle.maintenance import Trigger
    from paige.memory.memory import Memory

logger = logging.getLogger(__name__)
ALONE_SECONDS = 60.0
JOB_SECONDS = 2.0
"""How long the jobs at the beginning and end of a session may take."""


class LazyMemory:
    """Opens the memory once, in whichever thread asks first."""

    def __init__(
        self, settings: Settings, database: Database, now: Clock, *, tenant: str = LOCAL_TENANT
    ) -> None:
        """`tenant` is whose memory it is."""
        self.tenant = tenant
        self._settings = settings
        self._database = database
        self._now = now
        self._lock = threading.Lock()
        self._memory: Memory | None = None

    def open(self) -> "Memory":
        """The memory."""
        with self._lock:
            if self._memory is None:
                from paige.memory.memory import Memory  # noqa: PLC0415 - NumPy; see above

                self._memory = Memory(
                    settings=self._settings,
                    database=self._database,
                    now=self._now,
                    make_spool=self._make_spool,
                    tenant=self.tenant,
                )
            return self._memory

    def _make_spool(self, folder: Path, remember: "Remember", project_of: "ProjectOf") -> "Spool":
        # Only who takes in the lines of hooks loads what reads them.
        from paige.guard.spool_drain import Account, spools  # noqa: PLC0415

        apart = self.tenant != LOCAL_TENANT
        account = Account(Actor(self.tenant), apart) if apart else Account()
        make = spools(self._settings, self._database, self._now, account)
        return make(folder, remember, project_of)

    @contextmanager
    def alone(self) -> Iterator[bool]:
        """Keep other servers from organising the same memory; false while one does."""
        if self._database.kind != "postgresql":
            yield True  # processes of one machine keep each other out by themselves
            return
        owner, name = Actor(self.tenant, "server"), "memory-jobs"
        database = self._database.of_tenant(self.tenant)
        with database.transaction(write=True) as connection:
            lease = hold_lease(connection, owner, name, now=self._now(), seconds=ALONE_SECONDS)
        if lease is None:
            yield False
            return
        try:
            yield True
        finally:
            with database.transaction(write=True) as connection:
                give_back(connection, owner, lease)

    def close(self) -> None:
        """Close it, if it was opened."""
        with self._lock:
            if self._memory is not None:
                self._memory.close()
                self._memory = None


def has_memory(settings: Settings) -> bool:
    """Whether anything was remembered here, without opening it."""
    if settings.in_tables(settings.given_memory_path):
        return True  # others may have remembered something
    return settings.memory_path.exists() or (settings.workspace / "memory").is_dir()


def memory_access(lazy: LazyMemory, settings: Settings) -> "MemoryAccess":
    """The memory as runs of agents use it."""
    from paige.agent.memories import MemoryAccess, Request  # noqa: PLC0415 - see above
    from paige.memory.access import Reader  # noqa: PLC0415
    from paige.memory.intake.admission import Writer  # noqa: PLC0415
    from paige.memory.search_values import Ask  # noqa: PLC0415

    memory = lazy.open()
    here = project_of(settings)
    project = here.id if here else None

    # With accounts, a person looks into the project of their own desk only.
    projects = frozenset({project} if project else ()) if settings.many else None

    def reader(actor: Actor) -> Reader:
        return Reader(person=actor.person, roles=actor.roles, projects=projects)

    def search(actor: Actor, words: str, class_id: str | None) -> Sequence[str]:
        ask = Ask(query=words, project=project, beyond_project=True)
        found = memory.search(ask, reader(actor))
        return [result.text for result in found.results]

    def recall(actor: Actor, request: Request, class_id: str | None) -> str:
        writer = Writer(
            person=actor.person, project=project, session=request.session, trace=request.trace
        )
        ask = Ask(query=request.text, project=project, beyond_project=True)
        return memory.recall(ask, reader(actor), writer, note=request.session is not None)

    return MemoryAccess(memory.documents, search, recall)


def run_jobs(lazy: LazyMemory, trigger: "Trigger", session: str | None = None) -> None:
    """Do what memory does at the beginning and end of a session, for a moment."""
    from paige.memory.lifecycle.maintenance import Limits  # noqa: PLC0415 - see above

    until = time.monotonic() + JOB_SECONDS
    limits = Limits(expired=lambda: time.monotonic() > until)
    try:
        with lazy.alone() as is_alone:
            if not is_alone:
                return  # another server organises the same memory just now
            report = lazy.open().maintain(trigger, session=session, limits=limits)
    except PaigeError as error:
        logger.warning("Memory was not organised: %s", error.message)
        return
    for job, why in report.failures.items():
        logger.warning("Memory job %s failed: %s", job, why)


def note_outcome(lazy: LazyMemory, actor: Actor, run: "RunRow", spans: "list[SpanRow]") -> None:
    """Log how a run ended."""
    from paige.memory.intake.admission import Writer  # noqa: PLC0415 - see above
    from paige.memory.lifecycle.outcomes import Outcome  # noqa: PLC0415

    tools = [span for span in spans if span.kind == "tool"]
    outcome = Outcome(
        at=run.updated_at,
        success=run.status == "success",
        retries=sum(span.failed for span in tools),
        tool_calls=len(tools),
        session=run.session_id,
    )
    writer = Writer(person=actor.person, session=run.session_id, trace=run.id)
    try:
        lazy.open().note_outcome(outcome, run.header["purpose"], writer)
    except PaigeError as error:
        logger.warning("How the run ended was not remembered: %s", error.message)
