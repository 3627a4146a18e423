"""What was said in a run, read from its journal: also while it goes on or waits."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from paige.agent.journal import Entry
from paige.models.codec import load_answer, load_message
from paige.models.messages import Text, ToolResult, ToolUse

_MODEL = re.compile(r"(?P<at>(?:t\d+|end)/)model")
FALLBACK = "fallback"
"""The step of a run that local rules took over; it says why."""
NOT_RUN = "It was refused, or it did not run."


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that an agent used."""

    name: str
    input: Mapping[str, Any]
    result: str
    failed: bool


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was said: by a person, or by an agent with the tools it used."""

    role: Literal["person", "agent"]
    text: str
    tools: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class _Results:
    """What the tools of a run answered, by step and by call."""

    steps: Mapping[str, Any]
    calls: Mapping[str, ToolResult] = field(default_factory=dict)

    def of(self, use: ToolUse, at: str, *, last: bool) -> ToolCall:
        """A call with its result; one of the last turn may not have one yet."""
        given = dict(use.input)
        if (known := self.calls.get(use.id)) is not None:
            return ToolCall(use.name, given, _text(known), known.is_error)
        if (recorded := self.steps.get(f"{at}tool/{use.id}")) is not None:
            return ToolCall(use.name, given, recorded["text"], recorded["failed"])
        return ToolCall(use.name, given, "" if last else NOT_RUN, not last)


def said_in(prompt: str, entries: Sequence[Entry]) -> tuple[Said, ...]:
    """The request and every answer of the agent, in order; subagents and hooks talk among us."""
    steps = {each.step: json.loads(each.body) for each in entries if _is_told(each)}
    turns = [(found["at"], steps[step]) for step in steps if (found := _MODEL.fullmatch(step))]
    results = _Results(steps, _answered(steps.get("end")))
    said = [Said("person", prompt)]
    for number, (at, recorded) in enumerate(turns, 1):
        answer = load_answer(recorded["answer"])
        last = number == len(turns) and "end" not in steps
        tools = tuple(results.of(use, at, last=last) for use in answer.tool_uses)
        if answer.text.strip() or tools:
            said.append(Said("agent", answer.text, tools))
    return tuple(said)


def source_in(entries: Iterable[Entry], source: str) -> str:
    """Who answers a run: local rules may have taken it over."""
    taken = next((e for e in entries if e.step == FALLBACK and e.kind == "result"), None)
    return json.loads(taken.body)["to"] if taken else source


def _is_told(entry: Entry) -> bool:
    return entry.kind == "result" and (
        entry.step == "end" or _MODEL.fullmatch(entry.step) is not None or "/tool/" in entry.step
    )


def _answered(end: Mapping[str, Any] | None) -> dict[str, ToolResult]:
    """The results as the model read them, once the run has ended."""
    if end is None:
        return {}
    messages = (load_message(data) for data in end["messages"])
    blocks = (block for message in messages for block in message.blocks)
    return {block.tool_use_id: block for block in blocks if isinstance(block, ToolResult)}


def _text(result: ToolResult) -> str:
    if isinstance(result.content, str):
        return result.content
    return "".join(part.text for part in result.content if isinstance(part, Text))
