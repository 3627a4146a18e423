"""How far two people, or a judge and a person, agree about scores from 1 to 5."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LOWEST, HIGHEST = 1, 5
Pair = tuple[int, int]
"""What the person gave, and what the judge gave."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement over some pairs; `kappa` counts a miss by its square and takes chance away."""

    pairs: int
    exact: float
    within_one: float
    kappa: float
    bias: float  # how much higher the judge is on average


@dataclass(frozen=True, slots=True)
class Demand:
    """What a judge must reach to be believed."""

    pairs: int = 30
    kappa: float = 0.6
    within_one: float = 0.85

    def met(self, found: Agreement) -> bool:
        """Whether an agreement is enough."""
        return (
            found.pairs >= self.pairs
            and found.kappa >= self.kappa
            and found.within_one >= self.within_one
        )


def agreement(pairs: Sequence[Pair]) -> Agreement:
    """The agreement over some pairs; over none there is none."""
    count = len(pairs)
    if not count:
        return Agreement(0, 0.0, 0.0, 0.0, 0.0)
    return Agreement(
        pairs=count,
        exact=sum(one == two for one, two in pairs) / count,
        within_one=sum(abs(one - two) <= 1 for one, two in pairs) / count,
        kappa=quadratic_kappa(pairs),
        bias=sum(two - one for one, two in pairs) / count,
    )


def by_dimension(pairs: Mapping[str, Sequence[Pair]]) -> dict[str, Agreement]:
    """The agreement for each dimension."""
    return {name: agreement(found) for name, found in pairs.items()}


def quadratic_kappa(pairs: Sequence[Pair]) -> float:
    """Cohen's kappa with quadratic weights; where nothing varies, agreement is all or nothing."""
    count = len(pairs)
    ones, twos = [one for one, _ in pairs], [two for _, two in pairs]
    seen = sum((one - two) ** 2 for one, two in pairs) / count
    chance = sum(
        (one - two) ** 2 * ones.count(one) * twos.count(two)
        for one in range(LOWEST, HIGHEST + 1)
        for two in range(LOWEST, HIGHEST + 1)
    ) / (count * count)
    if chance == 0:
        return 1.0 if seen == 0 else 0.0
    return 1 - seen / chance
