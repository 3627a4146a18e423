"""Hooks: where they run, in which order, and what each of their decisions does."""

import json
from collections import Counter
from pathlib import Path

import pytest

from paige.agent.hooks import Hook
from paige.agent.interactions import picked
from paige.agent.queries import journal_entries, spans_of
from paige.agent.runs import continue_run, reply_to
from paige.agent.tools import ToolFailed
from paige.base.events import (
    Abort,
    AddContext,
    Ask,
    Deny,
    KeepWorking,
    Modify,
)
from paige.models.messages import ToolResult
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, run, tool
from tests.agent.hooking import Word, deciding, echo, fails, hooked, seeing, spans_by_name

pytestmark = pytest.mark.anyio

SPEC_POINTS = (
    "pre_loop",
    "post_loop",
    "pre_model",
    "post_model",
    "pre_tool",
    "post_tool",
    "handoff",
    "subagent_start",
    "subagent_stop",
)
POINTS = (*SPEC_POINTS, "post_tool_failure")


def everything() -> Scripted:
    """A run that passes every point: a tool, one that fails, a subagent, a handoff, an answer."""
    block = {"reason": "It knows more", "decisions": [], "constraints": []}
    return Scripted(
        [
            (calls("echo", word="one"), calls("fails")),
            calls("spawn_subagent", agent="worker", task="Look"),
            "Looked",
            calls("transfer_to_second", **block),
            "Done",
        ]
    )


def agents(*hooks: str) -> dict[str, str]:
    listed = f"[{', '.join(hooks)}]"
    return {
        "helper": agent_text(handoffs="[second]", hooks=listed),
        "second": agent_text(hooks=listed),
        "worker": agent_text(),
    }


async def test_every_point_fires_and_is_a_span(sqlite_db: Database, tmp_path: Path) -> None:
    seen: list[str] = []
    hook = seeing("watch", *POINTS, into=seen)
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=everything(),
        agents=agents("watch"),
        tools=(tool("echo", echo, params=Word), tool("fails", fails)),
        hooks=(hook,),
    )
    state = await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        spans = [s for s in spans_of(connection, ME, state.run.id) if s.kind == "hook"]

    assert state.run.status == "success"
    assert Counter(seen) == {
        "pre_loop": 1,
        "pre_model": 4,
        "post_model": 4,
        "pre_tool": 4,
        "post_tool": 3,
        "post_tool_failure": 1,
        "subagent_start": 1,
        "subagent_stop": 1,
        "handoff": 1,
        "post_loop": 1,
    }
    assert Counter(json.loads(span.attributes)["point"] for span in spans) == Counter(seen)
    assert {(s.name, json.loads(s.attributes)["outcome"]) for s in spans} == {("watch", "pass")}


async def test_a_hook_span_hangs_where_it_ran(sqlite_db: Database, tmp_path: Path) -> None:
    use = calls("echo", word="one")
    runtime = hooked(sqlite_db, tmp_path, [use, "Done"], seeing("watch", *POINTS, into=[]))
    state = await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        spans = [s for s in spans_of(connection, ME, state.run.id) if s.kind == "hook"]

    assert {json.loads(s.attributes)["point"]: s.parent for s in spans if "t2" not in s.step} == {
        "pre_loop": "",
        "pre_model": "t1",
        "post_model": "t1",
        "pre_tool": f"t1/tool/{use.id}",
        "post_tool": f"t1/tool/{use.id}",
    }


@pytest.mark.parametrize("point", POINTS)
async def test_an_abort_at_any_point_ends_the_run_with_its_trace(
    sqlite_db: Database, tmp_path: Path, point: str
) -> None:
    model = everything()
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=model,
        agents=agents("guard"),
        tools=(tool("echo", echo, params=Word), tool("fails", fails)),
        hooks=(deciding("guard", point, Abort(rule="house", reason="enough")),),
    )
    state = await run(runtime)
    spans = spans_by_name(sqlite_db, state.run.id)

    assert (state.run.status, state.run.reason) == ("error_hook_abort", "`house`: enough")
    assert state.run.state == "ended"
    assert spans["guard"].failed
    assert json.loads(spans["guard"].attributes) == {
        "point": point,
        "outcome": "abort",
        "reason": "enough",
    }
    assert spans["helper"].kind == "run"
    assert spans["helper"].failed
    assert json.loads(spans["helper"].attributes)["status"] == "error_hook_abort"
    taken = {"pre_loop": 0, "pre_model": 0, "handoff": 3, "post_loop": 4}
    taken |= {"subagent_start": 2, "subagent_stop": 2}
    assert state.run.turns == taken.get(point, 1)


