"""An outlet that remembers what it was given, for tests without sockets."""

from dataclasses import dataclass, field
from typing import TypeVar

import anyio

from paige.base.actor import Actor
from paige.coach.messages import Reply
from paige.store.messages import Message

T = TypeVar("T", bound=Message)
SECONDS = 20.0


@dataclass
class Recorder:
    """Everything that was sent, to whom, and a way to wait for it."""

    sent: list[Message] = field(default_factory=list)
    to: list[Actor | None] = field(default_factory=list)
    replies: list[Reply | None] = field(default_factory=list)
    answered: list[tuple[Message, Reply]] = field(default_factory=list)
    gate: anyio.Event | None = None
    """Set it to an event to hold back whoever asks for room."""
    asked_for_room: int = 0
    news: anyio.Event = field(default_factory=anyio.Event)

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Remember a message."""
        self.sent.append(message)
        self.to.append(actor)
        self.replies.append(reply)
        self._tell()

    def answer(self, message: Message, reply: Reply) -> None:
        """Remember an answer."""
        self.answered.append((message, reply))
        self._tell()

    async def room(self, actor: Actor | None) -> None:
        """Wait while the gate is shut."""
        self.asked_for_room += 1
        self._tell()
        if self.gate is not None:
            await self.gate.wait()

    async def after_events(self) -> None:
        """There are no events here."""

    def of(self, kind: type[T]) -> list[T]:
        """What was sent of one kind."""
        return [message for message in self.sent if isinstance(message, kind)]

    async def until(self, kind: type[T], count: int = 1) -> list[T]:
        """Wait for messages of a kind."""
        with anyio.fail_after(SECONDS):
            while len(found := self.of(kind)) < count:
                await self.news.wait()
        return found

    def _tell(self) -> None:
        self.news.set()
        self.news = anyio.Event()


class Nowhere:
    """An outlet without connections."""

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Nobody listens."""

    def answer(self, message: Message, reply: Reply) -> None:
        """Nobody asked."""

    async def room(self, actor: Actor | None) -> None:
        """There is always room."""

    async def after_events(self) -> None:
        """Nobody waits for events."""
