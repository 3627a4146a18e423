"""What the vector stores outside of this process share: their state, and what they are sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from paige.memory.vectors.backend import VectorBackend, VectorMetadata

Status = Literal["untried", "ready", "unreachable", "unusable"]


class State(NamedTuple):
    """How a store was last seen, in words for people."""

    status: Status = "untried"
    message: str = "It was not asked yet"
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentMetadata(VectorMetadata):
    """What goes to a store that also keeps texts: the document, and plain values beside it."""

    text: str = ""
    facts: Mapping[str, str | int | float | bool] = field(default_factory=dict)


class RemoteVectors(VectorBackend, Protocol):
    """A vector store that is filled through the outbox."""

    state: State

    @property
    def generation(self) -> str:
        """Another value means another, empty store. Raises: Unavailable."""
        ...

    def recreate(self) -> None:
        """Drop everything that can be filled again from the log. Raises: Unavailable."""
        ...

    def close(self) -> None:
        """Give connections back."""
        ...
