"""Typed messages: what is stored in the event stream and sent to sockets.

A room declares its messages in its `messages.py`: one class a message, `topic` is its type on the
wire. Field names are snake_case here and camelCase there.
"""

from datetime import datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.store.queries import append_event


class Message(BaseModel):
    """The payload of one type of message."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        json_schema_serialization_defaults_required=True,
    )
    topic: ClassVar[str]

    def payload(self) -> dict[str, Any]:
        """The payload as it goes over the wire."""
        return self.model_dump(mode="json", by_alias=True)


def publish(
    connection: Connection,
    actor: Actor,
    message: Message,
    *,
    now: datetime,
    everyone: bool = False,
) -> int:
    """Store a message with the change it tells of; sockets get it after the commit."""
    return append_event(
        connection, actor, message.topic, message.payload(), now=now, everyone=everyone
    )
