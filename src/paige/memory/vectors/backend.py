"""What a store of vectors must be able to do, so that it can be the embedded one or a service.

Vectors are a second way to find memories, never the only one: when a store does not answer, search
goes on with words alone. Rights travel with every vector as marks (see `access.py`), and a search
names groups of marks: a vector may be returned only if it carries at least one mark of each group.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of length one."""

    @property
    def name(self) -> str:
        """Which vectors these are; another name means that old ones cannot be compared."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One float32 row per text; all zeros for a text that says nothing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorMetadata:
    """What a store keeps beside a vector to filter by; for one that also keeps texts, more."""

    marks: frozenset[str]
    project: str | None = None
    session: str | None = None
    text: str | None = None
    facts: Mapping[str, str | int | float | bool] = field(default_factory=dict)  # plain values


class Neighbour(NamedTuple):
    """A memory and its cosine similarity."""

    id: str
    similarity: float


Status = Literal["untried", "ready", "unreachable", "unusable"]


AGAIN_SECONDS = 15.0  # how long a search does without a server that did not answer


class RemoteStore:
    """What stores elsewhere have in common: how they were last seen, and when to ask again."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self.status: Status = "untried"
        self._monotonic = monotonic
        self._failed_at: float | None = None

    @property
    def available(self) -> bool:
        """Whether asking is worth it: nothing failed, or not within the last seconds."""
        return self._failed_at is None or self._monotonic() - self._failed_at > AGAIN_SECONDS

    def _succeeded(self) -> None:
        self._failed_at = None
        self.status = "ready"

    def _note_failure(self, status: Status) -> None:
        self._failed_at = self._monotonic()
        self.status = status


class VectorBackend(Protocol):
    """A store of vectors by memory id, filled through the outbox.

    Raises: Unavailable when it does not answer.
    """

    @property
    def name(self) -> str:
        """What people know it by: `embedded`, `chroma`, `pgvector`."""
        ...

    @property
    def available(self) -> bool:
        """Whether asking is worth it, as far as is known; costs nothing."""
        ...

    def upsert(
        self, ids: Sequence[str], vectors: np.ndarray, metadatas: Sequence[VectorMetadata]
    ) -> None:
        """Store vectors, replacing those of the same id."""
        ...

    def nearest(
        self, vector: np.ndarray, k: int, groups: Sequence[frozenset[str]]
    ) -> list[Neighbour]:
        """The k most similar among those that carry a mark of every group, best first."""
        ...

    def delete(self, ids: Sequence[str]) -> None:
        """Remove vectors; unknown ids are fine."""
        ...

    @property
    def generation(self) -> str:
        """Another value means another, empty store."""
        ...

    def recreate(self) -> None:
        """Drop everything that can be filled again from the log."""
        ...
