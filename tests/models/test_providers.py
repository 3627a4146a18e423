"""What holds for every provider on the network, whatever its wire format."""

import gc
import json
import logging
from collections.abc import AsyncIterable, Mapping
from contextlib import aclosing

import anyio
import pytest
from pydantic import BaseModel

from paige.base.errors import BadInput, Unavailable
from paige.models.calls import read_answer
from paige.models.errors import (
    ApiKeyInvalid,
    ApiRefused,
    ApiTimeout,
    ApiTruncated,
    BadAnswer,
    ConnectionFailed,
    ModelUnknown,
    Overloaded,
    ProviderFailed,
    RateLimited,
    RequestRejected,
    ServerError,
)
from paige.models.local import Registry
from paige.models.messages import (
    Image,
    Message,
    Text,
    ToolResult,
    ToolUse,
    user_message,
)
from paige.models.requests import (
    Answer,
    Provider,
    Request,
    TextDelta,
    ToolInputDelta,
    ToolSpec,
    ToolUseStarted,
    Usage,
)
from paige.models.setup import Choice, open_provider
from tests.fakes.model_server import Hangup, Json, ModelServer, Silence, Sse
from tests.fakes.wire_bodies import KINDS, Kind
from tests.models.conftest import KEY, MODELS, Open

pytestmark = pytest.mark.anyio
WEATHER = ToolSpec(
    "get_weather",
    "The weather of a city.",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    },
    strict=True,
)


class Plan(BaseModel):
    """A plan."""

    title: str
    steps: list[str]


def ask(text: str = "weather?", **more: object) -> Request:
    return Request(purpose="test", messages=(user_message(text),), **more)  # type: ignore[arg-type]


async def collect(items: AsyncIterable[object], seen: list[object]) -> None:
    async for item in items:
        seen.append(item)


async def test_a_plain_answer_has_text_usage_with_cache_tokens_cost_and_request_id(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.answer("Hello"))

    answer = await open_client(kind.name).ask(ask())

    written = 0 if kind.name == "openai-compatible" else 100
    assert answer.text == "Hello"
    assert answer.stop_reason == "end_turn"
    assert answer.usage == Usage(input=120, output=30, cache_write=written, cache_read=2000)
    assert answer.request_id == "req_123"
    assert answer.answered_by == kind.name
    assert answer.model == MODELS[kind.name]["sonnet"]
    assert answer.latency_ms >= 1
    assert server.requests[0].path == kind.path
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_structured_output_sends_the_schema_and_gives_the_typed_value(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.answer('{"title": "t", "steps": ["a", "b"]}'))

    answer = await open_client(kind.name).ask(ask(output=Plan, system="Plan well."))

    assert read_answer(answer, Plan) == Plan(title="t", steps=["a", "b"])
    sent = json.dumps(server.requests[0].body)
    assert '"json_schema"' in sent
    assert '"additionalProperties": false' in sent
    assert "Plan well." in sent


async def test_an_answer_of_another_form_is_a_bad_answer_that_keeps_its_usage(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.answer('{"title": 5}'))
    answer = await open_client(kind.name).ask(ask(output=Plan))

    with pytest.raises(BadAnswer, match="title") as caught:
        read_answer(answer, Plan)

    assert caught.value.answer is not None
    assert caught.value.answer.usage.output == 30


async def test_a_tool_round_trip_sends_the_models_own_turn_back_with_the_result(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.tool_call("call_1", "get_weather", {"city": "Oslo"}), kind.answer("It is 3C"))
    client = open_client(kind.name)
    first = await client.ask(ask(tools=(WEATHER,)))
    assert first.stop_reason == "tool_use"
    assert first.tool_uses == (ToolUse("call_1", "get_weather", {"city": "Oslo"}),)

    results = Message("user", (ToolResult("call_1", "3C"),))
    turns = (user_message("weather?"), first.message, results)
    second = await client.ask(Request(purpose="test", messages=turns, tools=(WEATHER,)))

    assert second.text == "It is 3C"
    sent = json.dumps(server.requests[1].body)
    assert "checking" in sent
    assert sent.count("call_1") == 2
    assert '"3C"' in sent


