"""`paige restore`: checks a backup from end to end, then puts all of it in place, or nothing.

Files are written beside their places and the database into a new file, or into PostgreSQL in one
transaction. Only when everything is there and adds up do they take their names.
"""

import contextlib
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection

from paige.app.backup.archive import ArchiveReader, Manifest, Project, Told, reading
from paige.app.backup.places import Places, places_into, places_of, settings_for
from paige.app.backup.tables import check_rows, check_schema, declared, load
from paige.app.memory_removal import forget_again, forgotten_ids
from paige.base.clock import Clock
from paige.base.errors import Conflict
from paige.base.files import write_atomic
from paige.base.settings import Settings
from paige.doors.data.move import file_movers
from paige.doors.data.stage import Staging, refuse_occupied, stage_files, stage_tables
from paige.memory.intake.project_logs import FOLDER
from paige.memory.setup import index_folder
from paige.store.engine import Database, open_database, open_owner, open_sqlite
from paige.store.rows import schema_queries as aside_queries
from paige.store.rows import table_queries as queries
from paige.store.rows.sqlite_queries import alone_with

DATABASE = "paige.db"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Where a backup should go: a folder, a database, or the places of the settings."""

    into: Path | None = None
    to: str = ""
    replace: bool = False


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was put where, and what a person should know."""

    manifest: Manifest
    settings: Settings  # of the installation that is there now
    database: str
    files: int
    aside: tuple[str, ...]  # what was there before, under its new name
    carried: tuple[str, ...]  # keys of this machine that were kept
    notes: tuple[str, ...]


def verify_backup(path: Path, *, told: Told) -> Manifest:
    """Check every member and every row; nothing is written. Raises: BadInput, Conflict."""
    with reading(path) as archive:
        _verify(archive, told)
        return archive.manifest


def restore(settings: Settings, path: Path, wish: Wish, *, now: Clock, told: Told) -> RestoreResult:
    """Put a backup in place. Raises: BadInput, Conflict, Unavailable; then nothing has changed."""
    with reading(path) as archive:
        _verify(archive, told)
        chosen = _target(settings, wish)
        gone = forgotten_ids(settings, now)
        staging = Staging(places_of(chosen), f"{now():%Y%m%dT%H%M%SZ}")
        if not wish.replace:
            refuse_occupied(staging.occupied())
        try:
            restored = _restore(chosen, archive, staging, wish, told)
        finally:
            staging.clear()
    if chosen.database_url and restored.manifest.engine == "sqlite":
        notes = _files_into_tables(chosen, now, told)
        restored = replace(restored, notes=(*restored.notes, *notes))
    again = forget_again(chosen, gone, now)
    note = f"{again} memories that were forgotten since are forgotten here too"
    return replace(restored, notes=(*restored.notes, note)) if again else restored


def _files_into_tables(settings: Settings, now: Clock, told: Told) -> list[str]:
    """Where PostgreSQL keeps logs and documents, those that came as files go there too."""
    notes: list[str] = []
    with closing(_opened(settings)) as there:
        for each in file_movers(settings, there, now):
            try:
                each.copy(told)
                notes += each.verify().notes
            except Conflict as error:  # the backup has both, and they are not the same
                notes.append(f"The {each.name} in the database stays as it is: {error.message}")
    return notes


def _verify(archive: ArchiveReader, told: Told) -> None:
    check_schema(archive.manifest)
    archive.check(told)
    check_rows(archive, told)


def _target(settings: Settings, wish: Wish) -> Settings:
    chosen = settings if wish.into is None else settings_for(settings, places_into(wish.into))
    if wish.into is not None and not wish.to:
        chosen = replace(chosen, database_url="")
    if wish.into is not None:
        environ = {**chosen.environ, "XDG_CONFIG_HOME": str(places_into(wish.into).data / "config")}
        chosen = replace(chosen, environ=environ)
    if not wish.to:
        return chosen
    return replace(chosen, database_url=wish.to, database_owner_url="")


