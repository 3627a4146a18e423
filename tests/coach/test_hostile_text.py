"""A text made to hurt the rules, while others wait for the server."""

import time

import anyio
import pytest

from paige.coach.local.explain import PassageGiven, explain_code
from paige.coach.local.topics import Topic, catalogue, sign_hits
from paige.models.local import LocalProvider, Registry
from paige.models.requests import Request

pytestmark = pytest.mark.anyio
TEXTS = ("def f(x):\n" + "  \n" * 30_000, "public a(" * 11_000, " " * 100_000, "\n" * 100_000)


def signs(given: PassageGiven) -> str:
    """What the end of a session does with the code that was worked on."""

    def hits(topic: Topic) -> int:
        return sign_hits(topic, given.text)

    return str(sum(map(hits, catalogue())))


@pytest.mark.parametrize("text", TEXTS, ids=("def", "public", "spaces", "lines"))
async def test_the_loop_goes_on_while_rules_read_a_hostile_text(text: str) -> None:
    registry = Registry()
    registry.register("explain", PassageGiven, explain_code)
    registry.register("signs", PassageGiven, signs)
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
            for purpose in ("explain", "signs"):
                given = PassageGiven(text=text, path="a.ts", language="typescript")
                await LocalProvider(registry).ask(
                    Request(purpose=purpose, messages=(), inputs=given)
                )
            over = True
    assert longest < 1