async def test_a_streamed_answer_is_the_same_as_an_unstreamed_one(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.text_stream("Hel", "lo ", "wörld \u2028"))

    items = [item async for item in open_client(kind.name).stream(ask())]

    *deltas, answer = items
    assert deltas == [TextDelta("Hel"), TextDelta("lo "), TextDelta("wörld \u2028")]
    assert isinstance(answer, Answer)
    assert answer.text == "Hello wörld \u2028"
    assert answer.stop_reason == "end_turn"
    assert (answer.usage.input, answer.usage.output, answer.usage.cache_read) == (120, 30, 2000)
    assert answer.request_id == "req_123"
    assert server.requests[0].body["stream"] is True


async def test_a_streamed_tool_call_arrives_piece_by_piece_and_whole(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.tool_stream("call_9", "get_weather", '{"city": "Os', 'lo"}'))

    *deltas, answer = [item async for item in open_client(kind.name).stream(ask(tools=(WEATHER,)))]

    assert deltas == [
        ToolUseStarted("call_9", "get_weather"),
        ToolInputDelta("call_9", '{"city": "Os'),
        ToolInputDelta("call_9", 'lo"}'),
    ]
    assert isinstance(answer, Answer)
    assert answer.tool_uses == (ToolUse("call_9", "get_weather", {"city": "Oslo"}),)
    assert answer.stop_reason == "tool_use"


async def test_a_refusal_says_why_and_keeps_its_usage(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.refusal("I would rather not"))
    answer = await open_client(kind.name).ask(ask(output=Plan))

    assert answer.stop_reason == "refusal"
    with pytest.raises(ApiRefused, match="I would rather not") as caught:
        read_answer(answer, Plan)
    assert caught.value.answer is answer


async def test_a_truncated_answer_is_an_error_even_when_it_could_be_read(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.truncated('{"title": "t", "steps": []}'))
    answer = await open_client(kind.name).ask(ask(output=Plan))

    assert answer.stop_reason == "max_tokens"
    with pytest.raises(ApiTruncated, match="cut off after 30 tokens"):
        read_answer(answer, Plan)


@pytest.mark.parametrize(
    ("status", "error", "transient"),
    [
        (400, RequestRejected, False),
        (401, ApiKeyInvalid, False),
        (403, ApiKeyInvalid, False),
        (404, ModelUnknown, False),
        (413, RequestRejected, False),
        (429, RateLimited, True),
        (500, ServerError, True),
        (503, Overloaded, True),
        (529, Overloaded, True),
    ],
)
async def test_a_status_becomes_an_error_that_says_whether_to_ask_again(
    server: ModelServer,
    open_client: Open,
    kind: Kind,
    status: int,
    error: type[ProviderFailed],
    transient: bool,
) -> None:
    server.play(kind.error(status, "some_error", "it says so"))

    with pytest.raises(error) as caught:
        await open_client(kind.name).ask(ask())

    assert type(caught.value) is error
    assert caught.value.transient is transient
    assert caught.value.request_id == "req_9"
    assert str(status) in caught.value.message
    assert len(server.requests) == 1  # the SDK itself does not retry


async def test_a_429_says_how_long_to_wait(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.error(429, "rate_limit_error", "slow down", retry_after="7"))

    with pytest.raises(RateLimited) as caught:
        await open_client(kind.name).ask(ask())

    assert caught.value.retry_after == 7
    assert caught.value.hint == "Try again in 7 s."


