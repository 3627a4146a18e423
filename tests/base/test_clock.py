from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.clock import from_iso, system_clock, to_iso

OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda m: timezone(timedelta(minutes=m)))
MOMENTS = st.datetimes(
    min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29), timezones=OFFSETS
)


@given(moment=MOMENTS)
def test_a_moment_survives_being_written_and_read(moment: datetime) -> None:
    read = from_iso(to_iso(moment))
    assert read == moment
    assert read.tzinfo is UTC


@given(one=MOMENTS, other=MOMENTS)
def test_text_order_is_time_order(one: datetime, other: datetime) -> None:
    assert (to_iso(one) < to_iso(other)) == (one < other)
    assert len(to_iso(one)) == len(to_iso(other)) == 27


def test_any_zone_is_read_as_utc() -> None:
    assert to_iso(from_iso("2026-03-02T13:00:00+01:00")) == "2026-03-02T12:00:00.000000Z"


def test_a_moment_without_zone_is_refused_in_both_directions() -> None:
    with pytest.raises(ValueError, match="no time zone"):
        to_iso(datetime(2026, 3, 2))
    with pytest.raises(ValueError, match="no time zone"):
        from_iso("2026-03-02T12:00:00")


def test_the_system_clock_is_aware_and_goes_forward() -> None:
    first, second = system_clock(), system_clock()
    assert first.tzinfo is UTC
    assert first <= second
