"""Handoffs: the history stays, prompt and tools and hooks are those of the next agent."""

import json
from pathlib import Path
from typing import Any

import pytest

from paige.agent.limits import Limits
from paige.agent.queries import spans_of
from paige.agent.segment import Runtime
from paige.base.errors import NotFound
from paige.base.events import Abort, Deny, Modify
from paige.models.messages import ToolResult
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, run, tool
from tests.agent.hooking import Word, deciding, echo, seeing

pytestmark = pytest.mark.anyio

BLOCK = {
    "reason": "The draft is ready",
    "decisions": ["Two lessons"],
    "constraints": ["45 minutes", "EAL pair"],
    "open_questions": ["Which room?"],
}
SHOWN = """<handoff from="planner">
Reason: The draft is ready
Decisions:
- Two lessons
Constraints:
- 45 minutes
- EAL pair
Open questions:
- Which room?
</handoff>"""


def to(agent: str, **block: Any) -> Any:
    return calls(f"transfer_to_{agent}", **(block or BLOCK))


def crew(
    db: Database, folder: Path, model: Scripted, *hooks: Any, **fronts: dict[str, str]
) -> Runtime:
    agents = {
        "planner": {"handoffs": "[reviewer]", "tools": "[echo]"},
        "reviewer": {"handoffs": "[differentiator]", "tools": "[read_file]"},
        "differentiator": {"handoffs": "[planner]", "tools": "[list_directory]"},
    }
    return make_runtime(
        db,
        folder,
        provider=model,
        agents={
            name: agent_text(**front, **fronts.get(name, {})) for name, front in agents.items()
        },
        tools=(tool("echo", echo, params=Word),),
        hooks=tuple(hooks),
    )


async def test_the_history_stays_and_prompt_and_tools_are_new(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([calls("echo", word="one"), to("reviewer"), "Reviewed"])
    state = await run(crew(sqlite_db, tmp_path, model), "Plan it", agent="planner")

    before, after = model.requests[1], model.requests[2]
    assert after.messages[: len(before.messages)] == before.messages
    assert [before.system, after.system] == ["You are planner.", "You are reviewer."]
    assert [spec.name for spec in before.tools] == ["echo", "transfer_to_reviewer"]
    assert [spec.name for spec in after.tools] == ["read_file", "transfer_to_differentiator"]
    assert (state.run.status, state.run.output) == ("success", "Reviewed")


async def test_the_next_agent_reads_the_context_block_right_after_the_transfer(
    sqlite_db: Database, tmp_path: Path
) -> None:
    use = to("reviewer")
    model = Scripted([use, "Reviewed"])
    await run(crew(sqlite_db, tmp_path, model), agent="planner")

    last = model.requests[1].messages[-1]
    assert last.blocks[0] == ToolResult(use.id, "The other agent takes over.")
    assert last.text == SHOWN


@pytest.mark.parametrize("missing", ["reason", "decisions", "constraints"])
async def test_without_its_context_nothing_is_handed_over(
    sqlite_db: Database, tmp_path: Path, missing: str
) -> None:
    block = {key: value for key, value in BLOCK.items() if key != missing}
    model = Scripted([to("reviewer", **block), "I stay"])
    state = await run(crew(sqlite_db, tmp_path, model), agent="planner")

    [result] = model.requests[1].messages[-1].blocks
    assert f"`{missing}` is wrong: Field required" in result.content
    assert result.is_error
    assert model.requests[1].system == "You are planner."
    assert state.run.output == "I stay"


async def test_agents_may_hand_over_in_a_circle(sqlite_db: Database, tmp_path: Path) -> None:
    seen: list[Any] = []
    names = ("planner", "reviewer", "differentiator")
    watch = seeing("watch", "handoff", into=seen, what="event")
    script = [to("reviewer"), to("differentiator"), to("planner"), to("reviewer"), "Done"]
    model = Scripted(script)
    watched = {name: {"hooks": "[watch]"} for name in names}
    runtime = crew(sqlite_db, tmp_path, model, watch, **watched)
    state = await run(runtime, agent="planner")
    with sqlite_db.transaction(write=False) as connection:
        spans = [s for s in spans_of(connection, ME, state.run.id) if s.kind == "handoff"]

    chain = [("planner", "reviewer"), ("reviewer", "differentiator"), ("differentiator", "planner")]
    chain.append(("planner", "reviewer"))
    assert [(event.source, event.target) for event in seen] == chain
    assert seen[0].context == SHOWN
    traced = [json.loads(span.attributes) for span in spans]
    assert [(given["from"], given["to"]) for given in traced] == chain
    assert traced[0]["context"] == SHOWN
    assert [request.system.removeprefix("You are ") for request in model.requests] == [
        "planner.",
        "reviewer.",
        "differentiator.",
        "planner.",
        "reviewer.",
    ]
    assert state.run.turns == 5


async def test_hooks_of_an_agent_end_with_its_turn_and_those_of_the_caller_stay(
    sqlite_db: Database, tmp_path: Path
) -> None:
    seen: list[tuple[str, str]] = []

    def noting(name: str) -> Any:
        return seeing(name, "pre_model", into=seen, what="name")

    runtime = crew(
        sqlite_db,
        tmp_path,
        Scripted([to("reviewer"), to("differentiator"), "Done"]),
        noting("of_planner"),
        noting("of_reviewer"),
        noting("of_caller"),
        planner={"hooks": "[of_planner]"},
        reviewer={"hooks": "[of_reviewer]"},
    )
    await run(runtime, agent="planner", hooks=("of_caller",))

    assert seen == ["of_planner", "of_caller", "of_reviewer", "of_caller", "of_caller"]


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        (Deny(reason="finish it first"), "`handoff`: finish it first"),
        (Abort(rule="policy", reason="finish it first"), "`policy`: finish it first"),
    ],
)
async def test_a_handoff_that_is_refused_ends_the_run_with_its_trace(
    sqlite_db: Database, tmp_path: Path, decision: Any, reason: str
) -> None:
    model = Scripted([to("reviewer"), "never"])
    guard = deciding("guard", "handoff", decision)
    runtime = crew(sqlite_db, tmp_path, model, guard, planner={"hooks": "[guard]"})
    state = await run(runtime, agent="planner")
    with sqlite_db.transaction(write=False) as connection:
        kinds = [span.kind for span in spans_of(connection, ME, state.run.id)]

    assert (state.run.status, state.run.reason) == ("error_hook_abort", reason)
    assert len(model.requests) == 1
    assert "handoff" not in kinds
    assert {"run", "model", "tool", "hook"} <= set(kinds)


