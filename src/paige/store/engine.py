"""The database: one engine, many readers off the event loop, one writer at a time on SQLite.

`read` and `write` run a plain query function in a thread, inside one transaction. What a driver
says when a file is damaged, locked, full or read-only becomes one of our errors here, once.

PostgreSQL is told for whom each transaction works: for the actor among the arguments of the query,
or for whom the handle was made (`of`, `of_tenant`, `system`). Without one it shows no row.
"""

import copy
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Concatenate, Literal, ParamSpec, TypeVar, cast

import anyio.to_thread
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError, Refused, Unavailable
from paige.base.files import make_private
from paige.base.settings import Settings
from paige.store.row_security import (
    SYSTEM,
    TransactionActor,
    acting_for,
    acting_for_tenant,
    found_in,
    say,
)

P = ParamSpec("P")
T = TypeVar("T")
Query = Callable[Concatenate[Connection, P], T]
Kind = Literal["read", "write", "durable"]

READERS = 4
BUSY_SECONDS = 5.0
WAL_SECONDS = 0.01
# A PostgreSQL that is gone without a word is noticed in a quarter of a minute, not of an hour.
NOTICES_A_GAP = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
NOTICED_BY_POSTGRESQL = (
    "SET idle_in_transaction_session_timeout = '30s'; SET tcp_keepalives_idle = 5;"
    " SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 15000"
)
SQLITE_HEADER = b"SQLite format 3\x00"
# Files that this process has looked into before SQLite opened them.
_looked_into: set[tuple[str, int, int]] = set()
_looking = threading.Lock()


class DatabaseAway(Unavailable):
    """The database cannot be reached now; what was asked may be tried again."""


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
        self._acting: TransactionActor | None = None

    def of(self, actor: Actor) -> "Database":
        """The same database for the work of one person, whatever a query is given."""
        return self._handle(acting_for(actor))

    def of_tenant(self, tenant: str) -> "Database":
        """The same database for work that everyone of a tenant shares."""
        return self._handle(acting_for_tenant(tenant))

    @property
    def system(self) -> "Database":
        """The same database for the server's own work, which nobody asked for."""
        return self._handle(SYSTEM)

    def _handle(self, acting: TransactionActor) -> "Database":
        handle = copy.copy(self)  # connections, limits and listeners are shared
        handle._acting = acting
        return handle

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

    @property
    def waiting(self) -> int:
        """How many wait for a connection now."""
        limits = (self._readers, self._writers)
        return sum(limit.statistics().tasks_waiting for limit in limits)

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
                    elif self._acting is not None:
                        say(connection, self._acting)
                    yield connection
        except SQLAlchemyError as error:
            raise database_error(error, self.location) from error

    def _run(self, kind: Kind, query: Callable[..., T], *args: object, **kwargs: object) -> T:
        with self.transaction(write=kind != "read", durable=kind == "durable") as connection:
            if self.kind == "postgresql" and self._acting is None:
                acting = found_in(query, args, kwargs)
                if acting is not None:
                    say(connection, acting)
            return query(connection, *args, **kwargs)

    @property
    def exists(self) -> bool:
        """Whether it is there; one that is opened late may not have been made yet."""
        return True

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


class LateDatabase(Database):
    """Opened, and brought up to date, when something first needs it.

    Many commands only read and write files: they need no database, and work beside a broken one.
    """

    def __init__(self, settings: Settings, prepare: Callable[[Database], None]) -> None:
        """`prepare` brings it up to date."""
        self._settings = settings
        self._prepare = prepare
        self._opened: list[Database] = []  # shared by every handle
        self._opening = threading.Lock()
        sqlite = not settings.database_url
        unopened = cast(Engine, _EngineKind("sqlite" if sqlite else "postgresql"))
        super().__init__(unopened, self._place)

    @property
    def _place(self) -> str:
        if self._settings.database_url:
            return make_url(self._settings.database_url).render_as_string(hide_password=True)
        return str(self._settings.data_dir / "paige.db")

    @property
    def engine(self) -> Engine:  # type: ignore[override] - opened when it is asked for
        """The engine."""
        with self._opening:
            if not self._opened:
                database = open_database(self._settings)
                try:
                    self._prepare(database)
                except BaseException:
                    database.close()
                    raise
                self._opened.append(database)
            return self._opened[0].engine

    @engine.setter
    def engine(self, _: Engine) -> None:
        """There is none to begin with."""

    @property
    def exists(self) -> bool:
        """Whether it is there."""
        return bool(self._settings.database_url or self._opened) or Path(self._place).exists()

    def close(self) -> None:
        """Close every connection, if it was opened."""
        if self._opened:
            self._opened[0].close()


class _EngineKind:
    """What is known of an engine before it is opened: its kind."""

    def __init__(self, name: str) -> None:
        self.dialect = self
        self.name = name


def open_database(settings: Settings) -> Database:
    """Open the database the settings name, without changing it."""
    if settings.database_url:
        return _open_postgresql(settings.database_url)
    return open_sqlite(settings.data_dir / "paige.db")


