"""Hooks that ask a model, note what they found, and answers that go back before anyone is asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from paige.agent.hooks import Hook
from paige.agent.interactions import Choices, Option, picked
from paige.agent.queries import read_session
from paige.agent.runs import continue_run, reply_to
from paige.base.events import Deny, KeepWorking, Modify
from paige.models.errors import ProviderFailed
from paige.models.messages import assistant_message, user_message
from paige.models.requests import Answer, Request
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, run
from tests.agent.hooking import deciding, hooked, seeing, spans_by_name

pytestmark = pytest.mark.anyio
SURE = Choices("Sure?", (Option("yes", "Yes"),))


def priced(text: str) -> Answer:
    return Answer(
        message=assistant_message(text),
        stop_reason="end_turn",
        answered_by="scripted",
        model="m",
        cost_usd=0.5,
    )


def asking(name: str, *, in_step: bool = False) -> Hook:
    """A hook that asks the model what to make of the output, then a person."""

    async def propose(view: Any, event: Any) -> Any:
        request = Request(purpose="hook", messages=(user_message(event.output),))

        async def ask() -> str:
            return (await view.ask("opinion", request)).text

        view.memo["said"] = await (view.step("opinion", ask) if in_step else ask())
        view.notes["source"] = view.source
        return SURE

    async def resolve(view: Any, event: Any, reply: Any) -> Any:
        view.notes["said"] = view.memo["said"]
        return Modify(input={"output": f"{event.output} ({view.memo['said']})"})

    return Hook(name, ("post_loop",), propose, resolve, asks_models=True)


@pytest.mark.parametrize("in_step", [True, False])
async def test_what_a_hook_asks_is_asked_once_counted_once_and_traced(
    sqlite_db: Database, tmp_path: Path, in_step: bool
) -> None:
    model = Scripted([priced("Done"), priced("good")])
    later = Hook("later", ("post_loop",), _ask, _go_on)
    runtime = hooked(sqlite_db, tmp_path, model, asking("first", in_step=in_step), later)
    state = await run(runtime)
    costs = [state.run.cost_usd]
    while state.waiting:
        await reply_to(runtime, ME, state.gates[0], picked("yes"))
        state = await continue_run(runtime, ME, state.run.id)
        costs.append(state.run.cost_usd)
    spans = spans_by_name(sqlite_db, state.run.id)

    assert (state.run.status, state.run.output) == ("success", "Done (good)")
    assert len(model.requests) == 2
    assert costs == [1.0, 1.0, 1.0]
    noted = json.loads(spans["first"].attributes)
    assert (noted["said"], noted["source"], noted["outcome"]) == ("good", "scripted", "modify")


async def _ask(view: Any, event: Any) -> Any:
    return SURE


async def _go_on(view: Any, event: Any, reply: Any) -> None:
    return None


async def test_a_provider_that_fails_in_a_hook_is_the_hooks_to_handle(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def propose(view: Any, event: Any) -> Any:
        request = Request(purpose="hook", messages=(user_message("?"),))
        for _ in range(2):
            try:
                return Modify(input={"output": (await view.ask("it", request)).text})
            except ProviderFailed:
                view.notes["failed"] = True
        return None

    model = Scripted(["Done", ProviderFailed("Nobody is there"), "Better"])
    state = await run(hooked(sqlite_db, tmp_path, model, Hook("try", ("post_loop",), propose)))

    assert state.run.output == "Better"
    assert json.loads(spans_by_name(sqlite_db, state.run.id)["try"].attributes)["failed"] is True


async def test_an_answer_that_goes_back_is_shown_to_every_check_and_to_nobody_else(
    sqlite_db: Database, tmp_path: Path
) -> None:
    seen: list[str] = []

    async def first(view: Any, event: Any) -> Any:
        return KeepWorking(reason="Check one.") if event.output == "Draft" else None

    async def second(view: Any, event: Any) -> Any:
        return KeepWorking(reason="Check two.") if event.output == "Draft" else None

    model = Scripted(["Draft", "Better"])
    runtime = hooked(
        sqlite_db,
        tmp_path,
        model,
        Hook("one", ("post_loop",), first),
        Hook("ask", ("post_loop",), _ask, _go_on),
        Hook("two", ("post_loop",), second),
        seeing("watch", "post_loop", into=seen, what="output"),
    )
    state = await run(runtime)

    assert model.requests[1].messages[-1].text == "Check one.\n\nCheck two."
    assert [gate.row.gate for gate in state.gates] == ["t2/hook/post_loop/ask/1"]
    assert seen == ["Draft"]


async def test_the_session_keeps_what_a_hook_made_of_the_answer(
    sqlite_db: Database, tmp_path: Path
) -> None:
    better = deciding("better", "post_loop", Modify(input={"output": "Accepted"}))
    runtime = hooked(sqlite_db, tmp_path, ["Draft", "More"], better)
    state = await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        said = read_session(connection, ME, state.run.session_id).messages

    assert [message.text for message in said] == ["Do it", "Accepted"]


async def test_a_hook_about_some_tools_is_not_run_for_others(
    sqlite_db: Database, tmp_path: Path
) -> None:
    seen: list[str] = []

    async def look(view: Any, event: Any) -> None:
        seen.append(event.tool)

    model = Scripted([(calls("echo", word="one"), calls("list_directory")), "Done"])
    hook = Hook("some", ("pre_tool", "post_tool"), look, tools=("echo",))
    state = await run(hooked(sqlite_db, tmp_path, model, hook))

    assert state.run.status == "success"
    assert seen == ["echo", "echo"]


async def test_what_the_caller_forbids_is_forbidden_to_a_subagent_too(
    sqlite_db: Database, tmp_path: Path
) -> None:
    write = calls("write_file", path="x.md", content="x")
    model = Scripted([calls("spawn_subagent", agent="worker", task="Write"), write, "No", "Done"])

    async def no(view: Any, event: Any) -> Any:
        return Deny(reason="not here")

    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=model,
        agents={"helper": agent_text(), "worker": agent_text()},
        hooks=(Hook("gate", ("pre_tool",), no, tools=("write_file",)),),
    )
    await run(runtime, hooks=("gate",))

    [result] = model.requests[2].messages[-1].blocks
    assert (result.is_error, result.content) == (True, "Refused: not here")
    assert not (tmp_path / "workspace" / "x.md").exists()
