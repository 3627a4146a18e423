"""Asks again when a failure may pass: twice more, waiting as the provider says or ever longer."""

import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

import anyio

from paige.base.counting import count
from paige.models.errors import ProviderFailed
from paige.models.provider import Provider
from paige.models.requests import Answer, Delta, Request

RETRIES = 2
FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
# Who is told to come back later than this is better told than made to wait.
LONGEST_RETRY_AFTER = 60.0
Sleep = Callable[[float], Awaitable[None]]


def retry_delay(error: ProviderFailed, attempt: int, *, jitter: float) -> float | None:
    """Seconds to wait before attempt `attempt` + 1, `None` to give up; `jitter` is within 0 and 1.

    The first attempt is number 0. The waits are those of the official SDKs.
    """
    if not error.transient or attempt >= RETRIES:
        return None
    if error.retry_after is not None and error.retry_after > 0:
        return error.retry_after if error.retry_after <= LONGEST_RETRY_AFTER else None
    return min(FIRST_DELAY * 2.0**attempt, LONGEST_DELAY) * (1 - 0.25 * jitter)


class Retrying:
    """Wraps a provider; a stream is asked for again only while nothing of it was handed on."""

    def __init__(
        self,
        inner: Provider,
        *,
        sleep: Sleep = anyio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.inner = inner
        self.name = inner.name
        self._sleep = sleep
        self._jitter = jitter

    def model_for(self, request: Request) -> str:
        """The model of the provider inside."""
        return self.inner.model_for(request)

    async def ask(self, request: Request) -> Answer:
        """Ask until there is an answer or no hope of one."""
        attempt = 0
        while True:
            try:
                return await self.inner.ask(request)
            except ProviderFailed as error:
                await self._wait_or_raise(error, attempt)
            attempt += 1

    async def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """Stream; once something was handed on, a failure belongs to the caller."""
        attempt = 0
        while True:
            begun = False
            try:
                async with aclosing(self.inner.stream(request)) as items:
                    async for item in items:
                        begun = True
                        yield item
                return
            except ProviderFailed as error:
                if begun:
                    raise
                await self._wait_or_raise(error, attempt)
            attempt += 1

    async def open(self) -> None:
        """Open the provider inside."""
        await self.inner.open()

    async def aclose(self) -> None:
        """Close the provider inside."""
        await self.inner.aclose()

    async def _wait_or_raise(self, error: ProviderFailed, attempt: int) -> None:
        delay = retry_delay(error, attempt, jitter=self._jitter())
        if delay is None:
            raise error
        count("model_retries", provider=self.name)
        await self._sleep(delay)
