from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from paige.memory.lifecycle.held_memory import TIERS, tier_of
from tests.memory.life import DAY, LIFE

T = LIFE.tiers
ages = st.floats(0, 2000).map(lambda days: timedelta(days=days))
shares = st.floats(0, 1)
uses = st.integers(0, 500)


def test_a_new_memory_is_hot_and_an_old_unused_one_is_cold() -> None:
    assert tier_of(DAY, None, 0.5, 0, T) == "hot"
    assert tier_of(60 * DAY, None, 0.5, 0, T) == "warm"
    assert tier_of(400 * DAY, None, 0.5, 0, T) == "cold"


def test_using_a_memory_brings_it_near_again() -> None:
    assert tier_of(400 * DAY, 2 * DAY, 0.5, 1, T) == "hot"


def test_what_matters_most_never_gets_cold() -> None:
    assert tier_of(5000 * DAY, None, 0.95, 0, T) == "warm"


@given(ages, ages, shares, uses)
def test_time_only_cools(age: timedelta, later: timedelta, importance: float, count: int) -> None:
    now, then = (tier_of(each, None, importance, count, T) for each in (age, age + later))
    assert TIERS.index(now) <= TIERS.index(then)


@given(ages, st.none() | ages, shares, shares, uses, uses)
def test_importance_and_use_only_warm(
    age: timedelta, used: timedelta | None, low: float, more: float, count: int, extra: int
) -> None:
    high = min(1.0, low + more)
    before = tier_of(age, used, low, count, T)
    assert TIERS.index(tier_of(age, used, high, count, T)) <= TIERS.index(before)
    assert TIERS.index(tier_of(age, used, low, count + extra, T)) <= TIERS.index(before)
