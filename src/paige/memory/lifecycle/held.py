"""A memory as it stands now, and how the jobs of the life cycle read memories.

An event never changes; what later events made of it (another scope, another importance, a tier,
uses) is kept by the index. The jobs ask for both together, through a small protocol, so that they
can be tried without an index.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from paige.memory.event import Event
from paige.memory.lifecycle.tiers import Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A memory with everything that happened to it; `event` has the scope it has now."""

    event: Event
    importance: float
    recalls: int = 0
    last_recall: datetime | None = None
    tier: Tier = "hot"
    current: bool = True  # not superseded

    @property
    def id(self) -> str:
        """The id of its event."""
        return self.event.id

    @property
    def since(self) -> datetime:
        """When it came into the memory: age counts from here, also for old talks just imported."""
        return max(self.event.at, _made(self.event.id) or self.event.at)


class Page(NamedTuple):
    """Some memories in the order they came, and where to go on; `None` at the end."""

    held: list[Held]
    cursor: int | None


class Reading(Protocol):
    """What the jobs ask about memories that are still there."""

    def get(self, ids: Collection[str]) -> list[Held]:
        """Those of these ids that are there."""
        ...

    def of_session(self, session: str, limit: int) -> list[Held]:
        """The newest memories of a session, oldest first."""
        ...

    def newest(self, types: Collection[str], limit: int) -> list[Held]:
        """The newest current memories of some types but turns and notes, oldest first."""
        ...

    def aged(self, before: datetime, *, after: int, limit: int) -> Page:
        """Memories made before a moment, in the order they came, after a cursor."""
        ...


def _made(id: str) -> datetime | None:
    """When an id was made, where ids tell (UUID version 7)."""
    try:
        found = UUID(id)
    except ValueError:
        return None
    if found.version != 7:
        return None
    return datetime.fromtimestamp((found.int >> 80) / 1000, UTC)
