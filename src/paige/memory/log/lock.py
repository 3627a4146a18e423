"""The lock beside a log, kept open: taking it costs two system calls.

Closing and opening it for every event would cost more than everything else but the disk. A lock
file that someone deleted is noticed, and so is a process that was forked with the lock open, which
would otherwise share it with its parent. Where the system has no `flock`, the plain lock serves.
"""

import os
from contextlib import AbstractContextManager
from pathlib import Path

from paige.base import platform
from paige.base.files import make_private

_flock = platform.fcntl.flock if platform.fcntl else None
_TAKE = platform.fcntl.LOCK_EX if platform.fcntl else 0
_GIVE_BACK = platform.fcntl.LOCK_UN if platform.fcntl else 0


class FileLock:
    """A lock against everyone else, for one thread at a time; its folder is made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = -1
        self._process = 0
        self._plain: AbstractContextManager[None] | None = None

    def take(self) -> None:
        """Wait until nobody else holds it."""
        if _flock is None:
            make_private(self._path.parent)
            self._plain = platform.locked(self._path)
            self._plain.__enter__()
            return
        if self._process != os.getpid():
            self._open()
        while True:
            _flock(self._handle, _TAKE)
            if os.fstat(self._handle).st_nlink:
                return
            self._open()  # it was deleted, so the next one to come would not wait for us

    def give_back(self) -> None:
        """Let the next one have it."""
        if _flock is not None:
            _flock(self._handle, _GIVE_BACK)
        elif self._plain is not None:
            self._plain.__exit__(None, None, None)

    def close(self) -> None:
        """Let go of the file; it is opened again when it is needed."""
        handle, self._handle, self._process = self._handle, -1, 0
        if handle >= 0:
            os.close(handle)

    __del__ = close

    def _open(self) -> None:
        self.close()
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        try:
            self._handle = os.open(self._path, flags, 0o600)
        except FileNotFoundError:
            make_private(self._path.parent)
            self._handle = os.open(self._path, flags, 0o600)
        self._process = os.getpid()
