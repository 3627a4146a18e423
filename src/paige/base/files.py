"""Writing a file so that a reader sees the old text or the new text, never half of one.

What is new is for its owner only, except where somebody named the place.
"""

import contextlib
import errno
import os
import tempfile
from pathlib import Path

from paige.base.errors import PaigeError, Refused, Unavailable
from paige.base.umask import persons_umask

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def write_atomic(path: Path, data: str | bytes, *, mode: int | None = None) -> None:
    """Replace `path` with `data` durably; on any failure the old file stays as it was.

    Without `mode` an existing file keeps its permissions and a new one is readable by its owner
    only. So are the folders that are made for it.
    """
    content = data.encode() if isinstance(data, str) else data
    try:
        _make(path.parent, 0o700)
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
        sync_folder(path.parent)
    except OSError as error:
        raise write_error(path, error) from error


def write_export(path: Path, data: str | bytes) -> None:
    """Write a file that somebody named as they would: a new one has what their umask leaves."""
    make_folder(path.parent)
    write_atomic(path, data, mode=None if path.exists() else 0o666 & ~persons_umask())


def hand_over(path: Path) -> None:
    """Give a file that somebody named what their umask leaves of it."""
    try:
        path.chmod(0o666 & ~persons_umask())
    except OSError as error:
        raise write_error(path, error) from error


def make_private(folder: Path) -> None:
    """Make a folder that only its owner can look into, with its parents; one that exists stays."""
    try:
        _make(folder, 0o700)
    except OSError as error:
        raise write_error(folder, error) from error


def make_folder(folder: Path) -> None:
    """Make a folder that somebody named, with its parents, as their umask says."""
    try:
        _make(folder, 0o777 & ~persons_umask())
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


def _make(folder: Path, mode: int) -> None:
    """Make a folder and its parents with this mode, whatever the umask is."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        with contextlib.suppress(FileExistsError):  # somebody else made it meanwhile
            each.mkdir(mode=0o700)
            if mode != 0o700:
                each.chmod(mode)
    if not folder.is_dir():
        folder.mkdir()  # says what is in the way


def _mode_of(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o7777
    except FileNotFoundError:
        return 0o600


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable, such as a rename, where folders can be opened."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
