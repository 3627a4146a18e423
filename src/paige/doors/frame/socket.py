"""What windows send, as a table: each row a message and the operation behind it."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from paige.base.errors import PaigeError
from paige.doors.frame.caller import Caller, called_by
from paige.doors.frame.dispatch import dispatch
from paige.doors.frame.operations import ready_operation
from paige.doors.frame.web.hub import Hub
from paige.doors.frame.web.messages import INBOUND
from paige.doors.frame.web.router import Sender, refusal
from paige.store.messages import Message


class Topic(NamedTuple):
    """A message that windows send, and the operation that it is given to.

    What takes `long` goes on beside the window that asked. `told` says that every window of the
    person hears when it cannot be done, not only the one that asked.
    """

    topic: str
    operation: str
    long: bool = False
    told: bool = False


def topics(module: str, rows: Iterable[Topic]) -> tuple[Topic, ...]:
    """The messages of a subject: all operations are in its module."""
    return tuple(row._replace(operation=f"{module}:{row.operation}") for row in rows)


def add_topics(hub: Hub, rows: Iterable[Topic]) -> None:
    """Let operations carry out what windows send."""
    kinds = {kind.topic: kind for kind in INBOUND}
    for row in rows:
        hub.router.on(kinds[row.topic], partial(_carry_out, hub, row))


async def _carry_out(hub: Hub, row: Topic, sender: Sender, message: Message) -> Message | None:
    operation = await ready_operation(row.operation)
    work = partial(dispatch, sender.app, operation, message, way="socket")
    with called_by(Caller(sender.reply, sender.trusted)):
        if row.long:
            sender.app.live_coach.soon(
                work, lambda error: hub.answer(refusal(row.topic, error), sender.reply)
            )
            return None
        try:
            return await work()
        except PaigeError as error:
            if not row.told:
                raise
            hub.send(refusal(row.topic, error), sender.actor, reply=sender.reply)
            return None
