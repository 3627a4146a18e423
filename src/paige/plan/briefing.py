"""What a teacher confirmed before a lesson is written, as the agent reads it.

The feedforward hook adds one block of context to the conversation. It is written for a model, and
`read_briefing` reads it back, so that local rules work from the same words.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from paige.agent.prompt import neutral
from paige.models.messages import Message
from paige.plan.lesson_text import one_line

SOURCE = "feedforward"
"""The hook whose context this is; the loop writes it as `<context from='feedforward'>`."""
EARLIER = "Earlier: "
"""How an item begins that comes from memory."""
OFTEN = "Often wrong: "
"""How an item begins that five learners of the class or more get wrong."""
Response = Literal["confirmed", "modified", "dismissed"]
_BLOCK = re.compile(
    rf"<context from='{SOURCE}'>\n(?P<text>(?:(?!<context from=).)*?)\n</context>", re.S
)
_TAG = re.compile(r"<(?=[^A-Za-z<>]{0,16}context\b)", re.I)
_CLASS = "Class: "
_HEADS: dict[Response, str] = {
    "confirmed": "The teacher has confirmed this:",
    "modified": "The teacher has confirmed this, with changes:",
    "dismissed": "The teacher set aside what is known. Plan from the request alone.",
}
_SAID = "The teacher adds, and this comes first:"
_KNOWN = "What is known:"


@dataclass(frozen=True, slots=True)
class Briefing:
    """The class, what was surfaced about it, and what the teacher said to that."""

    response: Response
    class_id: str | None = None
    known: tuple[str, ...] = ()
    said: str = ""


def render_briefing(briefing: Briefing) -> str:
    """The block's text; what was set aside is not in it."""
    parts = [_HEADS[briefing.response]]
    if briefing.class_id:
        parts.append(f"{_CLASS}{briefing.class_id}")
    if briefing.said.strip():
        parts += [_SAID, *(f"> {line}" for line in briefing.said.strip().splitlines())]
    if briefing.known and briefing.response != "dismissed":
        parts += [_KNOWN, *(f"- {one_line(item)}" for item in briefing.known)]
    # What a file or a memory says must not end the block, nor begin another one.
    return neutral(_TAG.sub("&lt;", "\n".join(parts)))


def read_briefing(messages: Iterable[Message]) -> Briefing | None:
    """The newest briefing in a conversation, or nothing."""
    found = [
        match["text"]
        for message in messages
        if message.role == "user"
        for match in _BLOCK.finditer(message.text)
    ]
    return _read(found[-1].split("\n")) if found else None


def _read(lines: list[str]) -> Briefing:
    response: Response = "confirmed"
    for name, head in _HEADS.items():
        response = name if lines[0] == head else response
    class_id = next((line.removeprefix(_CLASS) for line in lines if line.startswith(_CLASS)), None)
    said = "\n".join(line[2:] for line in lines if line.startswith("> "))
    start = lines.index(_KNOWN) if _KNOWN in lines else len(lines)
    known = tuple(line[2:] for line in lines[start:] if line.startswith("- "))
    return Briefing(response, class_id, known, said)
