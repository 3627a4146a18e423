"""The context object: a history that every provider takes, retries, and counters."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.context import CallState, Feedback, HistoryBroken, RunContext, Task
from paige.agent.limits import Limits, check_limits
from paige.models.messages import (
    Message,
    Text,
    ToolResult,
    ToolUse,
    assistant_message,
    user_message,
)
from paige.models.requests import Answer, Usage


def answer(*uses: ToolUse, text: str = "", usage: Usage | None = None) -> Answer:
    message = Message("assistant", (*((Text(text),) if text else ()), *uses))
    return Answer(
        message=message,
        stop_reason="tool_use" if uses else "end_turn",
        answered_by="test",
        model="m",
        usage=usage or Usage(),
    )


def use(number: int, tool: str = "read", **given: object) -> ToolUse:
    return ToolUse(f"call_{number}", tool, given)


def called(context: RunContext, call: ToolUse, *, failed: bool) -> RunContext:
    result = ToolResult(call.id, "said", failed)
    return context.asked(answer(call)).answered((call,), (result,))


def test_a_call_is_pending_then_completed_or_failed() -> None:
    first, second = use(1), use(2, "write")
    asked = RunContext((user_message("Go"),)).asked(answer(first, second))
    done = asked.answered(
        (first, second), (ToolResult("call_1", "a"), ToolResult("call_2", "b", True))
    )

    assert asked.tool_calls == {
        "call_1": CallState("read", "pending", 0),
        "call_2": CallState("write", "pending", 0),
    }
    assert [call.status for call in done.tool_calls.values()] == ["completed", "failed"]
    assert done.history[-1].blocks == (ToolResult("call_1", "a"), ToolResult("call_2", "b", True))


def test_a_context_is_a_value() -> None:
    before = RunContext((user_message("Go"),))
    before.asked(answer(use(1))).told("hook", "look").talked()

    assert before == RunContext((user_message("Go"),))


@pytest.mark.parametrize(
    "results",
    [
        (),
        (ToolResult("call_1", "a"),),
        (ToolResult("call_2", "b"), ToolResult("call_1", "a")),
        (ToolResult("call_1", "a"), ToolResult("call_2", "b"), ToolResult("call_3", "c")),
        (ToolResult("call_1", "a"), ToolResult("call_9", "b")),
    ],
)
def test_results_that_do_not_match_the_calls_are_refused(results: tuple[ToolResult, ...]) -> None:
    uses = (use(1), use(2))
    asked = RunContext((user_message("Go"),)).asked(answer(*uses))

    with pytest.raises(HistoryBroken, match="do not match"):
        asked.answered(uses, results)


def test_a_call_id_that_was_used_before_is_refused() -> None:
    context = called(RunContext((user_message("Go"),)), use(1), failed=False)

    with pytest.raises(HistoryBroken, match="call_1"):
        context.asked(answer(use(1, "write")))
    with pytest.raises(HistoryBroken, match="call_2"):
        context.asked(answer(use(2), use(2)))


def test_what_is_said_to_a_model_joins_an_open_message() -> None:
    context = called(RunContext((user_message("Go"),)), use(1), failed=False)
    context = context.said(user_message("and more"))

    assert [message.role for message in context.history] == ["user", "assistant", "user"]
    assert context.history[-1].blocks == (ToolResult("call_1", "said"), Text("and more"))


def test_what_a_person_says_after_an_answer_is_a_message_of_its_own() -> None:
    context = RunContext((user_message("Go"), assistant_message("Done"))).said(user_message("Next"))

    assert [message.text for message in context.history] == ["Go", "Done", "Next"]


def test_a_run_knows_its_own_messages_from_those_before() -> None:
    earlier = (user_message("Old"), assistant_message("Said"))
    context = RunContext(earlier, before=2).said(user_message("New")).asked(answer(text="Yes"))

    assert [message.text for message in context.own] == ["New", "Yes"]


def test_retries_count_equal_calls_that_failed() -> None:
    context = RunContext((user_message("Go"),))
    for number in range(1, 4):
        context = called(context, use(number, path="a.md"), failed=True)

    assert [call.retries for call in context.tool_calls.values()] == [0, 1, 2]
    assert context.worst_retries == 2


def test_another_call_or_another_input_is_no_retry() -> None:
    context = called(RunContext((user_message("Go"),)), use(1, path="a.md"), failed=True)
    context = called(context, use(2, path="b.md"), failed=True)
    context = called(context, use(3, "write", path="a.md"), failed=True)

    assert context.worst_retries == 0


def test_a_call_that_went_well_ends_the_row_of_retries() -> None:
    context = RunContext((user_message("Go"),))
    for number, failed in enumerate([True, True, False, True, True], 1):
        context = called(context, use(number), failed=failed)

    assert [call.retries for call in context.tool_calls.values()] == [0, 1, 2, 0, 1]


def test_calls_of_earlier_runs_are_no_retries() -> None:
    earlier = called(RunContext((user_message("Old"),)), use(1), failed=True)
    context = RunContext(earlier.history, before=len(earlier.history))

    again = context.said(user_message("New")).asked(answer(use(2)))

    assert again.tool_calls == {"call_2": CallState("read", "pending", 0)}


def test_the_summary_counts() -> None:
    context = RunContext(
        (user_message("Go"),), task_progress=(Task("1", "Plan", "done"), Task("2", "Write"))
    )
    context = called(context, use(1), failed=True).told("hook", "careful")
    context = called(context, use(2), failed=False)

    assert context.feedback == (Feedback("hook", "careful"),)
    assert context.summary == {
        "turn": 2,
        "messages": 5,
        "tool_calls": 2,
        "failed_calls": 1,
        "tasks_done": 1,
        "tasks": 2,
        "feedback": 1,
    }


def test_usage_is_folded_over_the_turns() -> None:
    context = RunContext((user_message("Go"),))
    for number in range(3):
        context = context.asked(answer(use(number), usage=Usage(10, 5, 2, 1)))

    assert (context.turn, context.usage) == (3, Usage(30, 15, 6, 3))


def test_limits_are_checked_in_a_fixed_order() -> None:
    fresh = RunContext((user_message("Go"),))
    tired = fresh
    for number in range(3):
        tired = called(tired, use(number), failed=True)
    limits = Limits(max_turns=3, max_budget_usd=1.0, max_tool_retries=1)

    def status(context: RunContext, limits: Limits, spent: float = 0.0) -> str | None:
        ended = check_limits(context, limits, spent_usd=spent)
        return ended and ended.status

    assert status(fresh, limits) is None
    assert status(fresh, limits, spent=0.99) is None
    assert status(fresh, limits, spent=1.0) == "error_max_budget"
    assert status(tired, limits, spent=1.0) == "error_max_turns"
    assert status(tired, Limits(max_tool_retries=1)) == "error_tool_retry_exhausted"
    assert status(tired, Limits(max_tool_retries=2)) == "error_no_progress"
    assert status(fresh, Limits(max_turns=0)) == "error_max_turns"


@pytest.mark.parametrize("force", [True, False])
def test_only_a_stall_asks_for_a_last_answer_and_only_when_told_to(force: bool) -> None:
    tired = RunContext((user_message("Go"),))
    for number in range(3):
        tired = called(tired, use(number), failed=True)
    limits = Limits(force_finalize_on_stall=force)

    stalled = check_limits(tired, limits, spent_usd=0)
    used_up = check_limits(tired, Limits(max_turns=1), spent_usd=0)

    assert stalled is not None
    assert stalled.finalize is force
    assert used_up is not None
    assert not used_up.finalize


tools = st.sampled_from(["read", "write"])
failures = st.lists(st.tuples(tools, st.booleans()), min_size=1, max_size=3)
steps = st.lists(failures | st.sampled_from(["said", "told", "answer"]), max_size=12)


@given(steps, st.integers(0, 2))
def test_roles_take_turns_and_every_call_is_answered_at_once(script: list, before: int) -> None:
    earlier = (user_message("Old"), assistant_message("Said")) * before
    context = RunContext(earlier, before=len(earlier)).said(user_message("Go"))
    number = 0
    for step in script:
        match step:
            case "said":
                context = context.said(user_message("More"))
            case "told":
                context = context.told("hook", "note")
            case "answer":
                context = context.asked(answer(text="Hm")).talked().said(user_message("Go on"))
            case _:
                uses = tuple(use(number + place, tool) for place, (tool, _) in enumerate(step))
                number += len(uses)
                results = tuple(
                    ToolResult(call.id, "said", failed)
                    for call, (_, failed) in zip(uses, step, strict=True)
                )
                context = context.asked(answer(*uses)).answered(uses, results)

    roles = [message.role for message in context.history]
    assert all(one != two for one, two in pairwise(roles))
    assert roles[0] == "user"
    for message, following in pairwise(context.history):
        answered = [
            block.tool_use_id for block in following.blocks if isinstance(block, ToolResult)
        ]
        assert [call.id for call in message.tool_uses] == answered
    assert context.own == context.history[len(earlier) :]
