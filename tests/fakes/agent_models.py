"""Models behind whole coding agents, as a script of turns: a tool of the host is called, or said.

Which turn comes next is read from the conversation (how often the model has spoken in it), so that
a model answers in the same way however often it is asked. A subagent has a conversation of its own
and is known by a word in its task.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.coding_models import _codex_stream
from tests.fakes.model_server import Json, Recorded, Reply, Sse
from tests.fakes.wire_bodies import ANTHROPIC, openai_call, openai_text

DONE = "All done."
AGENT = "{agent}"  # stands in arguments for the id of the subagent that was started last
SUBTASK = "small-errand"  # stands in the task of a subagent and nowhere else


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the model: the call of a tool, or words when there is no tool."""

    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Play:
    """The turns of the main agent, and those of a subagent it starts."""

    main: Sequence[Turn]
    sub: Sequence[Turn] = ()


@dataclass(frozen=True, slots=True)
class Host:
    """How the model of one host is spoken with."""

    reply: Callable[[Recorded, Play], Reply]
    seen: Callable[[Recorded], str]
    """Everything the model can read in a request."""


def _next(play: Play, task: str, spoken: int) -> Turn:
    turns = play.sub if SUBTASK in task else play.main
    return turns[spoken] if spoken < len(turns) else Turn()


# --- Claude Code ----------------------------------------------------------------------------------


def _claude(request: Recorded, play: Play) -> Reply:
    if not request.path.startswith("/v1/messages") or "count_tokens" in request.path:
        return Json({"input_tokens": 1})
    messages = request.body.get("messages", [])
    spoken = sum(message["role"] == "assistant" for message in messages)
    turn = _next(play, json.dumps(messages[:1]), spoken)
    offered = {tool.get("name") for tool in request.body.get("tools", [])}
    if not request.body.get("stream"):
        return ANTHROPIC.answer(DONE)
    if turn.tool not in offered:
        return _numbered(ANTHROPIC.text_stream(DONE), spoken)
    called = ANTHROPIC.tool_stream(f"toolu_{spoken:02}", turn.tool, json.dumps(turn.arguments))
    return _numbered(called, spoken)


def _numbered(answer: Sse, spoken: int) -> Sse:
    """The host takes two answers of one id for parts of the same."""
    first, *rest = answer.events
    message = {**first["message"], "id": f"msg_{spoken + 1:02}"}
    return Sse([{**first, "message": message}, *rest], headers=answer.headers)


# --- Codex ----------------------------------------------------------------------------------------


_CALLS = ("function_call", "custom_tool_call")


def _codex(request: Recorded, play: Play) -> Reply:
    if not request.path.startswith("/v1/responses"):
        return Json({"models": [], "data": []})
    items = request.body.get("input", [])
    spoken = sum(item.get("type") in _CALLS or item.get("role") == "assistant" for item in items)
    asked = [item for item in items if item.get("role") == "user"]
    turn = _next(play, json.dumps(asked), spoken)
    if not turn.tool:
        return _codex_stream(openai_text(DONE))
    space, _, name = turn.tool.rpartition("/")
    agents = re.findall(r"agent_id\W+([0-9a-f-]{36})", json.dumps(items))
    arguments = json.dumps(turn.arguments).replace(AGENT, agents[-1] if agents else "")
    call = openai_call(f"call_{spoken:02}", name, arguments)
    if turn.tool == "exec":  # takes a text, not an object
        call = {"type": "custom_tool_call", "call_id": call["call_id"], "name": name, "id": "ctc_1"}
        call |= {"input": turn.arguments["input"], "status": "completed"}
    return _codex_stream({**call, "namespace": space} if space else call)


# --- Gemini ---------------------------------------------------------------------------------------


def _gemini(request: Recorded, play: Play) -> Reply:
    streamed = "streamGenerateContent" in request.path
    contents = request.body.get("contents", [])
    spoken = sum(content.get("role") == "model" for content in contents)
    turn = _next(play, json.dumps(contents[:3]), spoken)
    offered = {
        each["name"]
        for tool in request.body.get("tools", [])
        for each in tool.get("functionDeclarations", [])
    }
    if streamed and turn.tool in offered:
        part: dict[str, Any] = {"functionCall": {"name": turn.tool, "args": turn.arguments}}
    elif streamed and "complete_task" in offered:
        given = {"result": {"response": DONE}}
        part = {"functionCall": {"name": "complete_task", "args": given}}
    else:
        part = {"text": DONE}
    counted = {"promptTokenCount": 9, "candidatesTokenCount": 3, "totalTokenCount": 12}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    body = {"candidates": [candidate], "usageMetadata": counted, "modelVersion": "gemini"}
    return Sse([body]) if streamed else Json(body)


def _seen(request: Recorded) -> str:
    return json.dumps(request.body, ensure_ascii=False)


HOSTS = {
    "claude-code": Host(_claude, _seen),
    "codex": Host(_codex, _seen),
    "gemini": Host(_gemini, _seen),
}