def open_owner(settings: Settings) -> Database | None:
    """The database as its owner, who may change tables; `None` where nobody said who that is."""
    if not settings.database_url or not settings.database_owner_url:
        return None
    return _open_postgresql(settings.database_owner_url, "DATABASE_OWNER_URL")


def open_sqlite(path: Path) -> Database:
    """Open a SQLite file, created when missing. Raises: Unavailable when it is not one."""
    try:
        make_private(path.parent)
        is_ours = _is_ours(path)
    except OSError as error:
        raise Refused(
            f"`{path}` cannot be opened: {error.strerror}",
            hint="Check who owns it, or set `DATA_DIR` to another folder.",
        ) from error
    if not is_ours:
        raise _damaged(str(path), "it is not a SQLite file")
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
        pool_size=READERS + 2,
    )
    event.listen(engine, "connect", _prepare_sqlite)
    return Database(engine, str(path))


def _is_ours(path: Path) -> bool:
    """Whether the file is one of SQLite; it is made when missing.

    Who closes a file gives back every lock of the process on it, those of SQLite too. The next
    program would take the database for unused and delete what was not yet moved into it. So we look
    into a file before SQLite opens it, and never again in this process.
    """
    with _looking:
        if path.exists() and _name(path, path.stat()) in _looked_into:
            return True
        # SQLite would make the file readable by everyone; it copies the mode to its other files.
        with open(path, "rb", opener=_open_private) as file:
            header = file.read(len(SQLITE_HEADER))
            name = _name(path, os.fstat(file.fileno()))
        if header and header != SQLITE_HEADER:
            return False
        _looked_into.add(name)
        return True


def _name(path: Path, found: os.stat_result) -> tuple[str, int, int]:
    """A file and where it is: another one that was put there since is not the same."""
    return str(path.resolve()), found.st_dev, found.st_ino


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


def _open_postgresql(url: str, name: str = "DATABASE_URL") -> Database:
    try:
        address = make_url(url)
    except SQLAlchemyError as error:
        raise BadInput(f"`{name}` is not an address", hint="Write `postgresql://…`.") from error
    if address.get_backend_name() != "postgresql":
        raise BadInput(
            f"`{name}` names `{address.drivername}`",
            hint="Write `postgresql://…`, or leave it out for SQLite.",
        )
    try:
        engine = create_engine(
            address.set(drivername="postgresql+psycopg"),
            pool_size=READERS * 2,
            pool_pre_ping=True,
            connect_args=NOTICES_A_GAP,
        )
        event.listen(engine, "connect", _prepare_postgresql)
    except ModuleNotFoundError as error:
        raise Unavailable(
            "The PostgreSQL driver is not installed", hint="Install `paige[postgresql]`."
        ) from error
    return Database(engine, address.render_as_string(hide_password=True))


def _prepare_postgresql(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Let PostgreSQL notice, too, that nobody is there any more.

    Otherwise a server that was cut off in a transaction would keep its locks, and everybody else
    would wait for the one that orders events, for hours.
    """
    cursor = connection.cursor()
    cursor.execute(NOTICED_BY_POSTGRESQL)
    cursor.close()
    connection.commit()


# What a driver says, and what a person is told then; the first that fits counts.
_REFUSALS: tuple[tuple[tuple[str, ...], type[PaigeError], str, str], ...] = (
    (("disk i/o error",), Unavailable,
     "The disk of `{}` could not be read or written; nothing was changed",
     "Is it full, or failing?"),
    (("readonly", "read-only", "unable to open"), Refused,
     "The database `{}` may not be written", "Check the owner of the file and its folder."),
    (("locked", "busy"), Unavailable, "The database `{}` is locked by another program",
     "Close it, or wait until it is done; nothing was changed."),
    (("is full", "no space left"), Unavailable, "The disk of `{}` is full; nothing was changed",
     "Free some space."),
    (("lock timeout",), DatabaseAway,
     "The database `{}` is busy with something else; nothing was changed",
     "Try again in a while."),
)  # fmt: skip


def database_error(error: SQLAlchemyError, location: str) -> PaigeError:
    """What a person is told when the database refused."""
    original = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    text = original.lower()
    # A year that no moment in UTC has is out of range before the database sees it.
    is_value = isinstance(error, DataError) or isinstance(error.__cause__, OverflowError)
    if is_value and ("nul (0x00)" in text or "out of range" in text):
        # Only who sent the value can mend it; SQLite would take it and find nothing.
        return BadInput(f"The database cannot keep this value: {original.splitlines()[0]}")
    if isinstance(error, IntegrityError | DataError | ProgrammingError):
        # These quote the values that were refused, so their words say nothing about the disk.
        return _refused(error, original)
    if "malformed" in text or "not a database" in text:
        return _damaged(location, original)
    for words, kind, message, hint in _REFUSALS:
        if any(each in text for each in words):
            return kind(message.format(location), hint=hint)
    if isinstance(error, DBAPIError) and (error.connection_invalidated or "connect" in text):
        return DatabaseAway(
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
