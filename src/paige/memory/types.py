"""The closed list of event types: what each is for, what it carries, how it is treated.

Content types are what people and agents said, learned or did; they are found by searching. The
others are bookkeeping: they act on memories that exist, so what they act on must be there. A type
this version does not know is kept and found like a note.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from paige.base.errors import BadInput

Kind = Literal["text", "ids", "share", "number", "flag", "object", "any"]


class Part(NamedTuple):
    """One entry of a payload."""

    kind: Kind
    required: bool = False


class EventType(NamedTuple):
    """How events of one type are treated."""

    name: str
    meaning: str
    parts: Mapping[str, Part] = {}
    searchable: bool = True
    needs_text: bool = True
    gated: bool = True  # the anonymisation gate reads its words
    outcomes: tuple[str, ...] = ()


_TEXT, _SHARE, _IDS = Part("text"), Part("share"), Part("ids", required=True)
_LEARNED = {"confidence": _SHARE, "validated_at": _TEXT}
# Any content may say these.
_SAID = {"speaker": _TEXT, "class_id": _TEXT, "source": _TEXT, "key": _TEXT}


def _book(name: str, meaning: str, parts: Mapping[str, Part]) -> EventType:
    return EventType(name, meaning, parts, searchable=False, needs_text=False, gated=False)


_ALL = (
    EventType("note", "something worth keeping", _SAID),
    EventType("turn", "a part of a conversation", _SAID),
    EventType("fact", "a value for `payload.key`", _SAID),
    EventType("preference", "a fact about a person", _SAID),
    EventType(
        "episode",
        "what was tried, with which tool, and how it ended",
        {**_SAID, "tool": _TEXT, "inputs_hash": _TEXT, "fix": _TEXT, "confidence": _SHARE},
        outcomes=("success", "failure"),
    ),
    EventType("pattern", "what works, seen more than once", {**_SAID, **_LEARNED}),
    EventType("anti_pattern", "what does not work", {**_SAID, **_LEARNED}),
    EventType(
        "qa",
        "a question and its answer",
        {**_SAID, "question": _TEXT, "answer": _TEXT, "confidence": _SHARE},
    ),
    EventType("summary", "what several memories say", {**_SAID, "of": Part("ids"), "tier": _TEXT}),
    _book("policy", "a step of a retrieval policy", {}),
    _book(
        "outcome",
        "how a task ended",
        {
            "success": Part("flag"),
            "retries": Part("number"),
            "corrections": Part("number"),
            "tool_calls": Part("number"),
            "recalled": Part("ids"),
        },
    ),
    _book("promoted", "a memory reached a wider scope", {"of": _IDS, "reason": _TEXT}),
    _book("rescoped", "a memory belongs elsewhere", {"of": _IDS}),
    _book("importance", "new importance of memories", {"scores": Part("object", required=True)}),
    _book("retracted", "a fact is no longer true", {"of": _IDS, "reason": _TEXT}),
    _book("forgotten", "memories are gone", {"ids": _IDS, "reason": _TEXT}),
    EventType(
        "file_written",
        "a version of a memory document",
        {"path": Part("text", required=True), "class_id": _TEXT},
        searchable=False,
        needs_text=False,
    ),
    _book("recalled", "what was put into a prompt", {"ids": _IDS, "query": _TEXT}),
)
TYPES: Mapping[str, EventType] = {each.name: each for each in _ALL}
_NOTE = TYPES["note"]


def type_of(name: str) -> EventType:
    """How a type is treated; one that is not known is treated like a note."""
    return TYPES.get(name, _NOTE)


def searchable(name: str) -> bool:
    """Whether events of a type are found by searching."""
    return type_of(name).searchable


def gated(name: str) -> bool:
    """Whether the anonymisation gate reads events of a type."""
    return type_of(name).gated


def check_payload(name: str, payload: Mapping[str, Any], outcome: str | None = None) -> None:
    """Check what an event carries against its type. Raises: BadInput naming the entry."""
    kind = type_of(name)
    for entry, part in kind.parts.items():
        value = payload.get(entry)
        if value is None:
            if part.required:
                raise BadInput(f"an event of the type `{name}` needs `payload.{entry}`")
        elif not _fits(part.kind, value):
            raise BadInput(f"`payload.{entry}` is `{shown(value)}`, which is not {_SAY[part.kind]}")
    if kind.outcomes and outcome is not None and outcome not in kind.outcomes:
        expected = " or ".join(f"`{each}`" for each in kind.outcomes)
        raise BadInput(f"`outcome` is `{shown(outcome)}`, expected {expected}")


_SAY: Mapping[Kind, str] = {
    "text": "a text",
    "ids": "an id or a list of ids",
    "share": "a number from 0 to 1",
    "number": "a number",
    "flag": "true or false",
    "object": "an object",
    "any": "usable",
}


def shown(value: object) -> str:
    """A value as a message shows it: short, on one line."""
    text = value if isinstance(value, str) else repr(value)
    line = " ".join(text.encode(errors="replace").decode().split())
    return line if len(line) <= 80 else f"{line[:79]}…"


def _fits(kind: Kind, value: object) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "ids":
            several = isinstance(value, list | tuple) and all(isinstance(e, str) for e in value)
            return several or isinstance(value, str)
        case "share":
            return is_number(value) and 0 <= value <= 1  # type: ignore[operator]
        case "number":
            return is_number(value)
        case "flag":
            return isinstance(value, bool)
        case "object":
            return isinstance(value, Mapping)
        case "any":
            return True


def is_number(value: object) -> bool:
    """Whether a value is a number, and not a truth value in disguise."""
    return isinstance(value, int | float) and not isinstance(value, bool)
