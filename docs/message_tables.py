"""Writes the part of the WebSocket page that lists the coach's messages, from their classes."""

import inspect
from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import TypeAdapter

from docs.schemas import Schema, value_of
from paige.coach import message_parts
from paige.coach.client_messages import INBOUND
from paige.coach.files.values import CursorPosition, TreeNode
from paige.coach.messages import DURABLE, OUTBOUND
from paige.store.messages import Message


def message_lines() -> list[str]:
    """Every message with its payload, then the shapes that payloads are made of."""
    lines = ["## The coach's messages from a client"]
    for kind in INBOUND:
        lines += _message(kind, "validation")
    lines += ["", "## The coach's messages from the server"]
    for kind in OUTBOUND:
        lines += _message(kind, "serialization")
    lines += ["", "## Shapes in payloads"]
    taken = {name for kind in INBOUND for name in kind.model_json_schema().get("$defs", ())}
    for part in _parts():
        mode = "validation" if part.__name__ in taken else "serialization"
        lines += ["", f"### {part.__name__}", "", _first(part), ""]
        lines += _fields(TypeAdapter(part).json_schema(by_alias=True, mode=mode))
    return lines


def _message(kind: type[Message], mode: Any) -> Iterator[str]:  # noqa: ANN401 - pydantic's own
    yield from ("", f"### `{kind.topic}`", "")
    durable = " An event: it is stored, and sent again after a reconnect." * (kind in DURABLE)
    yield f"{_first(kind)}{durable}"
    schema = kind.model_json_schema(by_alias=True, mode=mode)
    if schema.get("properties"):
        yield ""
        yield from _fields(schema)
    else:
        yield from ("", "Payload: `{}`.")


def _fields(schema: Schema) -> Iterator[str]:
    if "$ref" in schema:  # a shape that holds itself
        schema = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    needed = set(schema.get("required", ()))
    yield from ("| field | value |", "|---|---|")
    for name, field in schema["properties"].items():
        optional = "" if name in needed else ", may be left out"
        yield f"| `{name}` | {value_of(field)}{optional} |"


def _parts() -> Iterable[type[Any]]:
    found = (value for value in vars(message_parts).values() if inspect.isclass(value))
    kinds = {each for each in found if issubclass(each, message_parts.Part)}
    kinds |= {CursorPosition, TreeNode}
    return sorted(kinds - {message_parts.Part}, key=lambda kind: kind.__name__)


def _first(kind: type[Any]) -> str:
    return (kind.__doc__ or "").splitlines()[0]
