"""The workspace in a server: every change is told to all windows, whoever made it.

What goes through here is told at once. What an agent, a terminal or an editor changes is seen by
watching the folder, which begins with the first use: who only uses other doors has no workspace.
"""

import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import TypeVar

import anyio
from anyio import from_thread
from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.app.application import App
from paige.app.places import workspace_documents, workspace_in_table
from paige.base.errors import PaigeError
from paige.plan.files import (
    PlanFile,
    PlanText,
    delete_file,
    is_memory,
    workspace_path,
    write_file,
)
from paige.plan.messages import PlanFileChanged
from paige.store.documents import Documents, folder_of, version_of
from paige.store.messages import publish

T = TypeVar("T")
logger = logging.getLogger(__name__)
MOST_TOLD = 100
"""So many files of one moment are named; who gets this many reads the whole list again anyway."""
GONE = ""
"""The version of a file that is not there."""


class PlanFiles:
    """The workspace of the person that a server acts for."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._used = anyio.Event()
        self._told: dict[str, str] = {}  # by path: the version that windows know of

    @asynccontextmanager
    async def running(self) -> AsyncIterator["PlanFiles"]:
        """Watch the folder until the block is left."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch)
            try:
                yield self
            finally:
                tasks.cancel_scope.cancel()

    async def use(self, work: Callable[[Documents], T]) -> T:
        """Do something with the workspace, in a thread."""
        found = await run_sync(lambda: work(workspace_documents(self._app)))
        self._used.set()
        return found

    async def write(self, path: str, text: str, version: str | None) -> PlanText:
        """Store a text made from a version, or a new file. Raises: Conflict, Refused, BadInput."""

        def store(documents: Documents) -> PlanText:
            plain = workspace_path(documents, path)
            with self._expecting(plain, version_of(text)):
                return write_file(documents, plain, text, version)

        opened = await self.use(store)
        if not workspace_in_table(self._app.settings):
            await self._tell([PlanFileChanged(path=opened.path, action="written")])
        return opened

    async def delete(self, path: str, version: str | None) -> PlanFile:
        """Remove a file. Raises: NotFound, Conflict, Refused."""

        def remove(documents: Documents) -> PlanFile:
            plain = workspace_path(documents, path)
            with self._expecting(plain, GONE):
                return delete_file(documents, plain, version)

        gone = await self.use(remove)
        if not workspace_in_table(self._app.settings):
            await self._tell([PlanFileChanged(path=gone.path, action="deleted")])
        return gone

    @contextmanager
    def _expecting(self, path: str, version: str) -> Iterator[None]:
        """Know of a version before it is there: the watcher may be quicker than who writes it."""
        known = self._told.get(path)
        self._told[path] = version
        try:
            yield
        except BaseException:
            if known is None:
                self._told.pop(path, None)
            else:
                self._told[path] = known
            raise

    async def _watch(self) -> None:
        await self._used.wait()
        stop = Event()
        try:
            documents = await run_sync(workspace_documents, self._app)
            folder = folder_of(documents)
            if folder is None:
                return  # a change in the database is told with it, whoever made it
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._follow, documents, folder, stop)
                try:
                    await anyio.sleep_forever()
                finally:
                    stop.set()  # the thread looks at it, and not at who is cancelled
        except PaigeError as error:
            logger.warning("The workspace cannot be watched: %s", error.message)

    async def _follow(self, documents: Documents, folder: Path, stop: Event) -> None:
        # The watcher always holds a thread; it must not be one of those that others wait for.
        own = anyio.CapacityLimiter(1)
        try:
            await run_sync(self._hear, documents, folder, stop, limiter=own)
        except (OSError, RuntimeError, PaigeError) as error:
            # Windows then hear only of what goes through this server.
            logger.warning("The workspace is not watched any more: %s", error)

    def _hear(self, documents: Documents, root: Path, stop: Event) -> None:
        """Tell of changes until stopped, in a thread."""
        from watchfiles import watch  # noqa: PLC0415 - a native library; few processes watch

        for changes in watch(root, step=20, debounce=100, stop_event=stop, raise_interrupt=False):
            found = self._news(
                documents, root, {Path(name).relative_to(root).as_posix() for _, name in changes}
            )
            if found:
                from_thread.run(self._tell, found[:MOST_TOLD])

    def _news(
        self, documents: Documents, root: Path, paths: Iterable[str]
    ) -> list[PlanFileChanged]:
        """Messages about the files that windows know another version of."""
        found: list[PlanFileChanged] = []
        for path in sorted(paths):
            hidden = any(part.startswith(".") for part in path.split("/"))
            if hidden or is_memory(path) or (root / path).is_dir():
                continue
            version = _version(documents, root, path)
            if self._told.get(path) != version:
                self._told[path] = version
                action = "deleted" if version == GONE else "written"
                found.append(PlanFileChanged(path=path, action=action))
        return found

    async def _tell(self, messages: Iterable[PlanFileChanged]) -> None:
        await self._app.database.write(partial(_publish, self._app, list(messages)))


def _publish(app: App, messages: list[PlanFileChanged], connection: Connection) -> None:
    for message in messages:
        publish(connection, app.actor, message, now=app.now())


def _version(documents: Documents, root: Path, path: str) -> str:
    try:
        return documents.read(path).version
    except PaigeError:
        place = root / path
        # Something that is not text counts by its size: nobody edits it here.
        return f"{place.stat().st_size} bytes" if place.is_file() else GONE
