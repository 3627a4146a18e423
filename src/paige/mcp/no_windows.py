"""Where the coach's messages go when nobody looks: what only a window can show is refused."""

from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.coach.message_sink import Reply
from paige.store.messages import Message

_ONLY_SHOWN = ("editor:", "explorer:", "coaching:message")


class NoWindows:
    """A sink of messages without windows."""

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Refuse what would be seen by nobody. Raises: Unavailable."""
        if message.topic.startswith(_ONLY_SHOWN):
            raise Unavailable(
                "No window of Paige is open", hint="Start `paige up` and open its page."
            )

    def answer(self, message: Message, reply: Reply) -> None:
        """Nobody asked."""

    async def room(self, actor: Actor | None) -> None:
        """Nobody has anything left to read."""

    async def after_events(self) -> None:
        """Nothing is on its way."""
