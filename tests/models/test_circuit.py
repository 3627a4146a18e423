"""When a provider that failed is asked again."""

from datetime import datetime, timedelta

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.models.errors import ApiTimeout, CircuitOpen, RequestRejected
from paige.models.requests import Request
from paige.models.scripted import Scripted, Step
from paige.models.wrappers import MAX_FAILURES, PAUSE, CircuitBreaker
from tests.conftest import NOON

REQUEST = Request(purpose="t", messages=())
steps = st.lists(st.tuples(st.sampled_from(["ok", "fail", "lost"]), st.integers(0, 90)))


class Tried:
    """A circuit around a provider whose next answer is known, at a moment that is told."""

    def __init__(self) -> None:
        self.now, self.outcome = NOON, "ok"
        self.breaker = CircuitBreaker(Scripted(lambda _: self._step()), self._clock)

    def _clock(self) -> datetime:
        return self.now

    def _step(self) -> Step:
        faults = {"fail": ApiTimeout("late"), "lost": RequestRejected("no")}
        return faults.get(self.outcome, "yes")

    async def ask(self, outcome: str) -> bool:
        """Whether the provider was asked."""
        self.outcome = outcome
        try:
            await self.breaker.ask(REQUEST)
        except CircuitOpen:
            return False
        except (ApiTimeout, RequestRejected):
            pass
        return True


@given(steps)
def test_a_circuit_lets_through_exactly_what_the_rules_say(steps: list[tuple[str, int]]) -> None:
    anyio.run(_compare, steps)


async def _compare(steps: list[tuple[str, int]]) -> None:
    """A plain model beside it: failures in a row, and when the last trial or failure was."""
    tried = Tried()
    failures, since = 0, None
    for outcome, seconds in steps:
        tried.now += timedelta(seconds=seconds)
        allowed = await tried.ask(outcome)
        assert allowed == (since is None or tried.now - since >= PAUSE)
        if not allowed:
            continue
        if since is not None:
            since = tried.now
        if outcome == "ok":
            failures, since = 0, None
        elif outcome == "fail":
            failures += 1
            since = tried.now if failures >= MAX_FAILURES else None


@pytest.mark.anyio
async def test_a_trial_without_an_end_lets_another_one_follow_a_pause_later() -> None:
    tried = Tried()
    for _ in range(MAX_FAILURES):
        assert await tried.ask("fail")
    assert not await tried.ask("ok")
    tried.now += PAUSE

    assert await tried.ask("lost")

    tried.now += PAUSE - timedelta(seconds=1)
    assert not await tried.ask("ok")
    tried.now += timedelta(seconds=1)
    assert await tried.ask("ok")
