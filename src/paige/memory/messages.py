"""What the memory tells everyone who watches it."""

from typing import ClassVar, Literal

from paige.store.messages import Message

MOST_IDS = 100
Action = Literal["added", "edited", "forgotten", "document", "document_deleted"]


class MemoryChanged(Message):
    """Memories came, changed or went; at most a hundred are named, documents by their path."""

    topic: ClassVar[str] = "memory:changed"
    ids: list[str]
    action: Action
