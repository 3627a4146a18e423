"""What is opened for people: one of each kind for each person, closed when nobody used it for long.

Whatever is opened lives in a task of its own, so that it may have tasks and contexts; whoever comes
while it opens waits for it. A person is their tenant and name: roles may change while it is open.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from anyio.abc import TaskGroup

from paige.base.errors import Unavailable

if TYPE_CHECKING:
    from paige.app.application import App

T = TypeVar("T")
Key = tuple[str, str, str]
"""Tenant, person, and what was opened."""
MAX_OPEN = 256
IDLE_SECONDS = 900.0
LOOK_SECONDS = 60.0


@dataclass(eq=False, slots=True)
class _Opening:
    """Something that opens, or is open."""

    app: "App"
    used: float
    ready: anyio.Event = field(default_factory=anyio.Event)
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    value: Any = None
    error: Exception | None = None

    @property
    def busy(self) -> bool:
        """Whether somebody would miss it: it is not open yet, or says that work goes on in it."""
        return not self.ready.is_set() or bool(getattr(self.value, "busy", False))


class Openings:
    """Everything that is open in this process."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._tasks: TaskGroup | None = None
        self._open: dict[Key, _Opening] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Openings"]:
        """Keep things open until the block is left, then close them all."""
        failed: Exception | None = None
        try:
            async with anyio.create_task_group() as self._tasks:
                self._tasks.start_soon(self._tidy_up)
                try:
                    yield self
                except Exception as error:  # noqa: BLE001 - raised again, and not in a group
                    failed = error
                self._tasks.cancel_scope.cancel()
        finally:
            self._tasks = None
            self._open.clear()
        if failed is not None:
            raise failed

    async def open(
        self, app: "App", name: str, opens: Callable[["App"], AbstractAsyncContextManager[T]]
    ) -> T:
        """What `opens` gives for a person, opened once.

        Raises: Unavailable when Paige stops or is full, and whatever opening it raises.
        """
        key = (app.actor.tenant, app.actor.person, name)
        opening = self._open.get(key) or self._begin(key, app, opens)
        opening.used = self._monotonic()
        await opening.ready.wait()
        if opening.error is not None:
            raise opening.error
        return opening.value

    @property
    def apps(self) -> list["App"]:
        """The applications of people for whom something is open."""
        return [each.app for each in self._open.values()]

    def close_idle(self) -> None:
        """Close what nobody used for long and where nothing goes on."""
        before = self._monotonic() - IDLE_SECONDS
        for key, each in list(self._open.items()):
            if each.used <= before and not each.busy:
                del self._open[key]
                each.scope.cancel()

    def _begin(
        self, key: Key, app: "App", opens: Callable[["App"], AbstractAsyncContextManager[T]]
    ) -> _Opening:
        if self._tasks is None:
            raise Unavailable("Paige is stopping", hint="Try again when it has started.")
        if self._is_full(key[2]):
            self.close_idle()
        if self._is_full(key[2]):
            raise Unavailable(
                f"{MAX_OPEN} people use `{key[2]}` at this server already",
                hint="Try again in a while.",
            )
        opening = self._open[key] = _Opening(app, self._monotonic())
        self._tasks.start_soon(self._keep, key, opening, opens)
        return opening

    async def _keep(
        self,
        key: Key,
        opening: _Opening,
        opens: Callable[["App"], AbstractAsyncContextManager[object]],
    ) -> None:
        try:
            with opening.scope:
                async with opens(opening.app) as opening.value:
                    opening.ready.set()
                    await anyio.sleep_forever()
        except Exception as error:  # noqa: BLE001 - raised again to everyone who waits for it
            opening.error = error
        finally:
            if opening.error is None and not opening.ready.is_set():
                opening.error = Unavailable("Paige is stopping", hint="Try again in a moment.")
            opening.ready.set()
            if self._open.get(key) is opening:
                del self._open[key]

    def _is_full(self, name: str) -> bool:
        return sum(key[2] == name for key in self._open) >= MAX_OPEN

    async def _tidy_up(self) -> None:
        while True:
            await anyio.sleep(LOOK_SECONDS)
            self.close_idle()
