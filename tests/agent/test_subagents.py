"""Subagents: alone, one level deep, with the money of the whole tree, and without questions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paige.agent.hooks import Hook
from paige.agent.interactions import Choices, Option, picked
from paige.agent.limits import SUBAGENT_TURNS, Limits
from paige.agent.queries import spans_of
from paige.agent.runs import continue_run, reply_to
from paige.agent.segment import Runtime
from paige.base.events import Ask, Deny
from paige.models.messages import ToolResult
from paige.models.requests import Answer, Request
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, run, tool
from tests.agent.hooking import Word, deciding, echo, seeing

pytestmark = pytest.mark.anyio


def spawn(task: str = "Look it up", agent: str = "worker") -> Any:
    return calls("spawn_subagent", agent=agent, task=task)


def crew(
    db: Database, folder: Path, model: Scripted, *hooks: Hook, worker: str = "", helper: str = "[]"
) -> Runtime:
    return make_runtime(
        db,
        folder,
        provider=model,
        agents={"helper": agent_text(hooks=helper), "worker": worker or agent_text()},
        tools=(tool("echo", echo, params=Word),),
        hooks=hooks,
    )


def result_of(request: Request) -> ToolResult:
    [block] = [block for block in request.messages[-1].blocks if isinstance(block, ToolResult)]
    return block


async def test_a_subagent_sees_its_task_and_nothing_of_the_conversation(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([calls("echo", word="secret"), spawn(), "It is 42.", "Done"])
    state = await run(crew(sqlite_db, tmp_path, model), "My own words")

    inner = model.requests[2]
    assert [message.role for message in inner.messages] == ["user"]
    assert inner.messages[0].text.startswith("Look it up\n\nWhen you are done, answer with")
    assert inner.system == "You are worker."
    assert "secret" not in str(inner.messages)
    assert "My own words" not in str(inner.messages)
    assert result_of(model.requests[3]).content == "It is 42."
    assert state.run.output == "Done"


async def test_the_conversation_sees_the_summary_and_nothing_of_the_work(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([spawn(), calls("echo", word="inside"), "Summary", "Done"])
    await run(crew(sqlite_db, tmp_path, model))

    last = model.requests[3]
    assert result_of(last).content == "Summary"
    assert "inside" not in str(last.messages)


async def test_a_subagent_cannot_start_another_nor_hand_over(
    sqlite_db: Database, tmp_path: Path
) -> None:
    worker = agent_text(tools="[echo, spawn_subagent]", handoffs="[helper]")
    model = Scripted([spawn(), spawn("Deeper"), "I was alone", "Done"])
    state = await run(crew(sqlite_db, tmp_path, model, worker=worker))

    assert {spec.name for spec in model.requests[1].tools} == {"echo"}
    assert "There is no tool `spawn_subagent`" in str(result_of(model.requests[2]).content)
    assert result_of(model.requests[3]).content == "I was alone"
    assert state.run.status == "success"


@pytest.mark.parametrize(("front", "turns"), [({"maxTurns": "3"}, 3), ({}, SUBAGENT_TURNS)])
async def test_a_subagent_has_turns_of_its_own(
    sqlite_db: Database, tmp_path: Path, front: dict[str, str], turns: int
) -> None:
    numbers = iter(range(100))

    def play(request: Request) -> Any:
        if request.system == "You are worker.":
            return calls("echo", word=str(next(numbers)))
        return "Done" if len(request.messages) > 1 else spawn()

    model = Scripted(play)
    runtime = crew(sqlite_db, tmp_path, model, worker=agent_text(**front))
    state = await run(runtime, limits=Limits(max_turns=2))

    assert next(numbers) == turns
    assert result_of(model.requests[-1]).content == (
        f"The subagent ended with error_max_turns: it took {turns} turns"
    )
    assert result_of(model.requests[-1]).is_error
    assert (state.run.status, state.run.turns) == ("success", 2)


class Priced(Scripted):
    """Every answer costs 40 cents."""

    async def ask(self, request: Request) -> Answer:
        return replace(await super().ask(request), cost_usd=0.4)


async def test_the_budget_is_for_the_whole_tree(sqlite_db: Database, tmp_path: Path) -> None:
    numbers = iter(range(100))

    def play(request: Request) -> Any:
        if request.system == "You are worker.":
            return calls("echo", word=str(next(numbers)))
        return spawn()

    model = Priced(play)
    state = await run(crew(sqlite_db, tmp_path, model), limits=Limits(max_budget_usd=1.0))

    assert len(model.requests) == 3  # once outside, twice inside
    assert state.run.status == "error_max_budget"
    assert state.run.cost_usd == pytest.approx(1.2)


async def test_what_a_subagent_spent_is_not_forgotten_while_a_person_is_asked(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Priced([spawn(), "Found", calls("echo", word="x"), "Never reached"])
    careful = Hook("careful", ("pre_tool",), _ask_before_echo)
    runtime = crew(sqlite_db, tmp_path, model, careful, helper="[careful]")
    waiting = await run(runtime, limits=Limits(max_budget_usd=1.0))
    await reply_to(runtime, ME, waiting.gates[0], picked("allow"))
    state = await continue_run(runtime, ME, waiting.run.id)

    assert waiting.run.cost_usd == pytest.approx(1.2)
    assert (state.run.status, state.run.cost_usd) == ("error_max_budget", pytest.approx(1.2))


async def _ask_before_echo(view: Any, event: Any) -> Ask | None:
    return Ask(reason="it costs") if event.tool == "echo" else None


async def test_a_question_of_a_hook_comes_back_as_a_decision_that_is_needed(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def ask(view: Any, event: Any) -> Choices:
        return Choices("Is this good enough?", (Option("yes", "Yes"),))

    async def resolve(view: Any, event: Any, reply: Any) -> None:
        return None

    stopped: list[str] = []
    model = Scripted([spawn(), "A draft", "Then I ask"])
    runtime = crew(
        sqlite_db,
        tmp_path,
        model,
        Hook("adjudicate", ("post_loop",), ask, resolve=resolve),
        seeing("watch", "subagent_stop", into=stopped),
        worker=agent_text(hooks="[adjudicate]"),
        helper="[watch]",
    )
    state = await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        spans = {span.kind: span for span in spans_of(connection, ME, state.run.id)}

    assert not state.waiting
    assert result_of(model.requests[2]) == ToolResult(
        model.requests[2].messages[1].tool_uses[0].id,
        "Needs decision: only a person can answer this: Is this good enough?",
        is_error=True,
    )
    assert state.run.output == "Then I ask"
    assert stopped == ["subagent_stop"]
    assert json.loads(spans["subagent"].attributes)["status"] == "needs decision"


async def test_a_call_that_needs_a_person_is_refused_inside_a_subagent(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([spawn(), calls("echo", word="x"), "I could not", "Done"])
    runtime = crew(
        sqlite_db,
        tmp_path,
        model,
        deciding("careful", "pre_tool", Ask(reason="it costs money")),
        worker=agent_text(hooks="[careful]"),
    )
    state = await run(runtime)

    assert result_of(model.requests[2]).content == "Needs decision: it costs money"
    assert (state.waiting, state.run.status) == (False, "success")


@pytest.mark.parametrize(
    ("agent", "front", "said"),
    [
        ("nobody", {}, "There is no agent `nobody`"),
        ("worker", {"tools": "[no_such]"}, "There is no tool `no_such`"),
        ("worker", {"hooks": "[no_such]"}, "There is no hook `no_such`"),
        ("worker", {"hooks": "[guard]"}, "error_hook_abort: `pre_loop`: not now"),
    ],
)
async def test_a_subagent_that_cannot_work_is_an_error_the_model_reads(
    sqlite_db: Database, tmp_path: Path, agent: str, front: dict[str, str], said: str
) -> None:
    model = Scripted([spawn(agent=agent), "Then not"])
    guard = deciding("guard", "pre_loop", Deny(reason="not now"))
    state = await run(crew(sqlite_db, tmp_path, model, guard, worker=agent_text(**front)))

    result = result_of(model.requests[1])
    assert said in str(result.content)
    assert result.is_error
    assert (state.run.status, state.run.output) == ("success", "Then not")


async def test_spans_of_a_subagent_hang_below_its_call(sqlite_db: Database, tmp_path: Path) -> None:
    use, inner = spawn(), calls("echo", word="x")
    model = Scripted([use, inner, "Summary", "Done"])
    watch = seeing("watch", "pre_loop", into=[])
    runtime = crew(sqlite_db, tmp_path, model, watch, worker=agent_text(hooks="[watch]"))
    state = await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        spans = spans_of(connection, ME, state.run.id)

    sub = f"sub/{use.id}"
    parents = {(span.kind, span.step): span.parent for span in spans}
    assert parents["subagent", sub] == f"t1/tool/{use.id}"
    assert {
        step: parent for (_, step), parent in parents.items() if step.startswith(f"{sub}/")
    } == {
        f"{sub}/hook/pre_loop/watch": sub,
        f"{sub}/t1/model": f"{sub}/t1",
        f"{sub}/t1/tool/{inner.id}": f"{sub}/t1",
        f"{sub}/t2/model": f"{sub}/t2",
    }
    [span] = [span for span in spans if span.kind == "subagent"]
    assert json.loads(span.attributes) == {
        "task": "Look it up",
        "status": "success",
        "summary": "Summary",
    }


async def test_hooks_of_the_parent_see_a_subagent_start_and_stop(
    sqlite_db: Database, tmp_path: Path
) -> None:
    seen: list[Any] = []
    watch = seeing("watch", "subagent_start", "subagent_stop", into=seen, what="event")
    model = Scripted([spawn("Count"), "Counted", "Done"])
    await run(crew(sqlite_db, tmp_path, model, watch, helper="[watch]"))

    assert [event.name for event in seen] == ["subagent_start", "subagent_stop"]
    assert [event.agent for event in seen] == ["worker", "worker"]
    assert seen[0].task == "Count"


async def test_a_subagent_that_is_refused_does_not_start(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([spawn(), "Then not"])
    guard = deciding("guard", "subagent_start", Deny(reason="too dear"))
    await run(crew(sqlite_db, tmp_path, model, guard, helper="[guard]"))

    assert len(model.requests) == 2
    assert result_of(model.requests[1]).content == "Refused: too dear"


async def test_several_subagents_work_at_the_same_time_and_report_in_order(
    sqlite_db: Database, tmp_path: Path
) -> None:
    def play(request: Request) -> Any:
        if request.system == "You are worker.":
            return request.messages[0].text.split("\n")[0].upper()
        return "Done" if len(request.messages) > 1 else (spawn("one"), spawn("two"), spawn("three"))

    model = Scripted(play)
    await run(crew(sqlite_db, tmp_path, model))

    results = [block.content for block in model.requests[-1].messages[-1].blocks]
    assert results == ["ONE", "TWO", "THREE"]
