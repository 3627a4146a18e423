"""What people may type where a command asks for a moment."""

from datetime import UTC, datetime, timedelta

import pytest

from paige.base.errors import BadInput
from paige.doors.frame.moments import read_when

NOW = datetime(2026, 3, 10, 15, 30, tzinfo=UTC)
MIDNIGHT = datetime(2026, 3, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("today", MIDNIGHT),
        (" Yesterday ", MIDNIGHT - timedelta(days=1)),
        ("7d", NOW - timedelta(days=7)),
        ("2w", NOW - timedelta(weeks=2)),
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T09:30:00Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01T09:30:00+01:00", datetime(2026, 3, 1, 8, 30, tzinfo=UTC)),
    ],
)
def test_a_moment_may_be_named_counted_back_or_written_out(text: str, means: datetime) -> None:
    assert read_when(text, "since", now=NOW) == means


@pytest.mark.parametrize("text", ["", "yesterdayish", "d", "7", "-7d", "999999w", "2026-13-01"])
def test_what_is_no_moment_is_named_with_what_may_be_written(text: str) -> None:
    with pytest.raises(BadInput, match="which is not a moment") as caught:
        read_when(text, "since", now=NOW)
    assert caught.value.hint is not None
    assert "yesterday, 7d, 2w" in caught.value.hint