async def test_an_account_without_credit_is_not_asked_again(
    server: ModelServer, open_client: Open
) -> None:
    body = {"error": {"message": "m", "type": "insufficient_quota", "code": "insufficient_quota"}}
    server.play(Json(body, 429))

    with pytest.raises(RateLimited, match="no credit") as caught:
        await open_client("openai").ask(ask())

    assert caught.value.transient is False


async def test_a_server_that_says_not_to_retry_is_believed(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.error(500, "api_error", "m", x_should_retry="false"))

    with pytest.raises(ServerError) as caught:
        await open_client(kind.name).ask(ask())

    assert caught.value.transient is False


async def test_silence_is_a_timeout(server: ModelServer, open_client: Open, kind: Kind) -> None:
    server.play(Silence(), Silence())
    client = open_client(kind.name, timeout=0.05)

    with pytest.raises(ApiTimeout, match=r"within 0\.05 s"):
        await client.ask(ask())
    with pytest.raises(ApiTimeout):
        _ = [item async for item in client.stream(ask())]


async def test_a_closed_port_is_a_failed_connection_that_names_the_address(
    open_client: Open, kind: Kind
) -> None:
    client = open_client(kind.name, url="http://me:hunter2hunter@127.0.0.1:1")

    with pytest.raises(ConnectionFailed, match=r"127\.0\.0\.1:1") as caught:
        await client.ask(ask())

    assert "hunter2hunter" not in caught.value.message


