"""What is inside an Anki package: which database to read, and its bytes, never too many of them."""

import importlib
import io
import zipfile
from types import ModuleType
from typing import IO

from paige.base.errors import BadInput, Unavailable

MOST_BYTES = 512 * 2**20  # of a database; a hundred thousand reviewed cards need a tenth of it
_CHUNK = 2**20
_MOST_WINDOW = 2**27  # of memory that a compressed file may ask for
_COMPRESSED = "collection.anki21b"
_NAMES = (_COMPRESSED, "collection.anki21", "collection.anki2")
_KNOWN_VERSION = 3
_OLDER = "In Anki, tick `Support older Anki versions` when you export."


def read_collection(package: zipfile.ZipFile, *, most: int = MOST_BYTES) -> bytes:
    """The newest database in the package. Raises: BadInput, Unavailable."""
    names = set(package.namelist())
    _check_version(package, names)
    name = next((each for each in _NAMES if each in names), None)
    if name is None:
        raise BadInput(
            "The file is a zip, but not a package of Anki",
            hint="Export a deck from Anki as .apkg.",
        )
    if package.getinfo(name).flag_bits & 0x1:
        raise BadInput("The package is locked with a password", hint="Export it without one.")
    with package.open(name) as file:
        return _unpacked(file, most) if name == _COMPRESSED else _read_all(file, most)


def _check_version(package: zipfile.ZipFile, names: set[str]) -> None:
    """A package says how new it is in a file with one number."""
    if "meta" not in names or package.getinfo("meta").file_size > _CHUNK:
        return
    meta = package.read("meta")
    version = meta[1] if meta[:1] == b"\x08" and len(meta) > 1 else 0
    if version > _KNOWN_VERSION:
        raise BadInput("The package was made by a newer Anki than is known here", hint=_OLDER)


def _read_all(file: IO[bytes], most: int) -> bytes:
    content = io.BytesIO()
    while chunk := file.read(_CHUNK):
        if content.tell() + len(chunk) > most:
            raise BadInput(
                f"The collection in the package is larger than {most // 2**20} MB",
                hint="Export a single deck, or leave the media out.",
            )
        content.write(chunk)
    return content.getvalue()


def _unpacked(file: IO[bytes], most: int) -> bytes:
    library = _zstd()
    try:
        with _reader(library, file) as plain:
            return _read_all(plain, most)
    except library.ZstdError as error:
        raise BadInput(
            "The collection in the package is damaged: it cannot be unpacked",
            hint="Export the deck from Anki again.",
        ) from error


def _reader(library: ModuleType, file: IO[bytes]) -> IO[bytes]:
    if hasattr(library, "ZstdFile"):
        return library.ZstdFile(file)
    unpacking = library.ZstdDecompressor(max_window_size=_MOST_WINDOW)
    return unpacking.stream_reader(file, read_across_frames=True)


def _zstd() -> ModuleType:
    """What reads the compression: the standard library where it can, else a package."""
    for name in ("compression.zstd", "zstandard"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise Unavailable(
        "This package is compressed in a way that this Python cannot read",
        hint=f"Install `zstandard`. Or: {_OLDER}",
    )
