"""A memory as it stands now, and how near it is kept.

An event never changes; what later events made of it (another scope, another importance, a tier,
uses) is kept by the index. The jobs of the life cycle ask for both together.

Hot, warm or cold is not stored: it follows from age, use, importance and the thresholds, so it can
be worked out again at any time. What is written into the log is the summary at the boundary between
two tiers. A cold memory is still found with history, or when nothing better is.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from math import log2
from typing import Literal, NamedTuple
from uuid import UUID

from paige.memory.event import Event

Tier = Literal["hot", "warm", "cold"]
TIERS: tuple[Tier, ...] = ("hot", "warm", "cold")


@dataclass(frozen=True, slots=True, kw_only=True)
class TierThresholds:
    """How long a memory stays near."""

    hot_days: float
    warm_days: float
    importance_stretch: float
    use_stretch: float
    always_warm: float


def tier_of(
    age: timedelta,
    last_access: timedelta | None,
    importance: float,
    access_count: int,
    thresholds: TierThresholds,
) -> Tier:
    """How near a memory is kept."""
    idle = max(timedelta(0), age if last_access is None else min(age, last_access))
    used = thresholds.use_stretch * log2(1 + max(0, access_count))
    stretch = 1 + thresholds.importance_stretch * importance + used
    days = idle / timedelta(days=1)
    if days <= thresholds.hot_days * stretch:
        return "hot"
    near = days <= thresholds.warm_days * stretch or importance >= thresholds.always_warm
    return "warm" if near else "cold"


PREFIX = "d-"


def derived_id(*parts: str) -> str:
    """The id of what is said by these parts."""
    digest = blake2b("\x1f".join(parts).encode(errors="surrogatepass"), digest_size=16)
    return f"{PREFIX}{digest.hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldMemory:
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

    held: list[HeldMemory]
    cursor: int | None


def _made(id: str) -> datetime | None:
    """When an id was made, where ids tell (UUID version 7)."""
    try:
        found = UUID(id)
    except ValueError:
        return None
    if found.version != 7:
        return None
    return datetime.fromtimestamp((found.int >> 80) / 1000, UTC)
