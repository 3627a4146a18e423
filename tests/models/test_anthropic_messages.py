"""Anthropic's Messages API: what goes out, what comes back, and what must survive the way."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from paige.models.anthropic_messages import from_wire, to_wire
from paige.models.calls import ask_through_pauses
from paige.models.errors import ApiTruncated
from paige.models.messages import (
    Image,
    Message,
    Native,
    Opaque,
    Reasoning,
    Text,
    ToolResult,
    ToolUse,
    user_message,
)
from paige.models.requests import Answer, ReasoningDelta, Request, ServerTool, ToolSpec
from tests.fakes.model_server import ModelServer
from tests.fakes.wire_bodies import anthropic_message, anthropic_stream
from tests.models.conftest import Open

pytestmark = pytest.mark.anyio
SEARCH = ServerTool("web_search_20250305", "web_search", {"max_uses": 3})
SEARCHING = {
    "type": "server_tool_use",
    "id": "srvtoolu_1",
    "name": "web_search",
    "input": {"query": "x"},
}
FOUND = {
    "type": "web_search_tool_result",
    "tool_use_id": "srvtoolu_1",
    "content": [
        {
            "type": "web_search_result",
            "url": "https://e.example/x",
            "title": "E",
            "encrypted_content": "abc",
            "page_age": None,
        }
    ],
}
SAID = {
    "type": "text",
    "text": "found",
    "citations": [
        {
            "type": "web_search_result_location",
            "url": "https://e.example/x",
            "title": "E",
            "encrypted_index": "i",
            "cited_text": "c",
        }
    ],
}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2lnbmVk"}
HIDDEN = {"type": "redacted_thinking", "data": "b3BhcXVl"}


class Item(BaseModel):
    """An item."""

    name: str = Field(min_length=1)
    due: str | None = None


def wire(request: Request, *, stream: bool = False) -> dict[str, object]:
    return json.loads(to_wire(request, "claude-x", stream))


def test_the_whole_request_on_the_wire() -> None:
    request = Request(
        purpose="test",
        system="Be kind.",
        messages=(
            user_message("hi"),
            Message("assistant", (Text("yes"), ToolUse("t1", "look", {"at": "it"}))),
            Message("user", (ToolResult("t1", (Text("here"), Image("image/png", b"\x89PNG"))),)),
        ),
        tools=(ToolSpec("look", "Looks.", {"type": "object"}, strict=True),),
        server_tools=(SEARCH,),
        output=Item,
        max_tokens=99,
        effort="low",
    )

    assert wire(request, stream=True) == {
        "model": "claude-x",
        "max_tokens": 99,
        "system": "Be kind.",
        "output_config": {
            "effort": "low",
            "format": {
                "type": "json_schema",
                "schema": {
                    "type": "object",
                    "title": "Item",
                    "description": "An item.",
                    "additionalProperties": False,
                    "required": ["name"],
                    "properties": {
                        "name": {
                            "type": "string",
                            "title": "Name",
                            "description": "{minLength: 1}",
                        },
                        "due": {
                            "title": "Due",
                            "anyOf": [{"type": "string"}, {"type": "null"}],
                            "description": "{default: None}",
                        },
                    },
                },
            },
        },
        "stream": True,
        "tools": [
            {
                "name": "look",
                "description": "Looks.",
                "strict": True,
                "input_schema": {"type": "object"},
            },
            {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
        ],
        "messages": [
            {"role": "user", "content": "hi"},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "yes"},
                    {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": "it"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "t1",
                        "is_error": False,
                        "content": [
                            {"type": "text", "text": "here"},
                            {
                                "type": "image",
                                "source": {
                                    "type": "base64",
                                    "media_type": "image/png",
                                    "data": "iVBORw==",
                                },
                            },
                        ],
                    }
                ],
            },
        ],
    }


def test_a_request_that_keeps_its_prefix_marks_the_system_and_the_end() -> None:
    sent = wire(Request(purpose="t", system="s", messages=(user_message("hi"),), cache=True))

    assert sent["cache_control"] == {"type": "ephemeral"}
    assert sent["system"] == [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}]


def test_empty_words_and_what_others_thought_are_left_out() -> None:
    turns = (
        user_message("hi"),
        Message("assistant", (Reasoning("hm"), Opaque("web_search_call"), Text(""))),
        Message("assistant", (), Native("anthropic", ())),
        Message("assistant", (Reasoning("hm"), Text("yes"))),
    )

    assert wire(Request(purpose="t", messages=turns))["messages"] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": [{"type": "text", "text": "yes"}]},
    ]


def test_half_a_surrogate_pair_does_not_break_the_body() -> None:
    sent = wire(Request(purpose="t", messages=(user_message("a\ud800b"),)))

    assert sent["messages"] == [{"role": "user", "content": "a?b"}]


def test_a_message_is_translated_once_in_its_life() -> None:
    message = user_message("hi")
    wire(Request(purpose="t", messages=(message,)))
    first = message.encoded["anthropic"]

    wire(Request(purpose="t", messages=(message, user_message("more"))))

    assert message.encoded["anthropic"] is first


def test_an_unknown_stop_reason_is_other() -> None:
    assert from_wire(anthropic_message([], "later").body).stop_reason == "other"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "reason", ["end_turn", "max_tokens", "stop_sequence", "model_context_window_exceeded"]
)
def test_known_stop_reasons_stay_as_they_are(reason: str) -> None:
    assert from_wire(anthropic_message([], reason).body).stop_reason == reason  # type: ignore[arg-type]


async def test_thinking_and_what_the_server_did_go_back_unchanged(
    server: ModelServer, open_client: Open
) -> None:
    content = [THOUGHT, HIDDEN, SEARCHING, FOUND, SAID]
    server.play(anthropic_message(content), anthropic_message([SAID]))
    client = open_client("anthropic")
    question = user_message("search x")
    first = await client.ask(Request(purpose="t", messages=(question,)))
    assert first.message.blocks == (
        Reasoning("hm"),
        Reasoning(""),
        Opaque("server_tool_use"),
        Opaque("web_search_tool_result"),
        Text("found"),
    )

    await client.ask(Request(purpose="t", messages=(question, first.message, user_message("?"))))

    assert server.requests[1].body["messages"][1] == {"role": "assistant", "content": content}


async def test_a_pause_goes_on_until_there_is_an_answer_and_its_parts_are_counted_together(
    server: ModelServer, open_client: Open
) -> None:
    server.play(anthropic_message([SEARCHING], "pause_turn"), anthropic_message([FOUND, SAID]))
    request = Request(purpose="t", messages=(user_message("search x"),), server_tools=(SEARCH,))

    answer = await ask_through_pauses(open_client("anthropic"), request)

    assert answer.text == "found"
    assert answer.usage.output == 60
    assert answer.cost_usd == pytest.approx(2 * (120 * 3 + 30 * 15 + 100 * 3.75 + 2000 * 0.3) / 1e6)
    second = server.requests[1].body
    assert second["messages"][1] == {"role": "assistant", "content": [SEARCHING]}
    assert second["tools"] == [{"type": "web_search_20250305", "name": "web_search", "max_uses": 3}]


async def test_a_provider_that_pauses_for_ever_is_stopped(
    server: ModelServer, open_client: Open
) -> None:
    server.answer_with(lambda _: anthropic_message([SEARCHING], "pause_turn"))

    with pytest.raises(ApiTruncated, match="paused 8 times"):
        await ask_through_pauses(
            open_client("anthropic"), Request(purpose="t", messages=(user_message("x"),))
        )


async def test_a_streamed_thought_keeps_its_signature_and_a_text_its_citations(
    server: ModelServer, open_client: Open
) -> None:
    thinking = [
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "h"},
        {"type": "thinking_delta", "thinking": "m"},
        {"type": "signature_delta", "signature": "c2lnbmVk"},
    ]
    search = [
        {**SEARCHING, "input": {}},
        {"type": "input_json_delta", "partial_json": '{"query": "x"}'},
        {"type": "delta_of_tomorrow", "text": "?"},
    ]
    text = [
        {"type": "text", "text": ""},
        {"type": "text_delta", "text": "found"},
        {"type": "citations_delta", "citation": SAID["citations"][0]},  # type: ignore[index]
    ]
    server.play(anthropic_stream([thinking, search, [FOUND], text], "end_turn"))

    *deltas, answer = [
        item
        async for item in open_client("anthropic").stream(
            Request(purpose="t", messages=(user_message("x"),))
        )
    ]

    assert isinstance(answer, Answer)
    assert answer.message.native is not None
    assert list(answer.message.native.items) == [THOUGHT, SEARCHING, FOUND, SAID]
    assert deltas[:2] == [ReasoningDelta("h"), ReasoningDelta("m")]


@given(st.lists(st.text(max_size=20), max_size=6), st.text(max_size=20))
def test_any_words_survive_the_way_to_the_wire(texts: list[str], system: str) -> None:
    messages = tuple(user_message(text) for text in texts)

    sent = wire(Request(purpose="t", system=system, messages=messages))

    assert [turn["content"] for turn in sent.get("messages", [])] == [  # type: ignore[union-attr,index]
        text for text in texts if text
    ]
    assert sent.get("system", "") == system
