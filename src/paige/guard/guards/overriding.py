"""Lets one refused action pass once: a person said so, and the same call comes again soon.

Only what a guard refused can be let pass, never what a shipped rule or gate refuses. A grant is an
empty file named after the action; whoever takes it away first may pass, so it counts once even
where two processes ask. The request for a permission that follows the same call counts with it.
"""

import os
from datetime import datetime, timedelta
from pathlib import Path

from paige.base.errors import BadInput
from paige.base.files import make_private, write_error

FOLDER = "guard/overrides"
USED = ".used"
HOLDS = timedelta(minutes=10)
_HEX = frozenset("0123456789abcdef")


def grant(data: Path, guard: str, same: str, now: datetime) -> Path:
    """Let the action `same`, which the guard refused, pass once. Raises: BadInput, Refused."""
    path = _path(data, guard, same)
    try:
        make_private(path.parent)
        path.write_bytes(b"")
        os.utime(path, (now.timestamp(), now.timestamp()))
        path.with_name(path.name + USED).unlink(missing_ok=True)
    except OSError as error:
        raise write_error(path, error) from error
    _forget_old(path.parent, now)
    return path


def take(data: Path, guard: str, same: str, event: str, now: datetime) -> bool:
    """Whether the action may pass this once; it may not do so again."""
    try:
        path = _path(data, guard, same)
    except BadInput:
        return False
    used = path.with_name(path.name + USED)
    if event == "permission_request" and _taken(used, now):
        return True
    if not _is_fresh(path, now):
        return False
    try:
        if event == "permission_request":
            path.unlink()
        else:
            os.replace(path, used)  # the one whose rename succeeds passes
    except OSError:
        return False
    return True


def _taken(path: Path, now: datetime) -> bool:
    if not _is_fresh(path, now):
        return False
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _is_fresh(path: Path, now: datetime) -> bool:
    try:
        at = path.stat().st_mtime
    except OSError:
        return False
    return -1 <= now.timestamp() - at <= HOLDS.total_seconds()


def _path(data: Path, guard: str, same: str) -> Path:
    if not same or not set(same) <= _HEX or not guard or "/" in guard or guard.startswith("."):
        raise BadInput(f"`{same}` is not the name of an action")
    return data / FOLDER / f"{guard}.{same}"


def _forget_old(folder: Path, now: datetime) -> None:
    for path in folder.iterdir():
        if not _is_fresh(path, now):
            path.unlink(missing_ok=True)