async def test_an_abort_stops_one_of_several_calls_in_order(
    sqlite_db: Database, tmp_path: Path
) -> None:
    task = {"agent": "worker", "task": "Look"}
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=Scripted([(calls("spawn_subagent", **task), calls("spawn_subagent", **task))]),
        agents=agents("guard"),
        hooks=(deciding("guard", "subagent_start", Abort(rule="house", reason="enough")),),
    )
    state = await run(runtime)

    assert (state.run.status, state.run.reason) == ("error_hook_abort", "`house`: enough")


async def test_hooks_of_the_agent_run_before_those_of_the_caller(
    sqlite_db: Database, tmp_path: Path
) -> None:
    seen: list[str] = []
    hooks = [seeing(name, "pre_loop", into=seen, what="name") for name in ("a", "b", "c", "d")]
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        ["Done"],
        agents={"helper": agent_text(hooks="[b, a]")},
        hooks=tuple(hooks),
    )
    await run(runtime, hooks=("d", "a", "c"))

    assert seen == ["b", "a", "d", "c"]


async def test_a_denied_tool_does_not_run_and_the_model_reads_why(
    sqlite_db: Database, tmp_path: Path
) -> None:
    use = calls("echo", word="one")
    model = Scripted([use, "Done"])
    later: list[str] = []
    runtime = hooked(
        sqlite_db,
        tmp_path,
        model,
        deciding("guard", "pre_tool", Deny(reason="not today")),
        seeing("later", "pre_tool", "post_tool", "post_tool_failure", into=later),
    )
    state = await run(runtime)

    [result] = model.requests[1].messages[-1].blocks
    assert result == ToolResult(use.id, "Refused: not today", is_error=True)
    assert later == ["post_tool_failure"]
    assert state.run.status == "success"


@pytest.mark.parametrize("point", ["pre_loop", "pre_model", "post_model", "post_loop", "handoff"])
async def test_a_refusal_where_no_tool_is_refused_ends_the_run(
    sqlite_db: Database, tmp_path: Path, point: str
) -> None:
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=everything(),
        agents=agents("guard"),
        tools=(tool("echo", echo, params=Word), tool("fails", fails)),
        hooks=(deciding("guard", point, Deny(reason="out of scope")),),
    )
    state = await run(runtime)

    assert (state.run.status, state.run.reason) == ("error_hook_abort", f"`{point}`: out of scope")


