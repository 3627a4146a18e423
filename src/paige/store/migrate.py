"""Brings a database to the schema this code needs, at start.

Revisions are numbered files in `migrations/versions`. Alembic is imported only when there is
something to do: a database that is current costs one query. A SQLite file that has a schema already
is copied before it changes; who has PostgreSQL makes backups of it.
"""

import os
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, column, inspect, select, table, text

from paige.base.errors import Conflict, PaigeError
from paige.base.settings import Settings
from paige.store.engine import Database, open_owner
from paige.store.rows.sqlite_queries import copy_sqlite


def copy_path(path: Path, revision: str) -> Path:
    """Where the copy of a database that has this schema is kept."""
    return path.with_name(f"{path.name}.before-{revision}")


def copy_before_upgrade(path: Path, revision: str) -> Path:
    """Copy the file as it is now. Raises: Unavailable when there is no room; nothing changed."""
    copy = copy_path(path, revision)
    partial = copy.with_name(f".{copy.name}.{os.getpid()}.partial")
    try:
        partial.unlink(missing_ok=True)
        copy_sqlite(path, partial)
        os.replace(partial, copy)
    except (OSError, PaigeError):
        partial.unlink(missing_ok=True)
        raise
    return copy


def remove_copies(path: Path) -> None:
    """Remove the copies of a database: they hold what was erased from it."""
    for copy in path.parent.glob(f"{path.name}.before-[0-9][0-9][0-9][0-9]"):
        copy.unlink(missing_ok=True)


MIGRATIONS = Path(__file__).parent / "migrations"
# Any fixed number does; it names the lock of whoever migrates on PostgreSQL.
_LOCK = 7_401_002
_GRANTS = (
    "GRANT USAGE, CREATE ON SCHEMA public TO {user}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {user}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {user}",
    "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO {user}",
)
_VERSION = table("alembic_version", column("version_num"))


class MigrationResult(NamedTuple):
    """What `migrate` did: the revision before (`None` for a new database) and the one now."""

    before: str | None
    now: str


def head_revision() -> str:
    """The newest revision this code knows."""
    return max(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def current_revision(connection: Connection) -> str | None:
    """The revision of a database; `None` when it is new."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    return connection.scalar(select(_VERSION.c.version_num))


def migrate(database: Database) -> MigrationResult:
    """Upgrade to the newest revision. Raises: Conflict when the data is newer than this code."""
    head = head_revision()
    with database.transaction(write=False) as connection:
        before = current_revision(connection)
    if before == head:
        return MigrationResult(before, head)
    if before is not None and before > head:
        raise Conflict(
            f"`{database.location}` was written by a newer Paige (schema {before}, this is {head})",
            hint="Install that version again, or use another `DATA_DIR`.",
        )
    upgrade(database, head)
    return MigrationResult(before, head)


def bring_up_to_date(settings: Settings, database: Database) -> None:
    """Migrate the database, as its owner where the settings name one."""
    owner = open_owner(settings)
    if owner is None:
        migrate(database)
        return
    with closing(owner):
        migrate_as_owner(database, owner)


def migrate_as_owner(database: Database, owner: Database) -> MigrationResult:
    """Upgrade as the owner of the tables, and let the user of `database` work with them.

    That user owns none of the tables, so it can change neither them nor their row security. It may
    make new ones, for the vectors of pgvector are kept in one that is made at its first use.
    """
    done = migrate(owner)
    user = database.engine.url.username
    if user and user != owner.engine.url.username:
        with owner.transaction(write=True) as connection:
            name = connection.dialect.identifier_preparer.quote(user)
            for statement in _GRANTS:
                connection.execute(text(statement.format(user=name)))
    return done


def upgrade(database: Database, revision: str) -> None:
    """Run the migrations up to `revision` in one transaction."""
    with database.transaction(write=True) as connection:
        if database.kind == "postgresql":  # on SQLite only one process can be here anyway
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        current = current_revision(connection)
        if current == revision:
            return  # another process was faster
        if database.kind == "sqlite" and current is not None:
            # Nobody else can write now, and a reader sees the file as it was.
            copy_before_upgrade(Path(database.location), current)
        build_schema(connection, revision)


def build_schema(connection: Connection, revision: str) -> None:
    """Run the migrations up to `revision` in the caller's transaction."""
    # Alembic costs more to import than the rest of the start; most starts have nothing to migrate.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
