"""The person's own settings file: changed key by key, with everything else left as it was.

The file may hold keys, so it is readable by its owner only, whatever it was before. A change names
the version it was made from: what somebody wrote meanwhile is never written over.
"""

import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path

from paige.base.errors import BadInput, Conflict
from paige.base.files import make_private, write_atomic, write_error
from paige.base.platform import locked

ABSENT = "absent"
"""The version of a file that does not exist."""


def file_version(path: Path) -> str:
    """A name for the file as it is now; it says nothing about what stands in it."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return ABSENT
    except OSError as error:
        raise BadInput(f"`{path}` cannot be read: {error.strerror}") from error
    return f"{found.st_ino}-{found.st_mtime_ns}-{found.st_size}"


def others_can_read(path: Path) -> bool:
    """Whether other people of this machine may read the file."""
    try:
        return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def change_file(path: Path, changes: Mapping[str, str | None], *, base: str) -> None:
    """Set or, with `None`, remove keys in a file of version `base`. Raises: Conflict, BadInput."""
    place = path.resolve()  # a link stays a link: people keep such files elsewhere
    make_private(place.parent)
    try:
        with locked(place.with_name(f".{place.name}.lock")):
            if file_version(place) != base:
                raise Conflict(
                    f"`{place}` was changed meanwhile, so nothing was written",
                    hint="Look at the settings as they are now and decide again.",
                )
            write_atomic(place, edited(_read(place), changes), mode=0o600)
    except OSError as error:
        raise write_error(place, error) from error


def edited(text: str, changes: Mapping[str, str | None]) -> str:
    """A settings file with changes; comments, order and other keys stay. Raises: BadInput."""
    import tomlkit  # noqa: PLC0415 - a server starts without

    try:
        document = tomlkit.parse(text)
        for key, value in changes.items():
            if value is not None:
                document[key] = value
            elif key in document:
                del document[key]
        made = tomlkit.dumps(document)
        wanted = {**tomllib.loads(_plain(text)), **changes}
        right = tomllib.loads(_plain(made)) == {k: v for k, v in wanted.items() if v is not None}
    except ValueError as error:  # both libraries' errors are of this kind
        raise BadInput(
            f"The settings file is not TOML: {error}", hint="Correct it in an editor first."
        ) from error
    if not right:
        raise BadInput(
            "The settings file has a form that cannot be changed from here",
            hint="Change it in an editor.",
        )
    return made


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n")


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise BadInput(f"`{path}` is not text in UTF-8") from error
