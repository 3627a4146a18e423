"""Which message goes to which handler; doors add theirs."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError
from paige.server.messages import ConnectionError
from paige.store.messages import Message

In = TypeVar("In", bound=Message)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent a message, and what handlers may use to carry it out."""

    app: App
    actor: Actor
    connection: str


Handler = Callable[[Sender, In], Awaitable[Message | None]]


@dataclass(frozen=True, slots=True)
class Inbound:
    """One frame from a client, its payload not yet read."""

    type: str
    payload: Any
    id: str | None


class Router:
    """Messages clients may send, and messages they may be sent."""

    def __init__(self) -> None:
        self.inbound: dict[str, tuple[type[Message], Handler[Any]]] = {}
        self.outbound: dict[str, type[Message]] = {}

    def on(self, kind: type[In], handler: Handler[In]) -> None:
        """Let `handler` carry out messages of a kind."""
        if kind.topic in self.inbound:
            raise ValueError(f"Two handlers for `{kind.topic}`")
        self.inbound[kind.topic] = (kind, handler)

    def sends(self, *kinds: type[Message]) -> None:
        """Declare messages that clients may be sent."""
        for kind in kinds:
            self.outbound[kind.topic] = kind

    async def carry_out(self, sender: Sender, frame: Inbound) -> Message | None:
        """Run the handler of a frame; what cannot be used is answered, not raised."""
        kind, handler = self.inbound[frame.type]
        try:
            return await handler(sender, kind.model_validate(frame.payload))
        except ValidationError as error:
            return _invalid(frame.type, error)
        except PaigeError as error:
            context = {"type": frame.type, "hint": error.hint}
            return ConnectionError(code=error.code.upper(), message=error.message, context=context)


def read_frame(text: str | bytes) -> Inbound:
    """Read the envelope of a frame. Raises: BadInput."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput("The frame is not JSON") from error
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
        raise BadInput("The frame has no `type`", hint="Send `{type, payload}`.")
    identity = frame.get("id")
    if identity is not None and not isinstance(identity, str):
        raise BadInput("The `id` of the frame is not a text")
    return Inbound(frame["type"], frame.get("payload", {}), identity)


def _invalid(topic: str, error: ValidationError) -> ConnectionError:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "payload"
    message = f"`{topic}` cannot use `{where}`: {first['msg']}"
    context = {"type": topic, "field": where}
    return ConnectionError(code="INVALID_PAYLOAD", message=message, context=context)
