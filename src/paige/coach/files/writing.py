"""Saving a file of the project: all of it or nothing, and only what the person changed.

The new text goes to a temporary file in the same folder, is made durable, and takes the place of
the old one in one step. Permissions, encoding and line ends stay as they were. Only the editor
saves; no tool of an agent comes here.
"""

import os
import secrets
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from paige.base.errors import BadInput, Refused
from paige.base.files import write_error
from paige.base.umask import persons_umask
from paige.coach.files.binary import has_binary_name
from paige.coach.files.folders import Root
from paige.coach.files.opening import Place, located
from paige.coach.files.project_path import ProjectPath
from paige.coach.files.reading import MAX_BYTES, read_place, too_large
from paige.coach.files.text_format import NEW_FILE, TextFormat, decode
from paige.coach.files.values import Saved

TEMPORARY = ".paige-save-"
"""How the temporary file of a save is called; one is left over only if Paige dies while saving."""


def write_file(root: Root, path: ProjectPath, content: str, *, now: datetime) -> Saved:
    """Save a text. Raises: Refused, BadInput, Unavailable when the disk is full."""
    check_text(path.text, content)
    if has_binary_name(path.name):
        raise _not_text(path.text)
    try:
        with located(root, path, writing=True) as place:
            data = _format_there(place, path.text).encode(content)
            if len(data) > MAX_BYTES:
                raise too_large(path.text, len(data))
            _put(place, data)
    except OSError as error:
        raise write_error(Path(path.text), error) from error
    return Saved(path.text, len(data), place.status is None, now)


def check_text(path: str, content: str) -> None:
    """Refuse what no text file can hold. Raises: BadInput."""
    try:
        size = len(content.encode())
    except UnicodeEncodeError as error:  # JSON can bring half of a character
        raise BadInput(f"`{path}` would hold text that is not Unicode") from error
    if size > MAX_BYTES:
        raise too_large(path, size)


def _format_there(place: Place, path: str) -> TextFormat:
    if place.status is None:
        return NEW_FILE
    # Opened to write although it is only read: the system then says who may not change it.
    data = read_place(place, path, flags=os.O_RDWR)
    if not place.status.st_mode & 0o222:  # root may write it, but someone said no
        raise Refused(
            f"`{path}` is read-only, so it was not saved", hint="Change its permissions first."
        )
    decoded = decode(data)
    if decoded is None:
        raise _not_text(path)
    return decoded.format


def _not_text(path: str) -> Refused:
    return Refused(f"`{path}` is not a text file, so it cannot be saved as one")


def _put(place: Place, data: bytes) -> None:
    folder, old = place.folder, place.status
    temporary = TEMPORARY + secrets.token_hex(8)
    # A new file gets what the person's umask leaves, and no copy is readable by others before.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    handle = folder.open_file(temporary, flags, 0o600)
    try:
        try:
            mode = 0o666 & ~persons_umask()
            if old is not None:
                _keep_owner(handle, old)
                mode = old.st_mode & 0o777
            folder.set_mode(handle, temporary, mode)
            _write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        folder.replace(temporary, place.name)
    except BaseException:
        with suppress(OSError):
            folder.remove(temporary)
        raise
    folder.sync()


def _keep_owner(handle: int, old: os.stat_result) -> None:
    """Give the new file the owner of the old one, as far as the system allows."""
    if hasattr(os, "fchown"):
        with suppress(PermissionError):
            os.fchown(handle, old.st_uid, old.st_gid)


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
