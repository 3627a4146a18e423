"""The files of an orchestra in its project: only the conductor writes them.

`session-state.json` holds where the work stands for everybody, and under `machine` the whole state
it goes on from, sealed: a state that somebody else wrote is not gone on from. A worktree gets a
copy of both files, so that hooks there know the feature in hand.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from paige.base.clock import to_iso
from paige.base.errors import BadInput, Conflict
from paige.base.platform import UNKNOWN, process_start
from paige.guard.state.features import Feature, features_path, read_features, write_features
from paige.guard.state.files import Damaged, alone_with, change_object, read_object, write_object
from paige.guard.state.session import session_path
from paige.orchestra.running.journal import is_sealed, seal
from paige.orchestra.state_files import KEY, dump_state, load_state, session_from
from paige.orchestra.values import State

PROGRESS = ".claude/progress"
SEAL = "seal"
LEASE = "conductor.json"
LOG = "orchestra.jsonl"


def progress(root: Path) -> Path:
    """The folder of an orchestra's files."""
    return root / PROGRESS


@dataclass(frozen=True, slots=True)
class Kept:
    """The state that was kept, or why there is none to go on from."""

    state: State | None = None
    problem: str = ""


def read_state(root: Path, key: bytes) -> Kept:
    """The state the work goes on from. Raises: Damaged when the file cannot be read."""
    given = read_object(session_path(root)) or {}
    kept = given.get(KEY)
    if kept is None:
        return Kept()
    if not is_sealed(kept, given.get(SEAL), key):
        return Kept(problem="the state of the orchestra was not written by Paige on this machine")
    try:
        return Kept(load_state(kept))
    except BadInput as error:
        return Kept(problem=error.message)


def write_state(root: Path, state: State, now: datetime, key: bytes) -> None:
    """Keep a state, whole. Raises: Damaged, Refused, Unavailable."""
    dumped = json.loads(json.dumps(dump_state(state)))

    def change(before: dict[str, Any]) -> dict[str, Any]:
        return {**before, **_session(state, now), KEY: dumped, SEAL: seal(dumped, key)}

    change_object(session_path(root), change)


def fingerprint_of_state(folder: Path, *, sessions: bool = True) -> str:
    """A fingerprint of the state files of a folder: whoever else writes them is noticed."""
    digest = hashlib.sha256()
    for path in (features_path(folder), *((session_path(folder),) if sessions else ())):
        try:
            digest.update(path.read_bytes())
        except OSError:
            digest.update(b"none")
        digest.update(b"\0")
    return digest.hexdigest()


def write_worktree_state(
    folder: Path, state: State, features: tuple[Feature, ...], now: datetime
) -> None:
    """Tell the hooks in a worktree which feature is in hand. Raises: Refused, Unavailable."""
    write_object(session_path(folder), _session(state, now))
    write_features(folder, features)


def read_list(root: Path) -> tuple[Feature, ...] | Damaged | None:
    """The features of a project, or why they cannot be read."""
    try:
        return read_features(root)
    except Damaged as error:
        return error


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that conducts a project."""

    pid: int
    start: str


def holder_of(root: Path) -> Holder | None:
    """Who conducts a project now; nobody when that process is gone."""
    try:
        given = read_object(progress(root) / LEASE) or {}
    except Damaged:
        return None
    pid, start = given.get("pid"), given.get("start")
    if not isinstance(pid, int) or not isinstance(start, str):
        return None
    there = process_start(pid)
    return Holder(pid, start) if there is not None and there in (start, UNKNOWN) else None


@contextmanager
def conducting(root: Path, now: datetime) -> Iterator[None]:
    """Be the only conductor of a project. Raises: Conflict when there is one already."""
    path = progress(root) / LEASE
    own = {"pid": os.getpid(), "start": process_start(os.getpid()) or "", "since": to_iso(now)}
    with alone_with(path):
        other = holder_of(root)
        if other is not None and other.pid != os.getpid():
            raise Conflict(
                f"Another process ({other.pid}) conducts this project already",
                hint="`paige orchestra status --watch` shows what it does.",
            )
        write_object(path, own)
    try:
        yield
    finally:
        with alone_with(path):
            current = holder_of(root)
            if current is not None and current.pid == os.getpid():
                path.unlink(missing_ok=True)


def _session(state: State, now: datetime) -> dict[str, Any]:
    session = session_from(state)
    return {
        "state": session.state,
        "feature": session.feature,
        "attempt": session.attempt,
        "updated_at": to_iso(now),
    }
