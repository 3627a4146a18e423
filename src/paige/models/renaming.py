"""Asks under the names that people write: a tier, another provider's model, one model for all."""

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import replace
from typing import cast, get_args

from paige.models.provider import Provider
from paige.models.requests import Answer, Delta, Request, Tier

_TIERS = get_args(Tier)


class Renaming:
    """Wraps a provider; `model` overrules every request, `foreign` are models it does not have.

    A foreign model becomes the strong tier of this provider, so that an agent written for one
    provider also works with another.
    """

    def __init__(self, inner: Provider, *, model: str = "", foreign: Collection[str] = ()) -> None:
        self.inner = inner
        self.name = inner.name
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

    async def open(self) -> None:
        """Open the provider inside."""
        await self.inner.open()

    async def aclose(self) -> None:
        """Close the provider inside."""
        await self.inner.aclose()

    def _renamed(self, request: Request) -> Request:
        name = self._model or request.model
        if name in _TIERS:
            return replace(request, model="", tier=cast("Tier", name))
        if not self._model and name in self._foreign:
            return replace(request, model="", tier="sonnet")
        return replace(request, model=name)
