"""What the conductor has done, one line each, kept before anything is built on it.

An action of the machine has a key for good. Its answer is written here before the machine takes it
in, so a conductor that was killed takes the same answer again instead of acting twice. A line that
was torn by a kill is no line, and neither is one without the seal of this machine: an agent cannot
write an answer of its own.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from paige.base.files import write_error
from paige.orchestra import values

FILE = ".claude/progress/journal.jsonl"
_EVENTS: Mapping[str, type] = {
    each.__name__: each
    for each in (
        values.AgentReturned,
        values.AgentFailed,
        values.AgentTimedOut,
        values.Verified,
        values.Refused,
        values.NotVetoed,
        values.Vetoed,
        values.TestsPassed,
        values.TestsFailed,
        values.Merged,
        values.MergeConflict,
        values.BaseMoved,
    )
}


class Journal:
    """The answers to actions by key, and other things that are done once, by name."""

    def __init__(
        self, root: Path, key: bytes, *, mark: Callable[[str], None] = lambda _: None
    ) -> None:
        self._path = root / FILE
        self._key = key
        self._mark = mark
        self._known = _read(self._path, key)

    def answer(self, key: str) -> values.Event | None:
        """The event that answered an action, if it was answered."""
        found = self._known.get(f"answer:{key}")
        return None if found is None else load_event(found)

    def answered(self, key: str, event: values.Event) -> None:
        """Keep the answer to an action. Raises: Refused, Unavailable."""
        self.keep(f"answer:{key}", dump_event(event))

    def known(self, name: str) -> Any:  # noqa: ANN401 - JSON
        """What was kept under a name; nothing when nothing was."""
        return self._known.get(name)

    def names(self, start: str) -> list[str]:
        """What was kept under names that begin so, in the order it was kept."""
        return [name for name in self._known if name.startswith(start)]

    def keep(self, name: str, value: Any) -> None:  # noqa: ANN401 - JSON
        """Keep something under a name, once. Raises: Refused, Unavailable."""
        if name in self._known:
            return
        self._mark(f"before {name}")
        line = {"name": name, "value": value}
        append_line(self._path, {**line, "seal": seal(line, self._key)})
        self._known[name] = value
        self._mark(f"after {name}")


def seal(body: object, key: bytes) -> str:
    """The seal of this machine on a value."""
    text = json.dumps(body, sort_keys=True, ensure_ascii=True)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def is_sealed(body: object, given: object, key: bytes) -> bool:
    """Whether a value has the seal of this machine."""
    return isinstance(given, str) and hmac.compare_digest(
        seal(body, key).encode(), given.encode(errors="surrogatepass")
    )


def append_line(path: Path, body: Mapping[str, Any]) -> None:
    """Append one line of JSON and make it last; a torn line before it is closed first."""
    line = json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            size = os.fstat(handle).st_size
            if size and os.pread(handle, 1, size - 1) != b"\n":
                line = b"\n" + line
            os.write(handle, line)
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise write_error(path, error) from error


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of lines; what is no whole object is passed by."""
    found: list[dict[str, Any]] = []
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        return found
    for line in text.split("\n"):
        with suppress(ValueError, RecursionError):
            value = json.loads(line)
            if isinstance(value, dict):
                found.append(value)
    return found


def dump_event(event: values.Event) -> dict[str, Any]:
    """An event as JSON."""
    kind = type(event)
    return {"event": kind.__name__, **_adapter(kind).dump_python(event, mode="json")}


def load_event(given: object) -> values.Event | None:
    """An event from JSON; nothing when it is none this Paige knows."""
    if not isinstance(given, dict) or given.get("event") not in _EVENTS:
        return None
    fields = {key: value for key, value in given.items() if key != "event"}
    try:
        return _adapter(_EVENTS[given["event"]]).validate_python(fields)
    except ValidationError:
        return None


@lru_cache(maxsize=64)
def _adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _read(path: Path, key: bytes) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for line in read_lines(path):
        body = {"name": line.get("name"), "value": line.get("value")}
        if isinstance(body["name"], str) and is_sealed(body, line.get("seal"), key):
            known.setdefault(body["name"], body["value"])
    return known
