"""Anthropic's Messages API: requests to JSON, answers from JSON."""

import base64
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, cast, get_args

from pydantic import BaseModel

from paige.models.errors import failure
from paige.models.messages import (
    Block,
    Image,
    Message,
    Native,
    Opaque,
    Reasoning,
    Text,
    ToolResult,
    ToolUse,
)
from paige.models.requests import (
    Delta,
    ReasoningDelta,
    Request,
    StopReason,
    TextDelta,
    ToolInputDelta,
    ToolSpec,
    ToolUseStarted,
    Usage,
)
from paige.models.wire import (
    Dialect,
    Item,
    Reply,
    assemble,
    dumps,
    encoded,
    native_items,
    read_tool_input,
)

# The field of a content item that each kind of delta adds to.
_FIELDS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


class AnthropicReader:
    """Collects the events from `message_start` to `message_stop`."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._items: dict[int, dict[str, Any]] = {}
        self._parts: dict[tuple[int, str], list[str]] = {}
        self._stopped = False

    def feed(self, event: Item) -> list[Delta]:
        """Take one event."""
        match event["type"]:
            case "message_start":
                self._message = {**event["message"]}
            case "content_block_start":
                return self._start(event["index"], event["content_block"])
            case "content_block_delta":
                return self._add(event["index"], event["delta"])
            case "message_delta":
                self._message |= event["delta"]
                self._message["usage"] = {**self._message["usage"], **(event.get("usage") or {})}
            case "message_stop":
                self._stopped = True
            case "error":
                raise failure("anthropic", None, event, {})
        return []

    def body(self) -> Item | None:
        """The message as an unstreamed answer would have it."""
        if not self._stopped:
            return None
        for (index, field), parts in self._parts.items():
            item = self._items[index]
            if field == "partial_json":
                item["input"] = read_tool_input("".join(parts))[0]
            else:
                item[field] = item.get(field, "") + "".join(parts)
        self._parts.clear()
        content = [self._items[index] for index in sorted(self._items)]
        return {**self._message, "content": content}

    def _start(self, index: int, item: Item) -> list[Delta]:
        self._items[index] = {**item}
        if item["type"] == "tool_use":
            return [ToolUseStarted(item["id"], item["name"])]
        return []

    def _add(self, index: int, delta: Item) -> list[Delta]:
        item = self._items[index]
        kind = delta["type"]
        if kind == "citations_delta":
            item["citations"] = [*(item.get("citations") or []), delta["citation"]]
            return []
        field = _FIELDS.get(kind)
        if field is None:
            return []  # a kind this version does not know; the block keeps what it had
        self._parts.setdefault((index, field), []).append(delta[field])
        match kind:
            case "text_delta":
                return [TextDelta(delta["text"])]
            case "thinking_delta":
                return [ReasoningDelta(delta["thinking"])]
            case "input_json_delta" if item["type"] == "tool_use":
                return [ToolInputDelta(item["id"], delta["partial_json"])]
        return []


NAME = "anthropic"
_CACHED = {"cache_control": {"type": "ephemeral"}}


def to_wire(request: Request, model: str, stream: bool) -> bytes:
    """The body of a request."""
    head: dict[str, object] = {"model": model, "max_tokens": request.max_tokens}
    if request.system:
        cached = [{"type": "text", "text": request.system, **_CACHED}]
        head["system"] = cached if request.cache else request.system
    if request.cache:
        head |= _CACHED  # at the top it marks the last block, which moves with the conversation
    output_config = _output_config(request)
    if output_config:
        head["output_config"] = output_config
    if stream:
        head["stream"] = True
    return assemble(
        head,
        tools=[
            *(encoded(tool, NAME, _tool_items) for tool in request.tools),
            *(
                dumps({"type": tool.type, "name": tool.name, **tool.options})
                for tool in request.server_tools
            ),
        ],
        messages=(encoded(message, NAME, _message_items) for message in request.messages),
    )


def from_wire(body: Item) -> Reply:
    """The answer in a body."""
    items = tuple(body["content"])
    message = Message("assistant", blocks_of(items), Native(NAME, items))
    reason = body["stop_reason"]
    stop_reason: StopReason = reason if reason in get_args(StopReason) else "other"
    refusal = ""
    if stop_reason == "refusal":
        details = body.get("stop_details") or {}
        refusal = details.get("explanation") or message.text or details.get("category") or ""
    return Reply(message, stop_reason, _usage(body["usage"]), refusal)


def blocks_of(items: Iterable[Item]) -> tuple[Block, ...]:
    """The blocks in a list of content items."""
    return tuple(_block(item) for item in items)


def _block(item: Item) -> Block:
    match item["type"]:
        case "text":
            return Text(item["text"])
        case "tool_use":
            return ToolUse(item["id"], item["name"], item["input"])
        case "thinking":
            return Reasoning(item["thinking"])
        case "redacted_thinking":
            return Reasoning("")
        case kind:
            return Opaque(kind)


def _usage(usage: Item) -> Usage:
    return Usage(
        usage["input_tokens"],
        usage["output_tokens"],
        usage.get("cache_creation_input_tokens") or 0,
        usage.get("cache_read_input_tokens") or 0,
    )


def _output_config(request: Request) -> dict[str, object]:
    config: dict[str, object] = {}
    if request.effort is not None:
        config["effort"] = request.effort
    if request.output is not None:
        config["format"] = {"type": "json_schema", "schema": _schema(request.output)}
    return config


@lru_cache(maxsize=256)
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    from anthropic import transform_schema  # noqa: PLC0415 - the SDK takes a second to import

    return transform_schema(model)


def _tool_items(tool: ToolSpec) -> list[object]:
    item: dict[str, object] = {"name": tool.name, "description": tool.description}
    if tool.strict:
        item["strict"] = True
    return [{**item, "input_schema": tool.input_schema}]


def _message_items(message: Message) -> list[object]:
    native = native_items(message, NAME)
    if native is not None:
        return [{"role": message.role, "content": native}] if native else []
    match message.blocks:
        case (Text(text),):
            return [{"role": message.role, "content": text}] if text else []
    content = _content(message.blocks)
    return [{"role": message.role, "content": content}] if content else []


def _content(blocks: Iterable[Block]) -> list[Mapping[str, object]]:
    content: list[Mapping[str, object]] = []
    for block in blocks:
        match block:
            case Text(text):
                # The API refuses empty text.
                content += [{"type": "text", "text": text}] if text else []
            case Image(media_type, data):
                text = base64.b64encode(data).decode("ascii")
                source = {"type": "base64", "media_type": media_type, "data": text}
                content.append({"type": "image", "source": source})
            case ToolUse():
                use = {"type": "tool_use", "id": block.id, "name": block.name}
                content.append({**use, "input": block.input})
            case ToolResult():
                content.append(_tool_result(block))
            case Reasoning() | Opaque():
                pass  # only the provider that wrote it can vouch for it
    return content


def _tool_result(result: ToolResult) -> dict[str, object]:
    content = result.content
    return {
        "type": "tool_result",
        "tool_use_id": result.tool_use_id,
        "content": content if isinstance(content, str) else _content(cast("Any", content)),
        "is_error": result.is_error,
    }


ANTHROPIC = Dialect(NAME, "/v1/messages", to_wire, from_wire, blocks_of, AnthropicReader)
