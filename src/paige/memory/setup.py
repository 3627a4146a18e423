"""Puts a memory together from the settings: each part is made when it is first asked for.

A search opens the log and the index. Spool, jobs, documents, what waits for other stores and what
the coach remembers are there for whoever uses them. Nothing is written before something is
remembered.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import Generic, TypeVar

from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, Refused
from paige.base.paths import config_dir, layers
from paige.base.settings import Settings
from paige.language.names.gate import NameGate
from paige.memory.coach_memory import CoachMemories
from paige.memory.documents.document_files import MemoryFolder
from paige.memory.documents.documents import MemoryDocuments, rendered_for
from paige.memory.documents.projection import LogEvents
from paige.memory.event import Draft, Event
from paige.memory.index.index import Index
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker
from paige.memory.intake.project_identity import identify_at, project_of
from paige.memory.intake.project_logs import ProjectLogs
from paige.memory.intake.spool import ProjectOf, Remember, Spool
from paige.memory.lifecycle.job_run import as_owners
from paige.memory.lifecycle.maintenance import MemoryParts
from paige.memory.lifecycle.queries import HeldMemories
from paige.memory.lifecycle.thresholds import Lifecycle, read_lifecycle
from paige.memory.log.log import Log
from paige.memory.log.log_access import KeptLog
from paige.memory.log.table_log import TableLog
from paige.memory.vectors.backend import Embedder
from paige.memory.vectors.chroma import ChromaVectors
from paige.memory.vectors.embedders import open_embedder
from paige.memory.vectors.outbox import FileCursors, Outbox
from paige.memory.vectors.pgvectors import PgVectors
from paige.store.documents import DirectoryDocuments
from paige.store.engine import Database

REGISTER = "projects.json"
MakeSpool = Callable[[Path, Remember, ProjectOf], Spool]
T = TypeVar("T")


class Part(Generic[T]):
    """A part that is made once, in whichever thread asks first."""

    def __init__(self, make: "Callable[[Parts], T]") -> None:
        self._make = make
        self._name = make.__name__

    def __get__(self, parts: "Parts", _: object = None) -> T:
        with parts.lock:
            made = vars(parts)
            if self._name not in made:
                made[self._name] = self._make(parts)
            return made[self._name]


@dataclass(eq=False, kw_only=True)
class Parts:
    """What a memory is made of.

    `make_spool` says how lines of hooks are taken in, `tenant` whose memory it is.
    """

    settings: Settings
    database: Database
    now: Clock
    randomness: Callable[[int], bytes] = os.urandom
    make_spool: MakeSpool = Spool
    tenant: str = LOCAL_TENANT
    lock: RLock = field(default_factory=RLock)

    @property
    def folder(self) -> Path:
        """Where the index is, and what is kept beside it."""
        return index_folder(self.settings, self.tenant)

    @Part
    def projects(self) -> ProjectLogs:
        """The main log and those of projects."""
        log = open_log(self.settings, self.database, self.tenant, now=self.now)
        projects = ProjectLogs(log, self.folder / REGISTER)
        here = project_of(self.settings)
        if here is not None:
            projects.add(here)
        return projects

    @Part
    def embedder(self) -> Embedder | None:
        """What makes vectors."""
        return open_embedder(self.settings)

    @Part
    def remote(self) -> ChromaVectors | PgVectors | None:
        """Where vectors are kept besides the index."""
        if self.embedder is None:
            return None
        if self.settings.chromadb_url:
            return ChromaVectors(self.settings.chromadb_url, embedder=self.embedder.name)
        if self.settings.database_url:
            return PgVectors(self.database, embedder=self.embedder.name)
        return None

    @Part
    def index(self) -> Index:
        """What is searched."""
        return Index(self.folder, self.embedder, logs=self.projects.all(), remote=self.remote)

    @Part
    def reading(self) -> HeldMemories:
        """Memories with what became of them."""
        return HeldMemories(self.index)

    @Part
    def names(self) -> NameGate:
        """The gate that looks for names of people."""
        return NameGate()

    @Part
    def broker(self) -> Broker:
        """The only way in."""
        return Broker(
            self.projects.main,
            self.index,
            now=self.now,
            randomness=self.randomness,
            names=self.names,
            projects=self.projects,
        )

    @Part
    def outboxes(self) -> tuple[Outbox, ...]:
        """What brings each log to the other store, where there is one."""
        remote, embedder = self.remote, self.embedder
        if remote is None or embedder is None:
            return ()
        return tuple(
            Outbox(
                log,
                remote,
                embedder.embed,
                FileCursors(self.folder),
                now=self.now,
                name=blake2b(os.path.realpath(log.path).encode(), digest_size=6).hexdigest(),
            )
            for log in self.projects.all()
        )

    @Part
    def documents(self) -> MemoryDocuments:
        """The memory documents of everyone who uses this memory."""
        return MemoryDocuments(
            self.database,
            LogEvents(self.projects.main, through(self.broker)),
            lock=self.settings.data_dir / "memory" / "documents.lock",
            rendering=self._rendering,
            now=self.now,
            randomness=self.randomness,
        )

    @Part
    def lifecycle(self) -> Lifecycle:
        """The thresholds: shipped, of a person, of a project (`memory/lifecycle.toml`)."""
        try:
            config = config_dir(self.settings.environ, instead="XDG_CONFIG_HOME")
        except BadInput:
            config = None
        places = layers(self.settings.project_dir or self.settings.cwd, config)
        files = [folder / "memory" / "lifecycle.toml" for folder in places[:-1]]
        found = [file for file in reversed(files) if file.is_file()]
        return read_lifecycle([(str(file), file.read_text(encoding="utf-8")) for file in found])

    @Part
    def jobs(self) -> MemoryParts:
        """What the jobs work with."""
        write = as_owners(self.broker.remember, Actor().person)
        spool = self.make_spool(self.settings.data_dir / "spool", write, self._project_at)
        return MemoryParts(
            folder=self.folder,
            logs=lambda: {os.path.realpath(log.path): log for log in self.projects.all()},
            reading=self.reading,
            write=write,
            lifecycle=self.lifecycle,
            catch_up=lambda most: self.index.catch_up_all(),
            drain=lambda most: spool.drain(self.now, most_lines=most).lines,
            outbox=lambda most: sum(each.deliver(limit=most).sent for each in self.outboxes),
            erase=lambda ids: sum(log.forget(ids) for log in self.projects.all()),
        )

    @Part
    def coach(self) -> CoachMemories:
        """What the coach remembers."""
        remote = self.remote
        return CoachMemories(
            self.broker,
            self.index,
            self.embedder,
            now=self.now,
            outboxes=self.outboxes,
            chroma=remote if isinstance(remote, ChromaVectors) else None,
        )

    def _rendering(self, actor: Actor) -> MemoryFolder | None:
        """The workspace shows the documents of the person this installation belongs to."""
        if self.settings.in_tables(self.settings.given_workspace):
            return None  # a workspace in the database has no files to edit them in
        # The folder is made when documents are used, not when memory is opened.
        return rendered_for(Actor(), DirectoryDocuments(self.settings.workspace))(actor)

    def _project_at(self, cwd: str) -> str | None:
        found = identify_at(self.settings, Path(cwd))
        if found is not None:
            self.projects.add(found)
        return None if found is None else found.id


def through(broker: Broker) -> Callable[[Draft], Event]:
    """The way into the log that checks everything. Raises: Refused with the broker's reason."""

    def append(draft: Draft) -> Event:
        writer = Writer(person=draft.owner or Actor().person, session=draft.session)
        [result] = broker.remember([draft], writer)
        if result.event is None:
            raise Refused(result.reason or "It may not be kept")
        return result.event

    return append


def log_in_table(settings: Settings) -> bool:
    """Whether the main log is a table: on PostgreSQL, unless `AI_MEMORY_PATH` names a file."""
    return settings.in_tables(settings.given_memory_path)


def open_log(settings: Settings, database: Database, tenant: str, *, now: Clock) -> KeptLog:
    """The main log, wherever the settings say it is; project logs are always files."""
    if log_in_table(settings):
        return TableLog(database, Actor(tenant), now=now)
    return Log(settings.memory_path)


def index_folder(settings: Settings, tenant: str = LOCAL_TENANT) -> Path:
    """Where the index of the log is kept: another log has another index."""
    if log_in_table(settings):
        place = f"{settings.database_url} {tenant}"
    else:
        place = os.path.realpath(settings.memory_path)
    return settings.data_dir / "memory" / blake2b(place.encode(), digest_size=8).hexdigest()
