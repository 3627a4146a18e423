"""The one capability everything here is built on: someone who answers requests."""

from collections.abc import AsyncGenerator
from typing import Protocol

from paige.models.requests import Answer, Delta, Request


class Provider(Protocol):
    """Answers requests.

    `stream` gives deltas and, last, the whole answer. It holds a connection: a caller that may stop
    early wraps it in `contextlib.aclosing`.
    """

    @property
    def name(self) -> str:
        """Who answers: `anthropic`, `openai`, `openai-compatible`, `local`, `scripted`."""
        ...

    def model_for(self, request: Request) -> str:
        """The full id of the model that a request goes to."""
        ...

    async def ask(self, request: Request) -> Answer:
        """Answer a request. Raises: ProviderFailed, or BadAnswer when it cannot be read."""
        ...

    def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """Answer a request piece by piece; the last item is the answer."""
        ...

    async def open(self) -> None:
        """Get ready: what the first request would otherwise wait for."""
        ...

    async def aclose(self) -> None:
        """Give back every connection."""
        ...
