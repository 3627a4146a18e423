"""Chat Completions, as compatible servers speak it: what goes out and what comes back."""

import json

import pytest

from paige.base.errors import BadInput
from paige.models.calls import read_answer
from paige.models.errors import ServerError
from paige.models.messages import (
    Image,
    Message,
    Reasoning,
    Text,
    ToolResult,
    ToolUse,
    user_message,
)
from paige.models.openai_chat import from_wire, to_wire
from paige.models.requests import Request, ServerTool, ToolSpec, Usage
from tests.fakes.model_server import Json, ModelServer
from tests.fakes.wire_bodies import chat_completion
from tests.models.conftest import Open
from tests.models.test_anthropic_messages import Item

pytestmark = pytest.mark.anyio
CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "look", "arguments": '{"at":"it"}'},
}


def test_the_whole_request_on_the_wire() -> None:
    picture = Image("image/png", b"\x89PNG")
    request = Request(
        purpose="test",
        system="Be kind.",
        messages=(
            user_message("hi"),
            Message("assistant", (Reasoning("hm"), ToolUse("c1", "look", {"at": "it"}))),
            Message(
                "user", (ToolResult("c1", (picture,)), ToolResult("c2", "gone", is_error=True))
            ),
        ),
        tools=(ToolSpec("look", "Looks.", {"type": "object"}, strict=True),),
        effort="low",
        max_tokens=99,
    )

    assert json.loads(to_wire(request, "llama", True)) == {
        "model": "llama",
        "max_tokens": 99,
        "reasoning_effort": "low",
        "stream": True,
        "stream_options": {"include_usage": True},
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "look",
                    "description": "Looks.",
                    "strict": True,
                    "parameters": {"type": "object"},
                },
            }
        ],
        "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "hi"},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": "(see the picture below)"},
            {"role": "tool", "tool_call_id": "c2", "content": "Error: gone"},
            {
                "role": "user",
                "content": [
                    {
                        "type": "image_url",
                        "image_url": {"url": "data:image/png;base64,iVBORw=="},
                    }
                ],
            },
        ],
    }


async def test_the_models_turn_goes_back_without_the_fields_that_say_nothing(
    server: ModelServer, open_client: Open
) -> None:
    said = {"reasoning_content": "hm", "tool_calls": [CALL], "annotations": [], "audio": None}
    server.play(chat_completion(said, "tool_calls"), chat_completion({"content": "done"}))
    client = open_client("openai-compatible")
    question = user_message("look")
    first = await client.ask(Request(purpose="t", messages=(question,)))
    assert first.message.blocks == (Reasoning("hm"), ToolUse("c1", "look", {"at": "it"}))

    results = Message("user", (ToolResult("c1", "ok"),))
    await client.ask(Request(purpose="t", messages=(question, first.message, results)))

    assert server.requests[1].body["messages"][1] == {
        "role": "assistant",
        "content": None,
        "reasoning_content": "hm",
        "tool_calls": [CALL],
    }


async def test_tools_of_the_provider_are_refused_before_anything_is_sent(
    server: ModelServer, open_client: Open
) -> None:
    request = Request(
        purpose="t",
        messages=(user_message("x"),),
        server_tools=(ServerTool("web_search_20250305", "web_search"),),
    )

    with pytest.raises(BadInput, match="`web_search`"):
        await open_client("openai-compatible").ask(request)

    assert server.requests == []


async def test_fenced_json_is_read_all_the_same(server: ModelServer, open_client: Open) -> None:
    server.play(chat_completion({"content": '```json\n{"name": "a"}\n```'}))

    answer = await open_client("openai-compatible").ask(
        Request(purpose="t", messages=(user_message("x"),), output=Item)
    )

    assert read_answer(answer, Item) == Item(name="a")


async def test_an_answer_without_usage_is_not_free(server: ModelServer, open_client: Open) -> None:
    server.play(chat_completion({"content": "Hello"}, usage=None))

    answer = await open_client("openai-compatible").ask(
        Request(purpose="t", messages=(user_message("x"),), model="gpt-5")
    )

    assert answer.cost_usd
    assert answer.usage.output == 0


async def test_an_error_with_status_200_is_an_error(server: ModelServer, open_client: Open) -> None:
    server.play(Json({"error": {"message": "upstream is down", "code": 502}}))

    with pytest.raises(ServerError, match="upstream is down"):
        await open_client("openai-compatible").ask(
            Request(purpose="t", messages=(user_message("x"),))
        )


def test_tool_calls_count_even_when_the_server_says_stop() -> None:
    reply = from_wire(chat_completion({"tool_calls": [CALL]}, "stop").body)  # type: ignore[arg-type]

    assert reply.stop_reason == "tool_use"


def test_servers_that_bend_the_format_are_understood() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": {"at": "it"}}}
    parts = [{"type": "text", "text": "a"}, {"type": "other"}, {"type": "text", "text": "b"}]
    body = chat_completion({"content": parts, "tool_calls": [call]}, usage={"total_tokens": 3}).body

    reply = from_wire(body)  # type: ignore[arg-type]

    assert reply.message.blocks == (Text("ab"), ToolUse("c1", "look", {"at": "it"}))
    assert reply.usage == Usage()


def test_a_filtered_answer_is_a_refusal() -> None:
    reply = from_wire(chat_completion({"content": ""}, "content_filter").body)  # type: ignore[arg-type]

    assert reply.stop_reason == "refusal"
    assert reply.message.blocks == ()


def test_words_of_a_person_after_results_stay_after_them() -> None:
    turn = Message("user", (Text("and now?"), ToolResult("c1", "ok")))

    sent = json.loads(to_wire(Request(purpose="t", messages=(turn,)), "llama", False))

    assert [item["role"] for item in sent["messages"]] == ["tool", "user"]
