"""The database: one engine, many readers off the event loop, one writer at a time on SQLite.

`read` and `write` run a plain query function in a thread, inside one transaction. What a driver
says when a file is damaged, locked, full or read-only becomes one of our errors here, once.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec, TypeVar

import anyio.to_thread
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from paige.base.errors import BadInput, PaigeError, Refused, Unavailable
from paige.base.files import make_private
from paige.base.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")
Query = Callable[Concatenate[Connection, P], T]
Kind = Literal["read", "write", "durable"]

READERS = 4
BUSY_SECONDS = 5.0
WAL_SECONDS = 0.01
SQLITE_HEADER = b"SQLite format 3\x00"


class Database:
    """Runs query functions, each in its own transaction."""

    def __init__(self, engine: Engine, location: str) -> None:
        self.engine = engine
        self.location = location
        self.kind = engine.dialect.name
        self._readers = anyio.CapacityLimiter(READERS)
        # SQLite has one writer: queueing here is fair and never meets its busy timeout.
        self._writers = anyio.CapacityLimiter(1 if self.kind == "sqlite" else READERS)
        self._listeners: list[Callable[[], None]] = []

    async def read(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query on one snapshot of the data."""
        work = partial(self._run, "read", query, *args, **kwargs)
        return await anyio.to_thread.run_sync(work, limiter=self._readers)

    async def write(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query as one transaction: when this returns, it is committed.

        A killed process loses nothing of it; a power loss may lose the last moments on SQLite.
        """
        return await self._write(partial(self._run, "write", query, *args, **kwargs))

    async def write_durably(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Like `write`, but it also survives a power loss: for what a person decided."""
        return await self._write(partial(self._run, "durable", query, *args, **kwargs))

    async def write_quietly(self, query: Query[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Like `write`, for rows that no event tells of: nobody is woken."""
        work = partial(self._run, "write", query, *args, **kwargs)
        return await anyio.to_thread.run_sync(work, limiter=self._writers)

    async def _write(self, work: Callable[[], T]) -> T:
        result = await anyio.to_thread.run_sync(work, limiter=self._writers)
        for listener in self._listeners:
            listener()
        return result

    def on_commit(self, listener: Callable[[], None]) -> None:
        """Call `listener` on the event loop after every write of this process."""
        self._listeners.append(listener)

    @contextmanager
    def transaction(self, *, write: bool, durable: bool = False) -> Iterator[Connection]:
        """A transaction on this thread: for start-up and tests, never on the event loop."""
        try:
            with self.engine.connect() as connection:
                if self.kind == "postgresql" and not write:
                    # Otherwise each statement of a read would see another state of the data.
                    connection = connection.execution_options(isolation_level="REPEATABLE READ")
                with connection.begin():
                    if self.kind == "sqlite":
                        _begin_sqlite(connection, write=write, durable=durable)
                    yield connection
        except SQLAlchemyError as error:
            raise database_error(error, self.location) from error

    def _run(self, kind: Kind, query: Callable[..., T], *args: object, **kwargs: object) -> T:
        with self.transaction(write=kind != "read", durable=kind == "durable") as connection:
            return query(connection, *args, **kwargs)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_database(settings: Settings) -> Database:
    """Open the database the settings name, without changing it."""
    if settings.database_url:
        return _open_postgresql(settings.database_url)
    return open_sqlite(settings.data_dir / "paige.db")


def open_sqlite(path: Path) -> Database:
    """Open a SQLite file, created when missing. Raises: Unavailable when it is not one."""
    try:
        make_private(path.parent)
        # SQLite would make the file readable by everyone; it copies the mode to its other files.
        with open(path, "rb", opener=_open_private) as file:
            header = file.read(len(SQLITE_HEADER))
    except OSError as error:
        raise Refused(
            f"`{path}` cannot be opened: {error.strerror}",
            hint="Check who owns it, or set `DATA_DIR` to another folder.",
        ) from error
    if header and header != SQLITE_HEADER:
        raise _damaged(str(path), "it is not a SQLite file")
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
        pool_size=READERS + 2,
    )
    event.listen(engine, "connect", _prepare_sqlite)
    return Database(engine, str(path))


def _open_private(path: str, _: int) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def _prepare_sqlite(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = (
        None  # we say BEGIN ourselves, so that reads are in the transaction
    )
    _use_wal(connection)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch the file to WAL; two processes that open a new file at once get in each other's way.

    SQLite does not wait by itself here: whoever switches needs the file alone for a moment.
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(WAL_SECONDS)
        else:
            return


def _begin_sqlite(connection: Connection, *, write: bool, durable: bool) -> None:
    # Not in a listener for "begin": an engine with one looks for others at every statement.
    if not write:
        connection.exec_driver_sql("BEGIN")
        return
    level = "FULL" if durable else "NORMAL"
    if connection.info.get("synchronous") != level:
        connection.exec_driver_sql(f"PRAGMA synchronous={level}")
        connection.info["synchronous"] = level
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _open_postgresql(url: str) -> Database:
    try:
        address = make_url(url)
    except SQLAlchemyError as error:
        raise BadInput(
            "`DATABASE_URL` is not an address", hint="Write `postgresql://…`."
        ) from error
    if address.get_backend_name() != "postgresql":
        raise BadInput(
            f"`DATABASE_URL` names `{address.drivername}`",
            hint="Write `postgresql://…`, or leave it out for SQLite.",
        )
    try:
        engine = create_engine(
            address.set(drivername="postgresql+psycopg"), pool_size=READERS * 2, pool_pre_ping=True
        )
    except ModuleNotFoundError as error:
        raise Unavailable(
            "The PostgreSQL driver is not installed", hint="Install `paige[postgresql]`."
        ) from error
    return Database(engine, address.render_as_string(hide_password=True))


def database_error(error: SQLAlchemyError, location: str) -> PaigeError:
    """What a person is told when the database refused."""
    original = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    text = original.lower()
    if isinstance(error, IntegrityError | DataError | ProgrammingError):
        # These quote the values that were refused, so their words say nothing about the disk.
        return _refused(error, original)
    if "malformed" in text or "not a database" in text:
        return _damaged(location, original)
    if "disk i/o error" in text:
        return Unavailable(
            f"The disk of `{location}` could not be read or written; nothing was changed",
            hint="Is it full, or failing?",
        )
    if "readonly" in text or "read-only" in text or "unable to open" in text:
        return Refused(
            f"The database `{location}` may not be written",
            hint="Check the owner of the file and its folder.",
        )
    if "locked" in text or "busy" in text:
        return Unavailable(
            f"The database `{location}` is locked by another program",
            hint="Close it, or wait until it is done; nothing was changed.",
        )
    if "is full" in text or "no space left" in text:
        return Unavailable(
            f"The disk of `{location}` is full; nothing was changed", hint="Free some space."
        )
    if isinstance(error, DBAPIError) and (error.connection_invalidated or "connect" in text):
        return Unavailable(
            f"The database `{location}` does not answer", hint="Is the server running?"
        )
    return _refused(error, original)


def _refused(error: SQLAlchemyError, original: str) -> PaigeError:
    detail = original.strip() or type(error).__name__
    return PaigeError(f"The database refused: {detail.splitlines()[0]}")


def _damaged(location: str, detail: str) -> Unavailable:
    return Unavailable(
        f"The database `{location}` is damaged: {detail}",
        hint="It was left as it is. Move it away, or put a backup in its place.",
    )
