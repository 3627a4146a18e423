"""Local engines: rules that answer a purpose without any model.

Each room registers its engines; `app` gathers them in one registry. An engine is a pure function
from typed inputs to a typed result. The local provider makes an answer of the result, so that
nothing above needs to know who answered, except from `answered_by`.
"""

import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import Any, TypeVar

from anyio import fail_after, to_thread
from pydantic import BaseModel

from paige.base.errors import BadInput, Conflict
from paige.models.errors import ModelError
from paige.models.messages import Block, Message, Text, ToolUse
from paige.models.requests import Answer, Delta, Request, TextDelta

LOCAL = "local"
SECONDS = 30  # rules answer at once; what they read may be anything
In = TypeVar("In")


class NoLocalEngine(ModelError):
    """No local engine answers this purpose."""

    code = "no_local_engine"


@dataclass(frozen=True, slots=True)
class Engine:
    """What answers a purpose: the type it takes, and the function."""

    takes: type
    answer: Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Registry:
    """Engines by purpose."""

    engines: dict[str, Engine] = field(default_factory=dict)

    def register(self, purpose: str, takes: type[In], answer: Callable[[In], object]) -> None:
        """Add an engine; one that takes `Request` sees the whole conversation.

        It returns a text, a model or dataclass (sent as JSON), or a tuple of blocks.
        """
        if purpose in self.engines:
            raise Conflict(f"Two local engines answer the purpose `{purpose}`")
        self.engines[purpose] = Engine(takes, answer)

    def answers(self, purpose: str) -> bool:
        """Whether some engine answers a purpose."""
        return purpose in self.engines

    def run(self, request: Request) -> object:
        """The engine's result. Raises: NoLocalEngine."""
        engine = self.engines.get(request.purpose)
        if engine is None:
            raise NoLocalEngine(
                f"Without a model nobody answers `{request.purpose}`",
                hint="Set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`.",
            )
        given = request if engine.takes is Request else request.inputs
        if not isinstance(given, engine.takes):
            raise BadInput(
                f"The local engine of `{request.purpose}` takes `{engine.takes.__name__}`, "
                f"not `{type(given).__name__}`"
            )
        return engine.answer(given)


class LocalProvider:
    """Answers by rules: at once, for nothing, and it says so."""

    name = LOCAL

    def __init__(self, registry: Registry) -> None:
        self.registry = registry

    def model_for(self, request: Request) -> str:
        """There is no model; the name says so wherever a model is shown."""
        return LOCAL

    async def ask(self, request: Request) -> Answer:
        """Run the engine of the request's purpose, in a thread: it may read files and memory."""
        try:
            with fail_after(SECONDS):
                result = await to_thread.run_sync(
                    self.registry.run, request, abandon_on_cancel=True
                )
        except TimeoutError:
            raise ModelError(
                f"The rules that answer `{request.purpose}` took longer than {SECONDS} s",
                hint="Ask about less text.",
            ) from None
        message = Message("assistant", _blocks(result))
        return Answer(
            message=message,
            stop_reason="tool_use" if message.tool_uses else "end_turn",
            answered_by=LOCAL,
            model=LOCAL,
            cost_usd=0.0,
        )

    async def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """The same in two pieces: the words, then the answer."""
        answer = await self.ask(request)
        if answer.text:
            yield TextDelta(answer.text)
        yield answer

    async def open(self) -> None:
        """Always ready."""

    async def aclose(self) -> None:
        """Nothing is held."""


def _blocks(result: object) -> tuple[Block, ...]:
    if isinstance(result, str):
        return (Text(result),)
    if isinstance(result, BaseModel):
        return (Text(result.model_dump_json()),)
    if is_dataclass(result) and not isinstance(result, type):
        return (Text(json.dumps(asdict(result), default=str)),)
    if isinstance(result, tuple) and all(isinstance(block, Text | ToolUse) for block in result):
        return result
    raise TypeError(f"A local engine returned {type(result).__name__}")
