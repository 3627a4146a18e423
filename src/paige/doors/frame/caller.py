"""Who waits while an operation goes on, for those that say more than their answer."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from paige.coach.messages import Reply

Progress = Callable[[int, int, str], Awaitable[None]]


async def unheard(done: int, total: int, message: str) -> None:
    """Progress that nobody asked for."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A window that sent a message, or a client that called a tool.

    `trusted` windows are Paige's own pages on this machine, or have given the passcode.
    """

    reply: Reply | None = None
    trusted: bool = False
    progress: Progress = unheard


_NOBODY = Caller()
_CALLER: ContextVar[Caller] = ContextVar("caller", default=_NOBODY)


def caller() -> Caller:
    """Whoever waits for the operation that runs now."""
    return _CALLER.get()


@contextmanager
def called_by(who: Caller) -> Iterator[None]:
    """What is begun in the block is begun for somebody."""
    token = _CALLER.set(who)
    try:
        yield
    finally:
        _CALLER.reset(token)
