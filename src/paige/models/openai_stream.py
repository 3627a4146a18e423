"""Puts streamed answers of OpenAI's two APIs together."""

from typing import Any

from paige.models.failures import failure
from paige.models.requests import Delta, ReasoningDelta, TextDelta, ToolInputDelta, ToolUseStarted
from paige.models.wire import Item


class ResponsesReader:
    """Collects the events of the Responses API; its last event has the whole answer."""

    def __init__(self) -> None:
        self._calls: dict[str, str] = {}
        self._body: Item | None = None

    def feed(self, event: Item) -> list[Delta]:
        """Take one event."""
        match event["type"]:
            case "response.output_text.delta":
                return [TextDelta(event["delta"])]
            case "response.reasoning_summary_text.delta":
                return [ReasoningDelta(event["delta"])]
            case "response.output_item.added" if event["item"]["type"] == "function_call":
                item = event["item"]
                self._calls[item["id"]] = item["call_id"]
                return [ToolUseStarted(item["call_id"], item["name"])]
            case "response.function_call_arguments.delta":
                return [ToolInputDelta(self._calls[event["item_id"]], event["delta"])]
            case "response.completed" | "response.incomplete" | "response.failed":
                self._body = event["response"]
            case "error":
                raise failure("openai", None, event, {})
        return []

    def body(self) -> Item | None:
        """The response of the last event."""
        return self._body


class ChatReader:
    """Collects the chunks of a chat completion."""

    def __init__(self) -> None:
        self._chunk: Item = {}
        self._texts: dict[str, list[str]] = {}
        self._calls: dict[int, dict[str, Any]] = {}
        self._finish: str | None = None
        self._usage: Item | None = None

    def feed(self, event: Item) -> list[Delta]:
        """Take one chunk."""
        if event.get("error"):
            raise failure("openai-compatible", None, event, {})
        self._chunk = event
        self._usage = event.get("usage") or self._usage
        deltas: list[Delta] = []
        for choice in (event.get("choices") or ())[:1]:
            self._finish = choice.get("finish_reason") or self._finish
            deltas += self._add(choice.get("delta") or {})
        return deltas

    def body(self) -> Item | None:
        """The completion as an unstreamed answer would have it."""
        if self._finish is None:
            return None
        message: dict[str, Any] = {"role": "assistant", "content": None}
        message |= {field: "".join(parts) for field, parts in self._texts.items()}
        if self._calls:
            message["tool_calls"] = [self._calls[index] for index in sorted(self._calls)]
        choice = {"index": 0, "finish_reason": self._finish, "message": message}
        head = {key: self._chunk.get(key) for key in ("id", "model")}
        return {**head, "choices": [choice], "usage": self._usage}

    def _add(self, delta: Item) -> list[Delta]:
        deltas: list[Delta] = []
        for field in ("reasoning_content", "reasoning", "content", "refusal"):
            text = delta.get(field)
            if isinstance(text, str) and text:
                self._texts.setdefault(field, []).append(text)
                if field == "content":
                    deltas.append(TextDelta(text))
                elif field != "refusal":
                    deltas.append(ReasoningDelta(text))
        for call in delta.get("tool_calls") or ():
            deltas += self._add_call(call)
        return deltas

    def _add_call(self, piece: Item) -> list[Delta]:
        deltas: list[Delta] = []
        index = piece.get("index", 0)
        function = piece.get("function") or {}
        call = self._calls.get(index)
        if call is None:
            call = {"id": piece.get("id") or f"call_{index}", "type": "function"}
            call["function"] = {"name": function["name"], "arguments": ""}
            self._calls[index] = call
            deltas.append(ToolUseStarted(call["id"], function["name"]))
        arguments = function.get("arguments")
        if arguments:
            call["function"]["arguments"] += arguments
            deltas.append(ToolInputDelta(call["id"], arguments))
        return deltas
