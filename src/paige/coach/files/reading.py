"""Reading a file of the project: its text, or that it is none."""

import os
from dataclasses import dataclass

from paige.base.errors import BadInput, NotFound
from paige.coach.files.binary import has_binary_name
from paige.coach.files.folders import Root
from paige.coach.files.languages import language_of
from paige.coach.files.opening import Place, located, open_regular, os_error
from paige.coach.files.project_path import ProjectPath
from paige.coach.files.text_format import TextFormat, decode
from paige.coach.files.values import FileContent

MAX_BYTES = 10 * 2**20
"""The largest file that an editor can work on."""


@dataclass(frozen=True, slots=True)
class SavedText:
    """What is on the disk; a file that is no text has no format."""

    content: str
    format: TextFormat | None


def read_file(root: Root, path: ProjectPath) -> FileContent:
    """Read a file. Raises: NotFound, Refused, BadInput when it is too large."""
    with located(root, path) as place:
        handle = open_regular(place, path.text, os.O_RDONLY)
        try:
            size = os.fstat(handle).st_size
            if has_binary_name(path.name):
                return FileContent(path.text, "", language_of(path.name), 0, True, size)
            data = read_all(handle, path.text)
        finally:
            os.close(handle)
    decoded = decode(data)
    text = decoded.text if decoded else ""
    return FileContent(
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
