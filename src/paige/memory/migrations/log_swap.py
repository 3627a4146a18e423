"""Puts a new log in the place of an old one, which stays beside it under another name.

A log may have several files, and several files cannot be renamed in one step. So what is to be done
is written down first; whoever comes next after a crash finishes it, or, if someone wrote to the old
log in the meantime, takes it back. All of this happens under the lock of the log.
"""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import orjson

from paige.base.files import sync_folder, write_atomic
from paige.memory.migrations.lines import log_files


class Swap(NamedTuple):
    """The active file, the new one, and where the old files go."""

    active: Path
    new: Path
    kept: list[tuple[Path, Path]]  # the last is the active file
    size: int  # of the active file when it was read
    inode: int


def new_path(path: Path) -> Path:
    """Where the new log is written before it takes its place."""
    return path.with_name(f".{path.name}.migrating")


def journal_path(path: Path) -> Path:
    """Where the renames that are under way are written down."""
    return path.with_name(f".{path.name}.swap")


def free_path(path: Path) -> Path:
    """The path itself, or with a number behind it if that is taken."""
    number = 2
    free = path
    while os.path.lexists(free):
        free = path.with_name(f"{path.name}-{number}")
        number += 1
    return free


def plan_swap(path: Path, version: str, size: int) -> Swap:
    """How the new log takes the place of the files that are there now."""
    kept = [(f, free_path(f.with_name(f"{f.name}.before-{version}"))) for f in log_files(path)]
    return Swap(path, new_path(path), kept, size, path.stat().st_ino)


def swap(todo: Swap) -> list[Path]:
    """Carry it out; returns where the old files are."""
    written = {
        "active": todo.active.name,
        "kept": [[old.name, kept.name] for old, kept in todo.kept],
        "size": todo.size,
        "inode": todo.inode,
    }
    write_atomic(journal_path(todo.active), orjson.dumps(written))
    try:
        return _carry_out(todo)
    except BaseException:
        if todo.new.exists():
            _take_back(todo)
        raise


def resume(path: Path) -> None:
    """Finish or take back what a crash interrupted, and remove what is left of it."""
    journal = journal_path(path)
    if journal.is_file():
        todo = _read(path, orjson.loads(journal.read_bytes()))
        # Without the new log either all but the last step is done, or it was lost.
        if _untouched(todo) == todo.new.exists():
            _carry_out(todo)
        else:
            _take_back(todo)
    new_path(path).unlink(missing_ok=True)


def _read(path: Path, written: dict) -> Swap:
    kept = [(path.with_name(old), path.with_name(name)) for old, name in written["kept"]]
    return Swap(path, new_path(path), kept, written["size"], written["inode"])


def _untouched(todo: Swap) -> bool:
    found = todo.active.stat() if todo.active.exists() else None
    return found is not None and (found.st_size, found.st_ino) == (todo.size, todo.inode)


def _carry_out(todo: Swap) -> list[Path]:
    for old, kept in todo.kept:
        if old != todo.active:
            if old.exists() and not kept.exists():
                os.rename(old, kept)
        elif todo.new.exists():
            _keep(old, kept)
            os.replace(todo.new, todo.active)
    sync_folder(todo.active.parent)
    journal_path(todo.active).unlink(missing_ok=True)
    sync_folder(todo.active.parent)
    return [kept for _, kept in todo.kept]


def _keep(old: Path, kept: Path) -> None:
    """A second name for the active file, so that there is never a moment without one."""
    if kept.exists():
        return
    try:
        os.link(old, kept)
    except OSError:  # some file systems have no second names
        shutil.copy2(old, kept)


def _take_back(todo: Swap) -> None:
    for old, kept in todo.kept:
        if old == todo.active:
            kept.unlink(missing_ok=True)
        elif kept.exists() and not old.exists():
            os.rename(kept, old)
    journal_path(todo.active).unlink(missing_ok=True)
    sync_folder(todo.active.parent)
