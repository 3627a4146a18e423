"""A text made to hurt the rules, while others wait for the server."""

import time

import anyio
import pytest

from paige.coach.inquiry.explanation import PassageInputs, explain_code
from paige.models.local import LocalProvider, Registry
from paige.models.requests import Request

pytestmark = pytest.mark.anyio
TEXTS = ("def f(x):\n" + "  \n" * 30_000, "public a(" * 11_000, " " * 100_000, "\n" * 100_000)


@pytest.mark.parametrize("text", TEXTS, ids=("def", "public", "spaces", "lines"))
async def test_the_loop_goes_on_while_rules_read_a_hostile_text(text: str) -> None:
    registry = Registry()
    registry.register("explain", PassageInputs, explain_code)
    longest, over = 0.0, False

    async def tick() -> None:
        nonlocal longest
        last = time.monotonic()
        while not over:
            await anyio.lowlevel.checkpoint()
            longest, last = max(longest, time.monotonic() - last), time.monotonic()

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(tick)
            for path, language in (("a.ts", "typescript"), ("a.py", "python")):
                given = PassageInputs(text=text, path=path, language=language)
                await LocalProvider(registry).ask(
                    Request(purpose="explain", messages=(), inputs=given)
                )
            over = True
    assert longest < 1
