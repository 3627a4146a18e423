"""Identifiers that sort by the time they were made (UUID version 7, RFC 9562)."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def new_id(now: datetime, randomness: bytes) -> str:
    """Return an id made at `now` from ten random bytes; later ids sort after earlier ones.

    Both come in as arguments so that tests and replays make the same ids again.
    """
    if len(randomness) != 10:
        raise ValueError(f"An id needs ten random bytes, got {len(randomness)}")
    # Whole numbers only: a float is off by one for some milliseconds, and then order breaks.
    milliseconds = (now - _EPOCH) // timedelta(milliseconds=1)
    number = milliseconds << 80 | int.from_bytes(randomness)
    number = number & ~(0xF << 76) | 0x7 << 76  # version 7
    number = number & ~(0b11 << 62) | 0b10 << 62  # RFC variant
    return str(UUID(int=number))
