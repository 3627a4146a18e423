"""Takes in what hooks left in the spool: files of JSON lines, drained in bounded jobs.

A hook only appends a line and goes on; nothing of the memory is loaded for it. A drain renames a
file first, so that hooks go on in a new one, and works on the renamed one. How far it came is kept
beside it, and only moves on when the lines are in the log: a crash in between brings lines again,
and the broker knows them by their ids. A hook that opened the file just before the rename may still
append to the renamed one, so this stays, and is looked at again, until it was quiet for a minute.
The last line waits while it is unfinished; lines that cannot be used are set aside in `<file>.bad`.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any

import orjson

from paige.base.clock import Clock
from paige.base.errors import BadInput
from paige.base.files import make_private, write_error
from paige.base.platform import locked
from paige.memory.event import AgentRef, Draft, Provenance
from paige.memory.intake.drafts import Remember, read_moment
from paige.memory.types import shown

TAKEN = ".draining"
BAD = ".bad"
LOCK = ".drain.lock"
MOST_LINES = 500
MOST_TIME = timedelta(seconds=2)
_READ = 2**20
# A file that nobody added to for so long has no writer left that opened it before the rename, and
# a line that was not finished for so long never will be.
_QUIET = timedelta(minutes=1)
_GIVEN_UP = timedelta(hours=1)
_MOST_SHOWN = 4000

ProjectOf = Callable[[str], str | None]


@dataclass(slots=True)
class DrainResult:
    """What a drain did."""

    lines: int = 0
    stored: int = 0
    duplicates: int = 0
    refused: list[str] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)  # where, and why
    more: bool = False


class Spool:
    """The folder hooks write into."""

    def __init__(self, folder: Path, remember: Remember, project_of: ProjectOf) -> None:
        """`project_of` gives the project of a working directory."""
        self._folder = folder
        self._remember = remember
        self._project_of = project_of

    def waiting(self) -> int:
        """How many bytes wait to be taken in."""
        return sum(max(0, _size(path) - _read_offset(path)) for path in self._files())

    def drain(
        self, now: Clock, *, most_lines: int = MOST_LINES, most_time: timedelta = MOST_TIME
    ) -> DrainResult:
        """Take in what is there, oldest file first, until the bounds are reached."""
        done = DrainResult()
        if not self._files():
            return done
        try:
            make_private(self._folder)
            with locked(self._folder / LOCK):
                self._drain(done, now, most_lines, now() + most_time)
        except OSError as error:
            raise write_error(self._folder, error) from error
        return done

    def _drain(self, done: DrainResult, now: Clock, most_lines: int, until: datetime) -> None:
        for path in self._files():
            taken = path if path.name.endswith(TAKEN) else _take(path)
            if taken is None:
                continue
            while self._drain_some(taken, done, most_lines - done.lines):
                if done.lines >= most_lines or now() >= until:
                    done.more = self.waiting() > 0
                    return
            _finish(taken, now(), done)

    def _drain_some(self, path: Path, done: DrainResult, most: int) -> bool:
        """Take in the next lines of a file; `False` when there is nothing more to take."""
        offset = _read_offset(path)
        lines = _read_from(path, offset).split(b"\n")[:-1][: max(1, most)]
        if not lines:
            return False
        self._take_in(path, lines, done)
        _write_offset(path, offset + sum(len(line) + 1 for line in lines))
        return True

    def _take_in(self, path: Path, lines: Sequence[bytes], done: DrainResult) -> None:
        drafts: list[Draft] = []
        bad: list[tuple[bytes, str]] = []
        for line in lines:
            done.lines += 1
            if not line.strip():
                continue
            try:
                drafts += drafts_of(_parse(line), line, self._project_of)
            except BadInput as error:
                bad.append((line, error.message))
        for result in self._remember(drafts) if drafts else ():
            done.stored += result.status == "stored"
            done.duplicates += result.status in ("duplicate", "recalled")
            if result.status == "refused":
                done.refused.append(result.reason or "refused")
        _set_aside(path, bad, done)

    def _files(self) -> list[Path]:
        """What was begun comes first, oldest first."""
        try:
            names = os.listdir(self._folder)
        except (FileNotFoundError, NotADirectoryError):
            return []
        begun = sorted((name for name in names if name.endswith(TAKEN)), key=_number)
        fresh = sorted(name for name in names if name.endswith(".jsonl"))
        return [self._folder / name for name in (*begun, *fresh)]


def drafts_of(
    found: Mapping[str, Any], line: bytes = b"", project_of: ProjectOf = lambda _: None
) -> list[Draft]:
    """What one line of a hook is worth remembering; nothing for events that say nothing.

    Raises: BadInput naming the key.
    """
    event = found.get("event")
    if not isinstance(event, str) or not event:
        raise BadInput(f"`event` is `{shown(event)}`, which is not a text")
    make = EVENTS.get(event)
    text = _optional(found, "text")
    if make is None or not (text or "").strip():
        return []
    session, tool = _optional(found, "session"), _optional(found, "tool")
    at = _moment(found)
    kind, speaker, outcome = make
    payload: dict[str, Any] = {"source": "hook", "event": event}
    for name in ("inputs_hash", "fix"):
        if (value := _optional(found, name)) is not None:
            payload[name] = value
    if speaker is not None:
        payload["speaker"] = speaker
    if tool is not None:
        payload["tool"] = tool
    project = _project(found, project_of)
    given = _optional(found, "outcome")
    return [
        Draft(
            id=_identity(found, line),
            text=(text or "")[:_MOST_SHOWN] if kind == "episode" else text or "",
            type=kind,
            scope="session" if session and kind == "turn" else None,
            project=project,
            session=session,
            agent=AgentRef(
                _optional(found, "agent"), _optional(found, "role"), _optional(found, "cli")
            ),
            task=_optional(found, "task"),
            payload=payload,
            outcome=given if given in ("success", "failure") and kind == "episode" else outcome,
            provenance=Provenance(session),
            at=at,
        )
    ]


# Event of a hook: type, speaker, outcome. A tool that worked is worth a line only when the hook
# says something about it; most lines say nothing and make nothing.
EVENTS: dict[str, tuple[str, str | None, str | None]] = {
    "prompt": ("turn", "user", None),
    "prompt_submit": ("turn", "user", None),
    "response": ("turn", "assistant", None),
    "stop": ("turn", "assistant", None),
    "subagent_stop": ("turn", "assistant", None),
    "post_tool": ("episode", None, "success"),
    "post_tool_failure": ("episode", None, "failure"),
    "session_summary": ("summary", None, None),
    "note": ("note", None, None),
}


def _identity(found: Mapping[str, Any], line: bytes) -> str:
    """A line's id; one without gets its hash, so that a second delivery is still noticed."""
    given = _optional(found, "id")
    return given or f"spool-{blake2b(line, digest_size=16).hexdigest()}"


