"""Operations on numbers, to be tools of a test."""

from dataclasses import dataclass
from typing import Annotated

import anyio
from pydantic import Field

from paige.app.application import App
from paige.base.errors import NotFound
from paige.base.wire import WIRE
from paige.doors.frame.caller import caller
from paige.doors.frame.operations import Subject

NUMBERS = Subject("numbers")
begun: list[anyio.Event] = []
"""Set when `forever` runs."""


@dataclass(frozen=True, slots=True)
class Number:
    """What they take."""

    __pydantic_config__ = WIRE

    number: Annotated[int, Field(ge=0)]


@NUMBERS.read
def half(_: App, given: Number) -> int | None:
    """Half of a number."""
    match given.number:
        case 0:
            raise NotFound("Nothing is half of nothing", hint="Try 2.")
        case 13:
            raise ZeroDivisionError("secret detail")
        case odd if odd % 2:
            return None
        case even:
            return even // 2


@NUMBERS.read
async def forever(_: App, given: Number) -> int:
    """Waits."""
    begun[-1].set()
    await anyio.sleep_forever()
    return given.number


@NUMBERS.read
async def count(_: App, given: Number) -> int:
    """Counts."""
    for done in range(given.number):
        await caller().progress(done, given.number, f"step {done}")
    return given.number
