"""OpenAI's Responses API: what goes out, what comes back, and what must survive the way."""

import json

import pytest

from paige.models.errors import RateLimited, ServerError
from paige.models.messages import (
    Image,
    Message,
    Opaque,
    Reasoning,
    Text,
    ToolResult,
    ToolUse,
    user_message,
)
from paige.models.openai_responses import from_wire, to_wire
from paige.models.requests import Request, ServerTool, ToolSpec
from tests.fakes.model_server import ModelServer
from tests.fakes.wire_bodies import openai_call, openai_response, openai_text
from tests.models.conftest import Open
from tests.models.test_anthropic_messages import Item

pytestmark = pytest.mark.anyio
THOUGHT = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "hm"}],
    "encrypted_content": "b3BhcXVl",
}
SEARCHED = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "x"},
}


def wire(request: Request, model: str = "gpt-5") -> dict[str, object]:
    return json.loads(to_wire(request, model, False))


def test_the_whole_request_on_the_wire() -> None:
    picture = Image("image/png", b"\x89PNG")
    request = Request(
        purpose="test",
        system="Be kind.",
        messages=(
            user_message("hi", picture),
            Message("assistant", (Text("yes"), ToolUse("c1", "look", {"at": "it"}))),
            Message("user", (ToolResult("c1", "gone", is_error=True),)),
            Message("user", (ToolResult("c2", (Text("here"), picture)), Text("and now?"))),
        ),
        tools=(ToolSpec("look", "Looks.", {"type": "object"}),),
        server_tools=(
            ServerTool("web_search_20250305", "web_search", {"allowed_domains": ["e.example"]}),
        ),
        output=Item,
        max_tokens=99,
        effort="max",
    )

    address = "data:image/png;base64,iVBORw=="
    assert wire(request) == {
        "model": "gpt-5",
        "max_output_tokens": 99,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "instructions": "Be kind.",
        "reasoning": {"effort": "high"},
        "text": {
            "format": {
                "type": "json_schema",
                "strict": True,
                "name": "Item",
                "schema": {
                    "type": "object",
                    "title": "Item",
                    "description": "An item.",
                    "additionalProperties": False,
                    "required": ["name", "due"],
                    "properties": {
                        "name": {"type": "string", "title": "Name", "minLength": 1},
                        "due": {"title": "Due", "anyOf": [{"type": "string"}, {"type": "null"}]},
                    },
                },
            }
        },
        "tools": [
            {
                "type": "function",
                "name": "look",
                "description": "Looks.",
                "strict": False,
                "parameters": {"type": "object"},
            },
            {"type": "web_search", "filters": {"allowed_domains": ["e.example"]}},
        ],
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "input_image", "image_url": address},
                    {"type": "input_text", "text": "hi"},
                ],
            },
            {"role": "assistant", "content": "yes"},
            {
                "type": "function_call",
                "call_id": "c1",
                "name": "look",
                "arguments": '{"at":"it"}',
            },
            {"type": "function_call_output", "call_id": "c1", "output": "Error: gone"},
            {
                "type": "function_call_output",
                "call_id": "c2",
                "output": [
                    {"type": "input_text", "text": "here"},
                    {"type": "input_image", "image_url": address},
                ],
            },
            {"role": "user", "content": "and now?"},
        ],
    }


def test_models_that_do_not_reason_are_not_asked_for_reasoning() -> None:
    request = Request(purpose="t", messages=(user_message("hi"),))

    assert "include" not in wire(request, "gpt-4.1-mini")


async def test_encrypted_reasoning_and_searches_go_back_unchanged(
    server: ModelServer, open_client: Open
) -> None:
    output = [THOUGHT, SEARCHED, openai_text("found"), openai_call("c1", "look", '{"at":"it"}')]
    server.play(openai_response(output), openai_response([openai_text("done")]))
    client = open_client("openai")
    question = user_message("search x")
    first = await client.ask(Request(purpose="t", messages=(question,)))
    assert first.message.blocks == (
        Reasoning("hm"),
        Opaque("web_search_call"),
        Text("found"),
        ToolUse("c1", "look", {"at": "it"}),
    )

    results = Message("user", (ToolResult("c1", "ok"),))
    await client.ask(Request(purpose="t", messages=(question, first.message, results)))

    assert server.requests[1].body["input"] == [
        {"role": "user", "content": "search x"},
        *output,
        {"type": "function_call_output", "call_id": "c1", "output": "ok"},
    ]


async def test_a_history_may_move_to_another_provider(
    server: ModelServer, open_client: Open
) -> None:
    server.play(openai_response([THOUGHT, openai_text("found")]))
    question = user_message("search x")
    first = await open_client("openai").ask(Request(purpose="t", messages=(question,)))
    server.answer_with(lambda _: openai_response([]))  # only the request matters here

    with pytest.raises(Exception, match="cannot read"):
        await open_client("anthropic").ask(
            Request(purpose="t", messages=(question, first.message, user_message("go on")))
        )

    assert server.requests[1].body["messages"] == [
        {"role": "user", "content": "search x"},
        {"role": "assistant", "content": [{"type": "text", "text": "found"}]},
        {"role": "user", "content": "go on"},
    ]


def test_arguments_that_are_no_json_object_are_kept_as_they_are() -> None:
    body = openai_response([openai_call("c1", "look", '{"at":')]).body

    reply = from_wire(body)  # type: ignore[arg-type]

    assert reply.message.tool_uses == (ToolUse("c1", "look", {}, broken='{"at":'),)


def test_a_filtered_answer_is_a_refusal() -> None:
    details = {"reason": "content_filter"}
    body = openai_response([], "incomplete", incomplete_details=details).body

    assert from_wire(body).stop_reason == "refusal"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "error"), [("server_error", ServerError), ("rate_limit_exceeded", RateLimited)]
)
async def test_a_response_that_failed_is_the_error_it_names(
    server: ModelServer, open_client: Open, code: str, error: type[Exception]
) -> None:
    server.play(openai_response([], "failed", error={"code": code, "message": "m"}))

    with pytest.raises(error):
        await open_client("openai").ask(Request(purpose="t", messages=(user_message("x"),)))
