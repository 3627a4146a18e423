"""What `paige doctor` asks: a check is a name, a status, a message and perhaps a fix.

Each room may have a `checks.py` with `checks(settings) -> list[Check]`; `app` gathers them. A check
changes nothing. Where Paige can put something right by itself, the check carries a `Repair`, which
`paige doctor --fix` runs.
"""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from paige.base.errors import PaigeError
from paige.base.files import make_private, write_atomic
from paige.base.modes import (
    missing_rights,
    open_below,
    open_to_others,
    open_up_for_owner,
    own_places,
    shut_for_others,
    shut_tree,
)
from paige.base.settings import SETTINGS, Settings, own_file, unknown_variables

Status = Literal["ok", "warn", "fail"]
ENOUGH_DISK = 200 * 2**20


@dataclass(frozen=True, slots=True)
class Repair:
    """What `--fix` would do, in a sentence, and the doing. It deletes nothing that people wrote."""

    says: str
    act: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Check:
    """One answer of doctor; `fail` means that something needed is broken."""

    name: str
    status: Status
    message: str
    fix: str | None = None
    repair: Repair | None = field(default=None, repr=False, compare=False)

    @property
    def fixable(self) -> bool:
        """Whether `paige doctor --fix` can do something about it."""
        return self.repair is not None


def checks(settings: Settings) -> list[Check]:
    """Python, the data folder, files with secrets, and variables that look like ours."""
    return [
        Check("python", "ok", f"Python {'.'.join(map(str, sys.version_info[:3]))}"),
        _data_dir(settings),
        *_own_files(settings),
        *_secret_files(settings),
        *_variables(settings),
    ]


def _data_dir(settings: Settings) -> Check:
    try:
        folder = settings.data_dir
        locked = _locked(folder)
        if locked is not None:
            return locked
        if not folder.exists():
            return _not_there_yet(folder)
        probe = folder / ".write-check"
        write_atomic(probe, b"")
        probe.unlink()
    except PaigeError as error:
        return Check(
            "data folder",
            "fail",
            error.message,
            error.hint or "Set `DATA_DIR` to a folder you own.",
        )
    free = shutil.disk_usage(folder).free
    if free < ENOUGH_DISK:
        fix = "Free some space, or set `DATA_DIR` to another disk."
        return Check("data folder", "warn", f"`{folder}` has only {free // 2**20} MB left", fix)
    if open_to_others(folder):
        shut = shut_tree if folder in own_places(settings) else shut_for_others
        return _readable_by_others("data folder", folder, partial(shut, folder))
    return Check("data folder", "ok", f"`{folder}` is writable")


def _not_there_yet(folder: Path) -> Check:
    above = next(parent for parent in folder.parents if parent.exists())
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        fix = "Check who owns it, or set `DATA_DIR` to a folder you own."
        return Check("data folder", "fail", f"`{folder}` cannot be made in `{above}`", fix)
    return Check(
        "data folder",
        "ok",
        f"`{folder}` is not there yet; the first start makes it",
        repair=Repair(f"Make `{folder}`, for you only", lambda: make_private(folder)),
    )


def _locked(folder: Path) -> Check | None:
    """The data folder when its owner, who runs this, has no right to use it."""
    missing = missing_rights(folder)
    if not missing:
        return None
    shown = f"`{folder}`" if missing == [folder] else f"`{missing[0]}` in `{folder}`"
    return Check(
        "data folder",
        "fail",
        f"{shown} may not be read and written, though it is yours",
        f"Run `paige doctor --fix`, or `chmod u+rwX {missing[0]}`.",
        Repair(
            f"Give you back the right to read and write {shown}", lambda: open_up_for_owner(missing)
        ),
    )


def _own_files(settings: Settings) -> list[Check]:
    """What an older Paige left readable; a server that starts puts it right as well."""
    places = own_places(settings)
    said = places[0] if places and settings.given_data_dir is None else None  # see above
    loose = {place: next(open_below(place), None) for place in places}
    return [
        _readable_by_others("private files", first, partial(shut_tree, place))
        for place, first in loose.items()
        if first is not None and first != said
    ]


def _secret_files(settings: Settings) -> list[Check]:
    """Settings files that hold a key and that other people of this machine can read."""
    own = own_file(settings.environ)
    files = [settings.cwd / ".env", settings.cwd / "paige.toml", *([own] if own else [])]
    return [
        _readable_by_others("settings file", path, partial(shut_for_others, path))
        for path in files
        if open_to_others(path) and _holds_a_secret(path)
    ]


def _holds_a_secret(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return False
    secret = {word for each in SETTINGS if each.kind == "secret" for word in each[:2]}
    names = (line.strip().removeprefix("export ").partition("=")[0] for line in text.splitlines())
    return any(name.strip() in secret for name in names)


def _readable_by_others(name: str, path: Path, shut: Callable[[], None]) -> Check:
    return Check(
        name,
        "warn",
        f"`{path}` can be read by other people of this machine",
        f"Run `paige doctor --fix`, or `chmod go= {path}`.",
        Repair(f"Let only you read `{path}`", shut),
    )


def _variables(settings: Settings) -> list[Check]:
    unknown = unknown_variables(settings.environ)
    if not unknown:
        return []
    names = ", ".join(f"`{name}`" for name in unknown)
    verb = "means" if len(unknown) == 1 else "mean"
    return [
        Check(
            "variables",
            "warn",
            f"{names} {verb} nothing to Paige",
            "Check the spelling, or unset them.",
        )
    ]
