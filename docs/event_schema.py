"""The JSON Schema of a line of the memory log, made from the fields of an event and their types.

Other programs may read the log, and what they rely on is written down from the code itself. Unknown
fields are allowed everywhere: a newer version adds them, and everyone carries them along.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from paige.memory.event import DEFAULT_IMPORTANCE, SCHEMA_VERSION, SEAL_FIELDS, Event

DRAFT = "https://json-schema.org/draft/2020-12/schema"
MEANINGS = {
    "id": "Names the event; ids made by Paige sort by time.",
    "schema_version": "Version of the fields, as in semver: a newer minor version adds some.",
    "seq": "Number in this log, without gaps, from 1.",
    "at": "When it happened, in UTC.",
    "type": "What it is, such as `note`, `fact` or `episode`; an unknown one is read as a note.",
    "scope": "Who it is for. Beyond it the owner and those in `acl` may read it.",
    "owner": "Whose memory it is.",
    "project": "Project it belongs to: an opaque text.",
    "session": "Session it belongs to.",
    "acl": "Further readers: `person:NAME`, `role:NAME`, `agent:NAME`, or `*` for everyone.",
    "agent": "Agent that wrote it: its id, its role, the program it runs in.",
    "task": "What was being done.",
    "text": "What is remembered, in words.",
    "payload": "What only some types have, and `meta`, which callers get back as they gave it.",
    "outcome": "How the task ended.",
    "importance": "How much it matters, from 0 to 1, when it was written.",
    "evidence": "Where it comes from: files with lines, commands, addresses.",
    "provenance": "Session and trace of the run that wrote it.",
    "supersedes": "Id of the event that this one replaces.",
    "forgotten": "Present and true when the content was removed on request.",
    "salt": "Random text that goes into `digest`; removed with the content.",
    "digest": "SHA-256 over the salt and the content: what was said, and every unknown field.",
    "prev": "`hash` of the line before; 64 zeros in the first.",
    "hash": "SHA-256 over `prev` and all other fields, `digest` in place of the content.",
}
# Removed when the words of an event are forgotten.
CONTENT = ("task", "text", "payload", "outcome", "evidence")
_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null"}
_HEX = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


class FieldRow(NamedTuple):
    """A field as the reference shows it."""

    name: str
    type: str
    required: bool
    meaning: str


def event_schema() -> dict[str, Any]:
    """The schema of one line."""
    properties = {name: {**shape, "description": MEANINGS[name]} for name, shape in _shapes()}
    return {
        "$schema": DRAFT,
        "title": f"Event of the memory log, version {SCHEMA_VERSION}",
        "type": "object",
        "properties": properties,
        "required": sorted(_required(), key=list(properties).index),
        "additionalProperties": True,
    }


def field_rows() -> list[FieldRow]:
    """The fields of a line, in the order in which they are written."""
    required = _required()
    return [
        FieldRow(name, _words(shape), name in required, MEANINGS[name]) for name, shape in _shapes()
    ]


def _shapes() -> list[tuple[str, dict[str, Any]]]:
    hints = get_type_hints(Event)
    written = [name for name in MEANINGS if name in hints]
    shapes = [(name, {**_shape(hints[name]), **_LIMITS.get(name, {})}) for name in written]
    return shapes + [(name, _SEAL[name]) for name in SEAL_FIELDS]


def _required() -> set[str]:
    """What every line has, also one whose content was removed."""
    given = {each.name for each in fields(Event) if _has_no_default(each)}
    return given | {"digest", "prev", "hash"}


def _has_no_default(each: Any) -> bool:  # noqa: ANN401 - dataclasses do not name the type
    return each.default is MISSING and each.default_factory is MISSING


def _shape(hint: Any) -> dict[str, Any]:  # noqa: ANN401 - types have no type of their own
    kind, inner = get_origin(hint), get_args(hint)
    if kind is Literal:
        return {"type": "string", "enum": list(inner)}
    if kind in (Union, UnionType):
        return {"type": [_PLAIN[each] for each in inner]}
    if kind is tuple:
        return {"type": "array", "items": _shape(inner[0])}
    if kind is Mapping:
        return {"type": "object"}
    if hint is datetime:
        return {"type": "string", "format": "date-time"}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    # What is left are named tuples, written as objects.
    names = {name: _shape(each) for name, each in get_type_hints(hint).items()}
    return {"type": "object", "properties": names, "additionalProperties": True}


def _words(shape: Mapping[str, Any]) -> str:
    if "enum" in shape:
        return "one of " + ", ".join(f"`{each}`" for each in shape["enum"])
    if shape.get("format") == "date-time":
        return "time, ISO 8601"
    if shape["type"] == "array":
        return f"list of {_words(shape['items'])}s"
    if "properties" in shape:
        return "object with " + ", ".join(f"`{name}`" for name in shape["properties"])
    if "pattern" in shape:
        return "64 hex digits" if shape is _HEX else "text"
    names = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
    return " or ".join("text" if name == "string" else name for name in names)


_LIMITS: dict[str, dict[str, Any]] = {
    "id": {"minLength": 1},
    "type": {"minLength": 1},
    "owner": {"minLength": 1},
    "seq": {"minimum": 1},
    "importance": {"minimum": 0, "maximum": 1, "default": DEFAULT_IMPORTANCE},
    "schema_version": {"pattern": r"^\d+\.\d+\.\d+", "default": SCHEMA_VERSION},
    "forgotten": {"const": True},
}
_SEAL: dict[str, dict[str, Any]] = {
    "salt": {"type": "string"},
    "digest": _HEX,
    "prev": _HEX,
    "hash": _HEX,
}
