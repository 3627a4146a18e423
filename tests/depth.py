"""How deep property tests look: a little in every run, a lot in `make soak`."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

DEEP = bool(os.environ.get("PAIGE_DEEP"))
"""Whether this is the soak, which sets it."""
EVERYDAY_SHARE = 5


def examples(count: int) -> int:
    """How many examples of a property to try, of the `count` that the soak tries."""
    return count if DEEP else max(3, count // EVERYDAY_SHARE)


def every_second(names: Iterable[str]) -> list[Any]:
    """Cases of which every second one is left to `make soak`: each starts processes of its own."""
    marks = ((), (pytest.mark.soak,))
    return [pytest.param(name, marks=marks[number % 2]) for number, name in enumerate(names)]
