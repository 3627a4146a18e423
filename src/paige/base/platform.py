"""The differences between operating systems: file locks and process identity.

`fcntl` and its kin are imported here and in `sandbox`, nowhere else, and their absence is not an
error at import.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

try:
    import fcntl
except ImportError:  # native Windows
    fcntl = None

if sys.platform == "win32":
    import msvcrt

_PR_SET_DUMPABLE = 4
UNKNOWN = "unknown"
"""The start of a process that runs, where the system does not tell more."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on `path`, created when missing, against everyone else."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        elif sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        yield
    finally:
        os.close(handle)  # closing the handle gives the lock back


@cache
def hide_from_others() -> None:
    """Let no process of the same user read the memory, the environment or the files of this one."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - hooks start without it

        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def process_start(pid: int) -> str | None:
    """A text that tells two processes with the same id apart; `None` when none runs."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return None if Path("/proc/self/stat").exists() or not _alive(pid) else UNKNOWN
    except OSError:
        return UNKNOWN
    # The name in brackets may hold spaces; the start time is the 20th field after it.
    fields = stat.rpartition(b")")[2].split()
    if fields[0] in (b"Z", b"X"):  # a zombie holds nothing any more
        return None
    return fields[19].decode()


def _alive(pid: int) -> bool:
    if sys.platform == "win32":
        return True  # os.kill would end the process there; a lease then runs out by time
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
