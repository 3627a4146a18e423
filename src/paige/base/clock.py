"""The only place that reads the clock; doors call it and pass `now` down."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The time now, aware and in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - the one reader of the clock


def to_iso(moment: datetime) -> str:
    """Write a moment as fixed-width ISO 8601 in UTC, so that text order is time order."""
    if moment.tzinfo is None:
        raise ValueError(f"`{moment!r}` has no time zone")
    # Not strftime: its %Y has fewer than four digits for early years on some systems.
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def from_iso(text: str) -> datetime:
    """Read a moment written by `to_iso`, or any ISO 8601 text with a time zone."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"`{text}` has no time zone")
    return moment.astimezone(UTC)
