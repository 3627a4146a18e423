"""Checks a log line by line: what was changed, lost, repeated, or written by someone else.

A fold over lines in order. One wrong line is reported once, with what to do about it: what follows
from it (the next line no longer fits) is not reported again.

Lines that others wrote, by hand or with a program that knows nothing of the chain, are no events.
The broker makes events of them and puts the line's mark into the payload of the new event
(`payload.adopted`); from then on the line counts as taken in. A mark is a hash of the line, so it
stays right when files are renamed, and two equal lines are taken in once. The new event has to be
in the same log as the line. Looking for them is cheap: what was looked through once is remembered,
and our own lines are told by how they end.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal

from paige.base.errors import BadInput
from paige.memory.event import load_event
from paige.memory.log.chain import START, Fault, check_line, follow, is_foreign, looks_sealed, parse
from paige.memory.log.segments import OpenFile, blocks, sample_before

ADOPTED = "adopted"
_MARK = re.compile(rb'"adopted":"([0-9a-f]{32})"')


@dataclass(frozen=True, slots=True)
class ForeignLine:
    """A complete line of someone else: the object in it, or why there is none."""

    segment: str
    line: int
    mark: str
    fields: dict[str, Any] | None
    problem: str | None
    raw: bytes


@dataclass(slots=True)
class ScanResult:
    """How far a file was looked through, and what was found."""

    offset: int = 0
    sample: bytes = b""
    lines: int = 0
    foreign: list[tuple[int, bytes]] = field(default_factory=list)
    adopted: set[str] = field(default_factory=set)


def line_mark(raw: bytes) -> str:
    """What a line is known by when it is taken in."""
    return blake2b(raw.removesuffix(b"\n"), digest_size=16).hexdigest()


def scan(file: OpenFile, size: int, known: ScanResult | None) -> ScanResult:
    """Look through what was added to a file, or through all of it when it was replaced."""
    found = known if known is not None and _same(file, size, known) else ScanResult()
    for lines in blocks(file, found.offset, size):
        for raw in lines:
            found.lines += 1
            found.offset += len(raw) + 1
            if looks_sealed(raw):
                if b'"adopted":"' in raw:
                    found.adopted |= {mark.decode() for mark in _MARK.findall(raw)}
            elif raw.strip() and _foreign(raw):
                found.foreign.append((found.lines, raw))
    found.sample = sample_before(file, found.offset)
    return found


def foreign_lines(segment: str, scanned: ScanResult) -> Iterator[ForeignLine]:
    """The foreign lines of one file, taken in or not."""
    for number, raw in scanned.foreign:
        fields = parse(raw)
        problem = "It is not a JSON object" if fields is None else None
        yield ForeignLine(segment, number, line_mark(raw), fields, problem, raw)


def _foreign(raw: bytes) -> bool:
    fields = parse(raw)
    return fields is None or is_foreign(fields)


def _same(file: OpenFile, size: int, known: ScanResult) -> bool:
    return size >= known.offset and sample_before(file, known.offset) == known.sample


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
class LogProblem:
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
    problems: list[LogProblem]

    @property
    def ok(self) -> bool:
        """Whether every event is there, unchanged and in its place."""
        return all(problem.harmless for problem in self.problems)


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
        self._problems: list[LogProblem] = []
        self._segment, self._line = "", 0

    def take(self, segment: str, line: int, raw: bytes) -> None:
        """Check one line, given without its newline."""
        self._segment, self._line = segment, line
        fields, faults = check_line(raw)
        if "unreadable" in faults or "foreign" in faults:
            self._take_foreign(fields, raw)
        elif fields is not None:
            self._take_sealed(fields, faults)

    def add(self, problem: LogProblem) -> None:
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
        last = LogProblem(self._segment, None, None, "more", what, RESTORE)
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
            event = load_event(fields)
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
        self.add(LogProblem(self._segment, self._line, seq, kind, what, fix))


def unreadable(segment: str, line: int) -> LogProblem:
    """What to say about a line that is no JSON object."""
    what = "This line is not a JSON object, so it is skipped"
    return LogProblem(segment, line, None, "unreadable", what, RESTORE)
