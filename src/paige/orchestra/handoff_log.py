"""The log of handoffs: every one with its context, one line of JSON for each thing that happened.

Lines are only ever added, under a lock. The same thing about the same key is written once, so a
handoff that is sent again after a crash stays one. A line that was cut off by a crash is left out,
and the next one begins on a line of its own.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, cast, get_args

from paige.base.clock import to_iso
from paige.base.errors import Conflict, Unavailable
from paige.base.files import write_error
from paige.base.platform import locked
from paige.orchestra.handoffs import Handoff
from paige.orchestra.values import HandoffEvent

FILE = ".claude/progress/handoffs.jsonl"
EVENTS: tuple[HandoffEvent, ...] = get_args(HandoffEvent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line: what happened to a handoff, when, and what else is known about it."""

    key: str
    event: HandoffEvent
    at: str
    handoff: Mapping[str, Any] | None = None
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def dump(self) -> dict[str, Any]:
        """The entry as it stands in the file."""
        shown: dict[str, Any] = {"at": self.at, "event": self.event, "key": self.key}
        if self.handoff is not None:
            shown["handoff"] = dict(self.handoff)
        if self.about:
            shown["about"] = dict(self.about)
        return shown


class HandoffLog:
    """The handoffs of one project."""

    def __init__(self, root: Path | str) -> None:
        self.path = Path(root) / FILE

    def note(
        self,
        event: HandoffEvent,
        key: str,
        at: datetime,
        handoff: Handoff | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> bool:
        """Write down what happened; false when it was there already.

        Raises: Conflict when another handoff has that key; Refused, Unavailable.
        """
        entry = Entry(
            key=key,
            event=event,
            at=to_iso(at),
            handoff=handoff.dump() if handoff is not None else None,
            about=dict(about or {}),
        )
        with self._alone():
            for known in _read(self.path):
                if known.key == key and known.event == event:
                    _same(known, entry)
                    return False
            _append(self.path, entry)
        return True

    def read(self) -> tuple[Entry, ...]:
        """All entries, the oldest first. Raises: Unavailable."""
        return tuple(_read(self.path))

    def of(self, key: str) -> tuple[Entry, ...]:
        """What happened to one handoff. Raises: Unavailable."""
        return tuple(each for each in _read(self.path) if each.key == key)

    def has(self, key: str, event: HandoffEvent) -> bool:
        """Whether something happened to a handoff. Raises: Unavailable."""
        return any(each.event == event for each in self.of(key))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        # A lock of its own: whoever holds the one of the state files may write here.
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = locked(self.path.with_suffix(".lock"))
            lock.__enter__()
        except OSError as error:
            raise write_error(self.path, error) from error
        try:
            yield
        finally:
            lock.__exit__(None, None, None)


def _same(known: Entry, entry: Entry) -> None:
    given = json.loads(json.dumps(entry.handoff))
    if entry.handoff is not None and known.handoff is not None and known.handoff != given:
        raise Conflict(
            f"Another handoff has the key `{entry.key}`",
            hint="Give it an `idempotency_key` of its own.",
        )


def _append(path: Path, entry: Entry) -> None:
    # What UTF-8 cannot hold is written as JSON escapes it anyway.
    line = json.dumps(entry.dump(), ensure_ascii=False).encode("utf-8", "backslashreplace")
    try:
        with path.open("ab+") as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    line = b"\n" + line  # the line before was cut off
            file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise write_error(path, error) from error


def _read(path: Path) -> Iterator[Entry]:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise Unavailable(f"`{path}` cannot be read: {error.strerror or error}") from error
    for line in raw.split(b"\n"):
        entry = _entry(line)
        if entry is not None:
            yield entry


def _entry(line: bytes) -> Entry | None:
    try:
        given: Any = json.loads(line)
        key, event, at = given["key"], given["event"], given["at"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(key, str) or event not in EVENTS or not isinstance(at, str):
        return None
    handoff, about = given.get("handoff"), given.get("about")
    return Entry(
        key=key,
        event=cast(HandoffEvent, event),
        at=at,
        handoff=handoff if isinstance(handoff, dict) else None,
        about=about if isinstance(about, dict) else {},
    )
