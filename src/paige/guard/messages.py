"""What the Guard tells everyone who watches it."""

from typing import ClassVar, Literal

from paige.store.messages import Message

Part = Literal["guards", "traces", "hosts"]


class GuardChanged(Message):
    """Something of the Guard changed: learned guards, traces, or where it is installed."""

    topic: ClassVar[str] = "guard:changed"
    part: Part
    ids: list[str]
