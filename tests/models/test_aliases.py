"""Requests under the names that people write."""

import pytest

from paige.models.messages import user_message
from paige.models.requests import Answer, Request
from paige.models.scripted import Scripted
from paige.models.wrappers import AliasProvider

pytestmark = pytest.mark.anyio


def asked(model: str) -> Request:
    return Request(purpose="test", messages=(user_message("Hello"),), model=model)


@pytest.mark.parametrize(
    ("override", "written", "model", "tier"),
    [
        ("", "claude-x", "claude-x", "sonnet"),
        ("", "haiku", "", "haiku"),
        ("", "sonnet", "", "sonnet"),
        ("", "gpt-5", "", "sonnet"),
        ("", "", "", "sonnet"),
        ("claude-y", "claude-x", "claude-y", "sonnet"),
        ("haiku", "gpt-5", "", "haiku"),
        ("gpt-5", "claude-x", "gpt-5", "sonnet"),  # who names it wants it
    ],
)
async def test_a_name_becomes_a_model_or_a_tier(
    override: str, written: str, model: str, tier: str
) -> None:
    inner = Scripted(["Yes.", "Yes."])
    provider = AliasProvider(inner, model=override, foreign=("gpt-5",))

    await provider.ask(asked(written))
    pieces = [piece async for piece in provider.stream(asked(written))]

    assert [(request.model, request.tier) for request in inner.requests] == [(model, tier)] * 2
    assert isinstance(pieces[-1], Answer)
    assert provider.name == inner.name
