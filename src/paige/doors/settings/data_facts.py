"""What Paige keeps on this machine: where, how much, and what for."""

import os
import shutil
from pathlib import Path
from typing import Literal

from paige.app.application import App
from paige.base.errors import BadInput
from paige.base.settings import Settings, own_file
from paige.base.wire import wire

What = Literal[
    "data", "database", "workspace", "memory", "teaching", "settings", "project", "sample"
]
MOST_FILES = 50_000
"""Counting ends here: a page must not wait for a folder that is a whole disk."""


@wire
class KeptFile:
    """A file or folder that Paige keeps; not `counted`: there is more than this."""

    what: What
    path: str
    there: bool
    files: int
    size: int
    counted: bool = True


@wire
class SettingsData:
    """What is kept on this machine, and how many bytes the disk has left."""

    kept: tuple[KeptFile, ...]
    free: int


def data_facts(app: App) -> SettingsData:
    """Look at every place; it may take a moment, so it is used in a thread."""
    settings = app.settings
    kept = [_kept(what, path) for what, path in _places(app) if path is not None]
    return SettingsData(tuple(kept), _free(settings.data_dir))


def _places(app: App) -> list[tuple[What, Path | None]]:
    settings = app.settings
    database = settings.data_dir / "paige.db" if app.database.kind == "sqlite" else None
    return [
        ("data", settings.data_dir),
        ("database", database),
        ("workspace", settings.workspace),
        ("memory", _memory(settings)),
        ("teaching", settings.teaching_dir),
        ("settings", own_file(settings.environ)),
        ("project", settings.project_dir),
        ("sample", settings.data_dir / "sample"),
    ]


def _memory(settings: Settings) -> Path | None:
    try:
        return settings.memory_path
    except BadInput:  # no home, and no place given
        return None


def _kept(what: What, path: Path) -> KeptFile:
    if what == "project":  # its size is nothing Paige keeps, and it may be huge
        return KeptFile(what, str(path), path.is_dir(), 0, 0)
    if path.is_dir():
        files, size, counted = _count(path)
        return KeptFile(what, str(path), there=True, files=files, size=size, counted=counted)
    # A database in use lies in several files of the same name.
    sizes = [size for each in _siblings(path) if (size := _size(each)) is not None]
    return KeptFile(what, str(path), bool(sizes), len(sizes), sum(sizes))


def _siblings(path: Path) -> list[Path]:
    return [path, *(path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm"))]


def _count(folder: Path) -> tuple[int, int, bool]:
    files = size = 0
    for where, _, names in os.walk(folder):
        for name in names:
            files += 1
            size += _size(Path(where) / name) or 0
            if files >= MOST_FILES:
                return files, size, False
    return files, size, True


def _size(path: Path) -> int | None:
    try:
        return path.lstat().st_size
    except OSError:
        return None


def _free(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0
