"""What is said in a conversation with a model: messages made of blocks.

A message that a provider wrote keeps that provider's own items in `native`. They go back unchanged
to the same provider (signatures of thinking, encrypted reasoning, tools it ran on its side); to any
other provider the blocks are translated instead, and what only the first one can read is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture, as the bytes of its file."""

    media_type: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The model asks for a tool; `broken` is what it wrote when that was no JSON object."""

    id: str
    name: str
    input: Mapping[str, Any]
    broken: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered to one `ToolUse`."""

    tool_use_id: str
    content: str | tuple[Text | Image, ...]
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Thinking the provider chose to show; its proof stays in the message's native items."""

    text: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something only the provider understands, such as a search it ran on its side."""

    kind: str


Block = Text | Image | ToolUse | ToolResult | Reasoning | Opaque


@dataclass(frozen=True, slots=True)
class Native:
    """A message as its provider wrote it."""

    provider: str
    items: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of one side."""

    role: Role
    blocks: tuple[Block, ...]
    native: Native | None = None
    # Its JSON for each wire format, made once: a loop sends the whole history on every turn.
    encoded: dict[str, bytes] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def text(self) -> str:
        """All words of the message."""
        return "".join(block.text for block in self.blocks if isinstance(block, Text))

    @property
    def tool_uses(self) -> tuple[ToolUse, ...]:
        """The tools the message asks for, in order."""
        return tuple(block for block in self.blocks if isinstance(block, ToolUse))


def user_message(text: str, *images: Image) -> Message:
    """A person's turn: pictures first, then words."""
    return Message("user", (*images, Text(text)))


def assistant_message(text: str) -> Message:
    """A model's turn that only says something."""
    return Message("assistant", (Text(text),))
