"""Providers around another one: they rename the model, rest after failures, or ask again."""

import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast, get_args

import anyio

from paige.base.clock import Clock
from paige.base.counters import count
from paige.models.errors import CircuitOpen, ProviderFailed, is_transient
from paige.models.requests import Answer, Delta, Provider, Request, Tier

_TIERS = get_args(Tier)
RETRIES = 2
FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
# Who is told to come back later than this is better told than made to wait.
LONGEST_RETRY_AFTER = 60.0
MAX_FAILURES = 3
"""So many failures in a row open the circuit of a provider."""
PAUSE = timedelta(seconds=60)
Sleep = Callable[[float], Awaitable[None]]


class ProviderWrapper:
    """What all of them leave to the provider inside."""

    def __init__(self, inner: Provider) -> None:
        self.inner = inner
        self.name = inner.name

    def model_for(self, request: Request) -> str:
        """The model of the provider inside."""
        return self.inner.model_for(request)

    async def open(self) -> None:
        """Open the provider inside."""
        await self.inner.open()

    async def aclose(self) -> None:
        """Close the provider inside."""
        await self.inner.aclose()


class AliasProvider(ProviderWrapper):
    """Wraps a provider; `model` overrules every request, `foreign` are models it does not have.

    A foreign model becomes the strong tier of this provider, so that an agent written for one
    provider also works with another.
    """

    def __init__(self, inner: Provider, *, model: str = "", foreign: Collection[str] = ()) -> None:
        super().__init__(inner)
        self._model = model
        self._foreign = frozenset(foreign)

    def model_for(self, request: Request) -> str:
        """The model that is asked in truth."""
        return self.inner.model_for(self._renamed(request))

    async def ask(self, request: Request) -> Answer:
        """Ask the provider inside."""
        return await self.inner.ask(self._renamed(request))

    async def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """Stream from the provider inside."""
        async with aclosing(self.inner.stream(self._renamed(request))) as items:
            async for item in items:
                yield item

    def _renamed(self, request: Request) -> Request:
        name = self._model or request.model
        if name in _TIERS:
            return replace(request, model="", tier=cast("Tier", name))
        if not self._model and name in self._foreign:
            return replace(request, model="", tier="sonnet")
        return replace(request, model=name)


class CircuitBreaker(ProviderWrapper):
    """Wraps a provider with a circuit: some failures in a row open it, and it rests for a pause.

    Only failures that may pass count. Afterwards a single trial goes through, and the pause starts
    anew with it, so that a trial that never ends lets another one follow.
    """

    def __init__(self, inner: Provider, now: Clock) -> None:
        super().__init__(inner)
        self._now = now
        self._failures = 0
        self._opened: datetime | None = None

    async def ask(self, request: Request) -> Answer:
        """Ask. Raises: CircuitOpen at once while the provider rests."""
        self._admit()
        try:
            answer = await self.inner.ask(request)
        except ProviderFailed as error:
            self._failed(error)
            raise
        self._close()
        return answer

    async def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """Stream. Raises: CircuitOpen at once while the provider rests."""
        self._admit()
        try:
            async with aclosing(self.inner.stream(request)) as items:
                async for item in items:
                    yield item
        except ProviderFailed as error:
            self._failed(error)
            raise
        self._close()

    def _admit(self) -> None:
        if self._opened is None:
            return
        now = self._now()
        if now - self._opened < PAUSE:
            raise CircuitOpen(
                f"`{self.name}` failed {self._failures} times in a row and rests now",
                hint="Try again in a minute.",
            )
        self._opened = now

    def _failed(self, error: ProviderFailed) -> None:
        if is_transient(error):
            self._failures += 1
            self._opened = self._now() if self._failures >= MAX_FAILURES else None

    def _close(self) -> None:
        self._failures, self._opened = 0, None


def retry_delay(error: ProviderFailed, attempt: int, *, jitter: float) -> float | None:
    """Seconds to wait before attempt `attempt` + 1, `None` to give up; `jitter` is within 0 and 1.

    The first attempt is number 0. The waits are those of the official SDKs.
    """
    if not error.transient or attempt >= RETRIES:
        return None
    if error.retry_after is not None and error.retry_after > 0:
        return error.retry_after if error.retry_after <= LONGEST_RETRY_AFTER else None
    return min(FIRST_DELAY * 2.0**attempt, LONGEST_DELAY) * (1 - 0.25 * jitter)


class RetryingProvider(ProviderWrapper):
    """Wraps a provider; a stream is asked for again only while nothing of it was handed on."""

    def __init__(
        self,
        inner: Provider,
        *,
        sleep: Sleep = anyio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(inner)
        self._sleep = sleep
        self._jitter = jitter

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

    async def _wait_or_raise(self, error: ProviderFailed, attempt: int) -> None:
        delay = retry_delay(error, attempt, jitter=self._jitter())
        if delay is None:
            raise error
        count("model_retries", provider=self.name)
        await self._sleep(delay)
