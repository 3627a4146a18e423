"""Plumbing of the model tests: a provider on loopback and clients of it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest

from paige.models.http_provider import HttpProvider
from paige.models.local import Registry
from paige.models.setup import Choice, open_provider
from tests.fakes.model_server import ModelServer
from tests.fakes.wire_bodies import KINDS, Kind

KEY = "sk-ant-test-0123456789abcdef0123456789"
MODELS = {
    "anthropic": {"haiku": "claude-haiku-4-5-20251001", "sonnet": "claude-sonnet-4-5-20250929"},
    "openai": {"haiku": "gpt-5-mini", "sonnet": "gpt-5"},
    "openai-compatible": {"haiku": "llama-small", "sonnet": "llama"},
}
Open = Callable[..., HttpProvider]


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    """A provider that answers as the test says."""
    async with ModelServer() as running:
        yield running


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Each wire format in turn."""
    return request.param


@pytest.fixture
async def open_client(server: ModelServer) -> AsyncIterator[Open]:
    """Opens clients of the server and closes them in the end."""
    async with AsyncExitStack() as stack:

        def open_one(
            name: str, *, timeout: float = 30.0, url: str = "", key: str = KEY
        ) -> HttpProvider:
            root = url or server.url
            address = root if name == "anthropic" else f"{root}/v1"
            choice = Choice(name, address, key, MODELS[name], "none")
            provider = open_provider(choice, Registry(), timeout=timeout)
            assert isinstance(provider, HttpProvider)
            stack.push_async_callback(provider.aclose)
            return provider

        yield open_one
