"""What is asked of a provider, what comes back, and the one capability all of it is built on."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel

from paige.models.messages import Message, ToolUse

Tier = Literal["haiku", "sonnet"]
Effort = Literal["low", "medium", "high", "xhigh", "max"]
StopReason = Literal[
    "end_turn",
    "max_tokens",
    "stop_sequence",
    "tool_use",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
    "other",
]
DEFAULT_MAX_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool the model may ask for; `strict` makes the provider hold it to the schema."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    strict: bool = False
    encoded: dict[str, bytes] = field(default_factory=dict, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class ServerTool:
    """A tool the provider runs on its side, such as `web_search_20250305`."""

    type: str
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to a model.

    `purpose` and `inputs` say the same to a local engine as `system` and `messages` say to a model.
    `model` overrules `tier`. `cache` asks the provider to keep the prefix: right for a loop, dearer
    for a single question.
    """

    purpose: str
    messages: tuple[Message, ...]
    system: str = ""
    tier: Tier = "sonnet"
    model: str = ""
    tools: tuple[ToolSpec, ...] = ()
    server_tools: tuple[ServerTool, ...] = ()
    output: type[BaseModel] | None = None
    max_tokens: int = DEFAULT_MAX_TOKENS
    effort: Effort | None = None
    cache: bool = False
    inputs: object = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens by price: `input` is what was neither read from the cache nor written to it."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_read: int = 0

    @property
    def total_input(self) -> int:
        """Everything the model read."""
        return self.input + self.cache_write + self.cache_read

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_write + other.cache_write,
            self.cache_read + other.cache_read,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back; `cost_usd` is `None` when the price is not known, never 0 for that."""

    message: Message
    stop_reason: StopReason
    answered_by: str
    model: str
    usage: Usage = Usage()
    cost_usd: float | None = None
    latency_ms: int = 0
    request_id: str = ""
    refusal: str = ""

    @property
    def text(self) -> str:
        """All words of the answer."""
        return self.message.text

    @property
    def tool_uses(self) -> tuple[ToolUse, ...]:
        """The tools the answer asks for, in order."""
        return self.message.tool_uses


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Some more words."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """Some more thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUseStarted:
    """The model begins to ask for a tool."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolInputDelta:
    """Some more of the JSON of a tool's input."""

    id: str
    json: str


Delta = TextDelta | ReasoningDelta | ToolUseStarted | ToolInputDelta


class Provider(Protocol):
    """Answers requests.

    `stream` gives deltas and, last, the whole answer. It holds a connection: a caller that may stop
    early wraps it in `contextlib.aclosing`.
    """

    @property
    def name(self) -> str:
        """Who answers: `anthropic`, `openai`, `openai-compatible`, `local`, `scripted`."""
        ...

    def model_for(self, request: Request) -> str:
        """The full id of the model that a request goes to."""
        ...

    async def ask(self, request: Request) -> Answer:
        """Answer a request. Raises: ProviderFailed, or BadAnswer when it cannot be read."""
        ...

    def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """Answer a request piece by piece; the last item is the answer."""
        ...

    async def open(self) -> None:
        """Get ready: what the first request would otherwise wait for."""
        ...

    async def aclose(self) -> None:
        """Give back every connection."""
        ...
