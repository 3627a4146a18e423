"""The one way to the files of the project that is coached.

Everything here takes a path as an editor or a tool sends it, checks it, and stays inside the
project folder, whatever links lie there and whoever swaps them meanwhile. Reading, saving, the tree
and the diffs touch the disk and block: callers on the event loop use a thread. Buffers live in
memory, and their operations may be called from anywhere.
"""

import logging
import os
from datetime import datetime
from pathlib import Path

import anyio
from anyio.abc import TaskStatus

from paige.base.errors import PaigeError, Refused
from paige.coach.files.binary import has_binary_name
from paige.coach.files.buffers import Buffers
from paige.coach.files.diffs import unified_diff
from paige.coach.files.folders import Root
from paige.coach.files.project_path import ProjectPath, parse, parse_below
from paige.coach.files.reading import read_file, read_text
from paige.coach.files.tree import read_tree
from paige.coach.files.values import (
    BufferEntry,
    CursorPosition,
    FileContent,
    OnChanges,
    PathDiff,
    Saved,
    Tree,
)
from paige.coach.files.watching import watch
from paige.coach.files.writing import write_file

logger = logging.getLogger(__name__)


class ProjectFiles:
    """The files, buffers and unsaved changes of one project folder."""

    def __init__(self, root: Path, *, handles: bool | None = None) -> None:
        """Without `handles` the safest way of opening files that this system has is taken."""
        self.root = Path(os.path.abspath(root))
        self.buffers = Buffers()
        self._root = Root(self.root, handles=handles)

    def relative(self, path: str) -> str:
        """The path inside the project, in the one form that is used as a key everywhere.

        Raises: BadInput, Refused when it leads out of the project.
        """
        return self._parse(path).text

    def read(self, path: str) -> FileContent:
        """Read a file. Raises: NotFound, Refused, BadInput when it is too large."""
        return read_file(self._root, self._parse(path))

    def write(self, path: str, content: str, *, now: datetime) -> Saved:
        """Save a text, all of it or nothing, and note that its buffer is clean.

        A text typed while the save ran stays in the buffer, unsaved.
        Raises: Refused, BadInput, Unavailable when the disk is full.
        """
        place = self._parse(path)
        before = self.buffers.get(place.text)
        saved = write_file(self._root, place, content, now=now)
        self.buffers.saved(place.text, content, now=now, before=before)
        return saved

    def saved_length(self, path: str) -> int | None:
        """How many characters a file has on the disk; `None` when there is no such text."""
        try:
            saved = read_text(self._root, self._parse(path))
        except PaigeError:
            return None
        return None if saved is None else len(saved.content)

    def tree(self) -> Tree:
        """The folders and files worth showing, folders first."""
        return read_tree(self._root)

    def update_buffer(
        self, path: str, content: str, cursor: CursorPosition, *, now: datetime
    ) -> BufferEntry:
        """Keep what the editor holds, as unsaved text.

        Raises: Refused for a file that is no text, BadInput when it is too large.
        """
        place = self._parse(path)
        if has_binary_name(place.name):
            raise Refused(f"`{place.text}` is not a text file, so it has no buffer")
        return self.buffers.update(place.text, content, cursor, now=now)

    def buffer(self, path: str) -> BufferEntry | None:
        """What the editor holds of a file, if it told."""
        return self.buffers.get(self._parse(path).text)

    def forget(self, path: str) -> None:
        """Drop the buffer of a file."""
        self.buffers.forget(self._parse(path).text)

    def diff(self, path: str) -> str:
        """The unsaved changes of a file as a unified diff; empty when there are none."""
        place = self._parse(path)
        entry = self.buffers.get(place.text)
        if entry is None or not entry.dirty or has_binary_name(place.name):
            return ""
        saved = read_text(self._root, place)
        if saved is None:
            return unified_diff(place.text, None, entry.content)
        if saved.format is None:  # binary by now
            return ""
        return unified_diff(place.text, saved.content, saved.format.apply(entry.content))

    def diffs(self) -> list[PathDiff]:
        """The unsaved changes of every file that has some."""
        found: list[PathDiff] = []
        for path in self.buffers.dirty_paths():
            try:
                text = self.diff(path)
            except PaigeError as error:
                # One file that can no longer be read must not hide the changes of the others.
                logger.warning("No diff of %s: %s", path, error.message)
                continue
            if text:
                found.append(PathDiff(path, text))
        return found

    async def watch(
        self,
        on_changes: OnChanges,
        *,
        task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
    ) -> None:
        """Tell of every change in the tree until cancelled; it can be started by a task group.

        Raises: Unavailable, NotFound when the project folder is gone.
        """
        await watch(self._root, on_changes, task_status=task_status)

    def _parse(self, path: str) -> ProjectPath:
        if path.startswith("/") or os.path.isabs(path):
            return parse_below(path, (str(self.root), self._root.real))
        return parse(path)
