"""Checks a log line by line: what was changed, lost, repeated, or written by someone else.

A fold over lines in order. One wrong line is reported once: what follows from it (the next line no
longer fits) is not reported again.
"""

from collections.abc import Collection
from typing import Any

from paige.base.errors import BadInput
from paige.memory.log.chain import START, Fault, check_line, follow
from paige.memory.log.events import read_event
from paige.memory.log.foreign import line_mark
from paige.memory.log.problems import BY_HAND, RESTORE, Kind, Problem, Verification

MOST_PROBLEMS = 1000
_FAULTS: dict[Fault, tuple[str, str]] = {
    "hash": ("The frame of this line was changed after it was written: its hash is wrong", BY_HAND),
    "content": ("The words of this line were changed after it was written", BY_HAND),
    "spelling": ("This line was rewritten by another program; its values are the same", BY_HAND),
}


class Checker:
    """Takes in lines and gathers what is wrong with them."""

    def __init__(self, adopted: Collection[str]) -> None:
        self._adopted = adopted
        self._link = START  # where a reader stands
        self._holes = 0  # bad lines since then: each may stand for an event
        self._doubtful = False  # whether the hash of the last event is wrong
        self._ids: set[int] = set()  # hashes: a million ids would fill the memory
        self._events = 0
        self._unlisted = 0
        self._problems: list[Problem] = []
        self._segment, self._line = "", 0

    def take(self, segment: str, line: int, raw: bytes) -> None:
        """Check one line, given without its newline."""
        self._segment, self._line = segment, line
        fields, faults = check_line(raw)
        if "unreadable" in faults or "foreign" in faults:
            self._take_foreign(fields, raw)
        elif fields is not None:
            self._take_sealed(fields, faults)

    def add(self, problem: Problem) -> None:
        """Report a problem that was found elsewhere."""
        if len(self._problems) < MOST_PROBLEMS:
            self._problems.append(problem)
        else:
            self._unlisted += 1

    def result(self) -> Verification:
        """What came of it."""
        if not self._unlisted:
            return Verification(self._events, self._problems)
        what = f"There are {self._unlisted} more problems that are not listed"
        last = Problem(self._segment, None, None, "more", what, RESTORE)
        return Verification(self._events, [*self._problems, last])

    def _take_foreign(self, fields: dict[str, Any] | None, raw: bytes) -> None:
        if not raw.strip() or line_mark(raw) in self._adopted:
            return
        if fields is None:
            self._holes += 1
            self.add(unreadable(self._segment, self._line))
            return
        self._report(
            "foreign",
            "Someone else wrote this line, and it is not taken in yet",
            "Paige takes it in when it next tidies the memory; delete it if it does not belong.",
        )

    def _take_sealed(self, fields: dict[str, Any], faults: tuple[Fault, ...]) -> None:
        seq = fields.get("seq")
        seq = seq if type(seq) is int else None
        for fault in faults:
            what, fix = _FAULTS[fault]
            self._report(fault, what, fix, seq)
        following = follow(self._link, fields)
        if following is not None:
            self._fit(following.seq, fields.get("prev"))
            self._link, self._holes, self._doubtful = following, 0, "hash" in faults
            self._count(fields, following.seq)
        elif "hash" in faults:
            self._holes += 1
        else:
            what = f"Event {seq} was there before; this copy is skipped"
            self._report("repeat", what, RESTORE, seq)

    def _fit(self, seq: int, prev: object) -> None:
        """Report what is missing between the last event and this one."""
        ahead = seq - self._link.seq - 1
        if ahead > self._holes:
            first = self._link.seq + 1
            lost = f"Event {first} is" if ahead == 1 else f"Events {first} to {seq - 1} are"
            self._report("gap", f"{lost} missing before this line", RESTORE, seq)
        elif ahead == 0 and prev != self._link.hash and not self._doubtful:
            what = "This line does not follow the one before: something was replaced or taken out"
            self._report("prev", what, RESTORE, seq)

    def _count(self, fields: dict[str, Any], seq: int) -> None:
        """Count an event that readers get, and check what only readers would notice."""
        try:
            event = read_event(fields)
        except BadInput as error:
            what = f"This line cannot be used as an event: {error.message}"
            self._report("fields", what, "Update Paige, or restore the file from a backup.", seq)
            return
        self._events += 1
        key = hash(event.id)
        if key in self._ids:
            self._report("duplicate", f"The id `{event.id}` was used before", RESTORE, seq)
        self._ids.add(key)

    def _report(self, kind: Kind, what: str, fix: str, seq: int | None = None) -> None:
        self.add(Problem(self._segment, self._line, seq, kind, what, fix))


def unreadable(segment: str, line: int) -> Problem:
    """What to say about a line that is no JSON object."""
    what = "This line is not a JSON object, so it is skipped"
    return Problem(segment, line, None, "unreadable", what, RESTORE)