async def test_a_tool_sees_the_input_the_hooks_left_and_so_does_what_follows(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def louder(view, event):
        return Modify(input={"word": event.input["word"] + "!"})

    seen: list[object] = []
    model = Scripted([calls("echo", word="one"), "Done"])
    runtime = hooked(
        sqlite_db,
        tmp_path,
        model,
        Hook("first", ("pre_tool",), louder),
        Hook("second", ("pre_tool",), louder),
        seeing("after", "post_tool", into=seen, what="input"),
    )
    await run(runtime)

    assert model.requests[1].messages[-1].blocks[0].content == "one!!"
    assert seen == [{"word": "one!!"}]


async def test_a_task_list_changed_by_a_hook_is_the_one_that_is_kept(
    sqlite_db: Database, tmp_path: Path
) -> None:
    mended = Modify(input={"changes": [{"title": "Plan"}]})
    model = Scripted([calls("update_tasks", changes=[{"status": "done"}]), "Done"])
    runtime = hooked(sqlite_db, tmp_path, model, deciding("mend", "pre_tool", mended))
    state = await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        end = next(e for e in journal_entries(connection, ME, state.run.id) if e.step == "end")

    assert model.requests[1].messages[-1].blocks[0].content == "1. [ ] Plan"
    assert json.loads(end.body)["status"] == "success"


async def test_results_prompts_and_outputs_can_be_changed(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([calls("echo", word="one"), "Done"])
    runtime = hooked(
        sqlite_db,
        tmp_path,
        model,
        deciding("prompt", "pre_loop", Modify(input={"prompt": "Do that"})),
        deciding("result", "post_tool", Modify(input={"result": "two"})),
        deciding("output", "post_loop", Modify(input={"output": "Done, checked"})),
    )
    state = await run(runtime, "Do this")

    assert model.requests[0].messages[0].text == "Do that"
    assert model.requests[1].messages[-1].blocks[0].content == "two"
    assert state.run.output == "Done, checked"


@pytest.mark.parametrize(("option", "said"), [("allow", "one"), ("deny", "Refused by a person")])
async def test_a_hook_may_leave_a_call_to_a_person(
    sqlite_db: Database, tmp_path: Path, option: str, said: str
) -> None:
    model = Scripted([calls("echo", word="one"), "Done"])
    runtime = hooked(
        sqlite_db, tmp_path, model, deciding("careful", "pre_tool", Ask(reason="it costs money"))
    )
    waiting = await run(runtime)
    [gate] = waiting.gates
    await reply_to(runtime, ME, gate, picked(option))
    state = await continue_run(runtime, ME, waiting.run.id)

    assert (gate.interaction.title, gate.interaction.text) == (
        "May the agent use `echo`?",
        "it costs money",
    )
    assert said in model.requests[1].messages[-1].blocks[0].content
    assert state.run.status == "success"


@pytest.mark.parametrize("point", ["pre_loop", "pre_model", "pre_tool", "post_tool", "post_model"])
async def test_what_a_hook_adds_is_read_by_the_model_in_a_history_it_can_take(
    sqlite_db: Database, tmp_path: Path, point: str
) -> None:
    use = calls("echo", word="one")
    model = Scripted([use, "Done"])
    runtime = hooked(sqlite_db, tmp_path, model, deciding("note", point, AddContext(text="Hi")))
    await run(runtime)

    [first, *_, last] = model.requests[1].messages
    assert "<context from='note'>\nHi\n</context>" in first.text + last.text
    assert [m.role for m in model.requests[1].messages] == ["user", "assistant", "user"]
    assert last.blocks[0] == ToolResult(use.id, "one")


async def test_a_stop_that_is_refused_goes_on_with_the_reason(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def until_checked(view, event):
        return None if "checked" in event.output else KeepWorking(reason="Check it first.")

    model = Scripted(["Done", "Done and checked"])
    runtime = hooked(sqlite_db, tmp_path, model, Hook("stop", ("post_loop",), until_checked))
    state = await run(runtime)

    assert state.run.output == "Done and checked"
    assert [m.text for m in model.requests[1].messages] == ["Do it", "Done", "Check it first."]


async def test_a_stop_that_is_always_refused_ends_all_the_same(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted(lambda request: "Done")
    again = deciding("again", "post_loop", KeepWorking(reason="More."))
    state = await run(hooked(sqlite_db, tmp_path, model, again))

    assert state.run.status == "error_no_progress"
    assert len(model.requests) == 4  # three times, and a last answer


async def test_the_first_refusal_ends_the_round(sqlite_db: Database, tmp_path: Path) -> None:
    seen: list[str] = []
    runtime = hooked(
        sqlite_db,
        tmp_path,
        ["Done"],
        deciding("guard", "pre_loop", Abort(rule="guard", reason="no")),
        seeing("later", "pre_loop", into=seen),
    )
    await run(runtime)

    assert seen == []


async def test_a_tool_that_raises_is_seen_as_a_failure_not_as_an_answer(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def broken(scope, params) -> str:
        raise ToolFailed("no such thing")

    seen: list[object] = []
    model = Scripted([calls("broken"), "Done"])
    watch = seeing("watch", "post_tool_failure", into=seen, what="error")
    await run(hooked(sqlite_db, tmp_path, model, watch, tools=(tool("broken", broken),)))

    assert seen == ["no such thing"]