def _project(found: Mapping[str, Any], project_of: ProjectOf) -> str | None:
    given = _optional(found, "project")
    if given is not None:
        return given
    cwd = _optional(found, "cwd")
    return project_of(cwd) if cwd else None


def _moment(found: Mapping[str, Any]) -> datetime | None:
    value = found.get("at")
    if value is None:
        return None
    try:
        return read_moment(value)
    except (TypeError, AttributeError, ValueError, OverflowError):
        raise BadInput(f"`at` is `{shown(value)}`, which is not a moment") from None


def _optional(found: Mapping[str, Any], key: str) -> str | None:
    value = found.get(key)
    if value is None:
        return None
    if not isinstance(value, str):
        raise BadInput(f"`{key}` is `{shown(value)}`, which is not a text")
    return value or None


def _parse(line: bytes) -> dict[str, Any]:
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInput(f"it is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadInput(f"it holds `{shown(found)}`, not an object")
    return found


def _take(path: Path) -> Path | None:
    """Give a file a name that hooks do not write to; `None` when it is gone."""
    number = 1
    while (taken := path.with_name(f"{path.name}.{number}{TAKEN}")).exists():
        number += 1
    try:
        os.rename(path, taken)
    except FileNotFoundError:
        return None
    return taken


def _number(name: str) -> tuple[str, int]:
    start, _, number = name.removesuffix(TAKEN).rpartition(".")
    return start, int(number) if number.isdigit() else 0


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _read_from(path: Path, offset: int) -> bytes:
    with path.open("rb") as file:
        file.seek(offset)
        raw = file.read(_READ)
        while raw and b"\n" not in raw and (more := file.read(_READ)):
            raw += more
    return raw


def _finish(path: Path, now: datetime, done: DrainResult) -> None:
    """Remove a file whose lines are all in the log, once nobody can be writing to it any more."""
    status = path.stat()
    quiet = now.timestamp() - status.st_mtime
    offset = _read_offset(path)
    if status.st_size > offset:
        if quiet < _GIVEN_UP.total_seconds():
            return  # an unfinished line: it waits for its end
        _set_aside(path, [(_read_from(path, offset), "its last line was never finished")], done)
    elif quiet < _QUIET.total_seconds():
        return
    path.unlink(missing_ok=True)
    _offset_path(path).unlink(missing_ok=True)


def _offset_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.offset")


def _read_offset(path: Path) -> int:
    try:
        return int(_offset_path(path).read_text())
    except (FileNotFoundError, ValueError):
        return 0


def _write_offset(path: Path, offset: int) -> None:
    """Not made durable: an older one only brings lines again that are known by their ids."""
    _offset_path(path).write_text(str(offset))


def _set_aside(path: Path, bad: Sequence[tuple[bytes, str]], done: DrainResult) -> None:
    if not bad:
        return
    name, _ = _number(path.name)
    with path.with_name(f"{name}{BAD}").open("ab") as file:
        for line, reason in bad:
            file.write(line + b"\n")
            done.bad.append(f"{name}: {reason}")
