"""Writing a file so that a reader sees the old text or the new text, never half of one."""

import contextlib
import errno
import os
import tempfile
from pathlib import Path

from paige.base.errors import PaigeError, Refused, Unavailable

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_atomic(path: Path, data: str | bytes, *, mode: int | None = None) -> None:
    """Replace `path` with `data` durably; on any failure the old file stays as it was.

    Without `mode` an existing file keeps its permissions and a new one is readable by its owner
    only.
    """
    content = data.encode() if isinstance(data, str) else data
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        permissions = mode if mode is not None else _mode_of(path)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, permissions)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise write_error(path, error) from error


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can look into, with its parents; one that exists stays."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from error


def write_error(path: Path, error: OSError) -> PaigeError:
    """The error a person sees when `path` could not be written."""
    if error.errno in _FULL:
        return Unavailable(
            f"The disk is full: `{path}` was not written", hint="Free some space and try again."
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return Refused(
            f"`{path}` may not be written: {error.strerror}", hint="Check who owns the folder."
        )
    return Unavailable(f"`{path}` could not be written: {error.strerror or error}")


def _mode_of(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        return 0o600


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where folders can be opened."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
