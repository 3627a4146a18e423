"""Everything in a demo that must be the same whenever it is filled, as texts that compare."""

import re
import sqlite3
from hashlib import sha256
from pathlib import Path

# What may differ, and why.
DIFFERS = re.compile(
    r"paige\.db.*"  # how SQLite lays rows out; the rows themselves are compared
    r"|memory/.*"  # indexes, made from the log whenever they are missing
    r"|guard/.*\.(bin|key)"  # compiled rules name times of files; the key is truly random
    r"|project/\.claude/.*"  # what is sealed with that key, and when sessions were last seen
    r"|project/\.git/index"  # times of files
    r"|workspace/memory/\.paige/.*"  # times of files
)


def dumped(demo: Path) -> dict[str, str]:
    """Tables and files by name, each as a hash of what is in it."""
    return {**_tables(demo / "paige.db"), **_files(demo)}


def _tables(path: Path) -> dict[str, str]:
    with sqlite3.connect(path) as connection:
        listed = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for (name,) in listed if "_fts" not in name and not name.startswith("sqlite")]
        found = {
            f"table {name}": _hash(
                "\n".join(sorted(map(repr, connection.execute(f"SELECT * FROM {name}"))))
            )
            for name in names
        }
    connection.close()
    return found


def _files(demo: Path) -> dict[str, str]:
    paths = (path for path in sorted(demo.rglob("*")) if path.is_file())
    named = ((path.relative_to(demo).as_posix(), path) for path in paths)
    return {name: _hash(path.read_bytes()) for name, path in named if not DIFFERS.fullmatch(name)}


def _hash(content: str | bytes) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()
