"""Reads the lines of hooks for the graph: whatever a line holds, it is read or left out.

A line comes from many hosts and may be old, short or broken in its fields. Everything that is kept
of one has lost its secrets here, before anybody else sees it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

import orjson

from paige.base.secrets import redact
from paige.memory.intake.drafts import read_moment

MAIN = "main"
MOST_TEXT = 4000
MOST_SHORT = 300
MOST_DEPTH = 6
_MARGIN = 500
_WHOLE = 2**63
# What a line has as the host says it.
_TEXTS = (
    "session", "cli", "cwd", "mode", "role", "tool", "call", "decision", "rule", "feature", "task",
)  # fmt: skip
_STRANGE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One event of a host and what was decided about it."""

    id: str
    at: datetime
    event: str
    session: str = ""
    cli: str = ""
    cwd: str = ""
    mode: str = ""
    agent: str = MAIN
    agent_type: str = ""
    role: str = ""
    tool: str = ""
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])
    call: str = ""
    decision: str = ""
    rule: str = ""
    reason: str = ""
    said: str = ""
    error: str = ""
    interrupted: bool = False
    failed: bool = False
    feature: str = ""
    task: str = ""
    shadow: tuple[str, ...] = ()


def read_line(said: Mapping[str, Any], now: datetime) -> Line | None:
    """A line; nothing when it has no event. It never raises."""
    event = _text(said, "event")
    if not event:
        return None
    given, result = said.get("input"), said.get("result")
    found = result if isinstance(result, dict) else {}
    agent_type = _text(said, "agent_type")
    return Line(
        id=_text(said, "id") or f"line-{_digest(said)}",
        at=_moment(said.get("at"), now),
        event=event,
        agent=agent_type or _text(said, "agent") or MAIN,
        agent_type=agent_type,
        given=cleaned(given) if isinstance(given, dict) else {},
        reason=_text(said, "reason", MOST_TEXT),
        said=_text(said, "prompt", MOST_TEXT) or _text(said, "text", MOST_TEXT),
        error=_text(said, "error", MOST_TEXT) or _text(found, "error", MOST_TEXT),
        interrupted=found.get("interrupted") is True or said.get("is_interrupt") is True,
        failed=event == "post_tool_failure",
        shadow=_names(said.get("shadow")),
        **{name: _text(said, name) for name in _TEXTS},
    )


def line_id(line: Line, part: str = "") -> str:
    """The id of the trace that a line makes: the same each time the line comes."""
    named = "\n".join((line.id, part)) if part else line.id
    return f"trace-{blake2b(named.encode(), digest_size=8).hexdigest()}"


def digest_of(tool: str, given: Mapping[str, Any]) -> str:
    """A short name for a call with its input, to know it again."""
    return _digest({"tool": tool, "input": dict(given)})


def clean(text: str) -> str:
    """A text without secrets and without what no database takes."""
    return redact(_STRANGE.sub("\ufffd", text))


def cleaned(value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON
    """A JSON value whose texts are clean and not too long."""
    if isinstance(value, str):
        return _cut(value, MOST_TEXT)
    if depth >= MOST_DEPTH:
        return None
    if isinstance(value, Mapping):
        return {
            clean(str(key)[:200]): cleaned(each, depth + 1)
            for key, each in list(value.items())[:100]
        }
    if isinstance(value, list | tuple):
        return [cleaned(each, depth + 1) for each in value[:100]]
    if isinstance(value, float) and not -1e300 < value < 1e300:
        return None  # JSON has no infinity
    if isinstance(value, int) and not -_WHOLE < value < _WHOLE:
        return str(value)[:MOST_SHORT]
    if isinstance(value, int | float | bool) or value is None:
        return value
    return _cut(str(value), MOST_SHORT)


def _text(said: Mapping[str, Any], key: str, most: int = MOST_SHORT) -> str:
    value = said.get(key)
    return _cut(value, most) if isinstance(value, str) else ""


def _cut(text: str, most: int) -> str:
    # A secret that is cut in two is not known any more, so there is a margin.
    return clean(text[: most + _MARGIN])[:most]


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    found = (clean(each[:120]) for each in value[:20] if isinstance(each, str) and each)
    return tuple(dict.fromkeys(found))


def _moment(value: object, now: datetime) -> datetime:
    if not isinstance(value, str):
        return now
    try:
        return read_moment(value).astimezone(UTC)
    except (TypeError, AttributeError, ValueError, OverflowError):
        return now


def _digest(value: Mapping[str, Any]) -> str:
    raw = orjson.dumps(cleaned(value), option=orjson.OPT_SORT_KEYS)
    return blake2b(raw, digest_size=8).hexdigest()
