"""The models behind coding agents, as a script: each turn calls one tool of Paige, then it is done.

What comes next is read from the conversation itself (how many tools have answered), so that a model
answers in the same way however often it is asked.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.model_server import Json, Recorded, Reply, Sse
from tests.fakes.wire_bodies import ANTHROPIC, openai_call, openai_response, openai_text

DONE = "All done."
Script = Sequence["Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a tool."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one maker's model is spoken with."""

    reply: Callable[[Recorded, Script], Reply]
    results: Callable[[Recorded], list[str]]
    """What the tools have answered so far, as the model sees it."""


# --- Claude Code ----------------------------------------------------------------------------------


def _claude_results(request: Recorded) -> list[str]:
    blocks = [
        block
        for message in request.body.get("messages", [])
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    return [_text_of(block["content"]) for block in blocks]


def _claude_reply(request: Recorded, script: Script) -> Reply:
    if not request.path.startswith("/v1/messages") or "count_tokens" in request.path:
        return Json({"input_tokens": 1})
    done = len(_claude_results(request))
    offered = {tool["name"] for tool in request.body.get("tools", [])}
    if done == len(script) or f"mcp__paige__{script[done].tool}" not in offered:
        return ANTHROPIC.text_stream(DONE) if request.body.get("stream") else ANTHROPIC.answer(DONE)
    step = script[done]
    name = f"mcp__paige__{step.tool}"
    return ANTHROPIC.tool_stream(f"toolu_{done + 1:02}", name, json.dumps(step.arguments))


# --- Codex ----------------------------------------------------------------------------------------


def _codex_results(request: Recorded) -> list[str]:
    items = request.body.get("input", [])
    return [_text_of(item["output"]) for item in items if item["type"] == "function_call_output"]


def _codex_reply(request: Recorded, script: Script) -> Reply:
    if not request.path.startswith("/v1/responses"):
        return Json({"models": [], "data": []})
    done = len(_codex_results(request))
    if done == len(script):
        return _codex_stream(openai_text(DONE))
    step = script[done]
    call = openai_call(f"call_{done + 1:02}", step.tool, json.dumps(step.arguments))
    return _codex_stream({**call, "namespace": "mcp__paige"})


def _codex_stream(item: dict[str, Any]) -> Sse:
    started = openai_response([], "in_progress").body
    events = [
        {"type": "response.created", "response": started},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": openai_response([item]).body},
    ]
    return Sse([{**event, "sequence_number": number} for number, event in enumerate(events)])


# --- Gemini ---------------------------------------------------------------------------------------


def _gemini_results(request: Recorded) -> list[str]:
    parts = [part for content in request.body.get("contents", []) for part in content["parts"]]
    answers = [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]
    return [_text_of(answer.get("output", answer)) for answer in answers]


def _gemini_reply(request: Recorded, script: Script) -> Reply:
    done = len(_gemini_results(request))
    streamed = "streamGenerateContent" in request.path
    if done == len(script) or not streamed:
        part: dict[str, Any] = {"text": DONE}
    else:
        step = script[done]
        part = {"functionCall": {"name": f"mcp_paige_{step.tool}", "args": step.arguments}}
    content = {"role": "model", "parts": [part]}
    counted = {"promptTokenCount": 9, "candidatesTokenCount": 3, "totalTokenCount": 12}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    body = {"candidates": [candidate], "usageMetadata": counted, "modelVersion": "gemini"}
    return Sse([body]) if streamed else Json(body)


def _text_of(content: object) -> str:
    """The words of a tool's answer, however the dialect wraps them."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return content if isinstance(content, str) else json.dumps(content)


CLAUDE = Dialect(_claude_reply, _claude_results)
CODEX = Dialect(_codex_reply, _codex_results)
GEMINI = Dialect(_gemini_reply, _gemini_results)
