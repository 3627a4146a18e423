import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.models.anthropic_messages import from_wire
from paige.models.codec import dump_answer, dump_message, load_answer, load_message
from paige.models.messages import (
    Block,
    Image,
    Message,
    Opaque,
    Reasoning,
    Text,
    ToolResult,
    ToolUse,
)
from paige.models.requests import Answer, Request, Usage
from tests.fakes.model_server import ModelServer
from tests.fakes.wire_bodies import KINDS, Kind, anthropic_message
from tests.models.conftest import Open
from tests.models.test_anthropic_messages import FOUND, HIDDEN, SAID, SEARCHING, THOUGHT

words = st.text(max_size=10)
pictures = st.builds(Image, words, st.binary(max_size=10))
texts = st.builds(Text, words)
given_values = st.dictionaries(words, st.none() | st.integers() | words, max_size=3)
blocks: st.SearchStrategy[Block] = st.one_of(
    texts,
    pictures,
    st.builds(ToolUse, words, words, given_values, words),
    st.builds(
        ToolResult,
        words,
        words | st.lists(texts | pictures, max_size=3).map(tuple),
        st.booleans(),
    ),
    st.builds(Reasoning, words),
    st.builds(Opaque, words),
)


@given(st.sampled_from(["user", "assistant"]), st.lists(blocks, max_size=4))
def test_every_message_survives_json(role: str, parts: list[Block]) -> None:
    message = Message(role, tuple(parts))  # type: ignore[arg-type]

    assert load_message(json.loads(json.dumps(dump_message(message)))) == message


def test_what_only_the_provider_understands_survives_json() -> None:
    items = [THOUGHT, HIDDEN, SEARCHING, FOUND, SAID]
    message = from_wire(anthropic_message(items).body).message  # type: ignore[arg-type]

    loaded = load_message(json.loads(json.dumps(dump_message(message))))

    assert loaded == message
    assert loaded.native is not None
    assert list(loaded.native.items) == items


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@pytest.mark.anyio
async def test_an_answer_survives_json(server: ModelServer, open_client: Open, kind: Kind) -> None:
    server.play(kind.tool_call("call_1", "look", {"at": "it"}))
    answer = await open_client(kind.name).ask(Request(purpose="t", messages=()))

    loaded = load_answer(json.loads(json.dumps(dump_answer(answer))))

    assert loaded == answer
    assert loaded.message.native == answer.message.native


def test_an_answer_of_no_provider_survives_json() -> None:
    answer = Answer(
        message=Message("assistant", (Text("hi"),)),
        stop_reason="end_turn",
        answered_by="local",
        model="m",
        usage=Usage(1, 2, 3, 4),
        cost_usd=None,
        latency_ms=5,
        request_id="req",
        refusal="",
    )

    assert load_answer(json.loads(json.dumps(dump_answer(answer)))) == answer


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"role": "user", "blocks": [{"type": "later"}]},
        {"role": "assistant", "provider": "nobody", "items": []},
    ],
)
def test_what_is_no_message_says_so(data: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="no message"):
        load_message(data)
