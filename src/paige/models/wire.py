"""What the three wire formats share: a dialect is a set of pure functions between values and JSON.

The body is put together from pieces that were encoded before: a message of the history is turned
into JSON once in its life, not on every turn. That is why the SDKs are given finished bytes.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, cast

from pydantic import BaseModel

from paige.models.messages import Block, Message
from paige.models.requests import Delta, Request, StopReason, ToolSpec, Usage


@lru_cache(maxsize=256)
def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Every property required, nothing else allowed; made by the SDK, so that it stays right."""
    from openai import pydantic_function_tool  # noqa: PLC0415 - the SDK takes a second to import

    function = cast("dict[str, Any]", pydantic_function_tool(model)["function"])
    return function["parameters"]


Item = Mapping[str, Any]
"""One JSON object of a provider's wire format."""


class Reply(NamedTuple):
    """An answer as far as the wire format knows it; no usage means that none was reported."""

    message: Message
    stop_reason: StopReason
    usage: Usage | None
    refusal: str = ""


class StreamReader(Protocol):
    """Puts the events of one streamed answer together."""

    def feed(self, event: Item) -> list[Delta]:
        """Take one event. Raises: ProviderFailed when it says so."""
        ...

    def body(self) -> Item | None:
        """The whole answer in the form of an unstreamed one; `None` when the end is missing."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """One wire format."""

    name: str
    path: str
    to_wire: Callable[[Request, str, bool], bytes]
    from_wire: Callable[[Item], Reply]
    blocks_of: Callable[[Iterable[Item]], tuple[Block, ...]]
    reader: Callable[[], StreamReader]


def dumps(value: object) -> bytes:
    """Compact JSON; half a surrogate pair, which no server takes, becomes a question mark."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def assemble(head: Mapping[str, object], **lists: Iterable[bytes]) -> bytes:
    """A JSON object of `head` and of lists of items that are JSON already; empty ones stay out."""
    parts = [dumps(head)[:-1]]
    for key, items in lists.items():
        joined = b",".join(item for item in items if item)
        if joined:
            parts += (b',"%s":[' % key.encode(), joined, b"]")
    return b"".join([*parts, b"}"])


def encoded(
    value: Message | ToolSpec, dialect: str, items: Callable[[Any], Iterable[object]]
) -> bytes:
    """The JSON of a message or tool, made at its first use; several items are joined by commas."""
    known = value.encoded.get(dialect)
    if known is None:
        known = b",".join(dumps(item) for item in items(value))
        value.encoded[dialect] = known
    return known


def native_items(message: Message, dialect: str) -> tuple[Item, ...] | None:
    """What the provider itself wrote, if this is the provider."""
    if message.native is None or message.native.provider != dialect:
        return None
    return message.native.items


def read_tool_input(given: str | Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The arguments a model wrote, and the text itself when it is no JSON object."""
    if isinstance(given, Mapping):
        return given, ""  # some compatible servers do not write JSON into JSON
    try:
        value = json.loads(given or "{}")
    except ValueError:
        return {}, given
    return (value, "") if isinstance(value, dict) else ({}, given)
