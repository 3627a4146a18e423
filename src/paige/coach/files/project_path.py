"""Paths of files inside a project, checked before anything touches the disk.

A project path is relative, has `/` between its parts and no `.` or `..` left in it. This is only
the first wall: what links do is decided while a file is opened (`safe_walk.py`).
"""

import os
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from paige.base.errors import BadInput, PaigeError, Refused

MAX_LENGTH = 1024  # characters of a path
MAX_NAME = 255  # bytes of one name: what file systems hold
_SHOWN = 120
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/|[A-Za-z]:")  # `file:/…`, `C:…`
_WINDOWS_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.I)
_ORDINARY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")  # most names; looked at quickly
_CONTROL = {"Cc", "Cs", "Zl", "Zp"}  # control characters, halves of characters, line separators


@dataclass(frozen=True, slots=True)
class ProjectPath:
    """The way from the project folder to a file: at least one name."""

    parts: tuple[str, ...]

    @property
    def name(self) -> str:
        """The last part."""
        return self.parts[-1]

    @property
    def text(self) -> str:
        """The path as it is shown, sent and used as a key."""
        return "/".join(self.parts)


def parse(path: str, *, windows: bool = os.name == "nt") -> ProjectPath:
    """Read a path relative to the project. Raises: BadInput, Refused when it leads out of it."""
    if not path:
        raise BadInput("The path is empty", hint="Name a file of the project.")
    if len(path) > MAX_LENGTH:
        raise BadInput(f"The path `{shown(path)}` has more than {MAX_LENGTH} characters")
    if odd := _odd_character(path):
        raise BadInput(f"The path `{shown(path)}` holds {odd}", hint="Use another name.")
    if "\\" in path:
        raise BadInput(f"The path `{shown(path)}` holds a backslash", hint="Write it with `/`.")
    if path.startswith("/") or _SCHEME.match(path):
        raise outside(path)
    parts = _normal_parts(path)
    if not parts:
        raise BadInput(f"`{shown(path)}` is the project folder", hint="Name a file inside it.")
    for part in parts:
        _check_name(part, path, windows=windows)
    return ProjectPath(tuple(parts))


def parse_below(path: str, roots: Iterable[str]) -> ProjectPath:
    """Read an absolute path that starts with one of the names of the project folder."""
    separators = "/" + os.sep
    for root in roots:
        start = root.rstrip(separators)
        below = path[len(start) :]
        same = os.path.normcase(path[: len(start)]) == os.path.normcase(start)
        if same and (not below or below[0] in separators):
            return parse(below.lstrip(separators).replace(os.sep, "/") or ".")
    raise outside(path)


def outside(path: str) -> Refused:
    """The refusal of a path that leads out of the project."""
    return Refused(
        f"`{shown(path)}` is outside the project", hint="Only files of the project can be used."
    )


def can_be_shown(name: str) -> bool:
    """Whether a name found on the disk can be a part of a project path."""
    if _ORDINARY.fullmatch(name):
        return True
    try:
        return len(parse(name).parts) == 1
    except PaigeError:
        return False


def belongs_to_git(name: str) -> bool:
    """Whether a name means git's own folder on any file system.

    Some ignore case, some drop dots and spaces at the end, one drops invisible characters, and
    Windows has a short name for it and streams after a colon.
    """
    visible = "".join(char for char in name if unicodedata.category(char) != "Cf")
    plain = unicodedata.normalize("NFKC", visible).split(":")[0].rstrip(". ").casefold()
    return plain in (".git", "git~1")


def shown(path: str) -> str:
    """A path as it can stand in a message: short, and without characters that do something."""
    start = path[:_SHOWN]
    clean = "".join("�" if unicodedata.category(char) in _CONTROL else char for char in start)
    return clean + ("…" if len(path) > _SHOWN else "")


def _odd_character(path: str) -> str | None:
    if "\0" in path:
        return "a NUL character"
    for char in path:
        kind = unicodedata.category(char)
        if kind == "Cs":
            return "half of a character"
        if kind in _CONTROL:
            return f"a control character (U+{ord(char):04X})"
    return None


def _normal_parts(path: str) -> list[str]:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                raise outside(path)
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return parts


def _check_name(name: str, path: str, *, windows: bool) -> None:
    if len(name.encode()) > MAX_NAME:
        raise BadInput(f"A name in `{shown(path)}` has more than {MAX_NAME} bytes")
    if windows and (
        name[-1] in ". "
        or _WINDOWS_DEVICE.fullmatch(name)
        or any(char in name for char in ':<>"|?*')
    ):
        raise BadInput(f"`{shown(name)}` cannot be the name of a file on Windows")
