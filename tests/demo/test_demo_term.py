"""The calendar of a demo: moments, the clock, and bytes that are the same for the same seed."""

from datetime import UTC, date, datetime, timedelta

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.app.demo.fill import Chance
from paige.app.demo.term import (
    DAYS,
    WEEKS,
    TermClock,
    TermEvent,
    content,
    first_moment,
    live_through,
    moment_in,
)
from paige.base.paths import SHIPPED

LAST = st.dates(date(2020, 1, 1), date(2100, 1, 1))


@given(LAST, st.integers(1, WEEKS), st.sampled_from(DAYS), st.times())
def test_every_moment_lies_in_the_weeks_before_the_last_day(last, week, day, at) -> None:
    found = moment_in(last, week, day, at.isoformat())

    assert DAYS[found.weekday()] == day
    assert first_moment(last) < found < datetime.combine(last, at.min, UTC)
    assert last - timedelta(weeks=WEEKS - week + 2) < found.date()


@given(LAST, st.integers(1, WEEKS))
def test_a_week_is_told_in_the_same_order_whichever_day_it_is_today(last, week) -> None:
    days = ("sat", "sun", "mon", "tue", "wed", "thu", "fri")
    moments = [moment_in(last, week, day, "10:00") for day in days]

    assert moments == sorted(moments)
    assert week == 1 or moment_in(last, week - 1, "fri", "23:00") < moments[0]


@given(st.integers(-(2**60), 2**60), st.lists(st.integers(0, 200), max_size=20))
def test_the_same_seed_gives_the_same_bytes(seed: int, sizes: list[int]) -> None:
    one, other = Chance(seed), Chance(seed)
    drawn = [one(size) for size in sizes]

    assert drawn == [other(size) for size in sizes]
    assert [len(each) for each in drawn] == sizes


def test_another_seed_gives_other_bytes() -> None:
    assert Chance(1)(10) != Chance(2)(10)


def test_the_clock_never_goes_back() -> None:
    begin = datetime(2026, 8, 22, 5, tzinfo=UTC)
    clock = TermClock(begin)
    clock.wait(hours=2)
    clock.put_to(begin)

    assert clock() > begin + timedelta(hours=2)
    assert clock() < clock()


def test_what_happens_is_done_in_the_order_of_time() -> None:
    begin = datetime(2026, 8, 22, 5, tzinfo=UTC)
    clock, done = TermClock(begin), list[tuple[str, datetime]]()
    told: list[tuple[str, int, int]] = []

    def happening(door: str, days: int) -> TermEvent:
        async def do() -> None:
            done.append((door, clock()))

        return TermEvent(begin + timedelta(days=days), door, do)

    async def live() -> None:
        later = [happening("study", 3), happening("plan", 1), happening("plan", 2)]
        await live_through(clock, later, lambda *words: told.append(words))

    anyio.run(live)

    assert [door for door, _ in done] == ["plan", "plan", "study"]
    assert [at for _, at in done] == sorted(at for _, at in done)
    assert told == [("plan", 1, 2), ("plan", 2, 2), ("study", 1, 1)]


@pytest.mark.parametrize("name", ["plan", "study", "coach", "guard", "memory", "models"])
def test_the_content_of_every_door_is_there_and_small(name: str) -> None:
    assert content(name)
    assert sum(path.stat().st_size for path in (SHIPPED / "demo").rglob("*.toml")) < 150_000
