"""Reading and saving a file of the project.

A save is all of it or nothing, and changes only what the person changed: the new text goes to a
temporary file in the same folder, is made durable, and takes the place of the old one in one step.
Permissions, encoding and line ends stay as they were. Only the editor saves; no tool of an agent
comes here.
"""

import codecs
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from paige.base.errors import BadInput, NotFound, Refused
from paige.base.files import write_error
from paige.base.umask import persons_umask
from paige.coach.files.folders import Root
from paige.coach.files.languages import has_binary_name, language_of
from paige.coach.files.project_path import ProjectPath
from paige.coach.files.safe_walk import Place, located, open_regular, os_error
from paige.coach.files.values import CoachFile, SavedFile

# The mark of UTF-32 starts with the one of UTF-16, so it is looked for first.
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class TextFormat:
    """The format of a text file; without `newline` lines end as the text has them."""

    encoding: str
    mark: bytes
    newline: str | None

    def apply(self, text: str) -> str:
        """The text with the ends of lines that this file has."""
        if self.newline is None:
            return text
        plain = text.replace("\r\n", "\n")
        return plain if self.newline == "\n" else plain.replace("\n", self.newline)

    def encode(self, text: str) -> bytes:
        """The bytes of a text in this format."""
        plain = text.removeprefix("\ufeff") if self.mark else text  # one mark is enough
        return self.mark + self.apply(plain).encode(self.encoding)


class DecodedText(NamedTuple):
    """A text and the format it had."""

    text: str
    format: TextFormat


NEW_FILE = TextFormat("utf-8", b"", None)


def decode(data: bytes) -> DecodedText | None:
    """Read bytes as text; `None` when they are none."""
    encoding, mark = _encoding(data)
    if encoding == "utf-8" and b"\0" in data:
        return None
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        return None
    return DecodedText(text, TextFormat(encoding, mark, newline_of(text)))


def newline_of(text: str) -> str | None:
    """How the lines of a text end; `None` when there is no saying."""
    windows = text.count("\r\n")
    plain = text.count("\n") - windows
    if windows > plain:
        return "\r\n"
    return "\n" if plain and not windows else None


def _encoding(data: bytes) -> tuple[str, bytes]:
    if not data.startswith(_UTF32):
        for mark, encoding in _MARKS:
            if data.startswith(mark):
                return encoding, mark
    return "utf-8", b""


MAX_BYTES = 10 * 2**20
"""The largest file that an editor can work on."""


@dataclass(frozen=True, slots=True)
class SavedText:
    """What is on the disk; a file that is no text has no format."""

    content: str
    format: TextFormat | None


def read_file(root: Root, path: ProjectPath) -> CoachFile:
    """Read a file. Raises: NotFound, Refused, BadInput when it is too large."""
    with located(root, path) as place:
        handle = open_regular(place, path.text, os.O_RDONLY)
        try:
            size = os.fstat(handle).st_size
            if has_binary_name(path.name):
                return CoachFile(path.text, "", language_of(path.name), 0, True, size)
            data = read_all(handle, path.text)
        finally:
            os.close(handle)
    decoded = decode(data)
    text = decoded.text if decoded else ""
    return CoachFile(
        path=path.text,
        content=text,
        language=language_of(path.name),
        line_count=count_lines(text),
        binary=decoded is None,
        size=len(data),
    )


def read_text(root: Root, path: ProjectPath) -> SavedText | None:
    """Read the text of a file to compare with; `None` when there is no such file."""
    try:
        with located(root, path) as place:
            if place.status is None:
                return None
            data = read_place(place, path.text)
    except NotFound:
        return None
    decoded = decode(data)
    return SavedText(decoded.text, decoded.format) if decoded else SavedText("", None)


def read_place(place: Place, path: str, *, flags: int = os.O_RDONLY) -> bytes:
    """The bytes of what was found. Raises: NotFound, Refused, BadInput when it is too large."""
    handle = open_regular(place, path, flags)
    try:
        return read_all(handle, path)
    finally:
        os.close(handle)


def read_all(handle: int, path: str) -> bytes:
    """The bytes of an open file. Raises: BadInput when they are too many."""
    size = os.fstat(handle).st_size
    if size > MAX_BYTES:
        raise too_large(path, size)
    pieces: list[bytes] = []
    total = 0
    try:
        while piece := os.read(handle, 2**20):
            pieces.append(piece)
            total += len(piece)
            if total > MAX_BYTES:  # it grows while it is read
                raise too_large(path, total)
    except OSError as error:
        raise os_error(path, error) from error
    return b"".join(pieces)


def too_large(path: str, size: int) -> BadInput:
    """The refusal of a file that is too large to edit."""
    return BadInput(
        f"`{path}` has {size} bytes; the editor opens files of up to {MAX_BYTES} bytes (10 MiB)",
        hint="Use another program for this file.",
    )


def count_lines(text: str) -> int:
    """The number of lines; a line end at the very end starts no new one."""
    return text.count("\n") + bool(text and not text.endswith("\n"))


TEMPORARY = ".paige-save-"
"""How the temporary file of a save is called; one is left over only if Paige dies while saving."""


def write_file(root: Root, path: ProjectPath, content: str, *, now: datetime) -> SavedFile:
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
    return SavedFile(path.text, len(data), place.status is None, now)


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
