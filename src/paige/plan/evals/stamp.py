"""Tells whether a report is still about the code and the data as they are.

A report carries a hash of everything that decides what lessons come out: this room, the plugin, the
topics, the sample workspace and the evaluations themselves. When one of them changes, the figures
may have changed as well.
"""

import hashlib
from pathlib import Path

from paige.base.paths import shipped

ENDINGS = (".py", ".md", ".toml")
SHIPPED = ("evals", "plan", "plugins/lesson-planning", "workspace")
LENGTH = 16


def stamp() -> str:
    """The hash of code and data as they are now."""
    total = hashlib.sha256()
    for name, path in _files():
        total.update(f"{name}\0".encode())
        # Line ends differ between machines, what is said does not.
        total.update(path.read_bytes().replace(b"\r\n", b"\n"))
        total.update(b"\0")
    return total.hexdigest()[:LENGTH]


def _files() -> list[tuple[str, Path]]:
    """Every file that counts with its name, in order."""
    room = Path(__file__).parents[1]
    roots = [("plan", room), *((f"shipped/{name}", shipped(name)) for name in SHIPPED)]
    return sorted(
        (f"{name}/{path.relative_to(root).as_posix()}", path)
        for name, root in roots
        for path in root.rglob("*")
        if path.suffix in ENDINGS and path.is_file()
    )
