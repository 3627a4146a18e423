"""`paige backup`: everything of an installation in one file, while it runs.

The database comes first, from one snapshot, and the logs after it: what the database says it has
read of a log is then always in the copy of the log.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from paige import __version__
from paige.app.backup.archive import (
    ArchiveWriter,
    Manifest,
    TableFacts,
    Told,
    partial_path,
    writing,
)
from paige.app.backup.places import (
    SETTINGS_FILE,
    BackupFile,
    Survey,
    file_parts,
    log_members,
    note_backup,
    places_of,
    plain_settings,
    survey,
    without_secrets,
)
from paige.app.backup.tables import shapes, strangers
from paige.base.clock import to_iso
from paige.base.errors import BadInput, NotFound
from paige.base.settings import Settings
from paige.store.engine import database_error, open_database
from paige.store.migrate import current_revision
from paige.store.rows import table_queries as queries
from paige.store.rows.sqlite_queries import copied_sqlite, copy_sqlite
from paige.store.rows.table_queries import Shape, Sum, add, encode

_BESIDE = ("-journal", "-wal", "-shm")
_LINES = 200
"""Rows are handed to the archive in portions of this many."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The database as it was at one moment."""

    connection: Connection
    engine: str
    schema: str


def back_up(settings: Settings, target: Path, *, now: datetime, told: Told) -> Manifest:
    """Write a backup to `target` and say what is in it. Raises: BadInput, NotFound."""
    target = target.resolve()
    _check_target(settings, target)
    with writing(target) as archive:
        with _snapshot(settings, target) as found:
            told("database", 0, 0)
            tables = _write_tables(archive, found.connection, told)
            foreign = strangers(found.connection)
        files = survey(settings)
        gone = _write_files(archive, files, told)
        _write_logs(archive, files.logs)
        manifest = Manifest(
            paige=__version__,
            made_at=to_iso(now),
            engine=found.engine,
            schema=found.schema,
            tables=tables,
            members=dict(archive.members),
            projects=files.projects,
            settings=plain_settings(settings),
            secrets=(*files.secrets, *gone),
            left_out=(*files.left_out, *(f"table {name}" for name in foreign)),
        )
        archive.finish(manifest)
    note_backup(settings, target)
    return manifest


def _check_target(settings: Settings, target: Path) -> None:
    if target.is_dir():
        raise BadInput(f"`{target}` is a folder", hint="Name a file, such as `paige.zip`.")
    if not target.parent.is_dir():
        raise NotFound(f"There is no folder `{target.parent}`", hint="Make it first.")
    for root in places_of(settings).roots().values():
        if target.is_relative_to(root):
            raise BadInput(
                f"`{target}` lies in `{root}`, so every backup would hold the one before",
                hint="Write it somewhere else, best on another disk.",
            )


@contextlib.contextmanager
def _snapshot(settings: Settings, target: Path) -> Iterator[Snapshot]:
    """One moment of the database: a copy made by SQLite itself, or a transaction of PostgreSQL."""
    if settings.database_url:
        with (
            contextlib.closing(open_database(settings)) as database,
            database.system.transaction(write=False) as connection,
        ):
            yield Snapshot(connection, "postgresql", _schema(connection, database.location))
        return
    source = settings.data_dir / "paige.db"
    if not source.exists():
        raise NotFound(
            f"There is no database in `{settings.data_dir}`", hint="Is `DATA_DIR` right?"
        )
    copy = partial_path(target, "-database")
    try:
        copy_sqlite(source, copy)
        engine = copied_sqlite(copy)
        try:
            with engine.connect() as connection:
                yield Snapshot(connection, "sqlite", _schema(connection, str(source)))
        except SQLAlchemyError as error:
            raise database_error(error, str(source)) from error
        finally:
            engine.dispose()
    finally:
        for each in (copy, *(copy.with_name(copy.name + end) for end in _BESIDE)):
            each.unlink(missing_ok=True)


def _schema(connection: Connection, location: str) -> str:
    found = current_revision(connection)
    if found is None:
        raise NotFound(f"`{location}` is empty", hint="There is nothing to back up yet.")
    return found


def _write_tables(
    archive: ArchiveWriter, connection: Connection, told: Told
) -> dict[str, TableFacts]:
    found = shapes(connection)
    total = sum(queries.count_rows(connection, shape.name) for shape in found)
    facts: dict[str, TableFacts] = {}
    done = 0
    for shape in found:
        summed = _TableSum()
        told("rows", done, total)
        archive.add(f"database/{shape.name}.jsonl", _lines(connection, shape, summed))
        done += summed.total.rows
        sum_ = summed.total
        facts[shape.name] = TableFacts(shape.columns, shape.key, sum_.rows, sum_.shown)
    told("rows", done, total)
    return facts


class _TableSum:
    """The sum of a table while its rows go by."""

    total = Sum()


def _lines(connection: Connection, shape: Shape, summed: _TableSum) -> Iterator[bytes]:
    lines: list[str] = []
    for row in queries.read_rows(connection, shape):
        summed.total = add(summed.total, queries.portable_row(row, shape)[0], shape)
        lines.append(encode(row, shape) + "\n")
        if len(lines) >= _LINES:
            yield "".join(lines).encode()
            lines.clear()
    yield "".join(lines).encode()


def _write_files(archive: ArchiveWriter, found: Survey, told: Told) -> tuple[str, ...]:
    """Add every file; returns the names of keys that were taken out of the settings file."""
    total = sum(each.size for each in found.files)
    done = 0
    gone: tuple[str, ...] = ()
    for each in found.files:
        told("files", done, total)
        done += each.size
        if each.member == f"files/config/{SETTINGS_FILE}":
            text, gone = without_secrets(each.path)
            archive.add(each.member, [text.encode()])
        elif _vanished(each):
            continue
        else:
            archive.add(each.member, file_parts(each.path), mode=each.mode)
    told("files", total, total)
    return tuple(f"{SETTINGS_FILE}: {name}" for name in gone)


def _vanished(found: BackupFile) -> bool:
    """Whether a file was deleted since it was listed, as editors do while they save."""
    return not found.path.exists()


def _write_logs(archive: ArchiveWriter, logs: Mapping[str, Path]) -> None:
    for folder, active in logs.items():
        for name, parts in log_members(active):
            archive.add(f"files/{folder}/{name}", parts)
