"""What passes by from one server to the windows of another: words while they are written, tools.

Nothing of it is stored, so it goes through PostgreSQL's notifications. One of these holds 8000
bytes: a longer message goes in parts, which every server puts together again. Messages that wait
are said together, and when too many wait the oldest are dropped: whoever misses words reads what
is stored.
"""

import base64
import json
import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import anyio

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.store.engine import Database
from paige.store.messages import Message
from paige.store.queries import PASSING, notify

logger = logging.getLogger(__name__)
PART_BYTES = 5_400  # as base64 with what is said about it still below 8000
MOST_WAITING = 1_000
MOST_AT_ONCE = 100
MOST_UNFINISHED = 64
LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class EphemeralMessage:
    """A message of another server: its topic, its payload, and whose windows it is for."""

    topic: str
    payload: dict[str, Any]
    actor: Actor


def parts_of(origin: str, number: int, message: EphemeralMessage) -> list[str]:
    """The notifications that carry a message; nothing when it is too long to pass by."""
    whole = {"t": message.topic, "p": message.payload}
    whole |= {"tenant": message.actor.tenant, "person": message.actor.person}
    data = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    if len(data) > LONGEST:
        return []
    pieces = [data[at : at + PART_BYTES] for at in range(0, len(data), PART_BYTES)]
    return [
        f"{origin} {number} {place} {len(pieces)} {base64.b64encode(piece).decode()}"
        for place, piece in enumerate(pieces)
    ]


class Assembly:
    """Puts parts together; what is never finished is forgotten."""

    def __init__(self) -> None:
        self._unfinished: OrderedDict[tuple[str, int], dict[int, bytes]] = OrderedDict()

    def take(self, said: str, *, own: str) -> EphemeralMessage | None:
        """The message that a notification completes, unless this server said it itself."""
        try:
            origin, number, place, of, text = said.split(" ")
            if origin == own:
                return None
            key = (origin, int(number))
            parts = self._unfinished.setdefault(key, {})
            parts[int(place)] = base64.b64decode(text, validate=True)
            if len(parts) < int(of):
                while len(self._unfinished) > MOST_UNFINISHED:
                    self._unfinished.popitem(last=False)
                return None
            del self._unfinished[key]
            whole = json.loads(b"".join(parts[each] for each in range(int(of))))
            return EphemeralMessage(whole["t"], whole["p"], Actor(whole["tenant"], whole["person"]))
        except (ValueError, KeyError, TypeError):
            logger.warning("A passing message of another server cannot be read")
            return None


@dataclass(eq=False, slots=True)
class EphemeralChannel:
    """What this server says to the others and hears from them."""

    database: Database
    origin: str
    wanted: bool = False  # whether there is another server at all
    heard: Callable[[EphemeralMessage], None] = lambda _: None
    show: Callable[[Message, Actor], None] = lambda _, __: None
    """Takes a message to the windows that a person has open at this server."""
    _assembly: Assembly = field(default_factory=Assembly)
    _waiting: deque[EphemeralMessage] = field(default_factory=lambda: deque(maxlen=MOST_WAITING))
    _wake: anyio.Event = field(default_factory=anyio.Event)
    _number: int = 0

    def send(self, message: EphemeralMessage) -> None:
        """Say something to the windows of a person at other servers; nothing when there are none.

        It never waits: a server that cannot say anything goes on all the same.
        """
        if self.wanted:
            self._waiting.append(message)
            self._wake.set()

    @property
    def waiting(self) -> int:
        """How many messages wait to be said."""
        return len(self._waiting)

    def take(self, said: str) -> None:
        """Hear a notification."""
        if passed := self._assembly.take(said, own=self.origin):
            self.heard(passed)

    async def keep_sending(self) -> None:
        """Say what waits until cancelled."""
        while True:
            await self._wake.wait()
            self._wake = anyio.Event()
            while self._waiting:
                try:
                    await self.database.system.write_quietly(notify, PASSING, self._next())
                except PaigeError as error:  # it passes by, and is not kept for later
                    logger.debug("Passing messages were not sent: %s", error.message)

    def _next(self) -> list[str]:
        said: list[str] = []
        while self._waiting and len(said) < MOST_AT_ONCE:
            self._number += 1
            said += parts_of(self.origin, self._number, self._waiting.popleft())
        return said
