"""The compiled rules: one file the hook reads instead of all the files they are written in.

A snapshot names the files it was made from with their size and time. When one has changed, or the
snapshot was made by another Python or another version of Paige, it is not used, and the slow path
makes a new one: for lack of rules nothing is ever allowed. This page is on the hook's fast path:
built-in modules only.
"""

import marshal
import sys

from paige.guard.fast.system import system

FORMAT = 1
FOLDER = "guard"
_MOST_BYTES = 32 * 2**20
_FLAGS = system.O_RDONLY | getattr(system, "O_CLOEXEC", 0) | getattr(system, "O_BINARY", 0)


def snapshot_path(data: str, root: str) -> str:
    """Where the snapshot for a project lies; the one for everything else has no root."""
    return f"{data}/{FOLDER}/guard-{fingerprint(root)}.bin"


def fingerprint(text: str) -> str:
    """A short name for a text (FNV-1a), without importing a hash."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogateescape"):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def read_snapshot(path: str) -> dict[str, object] | None:
    """The compiled rules, or nothing when there are none that may be used."""
    try:
        handle = system.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        about = system.fstat(handle)
        if about.st_size > _MOST_BYTES or not _trusted(about.st_uid):
            return None
        data = _read_all(handle, about.st_size)
    except OSError:
        return None
    finally:
        system.close(handle)
    try:
        head, body = marshal.loads(data)
        if head != (FORMAT, sys.implementation.cache_tag) or not isinstance(body, dict):
            return None
        return body if is_fresh(body["sources"]) else None
    except (ValueError, EOFError, TypeError, KeyError):
        return None


def dump_snapshot(body: dict[str, object]) -> bytes:
    """The bytes of a snapshot; `body["sources"]` are the files it was made from."""
    return marshal.dumps(((FORMAT, sys.implementation.cache_tag), body))


def source_of(path: str) -> tuple[str, int, int]:
    """A file or folder as it is now: path, time, size; zeros when there is none."""
    try:
        about = system.stat(path)
    except (OSError, ValueError):
        return path, 0, 0
    return path, about.st_mtime_ns, about.st_size


def is_fresh(sources: object) -> bool:
    """Whether the files are still as they were."""
    return isinstance(sources, tuple) and all(source_of(each[0]) == each for each in sources)


def _read_all(handle: int, size: int) -> bytes:
    parts = []
    left = size + 1
    while left > 0 and (part := system.read(handle, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _trusted(owner: int) -> bool:
    """Whether a file of this owner may say what is allowed: one's own or the administrator's."""
    whoami = getattr(system, "getuid", None)
    return whoami is None or owner in (whoami(), 0)
