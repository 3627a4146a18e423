import pytest
from pydantic import BaseModel

from paige.models.errors import RateLimited
from paige.models.messages import Message, Reasoning, Text, ToolUse, user_message
from paige.models.requests import (
    Answer,
    ReasoningDelta,
    Request,
    TextDelta,
    ToolInputDelta,
    ToolUseStarted,
    Usage,
)
from paige.models.scripted import Scripted, ScriptEnded, calls

pytestmark = pytest.mark.anyio
REQUEST = Request(purpose="test", messages=(user_message("hi"),), tier="haiku")


class Point(BaseModel):
    """A point."""

    x: int


async def test_it_plays_its_steps_in_order_and_records_the_requests() -> None:
    whole = Answer(
        message=Message("assistant", (Text("cut"),)),
        stop_reason="max_tokens",
        answered_by="me",
        model="m",
    )
    model = Scripted(["Hello", Point(x=1), calls("look", at="it"), whole], usage=Usage(3, 4))

    answers = [await model.ask(REQUEST) for _ in range(4)]

    assert [answer.text for answer in answers] == ["Hello", '{"x":1}', "", "cut"]
    assert answers[0].usage == Usage(3, 4)
    assert answers[0].model == "haiku"
    (use,) = answers[2].tool_uses
    assert (use.name, use.input, answers[2].stop_reason) == ("look", {"at": "it"}, "tool_use")
    assert answers[3] is whole
    assert model.requests == [REQUEST] * 4


async def test_it_raises_the_errors_of_its_script() -> None:
    with pytest.raises(RateLimited):
        await Scripted([RateLimited("m")]).ask(REQUEST)


async def test_a_script_may_be_a_function_of_the_request() -> None:
    model = Scripted(lambda request: request.messages[-1].text.upper())

    assert (await model.ask(REQUEST)).text == "HI"


async def test_a_script_that_is_too_short_says_who_asked() -> None:
    with pytest.raises(ScriptEnded, match="`test`"):
        await Scripted([]).ask(REQUEST)


async def test_it_streams_word_by_word() -> None:
    use = ToolUse("c1", "look", {"at": "it"})
    model = Scripted([(Reasoning("hm"), Text("a b"), use)])

    *deltas, answer = [item async for item in model.stream(REQUEST)]

    assert deltas == [
        ReasoningDelta("hm"),
        TextDelta("a "),
        TextDelta("b"),
        ToolUseStarted("c1", "look"),
        ToolInputDelta("c1", '{"at":"it"}'),
    ]
    assert isinstance(answer, Answer)
    assert answer.text == "a b"
