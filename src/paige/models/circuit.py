"""Stops asking a provider that keeps failing, for a while; then one request tries it again.

It stands only where a local engine can answer instead: without one, a request that might work is
better than an error that is certain.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from paige.base.clock import Clock
from paige.models.errors import CircuitOpen, ProviderFailed, is_transient
from paige.models.provider import Provider
from paige.models.requests import Answer, Delta, Request


@dataclass(frozen=True, slots=True)
class Policy:
    """How many failures in a row open the circuit, and for how long."""

    failures: int = 3
    pause: timedelta = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Circuit:
    """Failures in a row, and since when nobody is let through; `None` is closed."""

    failures: int = 0
    opened: datetime | None = None


class Admission(NamedTuple):
    """Whether a request may go through, and the circuit after that."""

    allowed: bool
    circuit: Circuit


def admit(circuit: Circuit, now: datetime, policy: Policy) -> Admission:
    """Let everyone through a closed circuit; through an open one a single trial per pause."""
    if circuit.opened is None:
        return Admission(True, circuit)
    if now - circuit.opened < policy.pause:
        return Admission(False, circuit)
    # The pause starts anew, so that a trial that never ends lets another one follow.
    return Admission(True, Circuit(circuit.failures, now))


def after_failure(circuit: Circuit, now: datetime, policy: Policy) -> Circuit:
    """Count a failure; enough of them in a row open the circuit."""
    failures = circuit.failures + 1
    return Circuit(failures, now if failures >= policy.failures else None)


class Breaking:
    """Wraps a provider with a circuit; only failures that may pass count."""

    def __init__(self, inner: Provider, now: Clock, policy: Policy | None = None) -> None:
        self.inner = inner
        self.name = inner.name
        self.circuit = Circuit()
        self._now = now
        self._policy = policy or Policy()

    def model_for(self, request: Request) -> str:
        """The model of the provider inside."""
        return self.inner.model_for(request)

    async def ask(self, request: Request) -> Answer:
        """Ask. Raises: CircuitOpen at once while the provider rests."""
        self._admit()
        try:
            answer = await self.inner.ask(request)
        except ProviderFailed as error:
            self._failed(error)
            raise
        self.circuit = Circuit()
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
        self.circuit = Circuit()

    async def open(self) -> None:
        """Open the provider inside."""
        await self.inner.open()

    async def aclose(self) -> None:
        """Close the provider inside."""
        await self.inner.aclose()

    def _admit(self) -> None:
        allowed, self.circuit = admit(self.circuit, self._now(), self._policy)
        if not allowed:
            raise CircuitOpen(
                f"`{self.name}` failed {self.circuit.failures} times in a row and rests now",
                hint="Try again in a minute.",
            )

    def _failed(self, error: ProviderFailed) -> None:
        if is_transient(error):
            self.circuit = after_failure(self.circuit, self._now(), self._policy)
