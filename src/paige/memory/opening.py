"""Puts a memory together from the settings."""

import os
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput
from paige.base.paths import config_dir, layers
from paige.base.settings import Settings
from paige.base.shared_places import in_tables
from paige.memory.access import Reader
from paige.memory.coaching import TYPE, CoachMemories, CoachTools, ids_by
from paige.memory.documents.document_log import LogEvents, through
from paige.memory.documents.documents import MemoryDocuments, rendered_for
from paige.memory.documents.rendering import Rendering
from paige.memory.event import Draft, Event
from paige.memory.index.index import Index
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker, Remembered
from paige.memory.intake.project_identity import identify_at, project_of
from paige.memory.intake.project_logs import ProjectLogs
from paige.memory.intake.spool import ProjectOf, Remember, Spool
from paige.memory.lifecycle.held_index import IndexReading
from paige.memory.lifecycle.maintenance import MemoryParts
from paige.memory.lifecycle.thresholds import Lifecycle, read_lifecycle
from paige.memory.lifecycle.writing import as_owners
from paige.memory.log.kept import KeptLog
from paige.memory.log.log import Log
from paige.memory.log.table_log import TableLog
from paige.memory.memory import Memory, Parts
from paige.memory.names.gate import NameGate
from paige.memory.search_values import Ask
from paige.memory.vectors.backend import Embedder
from paige.memory.vectors.chroma import ChromaVectors
from paige.memory.vectors.embedders import open_embedder
from paige.memory.vectors.outbox import Describing, FileCursors, Outbox
from paige.memory.vectors.pgvectors import PgVectors
from paige.store.documents import DirectoryDocuments
from paige.store.engine import Database

DELIVERED_AT_ONCE = 2_000
REGISTER = "projects.json"
MakeSpool = Callable[[Path, Remember, ProjectOf], Spool]


class Draining(NamedTuple):
    """How lines of hooks are taken in, by which clock, and where jobs keep what they know."""

    folder: Path
    now: Clock
    make_spool: MakeSpool


def open_memory(
    settings: Settings,
    database: Database,
    *,
    now: Clock,
    randomness: Callable[[int], bytes] = os.urandom,
    make_spool: MakeSpool = Spool,
    tenant: str = LOCAL_TENANT,
) -> Memory:
    """The memory the settings name; nothing is written before something is remembered.

    `make_spool` says how lines of hooks are taken in, `tenant` whose memory it is.
    """
    log = open_log(settings, database, tenant, now=now)
    folder = index_folder(settings, tenant)
    projects = ProjectLogs(log, folder / REGISTER)
    here = project_of(settings)
    if here is not None:
        projects.add(here)
    embedder = open_embedder(settings)
    remote = _remote(settings, database, embedder)
    index = Index(folder, embedder, logs=projects.all(), remote=remote)
    names = NameGate()
    broker = Broker(log, index, now=now, randomness=randomness, names=names, projects=projects)
    outboxes = _outboxes(projects, remote, embedder, folder, now)
    return Memory(
        Parts(
            projects=projects,
            index=index,
            broker=broker,
            documents=MemoryDocuments(
                database,
                LogEvents(log, through(broker)),
                lock=settings.data_dir / "memory" / "documents.lock",
                rendering=_rendering(settings),
                now=now,
                randomness=randomness,
            ),
            jobs=_jobs(
                settings, projects, index, broker, outboxes, Draining(folder, now, make_spool)
            ),
            outboxes=outboxes,
            coach=_coach(index, broker, embedder, outboxes, remote, now),
            names=names,
            now=now,
        )
    )


def log_in_table(settings: Settings) -> bool:
    """Whether the main log is a table: on PostgreSQL, unless `AI_MEMORY_PATH` names a file."""
    return in_tables(settings, settings.given_memory_path)


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


