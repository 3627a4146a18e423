"""Folders of the project, opened so that nobody can swap what lies between.

Where the system can open a file relative to a folder that is open already (Linux, macOS), a
`Folder` does so and never follows a link: the way from the project folder to a file is a
chain of handles, and renaming or replacing a folder on the way changes nothing. Elsewhere (Windows)
`PathFolder` checks where the path really leads before and after each step; there, someone with the
right to change the project could still win a race.
"""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from paige.base.errors import NotFound, Unavailable
from paige.base.umask import persons_umask
from paige.coach.files.project_path import outside

HANDLES = (
    {os.open, os.stat, os.readlink, os.mkdir, os.rename, os.unlink} <= os.supports_dir_fd
    and os.scandir in os.supports_fd
    and hasattr(os, "O_NOFOLLOW")
)
"""Whether this system can open files relative to a folder that is open."""
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
# A named pipe must not make us wait for the one at its other end, nor a terminal become ours.
_NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)

_LINK_TAGS = (0xA000000C, 0xA0000003)  # Windows: a symbolic link, a mount point


class Folder:
    """An open folder; every name is one of its own entries, and no link is followed.

    It is held by a handle: it stays the same folder wherever it is moved.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def status(self, name: str) -> os.stat_result:
        """What an entry is, without following a link."""
        return os.stat(name, dir_fd=self._handle, follow_symlinks=False)

    def link_target(self, name: str) -> str:
        """The text of a link."""
        return os.readlink(name, dir_fd=self._handle)

    def open_file(self, name: str, flags: int, mode: int = 0o600) -> int:
        """Open an entry; fails if it is a link."""
        return os.open(name, flags | _NOFOLLOW | _NO_WAIT, mode, dir_fd=self._handle)

    def child(self, name: str) -> "Folder":
        """Open a folder in this one; fails with `NotADirectoryError` if it is a link or a file."""
        try:
            flags = os.O_RDONLY | _DIRECTORY | _NOFOLLOW | _NO_WAIT
            return Folder(os.open(name, flags, dir_fd=self._handle))
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EMLINK):  # some systems say so for a link
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from error
            raise

    @contextlib.contextmanager
    def entries(self) -> Iterator[Iterator["os.DirEntry[str]"]]:
        """What is in the folder."""
        with os.scandir(self._handle) as found:
            yield found

    def make_folder(self, name: str) -> None:
        """Make a folder in this one."""
        os.mkdir(name, 0o700, dir_fd=self._handle)
        with contextlib.closing(self.child(name)) as made:
            os.fchmod(made._handle, 0o777 & ~persons_umask())

    def replace(self, old: str, new: str) -> None:
        """Rename an entry, over another one if need be."""
        os.replace(old, new, src_dir_fd=self._handle, dst_dir_fd=self._handle)

    def remove(self, name: str) -> None:
        """Delete a file."""
        os.unlink(name, dir_fd=self._handle)

    def set_mode(self, handle: int, name: str, mode: int) -> None:
        """Change the permissions of an open file."""
        os.fchmod(handle, mode)

    def sync(self) -> None:
        """Make renames in this folder durable."""
        os.fsync(self._handle)

    def close(self) -> None:
        """Give the handle back."""
        os.close(self._handle)


class PathFolder(Folder):
    """A folder known by its path, for systems that cannot open relative to a handle."""

    def __init__(self, path: str, real_root: str) -> None:
        self._path = path
        self._real_root = real_root

    def status(self, name: str) -> os.stat_result:
        """What an entry is, without following a link."""
        return os.lstat(self._place(name))

    def link_target(self, name: str) -> str:
        """The text of a link."""
        target = os.readlink(self._place(name))
        return target.removeprefix("\\\\?\\").replace(os.sep, "/")

    def open_file(self, name: str, flags: int, mode: int = 0o600) -> int:
        """Open an entry; fails if it is a link."""
        place = self._place(name)
        if is_link(place):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        handle = os.open(place, flags | _NOFOLLOW | _NO_WAIT | _BINARY, mode)
        try:
            if os.path.samestat(os.fstat(handle), os.lstat(self._place(name))):
                self._check()
                return handle
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))  # it was swapped meanwhile
        except BaseException:
            os.close(handle)
            raise

    def child(self, name: str) -> "PathFolder":
        """Open a folder in this one; fails with `NotADirectoryError` if it is a link or a file."""
        place = self._place(name)
        if is_link(place) or not stat.S_ISDIR(os.lstat(place).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return PathFolder(place, self._real_root)

    @contextlib.contextmanager
    def entries(self) -> Iterator[Iterator["os.DirEntry[str]"]]:
        """What is in the folder."""
        self._check()
        with os.scandir(self._path) as found:
            yield found

    def make_folder(self, name: str) -> None:
        """Make a folder in this one."""
        os.mkdir(self._place(name), 0o700)
        os.chmod(self._place(name), 0o777 & ~persons_umask())

    def replace(self, old: str, new: str) -> None:
        """Rename an entry, over another one if need be."""
        os.replace(self._place(old), self._place(new))

    def remove(self, name: str) -> None:
        """Delete a file."""
        os.unlink(self._place(name))

    def set_mode(self, handle: int, name: str, mode: int) -> None:
        """Change the permissions of an open file."""
        os.chmod(self._place(name), mode)

    def sync(self) -> None:
        """Do nothing: such a system cannot sync a folder."""

    def close(self) -> None:
        """Do nothing: there is no handle."""

    def _place(self, name: str) -> str:
        self._check()
        return os.path.join(self._path, name)

    def _check(self) -> None:
        real = os.path.normcase(os.path.realpath(self._path))
        root = os.path.normcase(self._real_root)
        if real != root and not real.startswith(os.path.join(root, "")):
            raise outside(os.path.relpath(self._path, self._real_root))


class Root:
    """The project folder: how to open it, and the names it has."""

    def __init__(self, path: Path, *, handles: bool | None = None) -> None:
        self.given = str(path)
        self.real = os.path.realpath(path)
        self._handles = HANDLES if handles is None else handles

    def open(self) -> Folder:
        """Open the project folder. Raises: NotFound when it is gone."""
        try:
            if not self._handles:
                os.scandir(self.real).close()
                return PathFolder(self.real, self.real)
            # Its name has no link in it; one that lies there now was put there since.
            return Folder(os.open(self.real, os.O_RDONLY | _DIRECTORY | _NOFOLLOW))
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotFound(
                f"The project folder `{self.given}` is not there", hint="Was it moved or deleted?"
            ) from error
        except OSError as error:
            raise Unavailable(
                f"The project folder `{self.given}` cannot be opened: {error.strerror}"
            ) from error


def is_link(path: str) -> bool:
    """Whether a path is a link, or on Windows anything else that leads elsewhere."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", 0) in _LINK_TAGS
