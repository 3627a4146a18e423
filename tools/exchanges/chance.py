"""Chance of this process, the same every time: what a script prepares gets the same ids again.

It is put in its place when this module is imported, before anything that holds on to the real one.
"""

import os
import random
import secrets  # noqa: F401 - holds on to the real source
import threading

_own = threading.local()


def begin_anew(seed: str) -> None:
    """From now on this thread draws the same bytes as every time."""
    _own.random = random.Random(seed)


def _drawn(size: int) -> bytes:
    if not hasattr(_own, "random"):
        begin_anew("")
    return _own.random.randbytes(size)


os.urandom = _drawn
