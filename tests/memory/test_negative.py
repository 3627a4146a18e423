from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.clock import to_iso
from paige.memory.lifecycle.patterns import (
    Caution,
    caution_of,
    confidence_at,
    faded,
    revalidate,
)
from tests.memory.life import DAY, LIFE, NOON, event

N = LIFE.negative
SURE = Caution(0.8, NOON)


def test_half_of_the_confidence_is_left_after_a_half_life() -> None:
    later = NOON + timedelta(days=N.half_life_days)
    assert confidence_at(SURE, later, N) == pytest.approx(0.4)
    assert confidence_at(SURE, NOON - DAY, N) == 0.8


def test_a_new_failure_confirms_and_a_success_weakens() -> None:
    again = revalidate(SURE, failed=True, now=NOON, thresholds=N)
    worked = revalidate(SURE, failed=False, now=NOON, thresholds=N)
    assert again.confidence == pytest.approx(0.88)
    assert worked.confidence == pytest.approx(0.4)
    assert (again.reason, worked.reason) == (
        "it failed again: 0.80 to 0.88",
        "it worked: 0.80 to 0.40",
    )


def test_successes_retire_a_warning_in_the_end() -> None:
    caution, steps = SURE, 0
    while not (result := revalidate(caution, failed=False, now=NOON, thresholds=N)).retired:
        caution, steps = Caution(result.confidence, NOON), steps + 1
    assert steps == 2
    assert result.confidence < N.floor


def test_time_retires_a_warning_nothing_confirms() -> None:
    assert faded(SURE, NOON + 30 * DAY, N) is None
    assert "for 200 days" in (faded(SURE, NOON + 200 * DAY, N) or "")


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        ({"confidence": 0.7, "validated_at": to_iso(NOON - DAY)}, Caution(0.7, NOON - DAY)),
        ({"confidence": "high", "validated_at": "soon"}, Caution(N.start, NOON)),
        ({"confidence": 7}, Caution(1.0, NOON)),
        ({}, Caution(N.start, NOON)),
    ],
)
def test_a_warning_is_read_from_its_event(payload: dict[str, object], expected: Caution) -> None:
    assert caution_of(event(type="anti_pattern", payload=payload), N) == expected


@given(st.floats(0, 1), st.floats(0, 1000), st.booleans())
def test_confidence_stays_a_share_whatever_happens(was: float, days: float, failed: bool) -> None:
    now = NOON + timedelta(days=days)
    left = confidence_at(Caution(was, NOON), now, N)
    after = revalidate(Caution(was, NOON), failed=failed, now=now, thresholds=N)
    assert 0 <= left <= was
    assert 0 <= after.confidence <= 1
    assert (after.confidence >= left) if failed else (after.confidence <= left)
