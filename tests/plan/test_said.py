"""What was said in a run, read from its journal."""

import json
from typing import Any

from paige.agent.journal import Entry
from paige.models.codec import dump_answer, dump_message
from paige.models.messages import (
    Message,
    Text,
    ToolResult,
    ToolUse,
    assistant_message,
    user_message,
)
from paige.models.requests import Answer
from paige.plan.results import NOT_RUN, PlanSaid, PlanToolCall, said_in, source_in


def entries(*steps: tuple[str, Any]) -> list[Entry]:
    return [
        Entry(number, step, "result", json.dumps(body)) for number, (step, body) in enumerate(steps)
    ]


def answered(*blocks: Text | ToolUse) -> dict[str, Any]:
    message = Message("assistant", blocks)
    answer = Answer(message=message, stop_reason="end_turn", answered_by="x", model="m")
    return {"answer": dump_answer(answer), "attempt": 1}


LOOK = ToolUse("c1", "read_file", {"path": "x.md"})


def test_a_run_that_goes_on_shows_its_turns_and_the_tools_that_answered() -> None:
    journal = entries(
        ("t1/model", answered(Text("I look."), LOOK)),
        ("t1/tool/c1", {"text": "found", "failed": False}),
        ("sub/c9/t1/model", answered(Text("among us"))),
        ("t2/model", answered(ToolUse("c2", "write_file", {}))),
    )

    assert said_in("loops", journal) == (
        PlanSaid("person", "loops"),
        PlanSaid(
            "agent", "I look.", (PlanToolCall("read_file", {"path": "x.md"}, "found", False),)
        ),
        PlanSaid("agent", "", (PlanToolCall("write_file", {}, "", False),)),
    )


def test_a_call_that_a_later_turn_left_behind_did_not_run() -> None:
    journal = entries(("t1/model", answered(LOOK)), ("t2/model", answered(Text("Done."))))

    _, looked, _ = said_in("loops", journal)

    assert looked.tools == (PlanToolCall("read_file", {"path": "x.md"}, NOT_RUN, True),)


def test_an_ended_run_shows_what_the_model_was_told() -> None:
    told = [
        user_message("loops"),
        Message("assistant", (LOOK,)),
        Message("user", (ToolResult("c1", "Refused: no", True),)),
        assistant_message("Done."),
    ]
    journal = entries(
        ("t1/model", answered(LOOK)),
        ("t2/model", answered(Text("Done."))),
        ("end", {"status": "success", "messages": [dump_message(each) for each in told]}),
    )

    _, looked, done = said_in("loops", journal)

    assert looked.tools[0] == PlanToolCall("read_file", {"path": "x.md"}, "Refused: no", True)
    assert done == PlanSaid("agent", "Done.")


def test_local_rules_that_took_a_run_over_are_its_source() -> None:
    assert source_in([], "anthropic") == "anthropic"
    assert source_in(entries(("fallback", {"to": "local"})), "anthropic") == "local"
