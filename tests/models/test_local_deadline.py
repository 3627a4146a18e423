"""Rules that answer without a model: they may meet any text, and must not hold up the others."""

import threading

import anyio
import pytest

from paige.models import local
from paige.models.errors import ModelError
from paige.models.local import LocalProvider, Registry
from paige.models.requests import Request

pytestmark = pytest.mark.anyio


async def test_rules_that_do_not_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "SECONDS", 0.05)
    over = threading.Event()
    registry = Registry()
    registry.register("slow", Request, lambda _: over.wait(10) and "")
    try:
        with anyio.fail_after(5), pytest.raises(ModelError, match="took longer"):
            await LocalProvider(registry).ask(Request(purpose="slow", messages=()))
    finally:
        over.set()
