"""Hot, warm, cold: how near a memory is kept, decided from age, use and importance.

The tier is not stored: it follows from four numbers and the thresholds, so it can be worked out
again at any time. What is written into the log is the summary at the boundary between two tiers.
A cold memory is still found with history, or when nothing better is.
"""

from dataclasses import dataclass
from datetime import timedelta
from math import log2
from typing import Literal, NamedTuple

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


class Placed(NamedTuple):
    """A tier and why."""

    tier: Tier
    reason: str


def tier_of(
    age: timedelta,
    last_access: timedelta | None,
    importance: float,
    access_count: int,
    thresholds: TierThresholds,
) -> Tier:
    """The tier of a memory of this age, last used so long ago, `None` for never."""
    return place(age, last_access, importance, access_count, thresholds).tier


def place(
    age: timedelta,
    last_access: timedelta | None,
    importance: float,
    access_count: int,
    thresholds: TierThresholds,
) -> Placed:
    """The tier with the reason a person reads."""
    idle = max(timedelta(0), age if last_access is None else min(age, last_access))
    stretch = (
        1
        + thresholds.importance_stretch * importance
        + thresholds.use_stretch * log2(1 + max(0, access_count))
    )
    days = idle / timedelta(days=1)
    hot, warm = thresholds.hot_days * stretch, thresholds.warm_days * stretch
    since = f"{days:.0f} days since it was {'made' if last_access is None else 'last used'}"
    if days <= hot:
        return Placed("hot", f"{since}, hot until {hot:.0f}")
    if days <= warm:
        return Placed("warm", f"{since}, warm until {warm:.0f}")
    if importance >= thresholds.always_warm:
        return Placed("warm", f"importance {importance:.2f} keeps it from getting cold")
    return Placed("cold", f"{since}, more than {warm:.0f}")
