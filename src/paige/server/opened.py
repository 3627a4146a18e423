"""Something that is opened for a desk when somebody first asks for it, and asked in a thread."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from anyio.to_thread import run_sync

from paige.app.application import App
from paige.base.actor import Actor

V = TypeVar("V")
T = TypeVar("T")
MOST_OPEN = 64


class Opened(Generic[V]):
    """A part of the server that reads files or brings heavy modules, one for each desk."""

    def __init__(self, open: Callable[[App], V]) -> None:
        self._open = open
        self._lock = threading.Lock()
        self._views: OrderedDict[Actor, V] = OrderedDict()

    async def ask(self, desk: App, work: Callable[[V], T]) -> T:
        """Do something with that of a desk, in a thread."""
        return await run_sync(lambda: work(self.of(desk)))

    def of(self, desk: App) -> V:
        """That of a desk; the one that was not asked for longest makes room."""
        with self._lock:
            if desk.actor not in self._views:
                self._views[desk.actor] = self._open(desk)
            self._views.move_to_end(desk.actor)
            if len(self._views) > MOST_OPEN:
                self._views.popitem(last=False)
            return self._views[desk.actor]
