"""Keeps what was made from files until one of them changes: most requests change nothing."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
Stamp = tuple[str, int, int, int, int]
"""Path, inode, size and the moments of the last change."""
_TICK = 100_000_000  # nanoseconds: file systems tell moments apart that are further apart than this


class FileCache(Generic[T]):
    """Values by key, each good for the files it was made from. Whoever gets one only reads it."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._known: OrderedDict[Hashable, tuple[tuple[Stamp, ...], T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, paths: Iterable[Path], make: Callable[[], T]) -> T:
        """What was made before, or what `make` gives where a file has changed since."""
        stamps = stamps_of(paths)
        if stamps is None:
            return make()
        with self._lock:
            known = self._known.get(key)
            if known is not None and known[0] == stamps:
                self._known.move_to_end(key)
                return known[1]
        value = make()
        with self._lock:
            self._known[key] = (stamps, value)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return value


def stamps_of(paths: Iterable[Path]) -> tuple[Stamp, ...] | None:
    """What tells whether files have changed, without reading them.

    Nothing when one was written so lately that the next change might have the same stamp.
    """
    found: list[Stamp] = []
    lately = time.time_ns() - _TICK
    for path in paths:
        try:
            facts = path.stat()
        except OSError:
            return None
        if max(facts.st_mtime_ns, facts.st_ctime_ns) > lately:
            return None
        found.append((str(path), facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns))
    return tuple(found)
