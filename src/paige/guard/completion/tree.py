"""The files of a project as they are now: enough to see that something changed, without reading.

A verification holds for one state of the files. The state is the path, size and time of every file
that counts; it takes some milliseconds for thousands of files.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import blake2b

MOST_FILES = 20_000
_NOTES = (".claude", ".ai")


@dataclass(frozen=True, slots=True)
class Tree:
    """A state of the files; `whole` is false when there were too many to look at."""

    files: Mapping[str, tuple[int, int]]
    whole: bool = True
    hidden: tuple[str, ...] = ()  # folders that were left out

    @property
    def fingerprint(self) -> str:
        """The same for the same state."""
        digest = blake2b(digest_size=12)
        for path, (size, time) in sorted(self.files.items()):
            digest.update(f"{path}\0{size}\0{time}\n".encode(errors="surrogateescape"))
        return digest.hexdigest()

    def changed_since(self, before: Mapping[str, tuple[int, int]]) -> list[str]:
        """The files that are new, different or gone."""
        paths = sorted(self.files.keys() | before.keys())
        return [path for path in paths if self.files.get(path) != before.get(path)]


def tree_of(root: str, hidden: Collection[str]) -> Tree:
    """The files below a folder; folders named in `hidden` and what Paige keeps itself are left out.

    What agents write down about their work is no part of it: noting that a test passed must not
    make the test old.
    """
    found: dict[str, tuple[int, int]] = {}
    left_out: list[str] = []
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError:
            continue
        for entry in entries:
            if entry.name in hidden or entry.name in _NOTES or entry.is_symlink():
                left_out.append(os.path.relpath(entry.path, root).replace(os.sep, "/"))
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
                continue
            if len(found) >= MOST_FILES:
                return Tree(found, False, tuple(left_out))
            try:
                about = entry.stat(follow_symlinks=False)
            except OSError:
                continue  # it was removed meanwhile
            found[os.path.relpath(entry.path, root)] = (about.st_size, about.st_mtime_ns)
    return Tree(found, True, tuple(left_out))
