"""The retry, local engines, and what happens when a provider fails past its retries."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from pydantic import BaseModel

from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict
from paige.models.calls import Call, Models, call_api, call_api_with_retry, falls_back
from paige.models.errors import (
    ApiKeyInvalid,
    ApiRefused,
    ApiTruncated,
    BadAnswer,
    CircuitOpen,
    ConnectionFailed,
    RateLimited,
    ServerError,
)
from paige.models.local import LocalProvider, NoLocalEngine, Registry
from paige.models.messages import Text, user_message
from paige.models.requests import Answer, Provider, Request, TextDelta
from paige.models.scripted import Scripted, calls
from paige.models.wrappers import CircuitBreaker, RetryingProvider, retry_delay
from paige.store.engine import Database
from tests.conftest import NOON
from tests.fakes.model_server import ModelServer
from tests.fakes.wire_bodies import ANTHROPIC
from tests.models.conftest import Open
from tests.models.logged_calls import api_calls

pytestmark = pytest.mark.anyio
ME = Actor()


class Hint(BaseModel):
    """A hint."""

    text: str


@dataclass(frozen=True)
class Stuck:
    """Where someone is stuck."""

    line: int


CALL = Call(
    call_type="explain_this",
    model="sonnet",
    system_prompt="s",
    user_message="u",
    response_schema=Hint,
    session_id="s1",
    inputs=Stuck(7),
)
DOWN = ConnectionFailed("`scripted` cannot be reached")


def engines() -> Registry:
    registry = Registry()
    registry.register("explain_this", Stuck, lambda stuck: Hint(text=f"look at line {stuck.line}"))
    return registry


def make(db: Database, provider: Provider, fallback: str, waits: list[float]) -> Models:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    return Models(provider, LocalProvider(engines()), db, fallback, now=lambda: NOON, sleep=sleep)


@pytest.mark.parametrize(
    "error", [DOWN, RateLimited("m"), ServerError("m")], ids=lambda error: error.code
)
async def test_a_failure_that_may_pass_is_retried_once_after_a_second(
    db: Database, error: Exception
) -> None:
    waits: list[float] = []
    models = make(db, Scripted([error, Hint(text="ok")]), "none", waits)

    called = await call_api_with_retry(models, ME, CALL)

    assert called.value == Hint(text="ok")
    assert waits == [1.0]
    rows = await db.read(api_calls, ME)
    assert sorted(row.latency_ms for row in rows) == [-1, 1]


async def test_a_second_failure_reaches_the_caller_and_both_are_logged(db: Database) -> None:
    models = make(db, Scripted([DOWN, DOWN]), "none", [])

    with pytest.raises(ConnectionFailed):
        await call_api_with_retry(models, ME, CALL)

    assert len(await db.read(api_calls, ME)) == 2


@pytest.mark.parametrize(
    "error",
    [ApiRefused("m"), ApiTruncated("m"), ApiKeyInvalid("m"), BadAnswer("m")],
    ids=lambda error: error.code,
)
async def test_a_failure_that_stays_is_not_retried(db: Database, error: Exception) -> None:
    waits: list[float] = []
    models = make(db, Scripted([error]), "none", waits)

    with pytest.raises(type(error)):
        await call_api_with_retry(models, ME, CALL)

    assert waits == []
    assert len(await db.read(api_calls, ME)) == 1


@pytest.mark.parametrize("ask", [call_api, call_api_with_retry])
async def test_a_provider_that_fails_is_replaced_by_the_local_engine(
    db: Database, ask: object, caplog: pytest.LogCaptureFixture
) -> None:
    models = make(db, Scripted(lambda _: DOWN), "local", [])

    called = await ask(models, ME, CALL)  # type: ignore[operator]

    assert called.value == Hint(text="look at line 7")
    assert called.answered_by == "local"
    assert "answered by local rules" in caplog.text
    assert all(row.error == "connection_failed" for row in await db.read(api_calls, ME))


@pytest.mark.parametrize(
    "error", [ApiRefused("m"), ApiTruncated("m"), BadAnswer("m")], ids=lambda error: error.code
)
async def test_an_answer_nobody_can_use_is_no_reason_to_fall_back(
    db: Database, error: Exception
) -> None:
    models = make(db, Scripted([error]), "local", [])

    with pytest.raises(type(error)):
        await call_api(models, ME, CALL)


async def test_without_permission_nothing_falls_back(db: Database) -> None:
    models = make(db, Scripted([DOWN]), "none", [])

    with pytest.raises(ConnectionFailed):
        await call_api(models, ME, CALL)


async def test_a_purpose_without_an_engine_does_not_fall_back(db: Database) -> None:
    models = make(db, Scripted([DOWN]), "local", [])

    assert falls_back(models, DOWN, "explain_this")
    assert not falls_back(models, DOWN, "unknown")


async def test_the_local_provider_answers_typed_calls_and_writes_no_log(db: Database) -> None:
    local = LocalProvider(engines())
    models = Models(local, local, db, "local", now=lambda: NOON)

    called = await call_api(models, ME, CALL)

    assert called.value == Hint(text="look at line 7")
    assert (called.answered_by, called.model) == ("local", "local")
    assert await db.read(api_calls, ME) == []


async def test_a_purpose_nobody_answers_says_what_to_set() -> None:
    with pytest.raises(NoLocalEngine, match="`summary`") as caught:
        await LocalProvider(Registry()).ask(Request(purpose="summary", messages=()))

    assert caught.value.hint is not None
    assert "ANTHROPIC_API_KEY" in caught.value.hint


async def test_an_engine_is_given_only_what_it_takes() -> None:
    with pytest.raises(BadInput, match="takes `Stuck`, not `str`"):
        await LocalProvider(engines()).ask(
            Request(purpose="explain_this", messages=(), inputs="line 7")
        )


def test_two_engines_for_one_purpose_are_a_conflict() -> None:
    registry = engines()

    with pytest.raises(Conflict, match="explain_this"):
        registry.register("explain_this", Stuck, str)


async def test_an_engine_may_see_the_conversation_and_ask_for_tools() -> None:
    registry = Registry()
    step = calls("read_file", path="a.md")
    registry.register(
        "compose", Request, lambda request: (Text(request.messages[0].text.upper()), step)
    )
    local = LocalProvider(registry)
    request = Request(purpose="compose", messages=(user_message("plan"),))

    items = [item async for item in local.stream(request)]

    assert items[0] == TextDelta("PLAN")
    answer = items[-1]
    assert isinstance(answer, Answer)
    assert answer.tool_uses == (step,)
    assert answer.stop_reason == "tool_use"


async def test_a_dataclass_is_answered_as_json_and_anything_else_is_a_fault() -> None:
    registry = Registry()
    registry.register("where", Stuck, lambda stuck: stuck)
    registry.register("wrong", Stuck, lambda stuck: stuck.line)
    local = LocalProvider(registry)

    answer = await local.ask(Request(purpose="where", messages=(), inputs=Stuck(7)))
    assert answer.text == '{"line": 7}'
    with pytest.raises(TypeError, match="int"):
        await local.ask(Request(purpose="wrong", messages=(), inputs=Stuck(7)))


@pytest.mark.parametrize(
    ("retry_after", "attempt", "delay"),
    [
        (None, 0, 0.5),
        (None, 1, 1.0),
        (None, 2, None),
        (3.0, 0, 3.0),
        (0.0, 0, 0.5),
        (61.0, 0, None),
    ],
)
def test_the_wait_is_the_providers_or_doubles_and_ends(
    retry_after: float | None, attempt: int, delay: float | None
) -> None:
    error = RateLimited("m", retry_after=retry_after)

    assert retry_delay(error, attempt, jitter=0.0) == delay


async def test_a_stream_is_retried_only_while_nothing_was_handed_on() -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    inner = Scripted([DOWN, "Hello"])
    items = [
        item
        async for item in RetryingProvider(inner, sleep=sleep, jitter=lambda: 0.0).stream(
            Request(purpose="t", messages=())
        )
    ]

    assert items[0] == TextDelta("Hello")
    assert waits == [0.5]


async def test_a_stream_that_was_begun_is_not_asked_for_again(
    server: ModelServer, open_client: Open
) -> None:
    server.play(ANTHROPIC.text_stream("Hel", "lo", cut=1), ANTHROPIC.text_stream("again"))
    provider = RetryingProvider(open_client("anthropic"), jitter=lambda: 0.0)

    with pytest.raises(ConnectionFailed):
        _ = [item async for item in provider.stream(Request(purpose="t", messages=()))]

    assert len(server.requests) == 1


async def test_after_three_failures_the_provider_rests_and_then_one_request_tries_it() -> None:
    now = NOON
    inner = Scripted([DOWN, DOWN, DOWN, DOWN, "back", "again"])
    provider = CircuitBreaker(inner, lambda: now)
    request = Request(purpose="t", messages=())
    for _ in range(3):
        with pytest.raises(ConnectionFailed):
            await provider.ask(request)

    with pytest.raises(CircuitOpen, match="3 times in a row"):
        await provider.ask(request)
    assert len(inner.requests) == 3

    now += timedelta(seconds=60)
    with pytest.raises(ConnectionFailed):
        _ = [item async for item in provider.stream(request)]
    with pytest.raises(CircuitOpen):
        _ = [item async for item in provider.stream(request)]

    now += timedelta(seconds=60)
    assert (await provider.ask(request)).text == "back"
    assert [item async for item in provider.stream(request)][-1].text == "again"  # type: ignore[union-attr]


async def test_a_bad_key_does_not_make_the_provider_rest() -> None:
    inner = Scripted([*[ApiKeyInvalid("m")] * 5, "Hello"])
    provider = CircuitBreaker(inner, lambda: NOON)
    request = Request(purpose="t", messages=())

    for _ in range(5):
        with pytest.raises(ApiKeyInvalid):
            await provider.ask(request)

    assert (await provider.ask(request)).text == "Hello"


async def test_wrappers_close_what_they_wrap() -> None:
    inner = Scripted([])
    await CircuitBreaker(RetryingProvider(inner), lambda: NOON).aclose()

    assert inner.closed
