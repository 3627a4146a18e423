"""How many runs go on at once: of one person, and at one server, whoever's they are.

A run holds a connection to a model, its journal and what it wrote so far. Beyond these limits a
server would get slower for everybody, so whoever asks is told which limit it is and when to come
again. Questions that were answered go on all the same: the answer is kept already.
"""

from typing import Protocol
from weakref import WeakKeyDictionary, WeakSet

from sqlalchemy import Engine

from paige.base.actor import Actor
from paige.base.errors import Unavailable

MOST_RUNS = 32
MOST_OF_ONE = 8


class PersonRuns(Protocol):
    """Somebody's runs at this server."""

    def stop_here(self, run: str, actor: Actor) -> None:
        """Stop a run, if it is worked on here and theirs."""
        ...

    @property
    def going_on(self) -> int:
        """How many there are, those about to begin among them."""
        ...


_OPEN: WeakKeyDictionary[Engine, WeakSet[PersonRuns]] = WeakKeyDictionary()
"""By installation: everybody's runs in this process."""


def join(engine: Engine, runs: PersonRuns) -> None:
    """Count somebody's runs among those of this server."""
    _OPEN.setdefault(engine, WeakSet()).add(runs)


def stop_here(engine: Engine, run: str, actor: Actor) -> None:
    """Stop a run, whoever's it is at this server, because its person said so at another one."""
    for each in list(_OPEN.get(engine, ())):
        each.stop_here(run, actor)


def has_room(engine: Engine, runs: PersonRuns) -> bool:
    """Whether one more run of this person can go on here."""
    return _full(engine, runs) is None


def check_room(engine: Engine, runs: PersonRuns) -> None:
    """Let one more run begin. Raises: Unavailable naming the limit."""
    full = _full(engine, runs)
    if full is not None:
        raise full


def _full(engine: Engine, runs: PersonRuns) -> Unavailable | None:
    if runs.going_on >= MOST_OF_ONE:
        return Unavailable(
            f"{MOST_OF_ONE} of your runs go on already, which is the most for one person",
            hint="Wait until one of them ends or asks, or stop one.",
        )
    if sum(each.going_on for each in _OPEN.get(engine, ())) >= MOST_RUNS:
        return Unavailable(
            f"{MOST_RUNS} runs go on at this server already, which is the most it works on",
            hint="Try again in a while.",
        )
    return None
