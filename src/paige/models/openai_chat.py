"""The Chat Completions API, as many servers speak it: requests to JSON, answers from JSON."""

from collections.abc import Iterable
from typing import Any

from paige.base.errors import BadInput
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
from paige.models.openai_responses import EFFORTS, data_url, spoken
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
    strict_schema,
)

NAME = "openai-compatible"
_STOP_REASONS: dict[str, StopReason] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "content_filter": "refusal",
}


def to_wire(request: Request, model: str, stream: bool) -> bytes:
    """The body of a request. Raises: BadInput for tools that run on the provider's side."""
    if request.server_tools:
        names = ", ".join(f"`{tool.name}`" for tool in request.server_tools)
        raise BadInput(
            f"`{NAME}` servers cannot run {names}",
            hint="Use `anthropic` or `openai` as `PAIGE_PROVIDER`.",
        )
    # Not `max_completion_tokens`: most compatible servers only know the older name.
    head: dict[str, object] = {"model": model, "max_tokens": request.max_tokens}
    if request.effort is not None:
        head["reasoning_effort"] = EFFORTS[request.effort]
    if request.output is not None:
        schema = {"name": request.output.__name__, "strict": True}
        schema["schema"] = strict_schema(request.output)
        head["response_format"] = {"type": "json_schema", "json_schema": schema}
    if stream:
        head |= {"stream": True, "stream_options": {"include_usage": True}}
    system = [dumps({"role": "system", "content": request.system})] if request.system else []
    return assemble(
        head,
        tools=(encoded(tool, NAME, _tool_items) for tool in request.tools),
        messages=[*system, *(encoded(turn, NAME, _message_items) for turn in request.messages)],
    )


def from_wire(body: Item) -> Reply:
    """The answer in a body. Raises: ProviderFailed when the body is an error after all."""
    if body.get("error"):
        raise failure(NAME, None, body, {})
    choice = body["choices"][0]
    items = (choice["message"],)
    message = Message("assistant", blocks_of(items), Native(NAME, (_sent_back(items[0]),)))
    refusal = choice["message"].get("refusal") or ""
    stop_reason = _STOP_REASONS.get(choice.get("finish_reason") or "stop", "other")
    if refusal:
        stop_reason = "refusal"
    elif stop_reason == "end_turn" and message.tool_uses:
        stop_reason = "tool_use"  # some servers say "stop" all the same
    usage = body.get("usage")
    return Reply(message, stop_reason, _usage(usage) if usage else None, refusal)


def blocks_of(items: Iterable[Item]) -> tuple[Block, ...]:
    """The blocks in a list of one message."""
    blocks: list[Block] = []
    for item in items:
        reasoning = item.get("reasoning_content") or item.get("reasoning")
        if isinstance(reasoning, str) and reasoning:
            blocks.append(Reasoning(reasoning))
        words = _words(item.get("content"))
        if words:
            blocks.append(Text(words))
        for call in item.get("tool_calls") or ():
            function = call["function"]
            given = read_tool_input(function["arguments"])
            blocks.append(ToolUse(call["id"], function["name"], *given))
    return tuple(blocks)


def _words(content: str | list[Item] | None) -> str:
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    return content or ""


def _sent_back(item: Item) -> dict[str, Any]:
    """Without the fields that say nothing: strict servers refuse some of them in a request."""
    return {key: value for key, value in item.items() if value or key == "content"}


def _usage(usage: Item) -> Usage:
    details = usage.get("prompt_tokens_details") or {}
    read, write = details.get("cached_tokens") or 0, details.get("cache_write_tokens") or 0
    prompt = usage.get("prompt_tokens") or 0
    return Usage(max(0, prompt - read - write), usage.get("completion_tokens") or 0, write, read)


def _tool_items(tool: ToolSpec) -> list[object]:
    function: dict[str, object] = {"name": tool.name, "description": tool.description}
    if tool.strict:
        function["strict"] = True
    function["parameters"] = tool.input_schema
    return [{"type": "function", "function": function}]


def _message_items(message: Message) -> list[object]:
    native = native_items(message, NAME)
    if native is not None:
        return list(native)
    if message.role == "assistant":
        return _assistant(message)
    results: list[object] = []
    words: list[Text | Image] = []
    for block in message.blocks:
        match block:
            case Text() | Image():
                words.append(block)
            case ToolResult():
                text, images = _result_parts(block)
                item = {"role": "tool", "tool_call_id": block.tool_use_id, "content": text}
                results.append(item)
                words += images  # this format has no pictures in results
            case ToolUse() | Reasoning() | Opaque():
                pass
    return [*results, *spoken("user", words, _part)]


def _assistant(message: Message) -> list[object]:
    item: dict[str, object] = {"role": "assistant", "content": message.text or None}
    calls = [
        {
            "id": use.id,
            "type": "function",
            "function": {"name": use.name, "arguments": dumps(use.input).decode()},
        }
        for use in message.tool_uses
    ]
    if calls:
        item["tool_calls"] = calls
    return [item] if calls or message.text else []


def _result_parts(result: ToolResult) -> tuple[str, list[Image]]:
    prefix = "Error: " if result.is_error else ""
    if isinstance(result.content, str):
        return prefix + result.content, []
    text = "".join(block.text for block in result.content if isinstance(block, Text))
    images = [block for block in result.content if isinstance(block, Image)]
    return prefix + (text or "(see the picture below)" if images else text), images


def _part(block: Text | Image) -> dict[str, object]:
    if isinstance(block, Text):
        return {"type": "text", "text": block.text}
    return {"type": "image_url", "image_url": {"url": data_url(block)}}


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


CHAT = Dialect(NAME, "/chat/completions", to_wire, from_wire, blocks_of, ChatReader)
