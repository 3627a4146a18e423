"""A copy of the SQLite file before its schema changes, so that the way back stays open.

The copy is named after the schema it has: `paige.db.before-0012` is how the file was before it
left schema 0012. A later copy of the same schema takes its place, for it holds all of it and more.
"""

import os
from pathlib import Path

from paige.base.errors import PaigeError
from paige.store.dumping_alone_queries import copy_sqlite


def copy_path(path: Path, revision: str) -> Path:
    """Where the copy of a database that has this schema is kept."""
    return path.with_name(f"{path.name}.before-{revision}")


def copy_before_upgrade(path: Path, revision: str) -> Path:
    """Copy the file as it is now. Raises: Unavailable when there is no room; nothing changed."""
    copy = copy_path(path, revision)
    partial = copy.with_name(f".{copy.name}.{os.getpid()}.partial")
    try:
        partial.unlink(missing_ok=True)
        copy_sqlite(path, partial)
        os.replace(partial, copy)
    except (OSError, PaigeError):
        partial.unlink(missing_ok=True)
        raise
    return copy


def remove_copies(path: Path) -> None:
    """Remove the copies of a database: they hold what was erased from it."""
    for copy in path.parent.glob(f"{path.name}.before-[0-9][0-9][0-9][0-9]"):
        copy.unlink(missing_ok=True)
