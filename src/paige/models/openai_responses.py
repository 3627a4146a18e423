"""OpenAI's Responses API: requests to JSON, answers from JSON.

Nothing is stored at the provider: the whole history goes out every time, with the encrypted
reasoning items that came back.
"""

import base64
from collections.abc import Callable, Iterable

from paige.models.errors import failure
from paige.models.messages import (
    Block,
    Image,
    Message,
    Native,
    Opaque,
    Reasoning,
    Role,
    Text,
    ToolResult,
    ToolUse,
)
from paige.models.requests import (
    Delta,
    Effort,
    ReasoningDelta,
    Request,
    ServerTool,
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

NAME = "openai"
EFFORTS: dict[Effort, str] = {
    "low": "low",
    "medium": "medium",
    "high": "high",
    "xhigh": "high",
    "max": "high",
}
# These refuse to be asked for encrypted reasoning, since they do none.
_NO_REASONING = ("gpt-3", "gpt-4", "chatgpt-")


def to_wire(request: Request, model: str, stream: bool) -> bytes:
    """The body of a request."""
    head: dict[str, object] = {
        "model": model,
        "max_output_tokens": request.max_tokens,
        "store": False,
    }
    if not model.startswith(_NO_REASONING):
        head["include"] = ["reasoning.encrypted_content"]
    if request.system:
        head["instructions"] = request.system
    if request.effort is not None:
        head["reasoning"] = {"effort": EFFORTS[request.effort]}
    if request.output is not None:
        schema = strict_schema(request.output)
        name = request.output.__name__
        form = {"type": "json_schema", "strict": True, "name": name, "schema": schema}
        head["text"] = {"format": form}
    if stream:
        head["stream"] = True
    return assemble(
        head,
        tools=[
            *(encoded(tool, NAME, _tool_items) for tool in request.tools),
            *(dumps(_server_tool(tool)) for tool in request.server_tools),
        ],
        input=(encoded(message, NAME, _message_items) for message in request.messages),
    )


def from_wire(body: Item) -> Reply:
    """The answer in a body. Raises: ProviderFailed when the body says that it failed."""
    if body["status"] == "failed":
        raise failure(NAME, None, body, {})
    items = tuple(body["output"])
    message = Message("assistant", blocks_of(items), Native(NAME, items))
    refusal = _refusal(items)
    usage = body.get("usage")
    return Reply(
        message, _stop_reason(body, message, refusal), _usage(usage) if usage else None, refusal
    )


def blocks_of(items: Iterable[Item]) -> tuple[Block, ...]:
    """The blocks in a list of output items."""
    return tuple(block for item in items for block in _blocks(item))


def _blocks(item: Item) -> list[Block]:
    match item["type"]:
        case "message":
            parts = item["content"]
            return [Text(part["text"]) for part in parts if part["type"] == "output_text"]
        case "function_call":
            return [ToolUse(item["call_id"], item["name"], *read_tool_input(item["arguments"]))]
        case "reasoning":
            return [Reasoning("\n".join(part["text"] for part in item.get("summary") or ()))]
        case kind:
            return [Opaque(kind)]


def _refusal(items: Iterable[Item]) -> str:
    said = [
        part["refusal"]
        for item in items
        if item["type"] == "message"
        for part in item["content"]
        if part["type"] == "refusal"
    ]
    return "\n".join(said)


def _stop_reason(body: Item, message: Message, refusal: str) -> StopReason:
    if body["status"] == "incomplete":
        reason = (body.get("incomplete_details") or {}).get("reason")
        return "refusal" if reason == "content_filter" else "max_tokens"
    if refusal:
        return "refusal"
    return "tool_use" if message.tool_uses else "end_turn"


def _usage(usage: Item) -> Usage:
    details = usage.get("input_tokens_details") or {}
    read, write = details.get("cached_tokens") or 0, details.get("cache_write_tokens") or 0
    # Here the total counts what was read from the cache and written to it, too.
    return Usage(usage["input_tokens"] - read - write, usage["output_tokens"], write, read)


def _tool_items(tool: ToolSpec) -> list[object]:
    item = {"type": "function", "name": tool.name, "description": tool.description}
    return [{**item, "strict": tool.strict, "parameters": tool.input_schema}]


def _server_tool(tool: ServerTool) -> dict[str, object]:
    if tool.name != "web_search":
        return {"type": tool.type, **tool.options}
    domains = tool.options.get("allowed_domains")
    filters = {"filters": {"allowed_domains": domains}} if domains else {}
    return {"type": "web_search", **filters}


def _message_items(message: Message) -> list[object]:
    native = native_items(message, NAME)
    if native is not None:
        return list(native)
    items: list[object] = []
    words: list[Text | Image] = []
    for block in message.blocks:
        match block:
            case Text() | Image():
                words.append(block)
            case ToolUse():
                arguments = dumps(block.input).decode()
                call = {"type": "function_call", "call_id": block.id, "name": block.name}
                items.append({**call, "arguments": arguments})
            case ToolResult():
                items.append(_tool_result(block))
            case Reasoning() | Opaque():
                pass  # only the provider that wrote it can vouch for it
    said = spoken(message.role, words, _part)
    # A model speaks before it asks for tools; a person speaks after the results.
    return [*said, *items] if message.role == "assistant" else [*items, *said]


def spoken(
    role: Role, words: list[Text | Image], part: Callable[[Text | Image], object]
) -> list[object]:
    """Words as one text, or, with a picture among them, as parts; nothing said is nothing."""
    if all(isinstance(block, Text) for block in words):
        text = "".join(block.text for block in words if isinstance(block, Text))
        return [{"role": role, "content": text}] if text else []
    return [{"role": role, "content": [part(block) for block in words]}]


def _tool_result(result: ToolResult) -> dict[str, object]:
    output: object = result.content
    if not isinstance(output, str):
        output = [_part(block) for block in output]
    elif result.is_error:
        output = f"Error: {output}"  # this format has no flag for it
    return {"type": "function_call_output", "call_id": result.tool_use_id, "output": output}


def _part(block: Text | Image) -> dict[str, object]:
    if isinstance(block, Text):
        return {"type": "input_text", "text": block.text}
    return {"type": "input_image", "image_url": data_url(block)}


def data_url(image: Image) -> str:
    """A picture as an address that holds it."""
    return f"data:{image.media_type};base64,{base64.b64encode(image.data).decode('ascii')}"


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


OPENAI = Dialect(NAME, "/responses", to_wire, from_wire, blocks_of, ResponsesReader)
