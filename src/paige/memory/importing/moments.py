"""Reads the times that other programs write: ISO 8601 in many dresses, or seconds since 1970."""

from datetime import UTC, datetime
from typing import Final

_MILLISECONDS: Final = 10**11  # a number of seconds this large is a year past 5000


def read_moment(value: object) -> datetime | None:
    """A moment in UTC, or None if the value is not one. A time without a zone is UTC."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(float(value))
    if not isinstance(value, str) or not value.strip():
        return None
    text = value.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _from_words(text)
    return _in_utc(moment)


def _from_words(text: str) -> datetime | None:
    # SQLite and some exports write a blank before the zone.
    for word in (text.replace(" UTC", "+00:00"), text.replace(" +", "+").replace(" -", "-")):
        try:
            return _in_utc(datetime.fromisoformat(word))
        except ValueError:
            continue
    try:
        return _from_number(float(text))
    except ValueError:
        return None


def _from_number(number: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(number / 1000 if number >= _MILLISECONDS else number, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _in_utc(moment: datetime) -> datetime | None:
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
