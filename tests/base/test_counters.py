"""Counting: bounded, safe from threads, and nothing when nobody watches."""

import threading

import anyio
import pytest
from anyio.to_thread import run_sync
from hypothesis import given
from hypothesis import strategies as st

from paige.base.actor import Actor
from paige.base.counters import (
    BUCKETS,
    MOST_LABELS,
    Durations,
    RunEnded,
    Tally,
    count,
    counting,
    run_ended,
    took,
)


def test_nothing_happens_when_nobody_watches() -> None:
    count("calls", provider="a")
    took("call", 1.0)
    run_ended(Actor(), "r", "success")


def test_counts_are_kept_by_name_and_labels() -> None:
    with counting(Tally()) as tally:
        count("calls", provider="a")
        count("calls", 2, provider="b")
        count("calls", provider="a")
        count("others")
    count("calls", provider="a")

    assert tally.counts("calls") == {(("provider", "a"),): 2, (("provider", "b"),): 2}
    assert tally.counts("others") == {(): 1}
    assert tally.counts("nobody") == {}


def test_labels_from_outside_are_bounded() -> None:
    with counting(Tally()) as tally:
        for number in range(MOST_LABELS + 50):
            count("calls", model=f"m{number}")

    counts = tally.counts("calls")
    assert len(counts) == MOST_LABELS + 1
    assert counts[(("model", "other"),)] == 50


@given(st.lists(st.floats(0, 1000)))
def test_every_duration_is_in_one_bucket_not_below_it(given_seconds: list[float]) -> None:
    durations = Durations()
    for seconds in given_seconds:
        durations.add(seconds)

    assert sum(durations.counts) == len(given_seconds)
    for place, bound in enumerate(BUCKETS):
        assert sum(durations.counts[: place + 1]) == sum(s <= bound for s in given_seconds)


def test_no_count_is_lost_between_threads() -> None:
    tally = Tally()

    def work() -> None:
        for _ in range(2000):
            tally.count("calls", 1, {})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert tally.counts("calls") == {(): 8000}


@pytest.mark.anyio
async def test_tasks_and_threads_count_for_whoever_started_them() -> None:
    first, second = Tally(), Tally()

    async def work(tally: Tally) -> None:
        with counting(tally):
            count("calls")
            await run_sync(count, "calls")
            async with anyio.create_task_group() as inner:
                inner.start_soon(run_sync, count, "calls")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(work, first)
        tasks.start_soon(work, second)

    assert first.counts("calls") == second.counts("calls") == {(): 3}


def test_whoever_wants_to_know_is_told_of_a_run_that_ended() -> None:
    told: list[RunEnded] = []
    with counting(Tally(told.append)) as tally:
        run_ended(Actor(person="ada"), "r1", "success")

    assert told == [RunEnded(Actor(person="ada"), "r1", "success")]
    assert tally.counts("runs_ended") == {(("status", "success"),): 1}
