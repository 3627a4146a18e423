"""A fingerprint of the files of a project: evidence holds for the files it was made with.

Left out are `.git`, what coding CLIs and Paige keep, folders that tools make, and what the
project's own `.gitignore` names. Contents count; past a bound only size and time do, so that the
answer comes in time in a very large project too.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

LEFT_OUT = frozenset((
    ".git", ".hg", ".svn", ".claude", ".codex", ".gemini", ".copilot", ".ai", ".paige",
    "node_modules", ".venv", "venv", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache",
    ".tox", ".nox", ".hypothesis", ".cache", ".next", ".turbo", ".gradle", ".idea", ".vscode",
    "htmlcov", ".nyc_output", "coverage",
))  # fmt: skip
# In a worktree `.git` is a file.
LEFT_OUT_FILES = frozenset((".git", ".coverage", "coverage.xml", ".DS_Store"))
MOST_BYTES = 128 * 2**20
_MOST_IGNORED = 256 * 2**10
_BACKEND = "re2"  # the lines are the project's own: none of them may go back and forth
_CHUNK = 2**20


def tree_hash(root: Path | str, *, most_bytes: int = MOST_BYTES) -> str:
    """The fingerprint of a project's files as they are now."""
    base = Path(root)
    digest = hashlib.sha256()
    left = most_bytes
    for name, path in _files(base, _ignored(base)):
        digest.update(f"\0{len(name)}\0{name}\0".encode("utf-8", "surrogateescape"))
        left -= _add(digest.update, path, left)
    return digest.hexdigest()


def _add(update: Callable[[bytes], None], path: str, left: int) -> int:
    """Add one file; how many bytes of it were read."""
    try:
        about = os.lstat(path)
        if os.path.islink(path):
            update(b"link" + os.fsencode(os.readlink(path)))
            return 0
        if about.st_size > left:
            update(f"{about.st_size} {about.st_mtime_ns}".encode())
            return 0
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                update(chunk)
        return about.st_size
    except OSError:
        update(b"unreadable")  # gone meanwhile, or not for us: it is the same next time
        return 0


def _files(base: Path, ignored: "GitIgnoreSpec") -> Iterator[tuple[str, str]]:
    """The files below a folder in a fixed order, each with its path from there."""
    for folder, folders, files in os.walk(base):
        below = os.path.relpath(folder, base).replace(os.sep, "/")
        start = "" if below == "." else f"{below}/"
        links = [each for each in folders if os.path.islink(os.path.join(folder, each))]
        folders[:] = sorted(
            each
            for each in folders
            if each not in LEFT_OUT
            and each not in links
            and not ignored.match_file(f"{start}{each}/")
        )
        for each in sorted((*files, *links)):
            name = f"{start}{each}"
            path = os.path.join(folder, each)
            plain = os.path.isfile(path) or os.path.islink(path)
            if plain and each not in LEFT_OUT_FILES and not ignored.match_file(name):
                yield name, path


def _ignored(base: Path) -> "GitIgnoreSpec":
    import re2  # noqa: PLC0415 - most events of a hook do without them
    from pathspec import GitIgnoreSpec  # noqa: PLC0415

    def usable(line: str) -> bool:
        try:
            GitIgnoreSpec.from_lines([line], backend=_BACKEND)
        except (ValueError, re.error, re2.error):
            return False
        return True

    path = base / ".gitignore"
    try:
        large = path.stat().st_size > _MOST_IGNORED
        lines = [] if large else path.read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    return GitIgnoreSpec.from_lines([each for each in lines if usable(each)], backend=_BACKEND)
