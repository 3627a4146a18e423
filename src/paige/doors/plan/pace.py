"""How often somebody without an account may ask.

Counts are kept in this process only. What must hold for all servers together, wrong tokens, is
counted in the database.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from paige.base.errors import PaigeError

MOST_KEYS = 20_000


class TooOften(PaigeError):
    """Somebody asks faster than people do; `retry_after` are the seconds to wait."""

    status = 429
    code = "too_often"

    def __init__(self, retry_after: int) -> None:
        super().__init__("That was too often", hint=f"Try again in {retry_after} seconds.")
        self.retry_after = retry_after


class Pace:
    """At most so many requests for a key in a window of seconds."""

    def __init__(
        self, most: int, seconds: float, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._monotonic = monotonic
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def count(self, key: str) -> None:
        """Count one request. Raises: TooOften."""
        now = self._monotonic()
        began, count = self._counts.get(key, (now, 0))
        if now - began >= self._seconds:
            began, count = now, 0
        if count >= self._most:
            raise TooOften(max(1, math.ceil(began + self._seconds - now)))
        self._counts[key] = (began, count + 1)
        self._counts.move_to_end(key)
        if len(self._counts) > MOST_KEYS:
            self._counts.popitem(last=False)
