"""How deep property tests look: a little in every run, a lot in `make soak`."""

import os

DEEP = bool(os.environ.get("PAIGE_DEEP"))
"""Whether this is the soak, which sets it."""
EVERYDAY_SHARE = 5


def examples(count: int) -> int:
    """How many examples of a property to try, of the `count` that the soak tries."""
    return count if DEEP else max(3, count // EVERYDAY_SHARE)
