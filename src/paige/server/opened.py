"""Something that is opened when somebody first asks for it, and asked in a thread."""

from collections.abc import Callable
from functools import cached_property
from typing import Generic, TypeVar

from anyio.to_thread import run_sync

V = TypeVar("V")
T = TypeVar("T")


class Opened(Generic[V]):
    """A part of the server that reads files or brings heavy modules."""

    def __init__(self, open: Callable[[], V]) -> None:
        self._open = open

    @cached_property
    def _views(self) -> V:
        return self._open()

    async def ask(self, work: Callable[[V], T]) -> T:
        """Do something with it, in a thread."""
        return await run_sync(lambda: work(self._views))
