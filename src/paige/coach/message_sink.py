"""Where the coach's passing messages go: the sockets of a person, seen from inside.

The server has the sockets; this room says only what it needs of them.
"""

from typing import NamedTuple, Protocol

from paige.base.actor import Actor
from paige.store.messages import Message


class Reply(NamedTuple):
    """The question that a message answers: who asked, and the id that joins both."""

    connection: str
    id: str | None = None


class MessageSink(Protocol):
    """Sends messages that are not stored."""

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Send to every connection of a person (`None` is everyone); whoever asked gets its id."""
        ...

    def answer(self, message: Message, reply: Reply) -> None:
        """Send to the one connection that asked; nothing happens when it has gone."""
        ...

    async def room(self, actor: Actor | None) -> None:
        """Wait while connections of a person (`None` is everyone) have much left to read."""
        ...

    async def after_events(self) -> None:
        """Wait until the events committed so far are on their way to the windows."""
        ...
