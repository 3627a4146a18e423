"""What `paige doctor` asks: a check is a name, a status, a message and perhaps a fix.

Each room may have a `checks.py` with `checks(settings) -> list[Check]`; `app` gathers them.
"""

import shutil
import sys
from dataclasses import dataclass
from typing import Literal

from paige.base.errors import PaigeError
from paige.base.files import make_private, write_atomic
from paige.base.settings import Settings, unknown_variables

Status = Literal["ok", "warn", "fail"]
ENOUGH_DISK = 200 * 2**20


@dataclass(frozen=True, slots=True)
class Check:
    """One answer of doctor; `fail` means that something needed is broken."""

    name: str
    status: Status
    message: str
    fix: str | None = None


def checks(settings: Settings) -> list[Check]:
    """Python, the data folder, and variables that look like ours."""
    return [_python(), _data_dir(settings), *_variables(settings)]


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check("python", "ok", f"Python {version}")


def _data_dir(settings: Settings) -> Check:
    try:
        folder = settings.data_dir
        make_private(folder)
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
    return Check("data folder", "ok", f"`{folder}` is writable")


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
