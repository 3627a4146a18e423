"""How much and how often somebody without an account may ask: small bodies, and not too many.

Counts are kept in this process only. What must hold for all servers together, wrong tokens, is
counted in the database.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from paige.base.errors import PaigeError

MOST_BODY = 64 * 1024
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


class SmallRoute(APIRoute):
    """A route that reads no more of a body than answers to a worksheet can have."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with a limited body."""
        handle = super().get_route_handler()

        async def limited(request: Request) -> Response:
            return await handle(Request(request.scope, _limited(request.receive)))

        return limited


def _limited(receive: Receive) -> Receive:
    read = 0

    async def received() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MOST_BODY:
            raise HTTPException(413, f"The answers have more than {MOST_BODY // 1024} KiB")
        return message

    return received
