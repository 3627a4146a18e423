"""What can be wrong with a log, as a person reads it: what it is, and what to do about it."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "unreadable",  # not JSON
    "hash",  # the header is not what was sealed
    "content",  # the words are not what was sealed
    "spelling",  # the same values, written in another way
    "fields",  # sealed, but not an event this version can use
    "prev",  # does not follow the line before
    "gap",  # events are missing
    "repeat",  # a number that was already given out
    "duplicate",  # an id that was already used
    "foreign",  # written by someone else, not taken in yet
    "torn",  # an unfinished line, set aside
    "more",  # too many to list
]
_HARMLESS = ("foreign", "torn")

RESTORE = "Restore the file from a backup if it matters; everything else can still be read."
BY_HAND = (
    "Undo the change or restore the file from a backup; to correct a memory, write a new one, "
    "and to remove it, use `paige memory forget`."
)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a log that a person should know; `segment` is the name of the file."""

    segment: str
    line: int | None
    seq: int | None
    kind: Kind
    what: str
    fix: str

    @property
    def harmless(self) -> bool:
        """Whether the log itself is whole: nothing that was confirmed is lost or changed."""
        return self.kind in _HARMLESS


@dataclass(frozen=True, slots=True)
class Verification:
    """How a look at every line went: how many events were read, and what is wrong."""

    events: int
    problems: list[Problem]

    @property
    def ok(self) -> bool:
        """Whether every event is there, unchanged and in its place."""
        return all(problem.harmless for problem in self.problems)
