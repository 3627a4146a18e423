"""A provider that plays a script: for tests of Paige and of plugins.

    model = Scripted(["Hello", calls("read_file", path="a.md"), RateLimited("…")])

Each step answers one request: a text, a pydantic model (as JSON), blocks, a whole `Answer`, or an
error to raise. Instead of a list the script may be a function of the request. What was asked is
kept in `requests`.
"""

from collections.abc import AsyncGenerator, Callable, Iterable
from itertools import count
from typing import Any

from pydantic import BaseModel

from paige.base.errors import PaigeError
from paige.models.messages import Block, Message, Reasoning, Text, ToolUse
from paige.models.requests import (
    Answer,
    Delta,
    ReasoningDelta,
    Request,
    TextDelta,
    ToolInputDelta,
    ToolUseStarted,
    Usage,
)
from paige.models.wire import dumps

Step = str | BaseModel | Block | tuple[Block, ...] | Answer | Exception
_ids = count(1)


class ScriptEnded(PaigeError):
    """More was asked than the script has answers for."""


def calls(tool: str, /, **arguments: Any) -> ToolUse:  # noqa: ANN401 - whatever the tool takes
    """A step that asks for a tool, under a new id."""
    return ToolUse(f"call_{next(_ids)}", tool, arguments)


class Scripted:
    """Plays a script and records what it was asked."""

    def __init__(
        self,
        script: Iterable[Step] | Callable[[Request], Step],
        *,
        name: str = "scripted",
        usage: Usage = Usage(10, 5),  # noqa: B008 - a frozen value
    ) -> None:
        self.name = name
        self.requests: list[Request] = []
        self.closed = False
        self._next = script if callable(script) else _player(script)
        self._usage = usage

    def model_for(self, request: Request) -> str:
        """The model a request names, or its tier."""
        return request.model or request.tier

    async def ask(self, request: Request) -> Answer:
        """Play the next step."""
        self.requests.append(request)
        step = self._next(request)
        if isinstance(step, Exception):
            raise step
        if isinstance(step, Answer):
            return step
        message = Message("assistant", _blocks(step))
        return Answer(
            message=message,
            stop_reason="tool_use" if message.tool_uses else "end_turn",
            answered_by=self.name,
            model=self.model_for(request),
            usage=self._usage,
            cost_usd=0.0,
            latency_ms=1,
        )

    async def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """Play the next step piece by piece: a word at a time."""
        answer = await self.ask(request)
        for block in answer.message.blocks:
            for delta in _deltas(block):
                yield delta
        yield answer

    async def open(self) -> None:
        """Always ready."""

    async def aclose(self) -> None:
        """Note that it was closed."""
        self.closed = True


def _player(script: Iterable[Step]) -> Callable[[Request], Step]:
    steps = iter(script)

    def play(request: Request) -> Step:
        try:
            return next(steps)
        except StopIteration:
            raise ScriptEnded(f"The script has no answer left for `{request.purpose}`") from None

    return play


def _blocks(step: str | BaseModel | Block | tuple[Block, ...]) -> tuple[Block, ...]:
    match step:
        case str():
            return (Text(step),)
        case BaseModel():
            return (Text(step.model_dump_json()),)
        case tuple():
            return step
        case _:
            return (step,)


def _deltas(block: Block) -> list[Delta]:
    match block:
        case Text(text):
            return [TextDelta(word) for word in _words(text)]
        case Reasoning(text):
            return [ReasoningDelta(text)]
        case ToolUse():
            return [
                ToolUseStarted(block.id, block.name),
                ToolInputDelta(block.id, dumps(block.input).decode()),
            ]
    return []


def _words(text: str) -> list[str]:
    words = text.split(" ")
    return [*(f"{word} " for word in words[:-1]), words[-1]] if text else []
