"""The model behind the real Claude Code when it plays in an orchestra: agents that lie, as turns.

Who is asked is read from the instructions in the request, which feature it is about from the task,
and whether it is another attempt from the reflection in it. The next turn follows from how often
the model has spoken, so the same request always gets the same answer.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.fakes.agent_models import Turn
from tests.fakes.model_server import Json, Recorded, Reply, Sse
from tests.fakes.wire_bodies import ANTHROPIC

# A sentence that stands in the instructions of each agent and nowhere else.
KNOWN_BY = {
    "initializer-agent": "You turn a goal into a project",
    "coding-agent": "You implement one feature",
    "tester-agent": "You find out whether a feature does",
}
AGAIN = "LAST_ATTEMPT_AND_REFLEXION"
_FEATURE = re.compile(r"feature_id\W+(F\d+)")
_ANY = re.compile(r"\bF\d+\b")


class Say(NamedTuple):
    """A turn of words alone: the agent wants to stop with them."""

    text: str


Turns = Sequence[Turn | Say]
Scripts = Mapping[tuple[str, str, bool], Turns]
"""What each agent does for a feature, at the first attempt and at a later one."""


def answer(request: Recorded, scripts: Scripts) -> Reply:
    """What the model says to a request."""
    if not request.path.startswith("/v1/messages") or "count_tokens" in request.path:
        return Json({"input_tokens": 1})
    messages = request.body.get("messages", [])
    spoken = sum(message["role"] == "assistant" for message in messages)
    offered = {tool.get("name") for tool in request.body.get("tools", [])}
    if not request.body.get("stream") or not offered:
        return ANTHROPIC.answer("Fine.")
    turns = scripts.get(who_and_what(request), ())
    turn = turns[spoken] if spoken < len(turns) else Say("Nothing is left to do.")
    if isinstance(turn, Say):
        return _numbered(ANTHROPIC.text_stream(turn.text), spoken)
    called = ANTHROPIC.tool_stream(f"toolu_{spoken:02}", turn.tool, json.dumps(turn.arguments))
    return _numbered(called, spoken)


def who_and_what(request: Recorded) -> tuple[str, str, bool]:
    """The agent that is asked, the feature it works on, and whether it has tried before."""
    system = json.dumps(request.body.get("system", ""), ensure_ascii=False)
    task = json.dumps(request.body.get("messages", [])[:1], ensure_ascii=False)
    agent = next((name for name, words in KNOWN_BY.items() if words in system + task), "")
    found = _FEATURE.findall(task.replace("\\", "")) or _ANY.findall(task)
    return agent, found[0] if found else "", AGAIN in task


def _numbered(answered: Sse, spoken: int) -> Sse:
    """The host takes two answers of one id for parts of the same."""
    first, *rest = answered.events
    message = {**first["message"], "id": f"msg_{spoken + 1:02}"}
    return Sse([{**first, "message": message}, *rest], headers=answered.headers)
