"""Puts a streamed answer of Anthropic's Messages API together."""

from typing import Any

from paige.models.failures import failure
from paige.models.requests import Delta, ReasoningDelta, TextDelta, ToolInputDelta, ToolUseStarted
from paige.models.wire import Item, read_tool_input

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
