"""The one way to the files of the project that is coached.

Everything here takes a path as an editor or a tool sends it, checks it, and stays inside the
project folder, whatever links lie there and whoever swaps them meanwhile. Reading, saving, the tree
and the diffs touch the disk and block: callers on the event loop use a thread. Buffers live in
memory, and their operations may be called from anywhere.
"""

import logging
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import anyio
from anyio.abc import TaskStatus

from paige.base.errors import PaigeError, Refused
from paige.coach.files.buffers import Buffers
from paige.coach.files.folders import Root
from paige.coach.files.languages import has_binary_name
from paige.coach.files.project_path import ProjectPath, parse, parse_below
from paige.coach.files.scan import MAX_ENTRIES, Scan, scan
from paige.coach.files.text_files import read_file, read_text, write_file
from paige.coach.files.values import (
    BufferEntry,
    CoachFile,
    CoachTree,
    CursorPosition,
    OnChanges,
    PathDiff,
    SavedFile,
    TreeNode,
)
from paige.coach.files.watcher import watch
from paige.language.line_steps import Step, compare

_CONTEXT = 3
_NO_NEWLINE = "\\ No newline at end of file\n"


def unified_diff(path: str, old: str | None, new: str) -> str:
    """The diff from the saved text to the new one; without `old` there is no saved file."""
    if (old or "") == new:
        return ""
    before, after = _same_newlines(old or "", new)
    name = f"{path}\t" if " " in path else path  # as git does, so that names end somewhere
    head = f"--- {'/dev/null' if old is None else 'a/' + name}\n+++ b/{name}\n"
    a, b = _lines(before), _lines(after)
    return head + "".join(_hunk(a, b, steps) for steps in _hunks(compare(a, b)))


def _hunks(steps: list[Step]) -> Iterator[list[Step]]:
    """The steps in groups, with a few equal lines around each change."""
    hunk: list[Step] = []
    for number, step in enumerate(steps):
        if step.tag != "equal":
            hunk.append(step)
            continue
        first, last = number == 0, number == len(steps) - 1
        if not first and (last or step.a2 - step.a1 > 2 * _CONTEXT):
            yield [*hunk, _first_lines(step)]
            hunk = []
        if not last:
            hunk.append(step if hunk else _last_lines(step))
    if hunk:
        yield hunk


def _first_lines(step: Step) -> Step:
    count = min(_CONTEXT, step.a2 - step.a1)
    return Step("equal", step.a1, step.a1 + count, step.b1, step.b1 + count)


def _last_lines(step: Step) -> Step:
    count = min(_CONTEXT, step.a2 - step.a1)
    return Step("equal", step.a2 - count, step.a2, step.b2 - count, step.b2)


def _hunk(a: list[str], b: list[str], steps: list[Step]) -> str:
    first, last = steps[0], steps[-1]
    text = [f"@@ -{_range(first.a1, last.a2)} +{_range(first.b1, last.b2)} @@\n"]
    for step in steps:
        if step.tag == "equal":
            text += [_shown(" ", line) for line in a[step.a1 : step.a2]]
        else:
            text += [_shown("-", line) for line in a[step.a1 : step.a2]]
            text += [_shown("+", line) for line in b[step.b1 : step.b2]]
    return "".join(text)


def _range(start: int, end: int) -> str:
    count = end - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def _lines(text: str) -> list[str]:
    """The lines without their ends; only a last line that lacks its end is marked, with one."""
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n"] if last else lines


def _shown(sign: str, line: str) -> str:
    return f"{sign}{line}{_NO_NEWLINE}" if line.endswith("\n") else f"{sign}{line}\n"


def _same_newlines(old: str, new: str) -> tuple[str, str]:
    """Both texts with plain line ends when all of theirs are alike: then they tell nothing."""
    texts = [text for text in (old, new) if text]
    if all(text.count("\r\n") == text.count("\n") > 0 for text in texts):
        return old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    return old, new


def read_tree(root: Root, *, max_entries: int = MAX_ENTRIES) -> CoachTree:
    """The tree of the project as it is now. Raises: NotFound when its folder is gone."""
    return tree_of(scan(root, max_entries=max_entries), os.path.basename(root.given))


def tree_of(found: Scan, name: str) -> CoachTree:
    """The tree of what was found; `name` is the name of the project folder."""
    children: dict[str, list[TreeNode]] = {}
    # From the longest way to the shortest: a folder's children are complete when it is made.
    for path in sorted(found.entries, key=lambda each: each.count("/"), reverse=True):
        folder, _, own = path.rpartition("/")
        below = _sorted(children.pop(path, []))
        kind = found.entries[path].kind
        node = TreeNode(own, path, kind, below if kind == "directory" else None)
        children.setdefault(folder, []).append(node)
    root = TreeNode(name, "", "directory", _sorted(children.pop("", [])))
    return CoachTree(root, len(found.entries), found.truncated)


def _sorted(nodes: list[TreeNode]) -> tuple[TreeNode, ...]:
    return tuple(sorted(nodes, key=lambda n: (n.type == "file", n.name.casefold(), n.name)))


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

    def read(self, path: str) -> CoachFile:
        """Read a file. Raises: NotFound, Refused, BadInput when it is too large."""
        return read_file(self._root, self._parse(path))

    def write(self, path: str, content: str, *, now: datetime) -> SavedFile:
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

    def tree(self) -> CoachTree:
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
