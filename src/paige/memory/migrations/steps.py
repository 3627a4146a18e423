"""The steps from the logs of early programs to version 1.0.0.

0.1.0 is what anyone writes who appends a line a memory: `ts`, `kind`, `text`, `project`. 0.2.0 is
the log of the first prototypes: `id`, `timestamp`, `event_type`, `content`, `scope` and what hooks
added. A step takes what it knows by name and shape; what it does not know stays where it is and
comes along as an unknown field. Nothing is thrown away: a value that does not fit goes into the
payload under its old name.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from paige.base.clock import to_iso
from paige.memory.event import DEFAULT_IMPORTANCE, SCOPES, Scope
from paige.memory.imports.sources import read_moment

Change = Callable[[dict[str, Any]], dict[str, Any]]
_FORM = re.compile(r"(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:[-+].*)?$")


class Version(NamedTuple):
    """Major, minor, patch; they compare as they are written."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


class Step(NamedTuple):
    """How a line of `since`, or of a version after it, becomes one of `to`. Pure, and total."""

    since: Version
    to: Version
    change: Change
    words: str


def read_version(text: object) -> Version | None:
    """A version as it is written, or None."""
    found = _FORM.match(text) if isinstance(text, str) else None
    return Version(int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


def version_of(fields: Mapping[str, Any]) -> Version | None:
    """The version a line says it has, or that its names give away; None if neither."""
    if "schema_version" in fields:
        return read_version(fields["schema_version"])
    if fields.keys() >= _FIRST:
        return V1_0
    for names, version in _EARLY:
        if names & fields.keys():
            return version
    return None


def steps_between(version: Version, target: Version, steps: Sequence[Step]) -> list[Step]:
    """The steps to take, in order; none where only fields were added in between."""
    way: list[Step] = []
    while version < target:
        fitting = [s for s in steps if s.since <= version < s.to <= target]
        if not fitting:
            break
        way.append(max(fitting, key=lambda step: step.since))
        version = way[-1].to
    return way


V0_1, V0_2, V1_0 = Version(0, 1, 0), Version(0, 2, 0), Version(1, 0, 0)
# Early logs did not write a version, but each had names of its own; the newest comes first.
_FIRST = frozenset({"seq", "at", "type"})
_EARLY = (
    (frozenset({"timestamp", "event_type", "content"}), V0_2),
    (frozenset({"ts", "kind", "text"}), V0_1),
)


# Only the owner may read it: what this version cannot place must not become visible to more.
_UNPLACED: Scope = "learner"
_SCOPES: dict[str, Scope] = {
    "user": _UNPLACED,
    "private": _UNPLACED,
    "personal": _UNPLACED,
    "repo": "project",
    "repository": "project",
    "workspace": "project",
    "everyone": "global",
}


def simple_to_prototype(fields: dict[str, Any]) -> dict[str, Any]:
    """0.1.0 to 0.2.0: other names for the same things."""
    line = dict(fields)
    for old, new in (("ts", "timestamp"), ("kind", "event_type"), ("text", "content")):
        if old in line and new not in line:
            line[new] = line.pop(old)
    line.setdefault("scope", "project" if line.get("project") else "global")
    return line


def prototype_to_first(fields: dict[str, Any]) -> dict[str, Any]:
    """0.2.0 to 1.0.0: flat fields become the event's own; the rest goes into the payload."""
    old = dict(fields)
    spare: dict[str, Any] = {}
    line: dict[str, Any] = {
        **_moment(old, spare),
        "type": _text(old, spare, "event_type", "type", "kind") or "note",
        "scope": _scope(old),
        "project": _text(old, spare, "project", "project_id"),
        "session": _text(old, spare, "session", "session_id"),
        "task": _text(old, spare, "task", "task_id"),
        "supersedes": _text(old, spare, "supersedes"),
        "acl": _texts(old, spare, "acl"),
        "evidence": _texts(old, spare, "evidence"),
        "importance": _importance(old, spare),
        "outcome": _text(old, spare, "outcome"),
    }
    for name, value in (
        ("id", _text(old, spare, "id", "event_id")),
        ("owner", _text(old, spare, "owner", "user", "user_id")),
    ):
        if value:
            line[name] = value
    line["agent"] = _agent(old, spare)
    trace = _text(old, spare, "trace_id")
    line["provenance"] = _object(old, spare, "provenance") or {
        "session_id": line["session"],
        "trace_id": trace,
    }
    line["text"], said = _content(old)
    payload = {**_object(old, spare, "payload"), **said, **spare}
    for name in ("metadata", "tags", "speaker"):
        if name in old:
            payload.setdefault("meta" if name == "metadata" else name, old.pop(name))
    old.pop("schema_version", None)
    return {**old, **line, "payload": payload}


STEPS = (
    Step(V0_1, V0_2, simple_to_prototype, "`ts`, `kind` and `text` got the prototype's names"),
    Step(V0_2, V1_0, prototype_to_first, "flat fields became the event's own"),
)


def _moment(old: dict[str, Any], spare: dict[str, Any]) -> dict[str, Any]:
    for name in ("timestamp", "at", "ts", "time", "created_at"):
        if name not in old:
            continue
        value = old.pop(name)
        moment = read_moment(value)
        if moment is not None:
            return {"at": to_iso(moment)}
        if value is not None:
            spare[name] = value
    return {}


def _scope(old: dict[str, Any]) -> Scope:
    found = old.get("scope")
    if found in SCOPES:
        old.pop("scope")
        return next(scope for scope in SCOPES if scope == found)
    if "scope" in old:
        old["origin_scope"] = old.pop("scope")
    if found is None or found == "":
        return "project" if old.get("project") or old.get("project_id") else "global"
    return _SCOPES.get(found.lower(), _UNPLACED) if isinstance(found, str) else _UNPLACED


def _content(old: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The words, and what came with them."""
    found = old.pop("content", None)
    words = old.pop("text", None)
    said: dict[str, Any] = {}
    if isinstance(words, str) and words and found is not None:
        said["content"] = found
        return words, said
    if isinstance(found, str):
        return found, said
    if isinstance(found, Mapping):
        rest = dict(found)
        for name in ("text", "message", "summary", "content"):
            if isinstance(rest.get(name), str):
                return rest.pop(name), rest
        return "", rest
    if found is not None:
        said["content"] = found
    if words is not None and not isinstance(words, str):
        said["text"] = words
    return words if isinstance(words, str) else "", said


def _text(old: dict[str, Any], spare: dict[str, Any], *names: str) -> str | None:
    """The first of the names that holds a text; what holds something else is kept aside."""
    found: str | None = None
    for name in names:
        if name not in old:
            continue
        value = old.pop(name)
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if isinstance(value, str) and value and found is None:
            found = value
        elif value not in (None, "", found):
            spare[name] = value
    return found


def _texts(old: dict[str, Any], spare: dict[str, Any], name: str) -> list[str]:
    value = old.pop(name, None)
    if isinstance(value, str) and value:
        return [value]
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return list(value)
    if value not in (None, [], ""):
        spare[name] = value
    return []


def _importance(old: dict[str, Any], spare: dict[str, Any]) -> float:
    value = old.pop("importance", None)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    if value is not None:
        spare["importance"] = value
    return DEFAULT_IMPORTANCE


def _agent(old: dict[str, Any], spare: dict[str, Any]) -> dict[str, Any]:
    found = old.pop("agent", None)
    agent = dict(found) if isinstance(found, Mapping) else {}
    if isinstance(found, str) and found:
        agent["id"] = found
    elif found is not None and not isinstance(found, Mapping):
        spare["agent"] = found
    for name, flat in (("id", "agent_id"), ("role", "agent_role"), ("tool", "tool")):
        value = _text(old, spare, flat)
        if value is not None:
            agent.setdefault(name, value)
    return {"id": None, "role": None, "tool": None, **agent}


def _object(old: dict[str, Any], spare: dict[str, Any], name: str) -> dict[str, Any]:
    value = old.pop(name, None)
    if isinstance(value, Mapping):
        return dict(value)
    if value is not None:
        spare[name] = value
    return {}
