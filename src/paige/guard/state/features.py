"""The list of features, what is to be built and tested, and where the work on them stands.

`tested` is a claim that other agents rely on, so it is read in any spelling JSON has: an escaped
key, a key given twice, a value that only looks true. What a later reader might take for `true`
counts as a claim.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paige.base.errors import PaigeError
from paige.guard.state.files import (
    Damaged,
    alone_with,
    line_of,
    parse_json,
    read_object,
    read_text,
    write_object,
)

NAME = "feature-list.json"
STATUSES = ("pending", "in_progress", "completed", "blocked")
_MOST_FOLDERS = 8
_TESTED = "tested"
_FIELDS: dict[str, tuple[type, Any, str]] = {
    "title": (str, "", "a text"),
    "description": (str, "", "a text"),
    "status": (str, "pending", "one of the states"),
    _TESTED: (bool, False, "`true` or `false`"),
    "retries": (int, 0, "a whole number"),
    "evidence": (list, [], "a list of paths"),
}


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature; `extra` is what others keep with it."""

    id: str
    title: str = ""
    description: str = ""
    status: str = "pending"
    tested: bool = False
    retries: int = 0
    evidence: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict[str, Any])

    def dump(self) -> dict[str, Any]:
        """The feature as it stands in the file."""
        return {
            "id": self.id,
            "title": self.title,
            "description": self.description,
            "status": self.status,
            "tested": self.tested,
            "retries": self.retries,
            "evidence": list(self.evidence),
            **self.extra,
        }


def features_path(root: Path | str) -> Path:
    """Where the list of a project lies."""
    return Path(root) / ".claude" / "progress" / NAME


def read_features(root: Path | str) -> tuple[Feature, ...] | None:
    """The features of a project; nothing when it has no list. Raises: Damaged."""
    path = features_path(root)
    text = read_text(path)
    return None if text is None else parse_features(text, path)


def parse_features(text: str, path: Path | str) -> tuple[Feature, ...]:
    """The features in a text. Raises: Damaged with the line of the first mistake."""
    value = parse_json(text, path)
    listed = value.get("features") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        fix = 'Write `{"features": [...]}` with one object for each feature.'
        raise Damaged(path, 1, "it has no list `features`", fix)
    found: list[Feature] = []
    for number, each in enumerate(listed, 1):
        feature = _feature(each, number, text, path)
        if any(feature.id == other.id for other in found):
            line = text.count("\n", 0, text.rfind(json.dumps(feature.id, ensure_ascii=False))) + 1
            fix = "Give every feature an id of its own."
            raise Damaged(path, line, f"the id `{feature.id}` is there twice", fix)
        found.append(feature)
    return tuple(found)


def write_features(root: Path | str, features: tuple[Feature, ...]) -> None:
    """Replace the list of a project. Raises: Refused, Unavailable."""
    path = features_path(root)
    with alone_with(path):
        write_object(path, {"features": [each.dump() for each in features]})


def claims_in(text: str, path: Path | str) -> frozenset[str]:
    """The ids of all features that a text says are tested. Raises: Damaged.

    A claim without an id has the id `""`.
    """
    parse_json(text, path)  # for the line of a mistake
    pairs = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_Pairs)
    return frozenset(_claims(pairs))


class _Pairs(list[tuple[str, Any]]):
    """An object with every one of its keys, also those that are there twice."""


def _claims(value: object) -> Iterator[str]:
    if isinstance(value, _Pairs):
        if any(_is_tested(key) and _is_claim(each) for key, each in value):
            ids = [str(each) for key, each in value if key == "id" and isinstance(each, str | int)]
            # An id given twice names two features, and both must hold.
            yield from ids or [""]
        for _, each in value:
            yield from _claims(each)
    elif isinstance(value, list):
        for each in value:  # pyright: ignore[reportUnknownVariableType] - any JSON
            yield from _claims(each)  # pyright: ignore[reportUnknownArgumentType]


def _is_tested(key: str) -> bool:
    return key.strip().casefold() == _TESTED


def _is_claim(value: object) -> bool:
    """Whether somebody may take a value for true."""
    if isinstance(value, str):
        return value.strip().casefold() not in ("", "false", "no", "0", "off", "null", "none")
    return bool(value)


def _feature(value: object, number: int, text: str, path: Path | str) -> Feature:
    if not isinstance(value, dict):
        raise Damaged(path, 1, f"feature {number} is no object", "Write it between `{` and `}`.")
    given: dict[str, Any] = dict(value)
    id = given.pop("id", None)
    if not isinstance(id, str) or not id:
        raise Damaged(path, 1, f"feature {number} has no `id`", 'Add `"id": "…"` to it.')
    line = line_of(text, json.dumps(id, ensure_ascii=False))
    status = given.get("status", "pending")
    if status not in STATUSES:
        fix = f"Write one of {', '.join(STATUSES)}."
        raise Damaged(path, line, f"`status` of feature `{id}` is `{status}`", fix)
    for key, (kind, default, what) in _FIELDS.items():
        one = given.setdefault(key, default)
        if not isinstance(one, kind) or (kind is int and isinstance(one, bool)):
            raise Damaged(path, line, f"`{key}` of feature `{id}` is {one!r}", f"Write {what}.")
    evidence = tuple(str(each) for each in given.pop("evidence"))
    known = {key: given.pop(key) for key in _FIELDS if key != "evidence"}
    return Feature(id, evidence=evidence, extra=given, **known)


SESSION_NAME = "session-state.json"


@dataclass(frozen=True, slots=True)
class SessionState:
    """The state of the work, the feature it is about and which attempt this is."""

    state: str = ""
    feature: str | None = None
    attempt: int = 0
    updated_at: str = ""


def session_path(root: Path | str) -> Path:
    """Where the state of a project's work lies."""
    return Path(root) / ".claude" / "progress" / SESSION_NAME


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


def feature_at(folder: str) -> str:
    """The feature that is at work in a folder, by the state that is kept there; or nothing."""
    start = Path(folder)
    for each in (start, *start.parents)[:_MOST_FOLDERS]:
        if session_path(each).is_file():
            try:
                session = read_session(each)
            except PaigeError:
                return ""
            return (session.feature or "") if session is not None else ""
    return ""
