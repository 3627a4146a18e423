"""Whether everything the server depends on answers: each asked by itself, each for a moment only.

A dependency that hangs must not hang the answer, and must not collect threads: while one look at it
is under way there is no second one, and whoever asks waits for the same, for two seconds. What is
told is for anyone to read, so it says what is wrong and never where anything is; that goes to the
log.
"""

import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

import anyio
from anyio.abc import TaskGroup
from anyio.to_thread import run_sync

from paige.app.application import App
from paige.app.run_takeover_queries import waiting_runs
from paige.base.errors import BadInput, PaigeError, Unavailable
from paige.base.settings import Settings
from paige.doors.frame.metrics.queries import memory_log_answers
from paige.store.engine import Database
from paige.store.queries import latest_event

logger = logging.getLogger(__name__)
T = TypeVar("T")
READY_SECONDS = 2.0
MOST_BEHIND = 1000
MOST_WAITING = 500
STILL_SECONDS = 15.0  # three times as long as the bus takes to look by itself
GONE = "unavailable"
Ask = Callable[[], str]
"""Looks at a dependency, in a thread: empty when it is ready, else what is wrong."""


@dataclass(eq=False, slots=True)
class _Flight(Generic[T]):
    done: anyio.Event = field(default_factory=anyio.Event)
    value: T | None = None
    error: Exception | None = None


class Look(Generic[T]):
    """A blocking question, asked in a thread, once at a time."""

    def __init__(self, ask: Callable[[], T]) -> None:
        self._ask = ask
        self._flight: _Flight[T] | None = None

    async def answer(self, tasks: TaskGroup, *, seconds: float) -> T:
        """The answer. Raises: TimeoutError, and whatever the question raises."""
        if self._flight is None:
            self._flight = _Flight()
            tasks.start_soon(self._fly, self._flight)
        flight = self._flight
        with anyio.fail_after(seconds):
            await flight.done.wait()
        if flight.error is not None:
            raise flight.error
        return flight.value  # type: ignore[return-value]  # there is no error, so there is a value

    async def _fly(self, flight: _Flight[T]) -> None:
        try:
            # The thread may outlive the server: it only reads.
            flight.value = await run_sync(self._ask, abandon_on_cancel=True)
        except Exception as error:  # noqa: BLE001 - whoever asked is told; the server goes on
            flight.error = error
        finally:
            self._flight = None
            flight.done.set()


class Readiness:
    """What the server depends on, and how it is."""

    def __init__(self, app: App, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._monotonic = monotonic
        self._tasks: TaskGroup | None = None
        self._latest = Look(lambda: read_latest(app.database))
        self._stands = (0, 0.0)  # a place in the stream, and since when it is seen there
        self._checks: dict[str, Look[str]] = {}
        for name, ask in own_checks(app).items():
            self.add_check(name, ask)

    def add_check(self, name: str, ask: Ask) -> None:
        """Ask this, too; `ask` blocks, in a thread of its own."""
        self._checks[name] = Look(ask)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Readiness"]:
        """Look until the block is left."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield self
            finally:
                self._tasks = None
                tasks.cancel_scope.cancel()

    async def look(self) -> dict[str, str]:
        """Every dependency by name: `ok`, or what is wrong."""
        found = dict.fromkeys(("database", "events", *self._checks), GONE)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._look_at_stream, found)
            for name, look in self._checks.items():
                tasks.start_soon(self._look_at, name, look, found)
        return found

    async def _look_at_stream(self, found: dict[str, str]) -> None:
        try:
            latest = await self._ask(self._latest)
        except (PaigeError, TimeoutError) as error:
            # Anyone may ask, so where the database is goes to the log only.
            logger.warning("The database is not ready: %s", error or "it took too long")
            return
        found["database"] = "ok"
        found["events"] = self._stream_state(latest)

    def _stream_state(self, latest: int) -> str:
        seq, now = self._app.bus.seq, self._monotonic()
        if seq != self._stands[0] or seq >= latest:
            self._stands = (seq, now)
        return stream_state(latest - seq, stood=now - self._stands[1])

    async def _look_at(self, name: str, look: Look[str], found: dict[str, str]) -> None:
        try:
            found[name] = await self._ask(look) or "ok"
        except (PaigeError, OSError, TimeoutError) as error:
            logger.warning("`%s` is not ready: %s", name, error or "it took too long")
        except Exception:
            logger.exception("`%s` could not be looked at", name)

    async def _ask(self, look: Look[T]) -> T:
        if self._tasks is None:
            raise Unavailable("Paige is stopping")
        return await look.answer(self._tasks, seconds=READY_SECONDS)


def is_ready(states: Mapping[str, str]) -> bool:
    """Whether everything is."""
    return all(state == "ok" for state in states.values())


def stream_state(behind: int, *, stood: float) -> str:
    """How the event stream is: `behind` events are not handed out, and none was for `stood`."""
    if behind <= 0:
        return "ok"
    if stood > STILL_SECONDS:
        return "stands still"
    return "ok" if behind <= MOST_BEHIND else f"{behind} events behind"


def own_checks(app: App) -> dict[str, Ask]:
    """What a server with these settings depends on, besides its database and the event stream."""
    checks: dict[str, Ask] = {}
    memory = memory_check(app.settings, app.database)
    if memory is not None:
        checks["memory"] = memory
    if app.database.kind == "postgresql":
        checks["queue"] = lambda: queue_state(app)
    if app.settings.chromadb_url:
        checks["chroma"] = lambda: chroma_state(app.settings.chromadb_url)
    return checks


def memory_check(settings: Settings, database: Database) -> Ask | None:
    """How to look at the memory log; `None` when there is no place for one."""
    if settings.database_url and settings.given_memory_path is None:
        return lambda: _in_table(database)
    try:
        path = settings.memory_path
    except BadInput:  # no home, so no memory either
        return None
    return lambda: log_state(path)


def log_state(path: Path) -> str:
    """Whether a memory log can be read and written; one that is not there yet can be made."""
    try:
        with path.open("rb") as file:
            file.read(1)
    except FileNotFoundError:
        near = next(folder for folder in path.parents if folder.exists())
        return "" if os.access(near, os.W_OK | os.X_OK) else "cannot be written"
    return "" if os.access(path, os.W_OK) else "cannot be written"


def chroma_state(url: str) -> str:
    """Whether a Chroma server answers. Raises: Unavailable."""
    import httpx2  # noqa: PLC0415 - only who uses Chroma pays for it

    try:
        answer = httpx2.get(f"{url}/api/v2/heartbeat", timeout=READY_SECONDS, trust_env=False)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Unavailable(f"Chroma does not answer: {type(error).__name__}") from error
    return "" if answer.is_success else f"answers {answer.status_code}"


def queue_state(app: App) -> str:
    """Whether runs that wait for a server can be looked for, and are not far too many."""
    with app.database.system.transaction(write=False) as connection:
        found = waiting_runs(connection, app.now(), limit=MOST_WAITING)
    waiting = sum(each.lease is None or each.lease.until <= found.at for each in found.waiting)
    return "" if waiting < MOST_WAITING else f"{waiting} runs or more wait for a server"


def read_latest(database: Database) -> int:
    """The number of the newest event, on this thread."""
    with database.system.transaction(write=False) as connection:
        return latest_event(connection)


def _in_table(database: Database) -> str:
    with database.system.transaction(write=False) as connection:
        memory_log_answers(connection)
    return ""