async def test_a_hang_up_is_a_failed_connection(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(Hangup())

    with pytest.raises(ConnectionFailed):
        await open_client(kind.name).ask(ask())


async def test_a_stream_that_breaks_in_the_middle_fails_after_its_first_pieces(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.text_stream("Hel", "lo", cut=1))
    seen: list[object] = []

    with pytest.raises(ConnectionFailed):
        await collect(open_client(kind.name).stream(ask()), seen)

    assert TextDelta("Hel") in seen
    assert not any(isinstance(item, Answer) for item in seen)


async def test_a_stream_that_ends_politely_but_too_early_fails_as_well(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    whole = kind.text_stream("Hel", "lo", cut=1)
    server.play(Sse(whole.events))

    with pytest.raises(ConnectionFailed, match="broke off"):
        _ = [item async for item in open_client(kind.name).stream(ask())]


async def test_an_error_event_in_the_middle_of_a_stream_is_the_error_it_names(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    begun = kind.text_stream("Hel", "lo", cut=1)
    server.play(Sse([*begun.events, kind.stream_error()]))

    with pytest.raises(Overloaded):
        _ = [item async for item in open_client(kind.name).stream(ask())]


async def test_an_error_before_a_stream_begins_is_the_same_error_as_without_streaming(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.error(401, "authentication_error", "no"))

    with pytest.raises(ApiKeyInvalid):
        _ = [item async for item in open_client(kind.name).stream(ask())]


async def test_a_stream_may_be_left_early_and_the_client_goes_on(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.text_stream("a", "b", "c"), kind.answer("Hello"))
    client = open_client(kind.name)

    async with aclosing(client.stream(ask())) as items:
        async for _ in items:
            break
    gc.collect()

    assert (await client.ask(ask())).text == "Hello"


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"{}", b'"x"', b'{"content": 5}'])
async def test_a_body_that_is_no_answer_is_a_bad_answer(
    server: ModelServer, open_client: Open, kind: Kind, body: bytes
) -> None:
    server.play(Json(body))

    with pytest.raises(BadAnswer, match="cannot read"):
        await open_client(kind.name).ask(ask())


async def test_pictures_go_out_as_base64(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.answer("a cat"))
    picture = Image("image/png", b"\x89PNG")

    await open_client(kind.name).ask(
        Request(purpose="test", messages=(user_message("what is it?", picture),))
    )

    sent = json.dumps(server.requests[0].body)
    assert "iVBORw==" in sent
    assert "image/png" in sent
    assert sent.index("iVBORw==") < sent.index("what is it?")


async def test_a_tool_may_answer_with_a_picture(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.play(kind.answer("a cat"))
    use = ToolUse("call_1", "look", {})
    result = ToolResult("call_1", (Text("here"), Image("image/png", b"\x89PNG")))
    turns = (user_message("look"), Message("assistant", (use,)), Message("user", (result,)))

    await open_client(kind.name).ask(Request(purpose="test", messages=turns))

    sent = json.dumps(server.requests[0].body)
    assert "iVBORw==" in sent
    assert "here" in sent


async def test_concurrent_requests_share_one_client_and_do_not_mix(
    server: ModelServer, open_client: Open, kind: Kind
) -> None:
    server.answer_with(lambda request: kind.answer("r" + request.raw.decode()[-40:]))
    client = open_client(kind.name)
    answers: dict[int, Answer] = {}

    async def one(number: int) -> None:
        answers[number] = await client.ask(ask(f"question <{number}>"))

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(one, number)

    assert all(f"<{number}>" in answer.text for number, answer in answers.items())


@pytest.mark.parametrize("name", ["anthropic", "openai"])
async def test_a_missing_key_is_said_before_anything_is_sent(name: str) -> None:
    provider = _without_key(name)

    with pytest.raises(ApiKeyInvalid, match="is not set"):
        await provider.ask(ask())
    with pytest.raises(ApiKeyInvalid, match="is not set"):
        await provider.open()


async def test_a_server_at_home_needs_no_key(server: ModelServer) -> None:
    kind = KINDS[2]
    server.play(kind.answer("Hello"))
    provider = _without_key(kind.name, f"{server.url}/v1")

    assert (await provider.ask(ask())).text == "Hello"
    await provider.aclose()


async def test_a_tier_without_a_model_says_what_to_set() -> None:
    provider = _without_key("openai-compatible", models={})

    with pytest.raises(BadInput, match="haiku") as caught:
        await provider.ask(ask(tier="haiku"))

    assert caught.value.hint == "Set `PAIGE_MODEL_HAIKU`."


async def test_a_closed_provider_says_so(server: ModelServer, open_client: Open) -> None:
    server.play(KINDS[0].answer("Hello"))
    client = open_client("anthropic")
    await client.ask(ask())
    await client.aclose()

    with pytest.raises(Unavailable, match="closed"):
        await client.ask(ask())


@pytest.mark.parametrize("key", [KEY, "hunter2-and-no-known-shape"])
async def test_the_key_is_in_no_message_no_log_and_no_traceback(
    server: ModelServer,
    open_client: Open,
    kind: Kind,
    key: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    client = open_client(kind.name, key=key)
    for status in (400, 401, 429, 500):
        server.play(kind.error(status, "some_error", f"your key {key} is not good"))
        with pytest.raises(ProviderFailed) as caught:
            await client.ask(ask())
        assert key not in f"{caught.value} {caught.value.message} {caught.value.hint}"
        logging.getLogger("test").error("it failed", exc_info=caught.value)

    assert "it failed" in caplog.text
    assert key not in caplog.text
    assert key not in repr(client)


async def test_a_key_repeated_in_a_stream_or_behind_a_status_200_is_left_out_as_well(
    server: ModelServer, open_client: Open
) -> None:
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": "bad hunter2x"}}
    server.play(Sse([body]), Json({"error": {"message": "bad hunter2x"}}))

    with pytest.raises(RequestRejected, match=r"bad \[key\]"):
        _ = [item async for item in open_client("anthropic", key="hunter2x").stream(ask())]
    with pytest.raises(ServerError, match=r"bad \[key\]"):
        await open_client("openai-compatible", key="hunter2x").ask(ask())


def _without_key(
    name: str, url: str = "http://127.0.0.1:1", models: Mapping[str, str] | None = None
) -> Provider:
    chosen = MODELS[name] if models is None else models
    return open_provider(Choice(name, url, "", chosen, "none"), Registry())  # type: ignore[arg-type]
