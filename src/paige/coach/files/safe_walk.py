"""Finding a file of the project without ever leaving it.

A path is walked name by name, each folder opened in the one before and no link followed by the
system. A link is read and walked by hand, from the folder it lies in, and only while that stays in
the project. So there is no moment between a check and an opening in which somebody could put a link
there: what was checked is what is open.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused, Unavailable
from paige.base.files import write_error
from paige.coach.files.folders import Folder, Root
from paige.coach.files.project_path import ProjectPath, belongs_to_git, outside

MOST_LINKS = 40
NOT_FOR_US = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES, errno.EPERM))
"""What the system says of an entry that went meanwhile, or that this process may not see."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path really leads: an open folder, a name in it, and what lies there, if anything."""

    folder: Folder
    parts: tuple[str, ...]
    status: os.stat_result | None

    @property
    def name(self) -> str:
        """The name in the folder."""
        return self.parts[-1]


@contextmanager
def located(root: Root, path: ProjectPath, *, writing: bool = False) -> Iterator[Place]:
    """Find where a path leads; `writing` makes missing folders and keeps out of git's own.

    Raises: NotFound when a folder on the way is missing, Refused when it leads out of the project.
    """
    walk = _Walk(root, path, writing=writing)
    try:
        try:
            place = walk.run()
        except OSError as error:
            raise os_error(path.text, error, writing=writing) from error
        yield place
    finally:
        walk.close()


@contextmanager
def open_folder(root: Root, parts: tuple[str, ...]) -> Iterator[Folder]:
    """Open a folder by its real place. Raises: OSError when it is no folder any more."""
    folder = root.open()
    try:
        for part in parts:
            child = folder.child(part)
            folder.close()
            folder = child
        yield folder
    finally:
        folder.close()


def open_regular(place: Place, path: str, flags: int) -> int:
    """Open what was found, if it is a plain file. Raises: NotFound, Refused."""
    status = place.status
    if status is None:
        raise NotFound(f"There is no file `{path}` in the project")
    _check_regular(status, path)
    try:
        handle = place.folder.open_file(place.name, flags)
    except OSError as error:
        raise os_error(path, error) from error
    try:
        _check_regular(os.fstat(handle), path)  # it may be another one since it was looked at
    except BaseException:
        os.close(handle)
        raise
    return handle


def os_error(path: str, error: OSError, *, writing: bool = False) -> PaigeError:
    """The error a person sees when a file of the project could not be opened."""
    if error.errno == errno.ENOENT:
        return NotFound(f"There is no file `{path}` in the project")
    if error.errno == errno.ENOTDIR:
        return NotFound(
            f"There is no file `{path}` in the project: a part of its path is not a folder"
        )
    if error.errno == errno.ELOOP:
        return Conflict(f"`{path}` was replaced while it was opened", hint="Try again.")
    if error.errno == errno.ENAMETOOLONG:
        return BadInput(f"The path `{path}` is too long for this system")
    if writing:
        return write_error(Path(path), error)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ETXTBSY):
        return Refused(
            f"`{path}` may not be opened: {error.strerror}", hint="Check its permissions."
        )
    return Unavailable(f"`{path}` could not be opened: {error.strerror or error}")


def _check_regular(status: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise Refused(f"`{path}` is a folder, not a file", hint="Name a file inside it.")
    if not stat.S_ISREG(status.st_mode):
        raise Refused(f"`{path}` is a device, a pipe or a socket, not a file with text")


class _Walk:
    """The chain of open folders from the project folder to where the walk is now."""

    def __init__(self, root: Root, path: ProjectPath, *, writing: bool) -> None:
        self._root = root
        self._path = path.text
        self._writing = writing
        self._folders = [root.open()]
        self._names: list[str] = []
        self._todo = deque(path.parts)
        self._links = 0

    def run(self) -> Place:
        while self._todo:
            name = self._todo.popleft()
            if name == "..":
                self._leave()
                continue
            if self._writing and belongs_to_git(name):
                raise Refused(
                    f"`{self._path}` belongs to git, which alone may change it",
                    hint="Use git in the terminal.",
                )
            if self._todo:
                self._enter(name)
            elif (place := self._arrive(name)) is not None:
                return place
        raise Refused(f"`{self._path}` is a folder, not a file", hint="Name a file inside it.")

    def close(self) -> None:
        for folder in self._folders:
            folder.close()
        self._folders.clear()

    def _enter(self, name: str) -> None:
        here = self._folders[-1]
        try:
            child = here.child(name)
        except FileNotFoundError:
            if not self._writing:
                raise
            self._make(here, name)
            child = here.child(name)
        except NotADirectoryError:
            if not stat.S_ISLNK(here.status(name).st_mode):
                raise
            self._follow(name)
            return
        self._folders.append(child)
        self._names.append(name)

    def _arrive(self, name: str) -> Place | None:
        here = self._folders[-1]
        try:
            status = here.status(name)
        except FileNotFoundError:
            status = None
        if status is not None and stat.S_ISLNK(status.st_mode):
            self._follow(name)
            return None
        return Place(here, (*self._names, name), status)

    def _follow(self, name: str) -> None:
        self._links += 1
        if self._links > MOST_LINKS:
            raise Refused(f"`{self._path}` is a link that leads in a circle")
        try:
            target = self._folders[-1].link_target(name)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            # No link any more: whoever replaced it is still at work.
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from error
        if os.path.isabs(target):
            target = self._below_root(target)
            while self._names:
                self._leave()
        parts = [part for part in target.split("/") if part not in ("", ".")]
        self._todo.extendleft(reversed(parts))

    def _below_root(self, target: str) -> str:
        wanted = _comparable(target)
        for name in (self._root.real, self._root.given):
            start = _comparable(name).rstrip("/")
            if wanted == start or wanted.startswith(start + "/"):
                return target[len(start) :]
        raise outside(self._path)

    def _leave(self) -> None:
        if not self._names:
            raise outside(self._path)
        self._names.pop()
        self._folders.pop().close()

    def _make(self, here: Folder, name: str) -> None:
        with suppress(FileExistsError):  # someone was quicker; if it is no folder, opening says so
            here.make_folder(name)


def _comparable(path: str) -> str:
    return os.path.normcase(path).replace(os.sep, "/")
