"""`call_api`: every promise and edge case, against a real HTTP server."""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import anyio
import pytest
from pydantic import BaseModel

from paige.base.actor import Actor
from paige.models.calls import Call, CallResult, Models, call_api
from paige.models.errors import (
    ApiKeyInvalid,
    ApiRefused,
    ApiTimeout,
    ApiTruncated,
    BadAnswer,
    ConnectionFailed,
    ModelError,
    RateLimited,
    ServerError,
)
from paige.models.local import LocalProvider, Registry
from paige.models.log import ApiCall
from paige.models.requests import ServerTool
from paige.models.wrappers import RetryingProvider
from paige.store.engine import Database
from tests.conftest import NOON
from tests.fakes.model_server import Hangup, Json, ModelServer, Recorded, Silence
from tests.fakes.wire_bodies import ANTHROPIC, anthropic_message
from tests.models.conftest import Open
from tests.models.logged_calls import api_calls

pytestmark = pytest.mark.anyio
ME = Actor()
GOOD = '{"phases": ["read", "write"], "estimated_difficulty": "low"}'


class Phases(BaseModel):
    """Guidance in phases."""

    phases: list[str]
    estimated_difficulty: str


@dataclass
class World:
    """A provider with retries, a database, and the waits that nobody waited."""

    models: Models
    server: ModelServer
    db: Database
    waits: list[float] = field(default_factory=list)

    async def call(self, **more: object) -> CallResult[Phases]:
        return await call_api(self.models, ME, call(**more))

    async def rows(self) -> list[ApiCall]:
        return await self.db.read(api_calls, ME)


def call(**more: object) -> Call[Phases]:
    given: dict[str, object] = {
        "call_type": "coach_agent",
        "model": "sonnet",
        "system_prompt": "You are Paige's coaching engine.",
        "user_message": '{"plan": 1}',
        "response_schema": Phases,
        "session_id": "s1",
    }
    return Call(**given | more)  # type: ignore[arg-type]


def recorder(waits: list[float]) -> Callable[[float], Awaitable[None]]:
    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    return sleep


@pytest.fixture
def world(server: ModelServer, open_client: Open, db: Database) -> World:
    waits: list[float] = []
    sleep = recorder(waits)
    provider = RetryingProvider(
        open_client("anthropic", timeout=0.5), sleep=sleep, jitter=lambda: 0.0
    )
    models = Models(provider, LocalProvider(Registry()), db, now=lambda: NOON, sleep=sleep)
    return World(models, server, db, waits)


def assert_failed(row: ApiCall, code: str) -> None:
    assert (row.latency_ms, row.input_tokens, row.output_tokens, row.cost_estimate) == (-1, 0, 0, 0)
    assert row.error == code


async def test_scenario_7_1_a_successful_call_returns_the_typed_result(world: World) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))

    called = await world.call()

    assert called.value == Phases(phases=["read", "write"], estimated_difficulty="low")
    assert called.answered_by == "anthropic"
    sent = world.server.requests[0].body
    assert sent["output_config"]["format"]["type"] == "json_schema"
    assert sent["output_config"]["format"]["schema"]["required"] == [
        "phases",
        "estimated_difficulty",
    ]
    assert sent["system"] == "You are Paige's coaching engine."
    assert sent["messages"] == [{"role": "user", "content": '{"plan": 1}'}]


async def test_scenario_7_2_success_is_logged_with_every_field(world: World) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))

    await world.call()

    (row,) = await world.rows()
    assert row.session_id == "s1"
    assert row.call_type == "coach_agent"
    assert row.model == "claude-sonnet-4-5-20250929"
    assert row.latency_ms > 0
    assert (row.input_tokens, row.output_tokens) == (120, 30)
    assert (row.cache_write_tokens, row.cache_read_tokens) == (100, 2000)
    assert row.created_at == NOON
    assert row.request_id == "req_123"
    assert row.provider == "anthropic"
    assert row.error is None


@pytest.mark.parametrize(
    ("reply", "error", "code"),
    [
        (Hangup(), ConnectionFailed, "connection_failed"),
        (ANTHROPIC.refusal("no"), ApiRefused, "api_refused"),
        (ANTHROPIC.truncated("{"), ApiTruncated, "api_truncated"),
        (ANTHROPIC.answer('{"phases": 1}'), BadAnswer, "bad_answer"),
        (ANTHROPIC.error(500, "api_error", "m"), ServerError, "server_error"),
    ],
    ids=["transport error", "refusal", "max_tokens", "schema", "500"],
)
async def test_scenario_7_3_failure_is_logged_and_thrown(
    world: World, reply: Json | Hangup, error: type[Exception], code: str
) -> None:
    world.server.answer_with(lambda _: reply)

    with pytest.raises(error):
        await world.call()

    (row,) = await world.rows()
    assert_failed(row, code)