def _remote(
    settings: Settings, database: Database, embedder: Embedder | None
) -> ChromaVectors | PgVectors | None:
    if embedder is None:
        return None
    if settings.chromadb_url:
        return ChromaVectors(settings.chromadb_url, embedder=embedder.name)
    if settings.database_url:
        return PgVectors(database, embedder=embedder.name)
    return None


def _outboxes(
    projects: ProjectLogs,
    remote: ChromaVectors | PgVectors | None,
    embedder: Embedder | None,
    folder: Path,
    now: Clock,
) -> tuple[Outbox, ...]:
    if remote is None or embedder is None:
        return ()
    embed = embedder.embed
    return tuple(
        Outbox(
            log,
            remote,
            Describing(vectors=lambda events: embed([each.text for each in events])),
            FileCursors(folder),
            now=now,
            name=blake2b(os.path.realpath(log.path).encode(), digest_size=6).hexdigest(),
        )
        for log in projects.all()
    )


def _rendering(settings: Settings) -> Callable[[Actor], Rendering | None]:
    """The workspace shows the documents of the person this installation belongs to."""

    def rendering(actor: Actor) -> Rendering | None:
        if in_tables(settings, settings.given_workspace):
            return None  # a workspace in the database has no files to edit them in
        # The folder is made when documents are used, not when memory is opened.
        return rendered_for(Actor(), DirectoryDocuments(settings.workspace))(actor)

    return rendering


def _jobs(
    settings: Settings,
    projects: ProjectLogs,
    index: Index,
    broker: Broker,
    outboxes: tuple[Outbox, ...],
    draining: Draining,
) -> MemoryParts:
    write = as_owners(broker.remember, Actor().person)

    def name_of(cwd: str) -> str | None:
        found = identify_at(settings, Path(cwd))
        if found is not None:
            projects.add(found)
        return None if found is None else found.id

    spool = draining.make_spool(settings.data_dir / "spool", write, name_of)
    return MemoryParts(
        folder=draining.folder,
        logs=lambda: {os.path.realpath(log.path): log for log in projects.all()},
        reading=IndexReading(index),
        write=write,
        lifecycle=lifecycle_of(settings),
        catch_up=lambda most: index.catch_up_all(),
        drain=lambda most: spool.drain(draining.now, most_lines=most).lines,
        outbox=lambda most: sum(each.deliver(limit=most).sent for each in outboxes),
        erase=lambda ids: sum(log.forget(ids) for log in projects.all()),
    )


def lifecycle_of(settings: Settings) -> Lifecycle:
    """The thresholds: shipped, then a person's, then a project's own `memory/lifecycle.toml`."""
    try:
        config = config_dir(settings.environ, instead="XDG_CONFIG_HOME")
    except BadInput:
        config = None
    places = layers(settings.project_dir or settings.cwd, config)
    files = [folder / "memory" / "lifecycle.toml" for folder in places[:-1]]
    found = [file for file in reversed(files) if file.is_file()]
    return read_lifecycle([(str(file), file.read_text(encoding="utf-8")) for file in found])


def _coach(
    index: Index,
    broker: Broker,
    embedder: Embedder | None,
    outboxes: tuple[Outbox, ...],
    remote: ChromaVectors | PgVectors | None,
    now: Clock,
) -> CoachMemories:
    def remember(drafts: Sequence[Draft]) -> list[Remembered]:
        return broker.remember(drafts, Writer(person=drafts[0].owner or Actor().person))

    def search(query: str, k: int, project: str | None, person: str) -> list[Event]:
        ask = Ask(query=query, k=k, project=project, types=(TYPE,))
        return [each.event for each in index.search(ask, Reader(person=person)).results]

    tools = CoachTools(
        remember=remember,
        embed=None if embedder is None else embedder.embed,
        search=search,
        ids_of=ids_by(index.has_id),
        now=now,
        send=outboxes[0].send if outboxes else None,
        deliver=lambda: [each.deliver(limit=DELIVERED_AT_ONCE, force=True) for each in outboxes],
    )
    return CoachMemories(tools, remote if isinstance(remote, ChromaVectors) else None)
