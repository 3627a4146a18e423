"""What the gates decided, read from the lines that hooks append to the spool.

Every hook's process writes one line an event into a file of its session and forgets it. When the
spool is emptied into memory, a short log of decisions stays. Here both are followed: each look
reads only what is new. A line has an id of its own, so that one read twice counts once, and a
half-written last line waits for the next look.
"""

import json
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from paige.guard.keeping import FAULT, GATES, OLDER, short, subject_of
from paige.guard.keeping import FILE as KEPT_FILE
from paige.guard.keeping import FOLDER as KEPT_FOLDER
from paige.memory.intake.spool import TAKEN

Verdict = Literal["denied", "asked", "changed", "passed", "fault"]
VERDICTS: tuple[Verdict, ...] = ("denied", "asked", "changed", "passed", "fault")
DOCTOR = "paige-doctor"  # the session in which doctor tries whether hooks hold
MOST_KEPT = 20_000
MOST_AT_ONCE = 64 * 2**20
MOST_OF_A_FILE = 16 * 2**20
_HEAD = 64
_ENDINGS = (".jsonl", TAKEN)
_VERDICTS: Mapping[str, Verdict] = {
    "deny": "denied",
    "keep_working": "denied",
    "abort": "denied",
    "ask": "asked",
    "modify": "changed",
    "add_context": "changed",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a coding CLI and what was decided about it.

    `subject` is what it is about, as a person reads it: the command, the files, the prompt.
    """

    id: str
    at: datetime
    cli: str
    session: str
    event: str
    host_event: str
    decision: str
    rule: str
    reason: str
    tool: str
    subject: str
    is_command: bool
    cwd: str
    mode: str
    agent: str

    @property
    def verdict(self) -> Verdict:
        """What it came to for the agent."""
        if self.event == FAULT:
            return "fault"
        return _VERDICTS.get(self.decision, "passed")

    @property
    def decided(self) -> bool:
        """Whether there was something to decide; the other events are only observed."""
        return self.event in GATES or self.verdict != "passed"


@dataclass(slots=True)
class _Place:
    """How far a file is read; its first bytes tell it from another one of the same name."""

    head: bytes
    offset: int
    changed: int


class GuardLog:
    """The newest entries of a spool; safe to be used from several threads."""

    def __init__(self, data: Path, *, kept: int = MOST_KEPT) -> None:
        self.folder = data / "spool"
        self._log = tuple(data / KEPT_FOLDER / name for name in (KEPT_FILE, OLDER))
        self.complete = True
        self._kept = kept
        self._places: dict[str, _Place] = {}
        self._entries: dict[str, Entry] = {}
        self._lock = threading.Lock()

    def read(self) -> tuple[Entry, ...]:
        """Every entry that is kept, the newest first, after a look at what is new."""
        with self._lock:
            fresh = list(self._fresh())
            if fresh:
                self._take_in(fresh)
            return tuple(self._entries.values())

    def _take_in(self, fresh: Iterable[Entry]) -> None:
        known = self._entries
        known.update((each.id, each) for each in fresh)
        ordered = sorted(known.values(), key=lambda each: (each.at, each.id), reverse=True)
        if len(ordered) > self._kept:
            self.complete = False
        self._entries = {each.id: each for each in ordered[: self._kept]}

    def _fresh(self) -> Iterator[Entry]:
        left = MOST_AT_ONCE
        for path, size, changed in self._files():
            place = self._place(path, size, changed)
            if size <= place.offset:
                continue
            if left <= 0:
                self.complete = False
                place.offset = size
                continue
            data = _after(path, place.offset, min(size - place.offset, left))
            left -= len(data)
            whole = data.rfind(b"\n") + 1
            place.offset += whole
            for line in data[:whole].split(b"\n"):
                entry = entry_of(line)
                if entry is not None and entry.session != DOCTOR:
                    yield entry

    def _place(self, path: Path, size: int, changed: int) -> _Place:
        """Where to go on reading a file; at its beginning when it is another one than before."""
        place = self._places.get(path.name)
        if place is not None and place.changed == changed:
            return place
        # Lines begin with their id. A number of a file is no help: the next file may get it.
        head = _after(path, 0, _HEAD)
        if place is not None and place.offset <= size and head.startswith(place.head):
            place.head, place.changed = head, changed
            return place
        place = _Place(head, max(0, size - MOST_OF_A_FILE), changed)
        self.complete = self.complete and place.offset == 0
        self._places[path.name] = place
        return place

    def _files(self) -> list[tuple[Path, int, int]]:
        """The files of the spool with size and time, the last changed first."""
        found: list[tuple[int, Path, int]] = []
        for path in self._paths():
            try:
                about = path.stat(follow_symlinks=False)
            except OSError:
                continue  # it has gone
            if stat.S_ISREG(about.st_mode):
                found.append((about.st_mtime_ns, path, about.st_size))
        found.sort(reverse=True)
        return [(path, size, changed) for changed, path, size in found]

    def _paths(self) -> list[Path]:
        try:
            names = [path for path in self.folder.iterdir() if path.name.endswith(_ENDINGS)]
        except OSError:
            names = []  # no hook has run yet
        return [*self._log, *names]


def entry_of(line: bytes) -> Entry | None:
    """The entry of a line; nothing when it is none."""
    if not line.strip():
        return None
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not said.get("id"):
        return None
    at = _moment(said.get("at"))
    if at is None:
        return None
    tool = _text(said, "tool")
    subject, is_command = subject_of(said)
    return Entry(
        id=_text(said, "id"),
        at=at,
        cli=_text(said, "cli"),
        session=_text(said, "session"),
        event=_text(said, "event"),
        host_event=_text(said, "host_event"),
        decision=_text(said, "decision") or "none",
        rule=_text(said, "rule"),
        reason=_text(said, "reason"),
        tool=tool,
        subject=subject,
        is_command=is_command,
        cwd=_text(said, "cwd"),
        mode=_text(said, "mode"),
        agent=_text(said, "agent_type") or _text(said, "agent"),
    )


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    return short(value) if isinstance(value, str) else ""


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _after(path: Path, offset: int, size: int) -> bytes:
    try:
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(size)
    except OSError:
        return b""
