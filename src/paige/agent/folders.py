"""Reading the folders of plugins and skills: only what is inside, only text, only what is small."""

import os
import stat
from pathlib import Path

from paige.base.errors import BadInput, NotFound, Refused, Unavailable
from paige.store.documents import DirectoryDocuments

MAX_BYTES = 256 * 1024
"""A definition or a reference file is at most this long: it is made to be read by a model."""


def entries(folder: Path, suffix: str = "") -> list[str]:
    """The names in a folder, sorted, without hidden ones; a folder that is not there has none."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise Unavailable(f"{folder}: the folder cannot be read: {error.strerror}") from error
    return sorted(name for name in names if name.endswith(suffix) and not name.startswith("."))


def files_below(folder: Path, *, but: str) -> tuple[str, ...]:
    """The files of a folder and of its folders, except the one called `but`."""
    found: list[str] = []
    for name in entries(folder):
        if _is_folder(folder / name):
            inner = (f"{name}/{file}" for file in entries(folder / name))
            found += [path for path in inner if (folder / path).is_file()]
        elif name != but and (folder / name).is_file():
            found.append(name)
    return tuple(found)


def read_inside(folder: Path, path: str) -> str:
    """The text of a file below `folder`.

    Raises: NotFound, Refused when the path leads out, BadInput when it is too long or not text.
    """
    place = folder / path
    try:
        inside = place.resolve().is_relative_to(folder.resolve())
        found = place.stat() if inside else None
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"{place}: there is no such file") from error
    except (OSError, RuntimeError, ValueError) as error:  # a circle of links, a name that is none
        raise Refused(f"{place}: this cannot be read: {error}") from error
    if found is None:
        raise Refused(f"{place}: this leads out of `{folder.name}`", hint="Copy the file into it.")
    if not stat.S_ISREG(found.st_mode):  # a pipe would make the reader wait for ever
        raise BadInput(f"{place}: this is not a file")
    if found.st_size > MAX_BYTES:
        raise BadInput(
            f"{place}: the file has {found.st_size} bytes, and {MAX_BYTES} are allowed",
            hint="Divide it into several files.",
        )
    return _text(folder, path)


def _text(folder: Path, path: str) -> str:
    try:
        return DirectoryDocuments(folder).read(path).text
    except BadInput as error:
        raise BadInput(f"{folder}/{error.message}", hint=error.hint) from error


def _is_folder(path: Path) -> bool:
    """Whether this is a folder of its own: a link to one may lead anywhere."""
    return path.is_dir() and not path.is_symlink()
