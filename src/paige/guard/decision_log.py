"""What the gates decided: a short log that is kept, and everything newer from the spool.

Every hook's process writes one line an event into a file of its session and forgets it. When the
spool is emptied into memory, its lines are gone. Of those where there was something to decide one
short line each stays here, without the texts that tools would write and without secrets. The log
has two files, and the older one goes when the newer one is full.

Whoever looks reads only what is new. A line has an id of its own, so that one read twice counts
once, and a half-written last line waits for the next look.
"""

import json
import logging
import os
import stat
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from paige.base.secrets import redact
from paige.base.wire import wire
from paige.guard.tools import changes_of, command_of, reads_of
from paige.memory.intake.spool import TAKEN

logger = logging.getLogger(__name__)
FOLDER = "guard"
FILE, OLDER = "decisions.jsonl", "decisions-older.jsonl"
MOST_BYTES = 8 * 2**20
FAULT = "fault"
GATES = ("pre_tool", "permission_request")
_SILENT = ("", "none", "allow")
_KEPT = (
    "id", "at", "cli", "session", "event", "host_event", "cwd", "mode", "agent", "agent_type",
    "decision", "rule", "tool", "role", "call", "same",
)  # fmt: skip
# What an entry has as the line says it.
_TEXTS = (
    "id", "cli", "session", "event", "host_event", "rule", "reason", "tool", "cwd", "mode",
)  # fmt: skip
# Where an event without a tool says what it is about.
_WORDS = ("prompt", "task", "message", "source", "trigger", "error")
_MOST_TEXT = 2000
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


@wire(kw_only=True)
class GuardEntry:
    """One event of a coding CLI and what was decided; `subject` is the command, file or prompt."""

    id: str
    at: datetime
    cli: str
    session: str
    event: str
    host_event: str
    decision: str
    verdict: Verdict
    rule: str
    reason: str
    instead: str = ""
    tool: str
    subject: str
    is_command: bool
    cwd: str
    mode: str
    agent: str

    @property
    def decided(self) -> bool:
        """Whether there was something to decide; the other events are only observed."""
        return self.event in GATES or self.verdict != "passed"

    def mentions(self, words: str) -> bool:
        """Whether every one of some words is said in it."""
        text = f"{self.subject} {self.reason} {self.rule} {self.tool} {self.cwd}".lower()
        return all(word in text for word in words.lower().split())


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
        self._log = tuple(data / FOLDER / name for name in (FILE, OLDER))
        self.complete = True
        self._kept = kept
        self._places: dict[str, _Place] = {}
        self._entries: dict[str, GuardEntry] = {}
        self._lock = threading.Lock()

    def read(self) -> tuple[GuardEntry, ...]:
        """Every entry that is kept, the newest first, after a look at what is new."""
        with self._lock:
            fresh = list(self._fresh())
            if fresh:
                self._take_in(fresh)
            return tuple(self._entries.values())

    def _take_in(self, fresh: Iterable[GuardEntry]) -> None:
        known = self._entries
        known.update((each.id, each) for each in fresh)
        ordered = sorted(known.values(), key=lambda each: (each.at, each.id), reverse=True)
        if len(ordered) > self._kept:
            self.complete = False
        self._entries = {each.id: each for each in ordered[: self._kept]}

    def _fresh(self) -> Iterator[GuardEntry]:
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
                if entry is not None:
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


def entry_of(line: bytes) -> GuardEntry | None:
    """The entry of a line; nothing when it is none."""
    said = said_of(line)
    if said is None or (at := moment_of(said.get("at"))) is None:
        return None
    texts = {name: _text(said, name) for name in _TEXTS}
    decision = _text(said, "decision") or "none"
    subject, is_command = subject_of(said)
    return GuardEntry(
        at=at,
        decision=decision,
        verdict="fault" if texts["event"] == FAULT else _VERDICTS.get(decision, "passed"),
        subject=subject,
        is_command=is_command,
        agent=_text(said, "agent_type") or _text(said, "agent"),
        **texts,
    )


def said_of(line: bytes) -> dict[str, Any] | None:
    """What a line says; nothing when it is none, or one that doctor had written."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not said.get("id") or said.get("session") == DOCTOR:
        return None
    return said


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    return short(value) if isinstance(value, str) else ""


def moment_of(value: object) -> datetime | None:
    """The moment a line was written at; nothing when it is none."""
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


def keep(data: Path, lines: Iterable[Mapping[str, Any]], *, most: int = MOST_BYTES) -> int:
    """Append what was decided to the log of a data folder; how many lines. It never raises."""
    kept = [_line(each) for each in lines if is_decided(each)]
    if not kept:
        return 0
    path = data / FOLDER / FILE
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > most:
            os.replace(path, path.with_name(OLDER))
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as file:
            file.write(b"".join(kept))
    except OSError as error:
        logger.warning("Decisions could not be kept in %s: %s", path, error)
        return 0
    return len(kept)


def is_decided(said: Mapping[str, Any]) -> bool:
    """Whether there was something to decide; other events are only observed."""
    event = said.get("event")
    silent = str(said.get("decision") or "") in _SILENT and not said.get("shadow")
    return event in GATES or event == FAULT or not silent


def subject_of(said: Mapping[str, Any]) -> tuple[str, bool]:
    """What an event is about, as a person reads it, and whether that is a command."""
    if isinstance(said.get("subject"), str):
        return short(said["subject"]), said.get("is_command") is True
    tool, given = said.get("tool"), said.get("input")
    if not isinstance(tool, str) or not tool:
        told = (said.get(name) for name in _WORDS)
        return next((short(each) for each in told if isinstance(each, str) and each), ""), False
    given = given if isinstance(given, dict) else {}
    command = command_of(tool, given)
    if command is not None:
        return short(command), True
    paths = [each.path for each in changes_of(tool, given)] or reads_of(tool, given)
    if paths:
        return short(", ".join(paths)), False
    return next(
        (short(each) for each in given.values() if isinstance(each, str) and each), ""
    ), False


def short(text: str) -> str:
    """A text that can be sent and is not too long: hooks may write down half characters."""
    return text[:_MOST_TEXT].encode("utf-8", "replace").decode("utf-8")


def _line(said: Mapping[str, Any]) -> bytes:
    subject, is_command = subject_of(said)
    made = {name: said[name] for name in _KEPT if isinstance(said.get(name), str)}
    made |= {"subject": redact(subject), "is_command": is_command}
    for name in ("shadow", "overrode"):  # guards that would have spoken, and those let pass once
        if isinstance(said.get(name), list):
            made[name] = [str(each) for each in said[name]]
    reason = said.get("reason")
    if isinstance(reason, str) and reason:
        made["reason"] = redact(short(reason))
    return f"{json.dumps(made)}\n".encode()
