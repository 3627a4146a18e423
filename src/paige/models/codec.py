"""Messages and answers as JSON, for journals and sessions.

A message that a provider wrote is kept as its native items alone: the blocks are read from them
again. So nothing opaque is lost and nothing is stored twice.
"""

import base64
from collections.abc import Mapping
from typing import Any

from paige.base.errors import BadInput
from paige.models.anthropic_messages import ANTHROPIC
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
from paige.models.openai_chat import CHAT
from paige.models.openai_responses import OPENAI
from paige.models.requests import Answer, Usage

Json = dict[str, Any]
_DIALECTS = {dialect.name: dialect for dialect in (ANTHROPIC, OPENAI, CHAT)}
_PLAIN = ("stop_reason", "answered_by", "model", "cost_usd", "latency_ms", "request_id", "refusal")


def dump_message(message: Message) -> Json:
    """A message as JSON."""
    native = message.native
    if native is not None:
        return {"role": message.role, "provider": native.provider, "items": list(native.items)}
    return {"role": message.role, "blocks": [_dump(block) for block in message.blocks]}


def load_message(data: Mapping[str, Any]) -> Message:
    """A message from JSON. Raises: BadInput when it is not one."""
    try:
        if "items" not in data:
            return Message(data["role"], tuple(_load(block) for block in data["blocks"]))
        items = tuple(data["items"])
        dialect = _DIALECTS[data["provider"]]
        return Message(data["role"], dialect.blocks_of(items), Native(dialect.name, items))
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"This is no message of a conversation: {error!r}") from error


def dump_answer(answer: Answer) -> Json:
    """An answer as JSON."""
    usage = answer.usage
    return {
        "message": dump_message(answer.message),
        "usage": [usage.input, usage.output, usage.cache_write, usage.cache_read],
        **{name: getattr(answer, name) for name in _PLAIN},
    }


def load_answer(data: Mapping[str, Any]) -> Answer:
    """An answer from JSON. Raises: BadInput when it is not one."""
    message = load_message(data["message"])
    plain = {name: data[name] for name in _PLAIN}
    return Answer(message=message, usage=Usage(*data["usage"]), **plain)


def _dump(block: Block) -> Json:
    match block:
        case Text(text):
            return {"type": "text", "text": text}
        case Image(media_type, data):
            encoded = base64.b64encode(data).decode("ascii")
            return {"type": "image", "media_type": media_type, "data": encoded}
        case ToolUse():
            use = {"type": "tool_use", "id": block.id, "name": block.name}
            return {**use, "input": dict(block.input), "broken": block.broken}
        case ToolResult(tool_use_id, content, is_error):
            result = {"type": "tool_result", "tool_use_id": tool_use_id, "is_error": is_error}
            said = content if isinstance(content, str) else [_dump(part) for part in content]
            return {**result, "content": said}
        case Reasoning(text):
            return {"type": "reasoning", "text": text}
        case Opaque(kind):
            return {"type": "opaque", "kind": kind}


def _load(data: Mapping[str, Any]) -> Block:
    match data["type"]:
        case "text":
            return Text(data["text"])
        case "image":
            return Image(data["media_type"], base64.b64decode(data["data"]))
        case "tool_use":
            return ToolUse(data["id"], data["name"], data["input"], data["broken"])
        case "tool_result":
            said = data["content"]
            content = said if isinstance(said, str) else tuple(_load(part) for part in said)
            return ToolResult(data["tool_use_id"], content, data["is_error"])  # type: ignore[arg-type]  # parts are text and images
        case "reasoning":
            return Reasoning(data["text"])
        case "opaque":
            return Opaque(data["kind"])
        case kind:
            raise ValueError(f"`{kind}` is no block")
