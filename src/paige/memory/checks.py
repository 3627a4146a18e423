"""Doctor's questions about memory: the log, what makes vectors, and where they are kept."""

import os
from contextlib import closing

from paige.base.actor import Actor
from paige.base.checks import Check, Repair
from paige.base.clock import system_clock
from paige.base.errors import PaigeError, Unavailable
from paige.base.settings import Settings
from paige.memory.index.files import IndexFile
from paige.memory.log.log import Log
from paige.memory.log.table_log import TableLog
from paige.memory.memory import Memory
from paige.memory.setup import index_folder
from paige.memory.vectors.backend import Embedder
from paige.memory.vectors.chroma import ChromaVectors
from paige.memory.vectors.embedders import HttpEmbedder, open_embedder
from paige.memory.vectors.pgvectors import PgVectors
from paige.store.engine import SQLITE_HEADER, open_database
from paige.store.migrate import bring_up_to_date, current_revision, head_revision

SOON_READ = 4 * 2**20
"""Bytes of a log that is read while somebody waits for a page; a longer one is left to doctor."""
WORDS_ONLY = "memories are found by their words only"


def checks(settings: Settings) -> list[Check]:
    """Whether memories can be written, read and compared; nothing is created."""
    embedder, embedding = _embedder(settings)
    found = [_log(settings), *_index(settings), embedding]
    if settings.chromadb_url and embedder is not None:
        found.append(_chroma(settings, embedder))
    if settings.database_url and embedder is not None:
        found.append(_pgvector(settings, embedder))
    if isinstance(embedder, HttpEmbedder):
        embedder.close()
    return found


def _log(settings: Settings) -> Check:
    if settings.in_tables(settings.given_memory_path):
        return _table(settings)
    try:
        path = settings.memory_path
        if not path.exists():
            return _not_there_yet(settings)
        with closing(Log(path)) as log:
            count = log.last_seq()
            short = path.stat().st_size <= SOON_READ
            broken = [each for each in log.verify().problems if not each.harmless] if short else []
    except PaigeError as error:
        return Check("memory log", "fail", error.message, error.hint)
    if broken:
        return Check("memory log", "fail", f"{broken[0].segment}: {broken[0].what}", broken[0].fix)
    if not os.access(path, os.R_OK | os.W_OK):
        fix = "Check who owns it, or set `AI_MEMORY_PATH` to another file."
        return Check("memory log", "fail", f"`{path}` may not be written", fix)
    return Check("memory log", "ok", f"`{path}` holds {count:,} events")


def _index(settings: Settings) -> list[Check]:
    """The index of the log, when it is missing or no index; whether it is complete takes longer.

    `paige memory verify` compares it with the log, line by line.
    """
    if settings.in_tables(settings.given_memory_path):
        return []
    try:
        if not settings.memory_path.is_file():
            return []
        path = IndexFile(index_folder(settings)).path
        repair = Repair("Make the index of the memory again", lambda: rebuild_index(settings))
        if not path.exists():
            message = "not there; the next search makes it again from the log"
            return [Check("memory index", "ok", message, repair=repair)]
        with open(path, "rb") as file:
            header = file.read(len(SQLITE_HEADER))
    except (PaigeError, OSError) as error:
        return [Check("memory index", "warn", str(error), "Run `paige memory rebuild`.")]
    if header != SQLITE_HEADER:
        message = f"`{path}` is damaged; the log is whole"
        fix = "Run `paige doctor --fix`, or `paige memory rebuild`."
        return [Check("memory index", "warn", message, fix, repair)]
    return []


def rebuild_index(settings: Settings) -> None:
    """Read the log once more; nothing of it changes."""
    with closing(open_database(settings)) as database:
        bring_up_to_date(settings, database)
        with closing(Memory(settings=settings, database=database, now=system_clock)) as memory:
            memory.rebuild()


def _table(settings: Settings) -> Check:
    """The log in the database, and whether a log in files was left behind."""
    try:
        with closing(open_database(settings)) as database:
            with database.transaction(write=False) as connection:
                if current_revision(connection) != head_revision():
                    return Check("memory log", "ok", "made in the database at the next start")
            count = TableLog(database, Actor(), now=system_clock).last_seq()
    except PaigeError as error:
        return Check("memory log", "fail", error.message, error.hint)
    left = settings.memory_path if settings.environ.get("HOME") else None
    if not count and left is not None and left.exists():
        fix = "Run `paige move`, or set `AI_MEMORY_PATH` to go on with the file."
        return Check("memory log", "warn", f"the database holds none; `{left}` does", fix)
    return Check("memory log", "ok", f"the database holds {count:,} events")


def _not_there_yet(settings: Settings) -> Check:
    path = settings.memory_path
    folder = next(parent for parent in path.parents if parent.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        fix = "Check who owns it, or set `AI_MEMORY_PATH` to another file."
        return Check("memory log", "fail", f"`{path}` cannot be made in `{folder}`", fix)
    return Check("memory log", "ok", "not created yet; the first memory does it")


def _embedder(settings: Settings) -> tuple[Embedder | None, Check]:
    try:
        embedder = open_embedder(settings)
    except PaigeError as error:
        return None, Check("embedder", "fail", error.message, error.hint)
    if embedder is None:
        return None, Check("embedder", "ok", f"none is wanted; {WORDS_ONLY}")
    try:
        length = embedder.embed(["a first text"]).shape[1]
    except (PaigeError, OSError) as error:
        message = error.message if isinstance(error, PaigeError) else str(error)
        fix = error.hint if isinstance(error, PaigeError) else None
        return embedder, Check("embedder", "warn", f"{message}; {WORDS_ONLY}", fix)
    return embedder, Check("embedder", "ok", f"`{embedder.name}` makes vectors of {length} numbers")


def _chroma(settings: Settings, embedder: Embedder) -> Check:
    with closing(ChromaVectors(settings.chromadb_url, embedder=embedder.name)) as chroma:
        try:
            return Check("chroma", "ok", chroma.look())
        except Unavailable as error:
            message = f"{error.message}; the coach recalls nothing, new memories wait in the log"
            return Check("chroma", "warn", message, error.hint)


def _pgvector(settings: Settings, embedder: Embedder) -> Check:
    try:
        with closing(open_database(settings)) as database:
            return Check("pgvector", "ok", PgVectors(database, embedder=embedder.name).look())
    except PaigeError as error:
        return Check("pgvector", "warn", error.message, error.hint)