async def test_a_handoff_refused_as_a_tool_leaves_the_agent_at_work(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([to("reviewer"), "I stay"])
    guard = deciding("guard", "pre_tool", Deny(reason="not yet"))
    runtime = crew(sqlite_db, tmp_path, model, guard, planner={"hooks": "[guard]"})
    state = await run(runtime, agent="planner")

    assert model.requests[1].system == "You are planner."
    assert state.run.output == "I stay"


async def test_a_context_block_that_a_hook_changed_is_the_one_that_is_read(
    sqlite_db: Database, tmp_path: Path
) -> None:
    changed = Modify(input={**BLOCK, "reason": "Names removed"})
    model = Scripted([to("reviewer"), "Reviewed"])
    guard = deciding("guard", "pre_tool", changed)
    runtime = crew(sqlite_db, tmp_path, model, guard, planner={"hooks": "[guard]"})
    await run(runtime, agent="planner")

    assert "Reason: Names removed" in model.requests[1].messages[-1].text


async def test_of_two_transfers_at_once_the_first_counts(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([(to("reviewer"), to("differentiator")), "Done"])
    both = {"handoffs": "[reviewer, differentiator]"}
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=model,
        agents={
            "planner": agent_text(**both),
            "reviewer": agent_text(),
            "differentiator": agent_text(),
        },
    )
    await run(runtime, agent="planner")

    assert model.requests[1].system == "You are reviewer."


async def test_turns_and_money_are_those_of_the_run_whoever_works(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([to("reviewer"), to("differentiator"), to("planner"), "never"])
    runtime = crew(sqlite_db, tmp_path, model)
    state = await run(runtime, agent="planner", limits=Limits(max_turns=3))

    assert (state.run.status, state.run.turns) == ("error_max_turns", 3)


async def test_an_agent_nobody_knows_cannot_be_named(sqlite_db: Database, tmp_path: Path) -> None:
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        [to("nobody"), "never"],
        agents={"helper": agent_text(handoffs="[nobody]")},
    )

    with pytest.raises(NotFound, match="nobody"):
        await run(runtime)