async def test_scenario_7_4_the_tier_haiku_is_its_full_model_id(world: World) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))

    await world.call(model="haiku")

    assert world.server.requests[0].body["model"] == "claude-haiku-4-5-20251001"


async def test_scenario_7_5_the_tier_sonnet_is_its_full_model_id(world: World) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))

    await world.call(model="sonnet")

    assert world.server.requests[0].body["model"] == "claude-sonnet-4-5-20250929"


@pytest.mark.parametrize(("tier", "rates"), [("haiku", (0.80, 4.00)), ("sonnet", (3.00, 15.00))])
async def test_scenario_7_6_the_cost_is_tokens_times_rates(
    world: World, tier: str, rates: tuple[float, float]
) -> None:
    usage = {"input_tokens": 12_345, "output_tokens": 678}
    world.server.play(anthropic_message([{"type": "text", "text": GOOD}], usage=usage))

    called = await world.call(model=tier)

    (row,) = await world.rows()
    assert row.cost_estimate == (12_345 * rates[0] + 678 * rates[1]) / 1_000_000
    assert called.cost_usd == row.cost_estimate


async def test_scenario_7_7_a_refusal_is_thrown_with_its_text_and_logged(world: World) -> None:
    world.server.play(ANTHROPIC.refusal("I may not help with that"))

    with pytest.raises(ApiRefused, match="I may not help with that"):
        await world.call()

    (row,) = await world.rows()
    assert_failed(row, "api_refused")
    assert row.stop_reason == "refusal"


async def test_scenario_7_8_a_truncated_answer_is_thrown_and_logged(world: World) -> None:
    world.server.play(ANTHROPIC.truncated('{"phases": ["re'))

    with pytest.raises(ApiTruncated, match="cut off"):
        await world.call()

    (row,) = await world.rows()
    assert_failed(row, "api_truncated")
    assert row.billed_usd == pytest.approx((120 * 3 + 30 * 15 + 100 * 3.75 + 2000 * 0.3) / 1e6)


@pytest.mark.parametrize("status", [500, 429])
async def test_scenario_7_9_a_transport_error_is_retried_then_thrown_and_logged(
    world: World, status: int
) -> None:
    world.server.answer_with(lambda _: ANTHROPIC.error(status, "api_error", "m"))

    with pytest.raises(ModelError):
        await world.call()

    assert len(world.server.requests) == 3
    assert world.waits == [0.5, 1.0]
    assert len(await world.rows()) == 1


async def test_scenario_7_10_one_client_serves_all_calls(world: World) -> None:
    world.server.answer_with(lambda _: ANTHROPIC.answer(GOOD))
    await world.models.open()

    for _ in range(5):
        await world.call()

    assert len(world.server.requests) == 5
    assert world.server.connections == 1


async def test_scenario_7_11_the_input_hash_is_the_start_of_the_messages_sha_256(
    world: World,
) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))

    await world.call(user_message="Grüße")

    (row,) = await world.rows()
    assert row.input_hash == hashlib.sha256("Grüße".encode()).hexdigest()[:16]


async def test_scenario_7_12_max_tokens_is_4096_unless_said(world: World) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))

    await world.call()

    assert world.server.requests[0].body["max_tokens"] == 4096


async def test_scenario_7_13_max_tokens_may_be_said(world: World) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))

    await world.call(max_tokens=8192)

    assert world.server.requests[0].body["max_tokens"] == 8192


async def test_ec_38_an_invalid_key_is_not_retried_and_logged(world: World) -> None:
    world.server.play(ANTHROPIC.error(401, "authentication_error", "invalid x-api-key"))

    with pytest.raises(ApiKeyInvalid, match="does not accept the API key"):
        await world.call()

    assert len(world.server.requests) == 1
    assert_failed((await world.rows())[0], "api_key_invalid")


async def test_ec_39_a_rate_limit_is_retried_as_the_provider_says(world: World) -> None:
    limited = ANTHROPIC.error(429, "rate_limit_error", "m", retry_after="13")
    world.server.play(limited, limited, ANTHROPIC.answer(GOOD))

    called = await world.call()

    assert called.value.phases == ["read", "write"]
    assert world.waits == [13, 13]
    (row,) = await world.rows()
    assert row.error is None


