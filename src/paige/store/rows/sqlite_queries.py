"""A SQLite file as a whole: having it for oneself, and a copy of it while others write.

The file's own lock says whether a server or a command uses it.
Every connection to a file in WAL mode holds a lock on it for as long as it is open, so nobody has
to keep a note of who runs, and a process that was killed holds nothing.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.pool import StaticPool

from paige.base.errors import Conflict, Unavailable
from paige.base.files import write_error


@contextlib.contextmanager
def alone_with(path: Path) -> Iterator[sqlite3.Connection]:
    """Hold a SQLite file so that nobody else can open it. Raises: Conflict while someone has it."""
    with closing(
        sqlite3.connect(path, isolation_level=None, timeout=1, check_same_thread=False)
    ) as connection:
        try:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise Conflict(
                f"A server or a command has `{path}` open",
                hint="Stop Paige (`paige up`, `paige serve`), then try again.",
            ) from error
        except sqlite3.DatabaseError as error:
            raise Unavailable(
                f"The database `{path}` cannot be read: {error}", hint="Run `paige doctor`."
            ) from error
        try:
            yield connection
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def engine_over(connection: sqlite3.Connection) -> Engine:
    """An engine whose every connection is this one; it is left as it is."""
    return create_engine(
        "sqlite://", creator=lambda: connection, poolclass=StaticPool, pool_reset_on_return=None
    )


def copied_sqlite(path: Path) -> Engine:
    """An engine for a copy that nobody else has open."""

    def connected() -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    return create_engine("sqlite://", creator=connected, poolclass=StaticPool)


def copy_sqlite(source: Path, copy: Path) -> None:
    """Let SQLite copy the file in one step, and check that the copy is whole."""
    try:
        copy.touch(mode=0o600, exist_ok=False)
        with (
            contextlib.closing(sqlite3.connect(f"{source.as_uri()}?mode=rw", uri=True)) as old,
            contextlib.closing(sqlite3.connect(copy)) as new,
        ):
            old.backup(new)
            [faults] = new.execute("PRAGMA quick_check(1)").fetchone()
    except OSError as error:
        raise write_error(copy, error) from error
    except sqlite3.Error as error:
        raise _sqlite_error(source, error) from error
    if faults != "ok":
        raise Unavailable(
            f"The database `{source}` is damaged: {faults}", hint="Restore an older backup."
        )


def _sqlite_error(source: Path, error: sqlite3.Error) -> Unavailable:
    if "full" in str(error) or "disk I/O" in str(error):
        return Unavailable(
            "The disk is full: no backup was written", hint="Free some space and try again."
        )
    return Unavailable(f"`{source}` could not be copied: {error}", hint="Run `paige doctor`.")


def forget_deleted(connection: Connection) -> None:
    """Make the full-text indexes of SQLite again: they keep words of rows that are gone."""
    if connection.dialect.name != "sqlite":
        return
    query = text("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5(%'")
    for name in connection.execute(query).scalars().all():
        # The names are those of our own tables.
        connection.exec_driver_sql(f"INSERT INTO {name}({name}) VALUES ('rebuild')")  # noqa: S608


def rewrite_whole(path: Path) -> None:
    """Let SQLite write the file anew, without what is deleted, as far as others let it."""
    with (
        contextlib.suppress(sqlite3.Error),
        closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as connection,
    ):
        connection.execute("VACUUM")


def empty_wal(path: Path) -> None:
    """Let SQLite take over what its write-ahead log holds, as far as others let it."""
    with (
        contextlib.suppress(sqlite3.Error),
        closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as connection,
    ):
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
