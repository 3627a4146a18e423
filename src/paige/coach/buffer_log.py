"""What of someone's typing is worth a line in the action log: pure counting, no clock.

Text in an editor changes with every key. A file is logged at once when its size jumps, and
otherwise summed up now and then. Both begin to count again from there.
"""

from collections.abc import Iterable
from dataclasses import dataclass

MOST_SHARE = 0.5
MOST_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Significant:
    """A file that grew or shrank much since it was last logged."""

    path: str
    previous_chars: int
    new_chars: int

    @property
    def data(self) -> dict[str, str | int]:
        """The data of the action `buffer_significant_change`."""
        return {
            "path": self.path,
            "previousCharCount": self.previous_chars,
            "newCharCount": self.new_chars,
            "delta": self.new_chars - self.previous_chars,
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """What happened in a file since it was last logged."""

    path: str
    edit_count: int
    char_delta: int
    char_count: int

    @property
    def data(self) -> dict[str, str | int]:
        """The data of the action `buffer_summary`."""
        return {
            "path": self.path,
            "editCount": self.edit_count,
            "charDelta": self.char_delta,
            "charCount": self.char_count,
        }


@dataclass(slots=True)
class Counted:
    """How one file stands."""

    logged_chars: int
    chars: int
    edits: int = 0


class BufferLog:
    """Counts the edits of one person's files in one session."""

    def __init__(self) -> None:
        self._files: dict[str, Counted] = {}

    def opened(self, path: str, chars: int) -> None:
        """A file has this many characters now, without anyone having typed."""
        self._files[path] = Counted(chars, chars)

    def knows(self, path: str) -> bool:
        """Whether a file is counted already."""
        return path in self._files

    def noted(self, path: str, chars: int) -> Significant | None:
        """The text of a file changed; a value when that is to be logged at once.

        A file nobody told about is new: it is counted from its first text on, unless that is long.
        """
        first = 0 if chars > MOST_CHARACTERS else chars
        counted = self._files.setdefault(path, Counted(first, chars))
        counted.chars = chars
        counted.edits += 1
        before = counted.logged_chars
        if not is_significant(before, chars):
            return None
        # The edits are still summed up later: this says only that the size jumped.
        counted.logged_chars = chars
        return Significant(path, before, chars)

    def summaries(self, dirty: Iterable[str]) -> list[Summary]:
        """One summary for every unsaved file that was edited since the last one, by path."""
        found: list[Summary] = []
        for path in sorted(set(dirty)):
            counted = self._files.get(path)
            if counted is None or counted.edits == 0:
                continue
            delta = counted.chars - counted.logged_chars
            found.append(Summary(path, counted.edits, delta, counted.chars))
            self._files[path] = Counted(counted.chars, counted.chars)
        return found

    def forget(self, path: str) -> None:
        """A file is closed."""
        self._files.pop(path, None)

    def reset(self) -> None:
        """The session has ended: the next one counts from nothing."""
        self._files.clear()


def is_significant(before: int, now: int) -> bool:
    """Whether a file's size changed by more than half, or by more than 500 characters."""
    change = abs(now - before)
    return change > MOST_CHARACTERS or change > before * MOST_SHARE
