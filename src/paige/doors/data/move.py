"""`paige move`: an embedded installation into PostgreSQL, with counts and sums for every piece.

The source is only read, and nobody else can open it meanwhile. When a move is cut off, the next one
goes on where it stopped. The target takes nothing that is not empty or begun from this source.
"""

import contextlib
import socket
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection

from paige.app.backup.archive import Told
from paige.app.backup.places import places_of, tenant_logs
from paige.app.backup.tables import DOCUMENTS, LOG_TABLES, declared, shapes
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.clock import Clock
from paige.base.errors import BadInput, Conflict, NotFound
from paige.base.settings import Settings
from paige.doors.data.move_parts import DocumentMover, LogMover, Move, MoveCheck, Mover, RowMover
from paige.doors.data.stage import AREA, workspace_of
from paige.memory.log.table_log import TableLog
from paige.store.document_table import TableDocuments
from paige.store.engine import Database, open_database
from paige.store.migrate import current_revision, head_revision, migrate
from paige.store.rows import schema_queries as moves
from paige.store.rows import table_queries as queries
from paige.store.rows.sqlite_queries import alone_with, engine_over

_OTHERWISE = (*LOG_TABLES, DOCUMENTS)


@dataclass(frozen=True, slots=True)
class MoveResult:
    """What is in PostgreSQL now, and what is left to do."""

    location: str
    checked: tuple[MoveCheck, ...]
    stays: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know."""
        return tuple(note for each in self.checked for note in each.notes)


def move(settings: Settings, url: str, *, restart: bool, now: Clock, told: Told) -> MoveResult:
    """Copy everything shared to the database at `url` and compare both sides.

    Raises: BadInput, NotFound, Conflict while a server runs or when the target is in use.
    """
    source = _source(settings)
    target = replace(settings, database_url=url, database_owner_url="")
    with closing(open_database(target)) as there, alone_with(source) as own:
        engine = engine_over(own)
        with engine.connect() as here:
            _check_schema(here, source)
            name = f"{socket.gethostname()}:{source}"
            _prepare(there, name, restart=restart)
            rows, files = movers(target, Move(name, here, there, now))
            # Writing documents is told in the table of events, so rows are compared before.
            checked = [*_carried(rows, told), *_carried(files, told)]
            with there.system.transaction(write=True) as connection:
                moves.end_move(connection)
    return MoveResult(there.location, tuple(checked), _stays(target))


def movers(settings: Settings, move: Move) -> tuple[list[Mover], list[Mover]]:
    """The pieces of an installation, rows and files; the settings are those of the target."""
    rows: list[Mover] = [
        RowMover(move, shape)
        for shape in shapes(move.here)
        # In an embedded installation these are files, and the table is empty.
        if shape.name not in _OTHERWISE or queries.any_rows(move.here, shape.name)
    ]
    return rows, file_movers(settings, move.there, move.now)


def _carried(pieces: list[Mover], told: Told) -> list[MoveCheck]:
    for each in pieces:
        each.copy(told)
    checked: list[MoveCheck] = []
    for done, each in enumerate(pieces):
        told("comparing", done, len(pieces))
        checked.append(each.verify())
    told("comparing", len(pieces), len(pieces))
    return checked


def file_movers(settings: Settings, there: Database, now: Clock) -> list[Mover]:
    """Logs and documents that are files in an embedded installation, and rows in a shared one."""
    return [*_log_movers(settings, there, now), *_document_movers(settings, there, now)]


def _log_movers(settings: Settings, there: Database, now: Clock) -> list[Mover]:
    places = places_of(settings)
    shared = settings.in_tables(settings.given_memory_path)
    logs = {LOCAL_TENANT: places.memory} if shared else {}
    logs |= tenant_logs(places.data)
    return [
        LogMover(
            "memory log" if tenant == LOCAL_TENANT else f"memory log of {tenant}",
            path,
            TableLog(there, Actor(tenant), now=now),
        )
        for tenant, path in logs.items()
        if path is not None and path.exists()
    ]


def _document_movers(settings: Settings, there: Database, now: Clock) -> list[Mover]:
    shared = (Actor(),) if settings.in_tables(settings.given_workspace) else ()
    found: list[Mover] = []
    for actor in (*shared, *_people(settings)):
        folder = workspace_of(settings, actor)
        if folder.is_dir():
            name = AREA if actor == Actor() else f"{AREA} of {actor.person}"
            documents = TableDocuments(there, actor, AREA, now=now)
            found.append(DocumentMover(name, folder, documents))
    return found


def _people(settings: Settings) -> list[Actor]:
    folders = sorted(settings.data_dir.glob("people/*/*/"))
    return [Actor(folder.parent.name, folder.name) for folder in folders]


def _stays(settings: Settings) -> tuple[str, ...]:
    """What a person chose a folder for, and what belongs to this machine."""
    chosen = {
        "PAIGE_WORKSPACE": settings.given_workspace,
        "AI_MEMORY_PATH": settings.given_memory_path,
    }
    own = {name: path for name, path in chosen.items() if not settings.in_tables(path)}
    kept = [f"`{path}`, because `{name}` names it" for name, path in own.items()]
    with contextlib.suppress(BadInput):  # no home
        kept.append(f"courses and learners' files, in `{settings.teaching_dir}`")
    return (*kept, f"keys, guards, plugins and hooks of this machine, in `{settings.data_dir}`")


def _source(settings: Settings) -> Path:
    if settings.database_url:
        raise BadInput(
            "`DATABASE_URL` is set: this installation is in PostgreSQL already",
            hint="To move between servers, use `paige backup` and `paige restore --to`.",
        )
    path = settings.data_dir / "paige.db"
    if not path.exists():
        raise NotFound(f"There is no database at `{path}`", hint="Is `DATA_DIR` right?")
    return path.resolve()


def _check_schema(here: Connection, source: Path) -> None:
    found, head = current_revision(here), head_revision()
    if found != head:
        raise Conflict(
            f"`{source}` has schema {found}; this Paige moves {head}",
            hint="Start `paige up` once with this version, stop it, and try again.",
        )


def _prepare(there: Database, source: str, *, restart: bool) -> None:
    """Make the target ready, or find out that a move to it is under way. Raises: Conflict."""
    with there.system.transaction(write=True) as connection:
        begun = moves.source_of_move(connection)
        if begun is not None and restart:
            schema = "paige_move_begun_before"
            moves.set_aside(connection, schema)
            moves.drop_aside(connection, schema)
            begun = None
        elif begun is None:
            _refuse_rows(connection, there.location)
    if begun is not None:
        if begun != source:
            raise Conflict(
                f"A move from `{begun}` to `{there.location}` is not finished",
                hint="Finish that one, or begin again with `--restart`.",
            )
        return
    migrate(there.system)
    with there.system.transaction(write=True) as connection:
        _refuse_rows(connection, there.location)
        moves.begin_move(connection, source)


def _refuse_rows(connection: Connection, location: str) -> None:
    names = set(queries.table_names(connection))
    for each in declared():
        if each.name in names and queries.any_rows(connection, each.name):
            raise Conflict(
                f"`{location}` is not empty: `{each.name}` has rows",
                hint="Move into an empty database.",
            )