async def test_ec_39_an_exhausted_rate_limit_is_thrown_and_logged(world: World) -> None:
    world.server.answer_with(lambda _: ANTHROPIC.error(429, "rate_limit_error", "m"))

    with pytest.raises(RateLimited):
        await world.call()

    assert_failed((await world.rows())[0], "rate_limited")


async def test_ec_40_a_refusal_is_not_retried(world: World) -> None:
    world.server.play(ANTHROPIC.refusal("no"))

    with pytest.raises(ApiRefused):
        await world.call()

    assert len(world.server.requests) == 1


async def test_ec_41_a_caller_may_ask_again_with_more_tokens(world: World) -> None:
    world.server.play(ANTHROPIC.truncated("{"), ANTHROPIC.answer(GOOD))
    with pytest.raises(ApiTruncated):
        await world.call()

    called = await world.call(max_tokens=8192)

    assert called.value.estimated_difficulty == "low"
    assert len(await world.rows()) == 2


async def test_ec_42_a_network_timeout_is_retried_then_thrown_and_logged(
    server: ModelServer, open_client: Open, db: Database
) -> None:
    server.answer_with(lambda _: Silence())
    waits: list[float] = []
    quick = open_client("anthropic", timeout=0.05)
    provider = RetryingProvider(quick, sleep=recorder(waits), jitter=lambda: 0.0)
    models = Models(provider, LocalProvider(Registry()), db, now=lambda: NOON)

    with pytest.raises(ApiTimeout):
        await call_api(models, ME, call())

    assert len(server.requests) == 3
    assert_failed((await db.read(api_calls, ME))[0], "api_timeout")


async def test_ec_43_the_same_schema_is_sent_the_same_every_time(world: World) -> None:
    world.server.answer_with(lambda _: ANTHROPIC.answer(GOOD))

    await world.call()
    await world.call(user_message="another")

    first, second = (request.body["output_config"] for request in world.server.requests)
    assert first == second


async def test_ec_44_concurrent_calls_are_independent(world: World) -> None:
    def reply(request: Recorded) -> Json:
        text = request.body["messages"][0]["content"]
        return ANTHROPIC.answer(f'{{"phases": ["{text}"], "estimated_difficulty": "low"}}')

    world.server.answer_with(reply)
    results: dict[str, CallResult[Phases]] = {}

    async def one(name: str) -> None:
        results[name] = await world.call(user_message=name, session_id=name)

    async with anyio.create_task_group() as tasks:
        for number in range(10):
            tasks.start_soon(one, f"n{number}")

    assert all(called.value.phases == [name] for name, called in results.items())
    assert {row.session_id for row in await world.rows()} == set(results)


async def test_ec_45_a_very_large_answer_that_is_cut_off_is_an_error(world: World) -> None:
    world.server.play(ANTHROPIC.truncated('{"phases": ["' + "x" * 200_000))

    with pytest.raises(ApiTruncated):
        await world.call()


async def test_connector_tools_are_passed_through_and_the_answer_is_still_typed(
    world: World,
) -> None:
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    thinking = {"type": "text", "text": "I will look it up."}
    world.server.play(
        anthropic_message([thinking, search], "pause_turn"),
        anthropic_message([found, {"type": "text", "text": GOOD}]),
    )

    called = await world.call(tools=(ServerTool("web_search_20250305", "web_search"),))

    assert called.value.phases == ["read", "write"]
    for request in world.server.requests:
        assert request.body["tools"] == [{"type": "web_search_20250305", "name": "web_search"}]
        assert "output_config" in request.body
    (row,) = await world.rows()
    assert row.output_tokens == 60


async def test_a_call_without_a_session_is_logged_too(world: World) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))

    await world.call(session_id=None)

    (row,) = await world.rows()
    assert row.session_id is None


async def test_a_cancelled_call_is_logged(world: World) -> None:
    asked = anyio.Event()

    def silence(_: object) -> Silence:
        asked.set()
        return Silence()

    world.server.answer_with(silence)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(world.call)
            await asked.wait()
            tasks.cancel_scope.cancel()

    (row,) = await world.rows()
    assert_failed(row, "CancelledError")


async def test_an_answer_is_not_lost_when_it_cannot_be_logged(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.server.play(ANTHROPIC.answer(GOOD))
    with world.db.transaction(write=True) as connection:
        connection.exec_driver_sql("DROP TABLE api_call_log")

    called = await world.call()

    assert called.value.phases == ["read", "write"]
    assert "could not be logged" in caplog.text
