"""What the editor holds of each file, saved or not, in memory.

The last update wins. Entries are whole values that replace one another under a lock, because saves
happen in threads while the editor goes on typing.
"""

from datetime import datetime
from threading import Lock

from paige.base.errors import BadInput, Refused
from paige.coach.files.text_files import check_text
from paige.coach.files.values import BufferEntry, CursorPosition

MAX_CHARACTERS = 64 * 2**20
"""How much all buffers hold together."""
_ENTRY = 256  # what an entry costs besides its text
_START = CursorPosition(1, 1)


class Buffers:
    """The buffers by path; paths are project paths in their one form."""

    def __init__(self, *, max_characters: int = MAX_CHARACTERS) -> None:
        self._max = max_characters
        self._used = 0
        self._entries: dict[str, BufferEntry] = {}
        self._lock = Lock()

    def update(
        self, path: str, content: str, cursor: CursorPosition, *, now: datetime
    ) -> BufferEntry:
        """Keep an unsaved text. Raises: BadInput when it is too large, Refused when all are."""
        check_text(path, content)
        if cursor.line < 0 or cursor.column < 0:
            raise BadInput(f"The cursor cannot stand at {cursor.line}:{cursor.column} in `{path}`")
        entry = BufferEntry(path, content, cursor, True, now)
        with self._lock:
            if not self._put(entry):
                raise Refused(
                    f"The text of `{path}` was not kept: the open files hold {self._used} "
                    f"characters already, and {self._max} is the most",
                    hint="Save and close files that are not needed.",
                )
        return entry

    def saved(
        self, path: str, content: str, *, now: datetime, before: BufferEntry | None = None
    ) -> BufferEntry:
        """Note that a text is on the disk; a text typed since `before` stays, unsaved."""
        with self._lock:
            current = self._entries.get(path)
            if current is not None and current is not before and current.content != content:
                return current
            cursor = current.cursor_position if current else _START
            entry = BufferEntry(path, content, cursor, False, now)
            if not self._put(entry):  # the disk has it; there is no need to hold it here
                self._drop(path)
        return entry

    def get(self, path: str) -> BufferEntry | None:
        """The buffer of a file, if there is one."""
        return self._entries.get(path)

    def dirty_paths(self) -> list[str]:
        """The files with unsaved text, sorted."""
        with self._lock:
            return sorted(path for path, entry in self._entries.items() if entry.dirty)

    def paths(self) -> list[str]:
        """The files that have a buffer, sorted."""
        with self._lock:
            return sorted(self._entries)

    def forget(self, path: str) -> None:
        """Drop the buffer of a file."""
        with self._lock:
            self._drop(path)

    @property
    def characters(self) -> int:
        """How much the buffers hold now, as it counts against the limit."""
        return self._used

    def _put(self, entry: BufferEntry) -> bool:
        """Keep an entry if there is room; saved texts make room, the oldest first."""
        path = entry.path
        more = _cost(entry) - _cost(self._entries.get(path))
        saved = [each for each, held in self._entries.items() if each != path and not held.dirty]
        for other in saved:
            if self._used + more <= self._max:
                break
            self._drop(other)
        if self._used + more > self._max:
            return False
        self._used += more
        self._entries[path] = entry
        return True

    def _drop(self, path: str) -> None:
        self._used -= _cost(self._entries.pop(path, None))


def _cost(entry: BufferEntry | None) -> int:
    return 0 if entry is None else len(entry.content) + len(entry.path) + _ENTRY
