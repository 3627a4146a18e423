"""Who may read what Paige writes: its owner only, unless somebody said where it should go.

A process of Paige takes every right from others at its start, so that nothing it keeps can be
forgotten. What people name themselves, their project's files, and the programs that run for them
follow the umask they came with.
"""

import os

_OWN = 0o077
_persons: int | None = None  # the umask belongs to the process, and so does this


def keep_private() -> None:
    """Make everything from here on for its owner only; who set the umask before is remembered."""
    global _persons
    if _persons is None:
        _persons = os.umask(_OWN)


def persons_umask() -> int:
    """The umask that this process was started with."""
    if _persons is not None:
        return _persons
    found = os.umask(_OWN)
    os.umask(found)
    return found
