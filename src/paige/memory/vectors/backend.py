"""What a store of vectors must be able to do, so that it can be the embedded one or a service.

Vectors are a second way to find memories, never the only one: when a store does not answer, search
goes on with words alone. Rights travel with every vector as marks (see `access.py`), and a search
names groups of marks: a vector may be returned only if it carries at least one mark of each group.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

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
    """What a store keeps beside a vector to filter by."""

    marks: frozenset[str]
    project: str | None = None
    session: str | None = None


class Near(NamedTuple):
    """A memory and its cosine similarity."""

    id: str
    similarity: float


class VectorBackend(Protocol):
    """A store of vectors by memory id. Raises: Unavailable when it does not answer."""

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

    def nearest(self, vector: np.ndarray, k: int, groups: Sequence[frozenset[str]]) -> list[Near]:
        """The k most similar among those that carry a mark of every group, best first."""
        ...

    def delete(self, ids: Sequence[str]) -> None:
        """Remove vectors; unknown ids are fine."""
        ...

    def count(self) -> int:
        """How many vectors there are."""
        ...
