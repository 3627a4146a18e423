"""What windows are sent while a run writes: everything once, gathered, restarted when it is."""

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.segment import AnswerPiece, Note, ToolEnded, ToolStarted, TurnTaken
from paige.app.plan_streams import RunStream
from paige.models.requests import ReasoningDelta, TextDelta, ToolInputDelta
from paige.plan.messages import PlanDelta, PlanStep
from paige.store.messages import Message

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
moves = st.lists(st.one_of(texts, st.just(None)), max_size=30)


def said(text: str, step: str = "t1/model", attempt: int = 1) -> Note:
    return AnswerPiece(step, attempt, TextDelta(text))


def shown(messages: list[Message]) -> str:
    """What a window makes of the pieces, counting as JavaScript does."""
    units = b""
    for message in messages:
        if isinstance(message, PlanDelta):
            units = units[: 2 * message.start] + message.text.encode("utf-16-le")
    return units.decode("utf-16-le")


@given(moves)
def test_a_window_ends_with_the_text_however_it_was_cut(pieces: list[str | None]) -> None:
    sent: list[Message] = []
    stream = RunStream("r", sent.append)
    for piece in pieces:
        if piece is None:
            stream.flush()
            written = stream.writing
            assert (written.text if written else "") == shown(sent)
        else:
            stream(said(piece))
    stream.flush()

    assert shown(sent) == "".join(filter(None, pieces))
    assert len(sent) <= pieces.count(None) + 1


def test_another_attempt_and_another_step_start_over() -> None:
    sent: list[Message] = []
    stream = RunStream("r", sent.append)
    stream(said("lost "))
    stream(said("words"))
    stream(said("kept", attempt=2))
    stream(TurnTaken("t1/model", 1, None))
    after = stream.writing
    stream(said("more", step="t2/model"))

    assert after is None
    assert [(d.attempt, d.start, d.text) for d in sent if isinstance(d, PlanDelta)] == [
        (1, 0, "lost words"),
        (2, 0, "kept"),
    ]
    assert stream.writing is not None
    assert stream.writing.step == "t2/model"


def test_words_are_sent_before_the_tool_they_announce() -> None:
    sent: list[Message] = []
    stream = RunStream("r", sent.append)
    stream(said("I look at the class."))
    stream(AnswerPiece("t1/model", 1, ToolInputDelta("c", "{}")))
    stream(ToolStarted("t1/tool/c", "read_file"))
    stream(ToolEnded("t1/tool/c", "read_file", True))

    assert [type(message) for message in sent] == [PlanDelta, PlanStep, PlanStep]
    assert [m.state for m in sent if isinstance(m, PlanStep)] == ["started", "failed"]


def test_thinking_and_subagents_are_not_shown_as_the_answer() -> None:
    sent: list[Message] = []
    stream = RunStream("r", sent.append)
    stream(AnswerPiece("t1/model", 1, ReasoningDelta("hm")))
    stream(said("for the planner", step="sub/c1/t1/model"))
    stream.close()

    assert sent == []


def test_half_a_character_reaches_nobody() -> None:
    sent: list[Message] = []
    stream = RunStream("r", sent.append)
    stream(said("a\ud83d"))
    stream.close()

    assert shown(sent) == "a?"


@pytest.mark.anyio
async def test_words_do_not_wait_for_more_of_them() -> None:
    sent: list[Message] = []
    heard = anyio.Event()

    def send(message: Message) -> None:
        sent.append(message)
        heard.set()

    stream = RunStream("r", send)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stream.keep_sending)
        for number in (1, 2):
            heard = anyio.Event()
            stream(said("one "))
            stream(said("two "))
            with anyio.fail_after(10):
                await heard.wait()
            assert len(sent) == number
        tasks.cancel_scope.cancel()

    assert shown(sent) == "one two one two "
