"""The term of a demo: its clock, its chance, and what happens when.

Everything that happens has its moment. Each door says what happens behind it; all of it together is
done in the order of time, on one clock that is put forward from one moment to the next. So ids,
logs and memories come out as if somebody had lived through these weeks.
"""

import tomllib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from random import Random
from typing import Any

from paige.app.application import App
from paige.base.paths import shipped
from paige.base.settings import Settings

WEEKS = 12
TICK = timedelta(milliseconds=40)
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEK_ENDS = "fri"
Json = Mapping[str, Any]
Do = Callable[[Json], Awaitable[object]]


class TermClock:
    """A clock that is put forward by hand, and goes on a little whenever somebody looks."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def __call__(self) -> datetime:
        """What it shows."""
        self._now += TICK
        return self._now

    def put_to(self, moment: datetime) -> None:
        """Put it to a moment; it never goes back."""
        self._now = max(self._now, moment)

    def wait(self, **length: float) -> None:
        """Let some time pass."""
        self._now += timedelta(**length)


@dataclass(frozen=True, slots=True)
class TermEvent:
    """Something that happens at a moment."""

    at: datetime
    door: str
    do: Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Calendar:
    """When things happen: the demo's settings, its clock, its last day, and a seed."""

    settings: Settings
    clock: TermClock
    day: date
    seed: int

    def random(self, name: str) -> Random:
        """Chance of its own for every door, so that a change in one does not move the others."""
        return Random(f"{self.seed}/{name}")

    def moment(self, week: int, day: str, at: str) -> datetime:
        """A moment in a week of the term, the last one of which ends before the day of the demo."""
        return moment_in(self.day, week, day, at)

    def happening(self, door: str, told: Json, do: Do) -> TermEvent:
        """What is told of in the file of a door, at its moment."""
        at = self.moment(told["week"], told["day"], told["at"])
        return TermEvent(at, door, partial(do, told))


@dataclass(frozen=True, slots=True)
class Term(Calendar):
    """A calendar with the application whose doors are filled."""

    app: App


Tell = Callable[[str, int, int], None]


def moment_in(last: date, week: int, day: str, at: str) -> datetime:
    """A weekday of a week, counted from 1; nothing happens on the last day or after it.

    Weeks go from Saturday to Friday, and the last one ends on the Friday before the last day: what
    is told of a week happens in the same order whichever weekday the demo is made on.
    """
    end = last - timedelta(days=(last.weekday() - DAYS.index(_WEEK_ENDS) - 1) % 7 + 1)
    back = (DAYS.index(_WEEK_ENDS) - DAYS.index(day)) % 7
    found = end - timedelta(days=back + 7 * (WEEKS - week))
    return datetime.combine(found, time.fromisoformat(at), UTC)


def first_moment(last: date) -> datetime:
    """Before anything happens."""
    return datetime.combine(last - timedelta(weeks=WEEKS + 1, days=1), time(5), UTC)


async def live_through(clock: TermClock, happenings: Sequence[TermEvent], tell: Tell) -> None:
    """Let everything happen, in the order of time."""
    total = Counter(each.door for each in happenings)
    done: Counter[str] = Counter()
    for each in sorted(happenings, key=lambda each: each.at):
        clock.put_to(each.at)
        await each.do()
        done[each.door] += 1
        tell(each.door, done[each.door], total[each.door])


def content(name: str) -> dict[str, Any]:
    """What is told in the demo of one door: a file of the shipped folder."""
    return tomllib.loads(shipped(f"demo/{name}.toml").read_text(encoding="utf-8"))
