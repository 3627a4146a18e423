"""Where the work on the features stands: `session-state.json` of a project."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paige.guard.state.files import Damaged, line_of, read_object, read_text

NAME = "session-state.json"


@dataclass(frozen=True, slots=True)
class SessionState:
    """The state of the work, the feature it is about and which attempt this is."""

    state: str = ""
    feature: str | None = None
    attempt: int = 0
    updated_at: str = ""


def session_path(root: Path | str) -> Path:
    """Where the state of a project's work lies."""
    return Path(root) / ".claude" / "progress" / NAME


def read_session(root: Path | str) -> SessionState | None:
    """The state of the work; nothing when none is kept. Raises: Damaged."""
    path = session_path(root)
    given = read_object(path)
    return None if given is None else _session(given, path)


def _session(given: dict[str, Any], path: Path) -> SessionState:
    kinds: dict[str, tuple[type | tuple[type, ...], Any, str]] = {
        "state": (str, "", "a text"),
        "feature": ((str, type(None)), None, "the id of a feature, or `null`"),
        "attempt": (int, 0, "a whole number"),
        "updated_at": (str, "", "a time"),
    }
    taken: dict[str, Any] = {}
    for key, (kind, default, what) in kinds.items():
        taken[key] = given.get(key, default)
        if not isinstance(taken[key], kind):
            line = line_of(read_text(path) or "", f'"{key}"')
            raise Damaged(path, line, f"`{key}` is {taken[key]!r}", f"Write {what}.")
    return SessionState(**taken)
