"""On whose terms code is run: how well it is isolated, how long it may take, who can stop it.

With accounts the code of one person must not reach the files of another, so nothing weaker than
bubblewrap will do unless the operator says so. A run belongs to whoever asked for it, and only that
person can stop it.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TypeVar, cast

from anyio import CancelScope, get_cancelled_exc_class
from anyio.to_thread import run_sync

from paige.base.actor import Actor
from paige.base.errors import PaigeError, Refused
from paige.base.settings import RUN_SECONDS, Settings
from paige.sandbox.isolation import strongest
from paige.sandbox.values import STRENGTH, Isolation, Limits, explain_isolation

Owner = tuple[str, str]
T = TypeVar("T")
_LEAVE_SECONDS = 10.0


class RunStopped(PaigeError):
    """Its owner stopped a run; no `Conflict`, after which whatever it was would be tried again."""

    status = 409
    code = "conflict"

    def __init__(self) -> None:
        super().__init__("You stopped this run, so nothing was tested", hint="Run it again.")


class Runs:
    """The code that is running in this process, by its owner; safe in any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[Owner, list[threading.Event]] = {}

    @contextmanager
    def running(self, owner: Owner) -> Iterator[threading.Event]:
        """A run of somebody; the event is set when they stop it."""
        stop = threading.Event()
        with self._lock:
            self._running.setdefault(owner, []).append(stop)
        try:
            yield stop
        finally:
            with self._lock:
                own = self._running[owner]
                own.remove(stop)
                if not own:
                    del self._running[owner]

    def stop(self, owner: Owner | None = None) -> int:
        """Stop what somebody runs, or everything; how many runs that were."""
        with self._lock:
            stops = [
                stop
                for whose, own in self._running.items()
                if owner in (None, whose)
                for stop in own
            ]
        for stop in stops:
            stop.set()
        return len(stops)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """What a run has to keep to. `least` is the weakest isolation it may have."""

    least: Isolation = "limits"
    seconds: float = RUN_SECONDS
    runs: Runs = field(default_factory=Runs)
    owner: Owner = ("", "")

    def isolation(self, wanted: Isolation | None = None) -> Isolation:
        """How a run is isolated here. Raises: Refused when that is not enough."""
        level = wanted or strongest()
        if STRENGTH.index(level) < STRENGTH.index(self.least):
            raise Refused(
                f"This Paige runs code in {self.least} only, and here {explain_isolation(level)}",
                hint="Ask whoever runs it to install bubblewrap, or to set `PAIGE_SANDBOX`; "
                "`paige doctor` says more.",
            )
        return level

    def limits(self, usual: Limits) -> Limits:
        """The limits of a run, with the time that is given here."""
        return replace(usual, wall_seconds=self.seconds, cpu_seconds=ceil(self.seconds))

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Do something that runs code in a thread; who cancels it stops the code as well."""
        ended = threading.Event()

        def whole() -> T:
            try:
                return work()
            finally:
                ended.set()

        try:
            return await run_sync(whole, abandon_on_cancel=True)
        except get_cancelled_exc_class():
            self.runs.stop(self.owner)
            with CancelScope(shield=True):
                await run_sync(ended.wait, _LEAVE_SECONDS)
            raise


def least_isolation(settings: Settings) -> Isolation:
    """The weakest isolation that learners' code may have: the operator's word, else by accounts."""
    if settings.sandbox:
        return cast("Isolation", settings.sandbox)
    return "bubblewrap" if settings.many else "limits"


def run_terms(settings: Settings, actor: Actor, runs: Runs) -> RunTerms:
    """The terms for the code of one person."""
    return RunTerms(
        least=least_isolation(settings),
        seconds=settings.run_seconds or RUN_SECONDS,
        runs=runs,
        owner=(actor.tenant, actor.person),
    )