def _restore(
    settings: Settings, archive: ArchiveReader, staging: Staging, wish: Wish, told: Told
) -> RestoreResult:
    files = stage_files(staging, archive, told)
    carried = staging.carry_keys() if wish.replace else []
    into = _into_postgresql if settings.database_url else _into_sqlite
    with into(settings, archive, staging, wish, told) as loaded:
        staging.swap()
    notes = [*loaded.notes, *_restore_projects(settings, archive, staging, wish)]
    return RestoreResult(
        manifest=archive.manifest,
        settings=settings,
        database=loaded.location,
        files=files,
        aside=(*map(str, staging.aside), *loaded.aside),
        carried=tuple(carried),
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class _Loaded:
    location: str
    aside: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@contextlib.contextmanager
def _into_sqlite(
    settings: Settings, archive: ArchiveReader, staging: Staging, wish: Wish, told: Told
) -> Iterator[_Loaded]:
    target = staging.places.data / DATABASE
    _nobody_has(target)
    place = staging.place(target)
    with (
        closing(open_sqlite(place)) as database,
        database.transaction(write=True, durable=True) as connection,
    ):
        load(connection, archive, told)
    if archive.manifest.engine == "postgresql":
        stage_tables(staging, settings, archive)
    _nobody_has(target)
    yield _Loaded(str(target))


def _nobody_has(target: Path) -> None:
    """Refuse while somebody uses a database; what its log holds is in the file afterwards."""
    if target.exists():
        with alone_with(target):
            pass


@contextlib.contextmanager
def _into_postgresql(
    settings: Settings, archive: ArchiveReader, staging: Staging, wish: Wish, told: Told
) -> Iterator[_Loaded]:
    with closing(_opened(settings)) as database:
        try:
            with database.system.transaction(write=True) as connection:
                aside = _make_room(connection, database, staging.mark, wish)
                changed = load(connection, archive, told)
                notes = (_changed_note(changed),) if changed else ()
                yield _Loaded(database.location, aside, notes)
        except BaseException:
            staging.undo()
            raise


def _opened(settings: Settings) -> Database:
    """The database as whoever may make tables in it."""
    return open_owner(settings) or open_database(settings)


def _make_room(
    connection: Connection, database: Database, mark: str, wish: Wish
) -> tuple[str, ...]:
    there = set(queries.table_names(connection))
    ours = [each.name for each in declared() if each.name in there]
    if not ours and queries.VERSION not in there:
        return ()
    occupied = [name for name in ours if queries.any_rows(connection, name)]
    if occupied and not wish.replace:
        raise Conflict(
            f"There is something already in `{database.location}`: `{occupied[0]}` has rows",
            hint="Use `--replace` (what is there moves to another schema), or an empty database.",
        )
    others = aside_queries.other_connections(connection)
    if others:
        raise Conflict(
            f"{others} others have `{database.location}` open",
            hint="Stop every server that uses it, then try again.",
        )
    schema = f"paige_before_{mark.lower()}"
    aside_queries.set_aside(connection, schema)
    if occupied:
        return (f"schema {schema}",)
    aside_queries.drop_aside(connection, schema)
    return ()


def _changed_note(count: int) -> str:
    return f"{count} texts held characters that PostgreSQL cannot store; they are shown as �"


def _restore_projects(
    settings: Settings, archive: ArchiveReader, staging: Staging, wish: Wish
) -> list[str]:
    """Give projects back what was theirs, and tell the memory where their logs are."""
    notes: list[str] = []
    roots: dict[str, str] = {}
    for project in archive.manifest.projects:
        root, note = _project_root(project, staging.places, wish)
        notes.append(note)
        if root is not None:
            _write_project(archive, project, root)
        found = Path(project.root) if root is None else root
        if (found / FOLDER).is_dir():
            roots[project.id] = str(found)
    if roots:
        register = index_folder(settings) / "projects.json"
        write_atomic(register, json.dumps(roots, sort_keys=True))
    return notes


def _project_root(project: Project, places: Places, wish: Wish) -> tuple[Path | None, str]:
    """Where the files of a project go; nowhere when it still has its own."""
    old = Path(project.root)
    own = wish.into is None
    if own and (old / ".ai").exists():
        return None, f"The project `{old}` has its own `.ai` folder; it was left as it is"
    if own and old.is_dir():
        return old, f"The project `{old}` has its memory and guards again"
    new = places.data / "projects" / project.place
    return new, f"What was in `{old}/.ai` is in `{new}/.ai`"


def _write_project(archive: ArchiveReader, project: Project, root: Path) -> None:
    prefix = f"files/{project.place}/"
    for name in sorted(archive.manifest.members):
        if name.startswith(prefix):
            target = root / name.removeprefix(prefix)
            write_atomic(target, b"".join(archive.parts(name)), mode=archive.mode(name))
