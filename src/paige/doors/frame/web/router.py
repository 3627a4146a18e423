"""Which message goes to which handler; doors add theirs."""

import json
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError
from paige.coach.messages import Reply
from paige.doors.frame.operations import words_of
from paige.doors.frame.web.messages import ConnectionError
from paige.store.messages import Message

logger = logging.getLogger(__name__)
In = TypeVar("In", bound=Message)
# Half of a pair that stands for one character; a whole pair has two of these in a row.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent a message, and what handlers may use to carry it out."""

    app: App
    actor: Actor
    connection: str
    id: str | None = None  # of the frame
    trusted: bool = False  # on this machine, or signed in with the passcode

    @property
    def reply(self) -> Reply:
        """Where an answer goes."""
        return Reply(self.connection, self.id)


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
            return refusal(frame.type, error)
        except Exception:  # the outermost frame of this door
            logger.exception("Message %s failed", frame.type)
            message = f"`{frame.type}` failed inside Paige; the server's log says why"
            return ConnectionError(code="FAILED", message=message, context={"type": frame.type})


def refusal(topic: str, error: PaigeError) -> ConnectionError:
    """The answer to a message that could not be carried out."""
    context = {"type": topic, "hint": error.hint}
    return ConnectionError(code=error.code.upper(), message=error.message, context=context)


def read_frame(text: str | bytes) -> Inbound:
    """Read the envelope of a frame. Raises: BadInput."""
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput("The frame is not JSON") from error
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
        raise BadInput("The frame has no `type`", hint="Send `{type, payload}`.")
    if _HALF.search(text if isinstance(text, str) else text.decode(errors="replace")):
        _check_characters(frame)
    identity = frame.get("id")
    if identity is not None and not isinstance(identity, str):
        raise BadInput("The `id` of the frame is not a text")
    return Inbound(frame["type"], frame.get("payload", {}), identity)


def _check_characters(frame: dict[str, Any]) -> None:
    """Refuse half characters: they could neither be stored nor sent back."""
    try:
        json.dumps(frame, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadInput("The frame has half a character in it", hint="Send whole ones.") from error


def _invalid(topic: str, error: ValidationError) -> ConnectionError:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "payload"
    message = f"`{topic}` cannot use `{where}`: {words_of(first)}"
    context = {"type": topic, "field": where}
    return ConnectionError(code="INVALID_PAYLOAD", message=message, context=context)
