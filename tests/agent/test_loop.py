"""The loop with a scripted model: turns, tools, limits, stalls, nonsense."""

from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from pydantic import BaseModel

from paige.agent.limits import Limits
from paige.agent.queries import journal_entries, spans_of
from paige.agent.tools import ToolFailed, TryAgain
from paige.base.errors import BadInput
from paige.models.messages import ToolResult, assistant_message
from paige.models.requests import Usage
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, run, tool

pytestmark = pytest.mark.anyio


async def echo(scope, params) -> str:
    return f"key {scope.key.partition(':')[2]}"


async def test_an_answer_without_tools_ends_the_run(sqlite_db: Database, tmp_path: Path) -> None:
    state = await run(make_runtime(sqlite_db, tmp_path, ["Hello"]))

    assert (state.run.status, state.run.output, state.run.turns) == ("success", "Hello", 1)
    assert not state.waiting


async def test_a_tool_is_run_and_its_result_goes_back_to_the_model(
    sqlite_db: Database, tmp_path: Path
) -> None:
    use = calls("echo")
    model = Scripted([use, "Done"])
    runtime = make_runtime(sqlite_db, tmp_path, provider=model, tools=(tool("echo", echo),))

    state = await run(runtime)

    [first, second] = model.requests
    assert state.run.output == "Done"
    assert first.messages[-1].text == "Do it"
    assert second.messages[-1].blocks == (ToolResult(use.id, f"key t1/tool/{use.id}"),)


async def test_parallel_results_enter_the_history_in_the_order_of_the_calls(
    sqlite_db: Database, tmp_path: Path
) -> None:
    second_is_done = anyio.Event()

    async def slow(scope, params) -> str:
        await second_is_done.wait()
        return "slow"

    async def quick(scope, params) -> str:
        second_is_done.set()
        return "quick"

    model = Scripted([(calls("slow"), calls("quick")), "Done"])
    runtime = make_runtime(
        sqlite_db, tmp_path, provider=model, tools=(tool("slow", slow), tool("quick", quick))
    )
    with anyio.fail_after(5):
        await run(runtime)

    results = model.requests[1].messages[-1].blocks
    assert [block.content for block in results] == ["slow", "quick"]


class Number(BaseModel):
    number: int


async def fail_to_find(scope, params) -> str:
    raise ToolFailed("There is no such thing.")


async def ask_again(scope, params) -> str:
    raise TryAgain("The number is too small.")


async def crash(scope, params) -> str:
    raise ZeroDivisionError("by zero")


async def hang(scope, params) -> str:
    await anyio.sleep_forever()
    return ""


async def talk(scope, params) -> str:
    return "x" * 1_000_000


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (calls("no_such_tool"), "There is no tool `no_such_tool`."),
        (calls("numbered", number="abc"), "`number` is wrong"),
        (calls("numbered"), "Field required"),
        (calls("fail_to_find"), "There is no such thing."),
        (calls("ask_again"), "The number is too small. Try again."),
        (calls("crash"), "`crash` failed: ZeroDivisionError: by zero"),
        (calls("hang"), "`hang` did not end within 0.05 s."),
    ],
)
async def test_what_goes_wrong_in_a_tool_is_a_result_the_model_can_read(
    sqlite_db: Database, tmp_path: Path, use, said: str
) -> None:
    model = Scripted([use, "Done"])
    tools = (
        tool("numbered", echo, params=Number),
        tool("fail_to_find", fail_to_find),
        tool("ask_again", ask_again),
        tool("crash", crash),
        tool("hang", hang, seconds=0.05),
    )
    state = await run(make_runtime(sqlite_db, tmp_path, provider=model, tools=tools))

    [result] = model.requests[1].messages[-1].blocks
    assert said in result.content
    assert result.is_error
    assert state.run.status == "success"


async def test_a_huge_output_is_cut_and_says_so(sqlite_db: Database, tmp_path: Path) -> None:
    model = Scripted([calls("talk"), "Done"])
    await run(make_runtime(sqlite_db, tmp_path, provider=model, tools=(tool("talk", talk),)))

    [result] = model.requests[1].messages[-1].blocks
    assert len(result.content) < 51_000
    assert "950000 characters left out" in result.content


async def test_the_run_ends_when_its_turns_are_used_up(sqlite_db: Database, tmp_path: Path) -> None:
    numbers = iter(range(100))
    model = Scripted(lambda request: calls("numbered", number=next(numbers)))
    runtime = make_runtime(
        sqlite_db, tmp_path, provider=model, tools=(tool("numbered", echo, params=Number),)
    )

    state = await run(runtime, limits=Limits(max_turns=3))

    assert (state.run.status, state.run.turns) == ("error_max_turns", 3)
    assert len(model.requests) == 3


async def test_the_run_ends_when_its_money_is_used_up(sqlite_db: Database, tmp_path: Path) -> None:
    numbers = iter(range(100))
    model = Priced(lambda request: calls("numbered", number=next(numbers)))
    runtime = make_runtime(
        sqlite_db, tmp_path, provider=model, tools=(tool("numbered", echo, params=Number),)
    )

    state = await run(runtime, limits=Limits(max_budget_usd=1.0))

    assert state.run.status == "error_max_budget"
    assert state.run.cost_usd == pytest.approx(1.2)
    assert len(model.requests) == 3


class Priced(Scripted):
    """Every answer costs 40 cents."""

    price: float | None = 0.4

    async def ask(self, request):
        return replace(await super().ask(request), cost_usd=self.price)


async def test_a_budget_cannot_be_kept_when_the_price_is_not_known(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Priced([calls("echo"), "Done"])
    model.price = None
    runtime = make_runtime(sqlite_db, tmp_path, provider=model, tools=(tool("echo", echo),))

    state = await run(runtime, limits=Limits(max_budget_usd=1.0))

    assert (state.run.status, state.run.cost_usd) == ("error_max_budget", None)
    assert "not known" in (state.run.reason or "")


async def test_the_same_failing_call_is_not_retried_forever(
    sqlite_db: Database, tmp_path: Path
) -> None:
    failures = iter(range(100))

    async def differently(scope, params) -> str:
        raise ToolFailed(f"failure {next(failures)}")

    model = Scripted(lambda request: calls("differently"))
    runtime = make_runtime(
        sqlite_db, tmp_path, provider=model, tools=(tool("differently", differently),)
    )

    state = await run(runtime, limits=Limits(max_tool_retries=2))

    assert state.run.status == "error_tool_retry_exhausted"
    assert len(model.requests) == 4  # the call and its two retries, and the one too many


async def test_a_stalled_run_is_asked_for_a_last_answer_without_tools(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def same(scope, params) -> str:
        return "the same"

    model = Scripted(lambda request: calls("same") if request.tools else "My best guess")
    runtime = make_runtime(sqlite_db, tmp_path, provider=model, tools=(tool("same", same),))

    state = await run(runtime)

    assert (state.run.status, state.run.output) == ("error_no_progress", "My best guess")
    assert "same result 4 times" in (state.run.reason or "")


async def test_a_stalled_run_may_end_without_a_last_answer(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted(lambda request: calls("crash"))
    runtime = make_runtime(sqlite_db, tmp_path, provider=model, tools=(tool("crash", crash),))

    state = await run(runtime, limits=Limits(force_finalize_on_stall=False, max_tool_retries=9))

    assert (state.run.status, state.run.output) == ("error_no_progress", "")
    assert len(model.requests) == 3


async def test_an_answer_that_does_not_fit_the_schema_is_asked_for_again(
    sqlite_db: Database, tmp_path: Path
) -> None:
    schema = "{type: object, required: [title], properties: {title: {type: string}}}"
    model = Scripted(["nonsense", '{"title": 3}', '{"title": "Loops"}'])
    runtime = make_runtime(
        sqlite_db, tmp_path, provider=model, agents={"helper": agent_text(outputSchema=schema)}
    )

    state = await run(runtime)

    assert (state.run.status, state.run.output) == ("success", '{"title": "Loops"}')
    assert "it is not JSON" in model.requests[1].messages[-1].text
    assert "$.title" in model.requests[2].messages[-1].text


async def test_a_model_that_only_talks_nonsense_ends_without_progress(
    sqlite_db: Database, tmp_path: Path
) -> None:
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=Scripted(lambda request: "nonsense"),
        agents={"helper": agent_text(outputSchema="{type: object}")},
    )
    state = await run(runtime)

    assert (state.run.status, state.run.output) == ("error_no_progress", "nonsense")


async def test_an_agent_with_an_unknown_tool_or_hook_is_refused(
    sqlite_db: Database, tmp_path: Path
) -> None:
    for front in ({"tools": "[no_such]"}, {"hooks": "[no_such]"}):
        runtime = make_runtime(sqlite_db, tmp_path, agents={"helper": agent_text(**front)})
        with pytest.raises(BadInput, match="no_such"):
            await run(runtime)


async def test_every_step_is_in_the_journal_and_in_the_trace(
    sqlite_db: Database, tmp_path: Path
) -> None:
    use = calls("echo")
    runtime = make_runtime(sqlite_db, tmp_path, [use, "Done"], tools=(tool("echo", echo),))
    state = await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        entries = journal_entries(connection, ME, state.run.id)
        spans = spans_of(connection, ME, state.run.id)

    step = f"t1/tool/{use.id}"
    assert [(entry.step, entry.kind) for entry in entries] == [
        ("t1/model", "intent"),
        ("t1/model", "result"),
        (step, "intent"),
        (step, "result"),
        ("t2/model", "intent"),
        ("t2/model", "result"),
        ("end", "result"),
    ]
    assert {(span.kind, span.step) for span in spans} == {
        ("run", ""),
        ("model", "t1/model"),
        ("tool", step),
        ("model", "t2/model"),
    }


async def test_two_commits_a_turn_keep_everything(sqlite_db: Database, tmp_path: Path) -> None:
    commits = 0

    def committed() -> None:
        nonlocal commits
        commits += 1

    script = [calls("echo") for _ in range(10)]
    runtime = make_runtime(sqlite_db, tmp_path, [*script, "Done"], tools=(tool("echo", echo),))
    sqlite_db.on_commit(committed)
    await run(runtime, limits=Limits(max_no_progress_iterations=99))

    # One for the run, two for its lease, one to end it, and the last answer.
    assert commits == 2 * 11 + 5 - 1


async def test_usage_is_added_up(sqlite_db: Database, tmp_path: Path) -> None:
    model = Scripted([calls("echo"), "Done"], usage=Usage(100, 10))
    runtime = make_runtime(sqlite_db, tmp_path, provider=model, tools=(tool("echo", echo),))
    state = await run(runtime)

    assert state.run.source == "scripted"
    assert state.run.cost_usd == 0.0


async def test_an_answer_that_is_cut_off_is_gone_on_with(
    sqlite_db: Database, tmp_path: Path
) -> None:
    parts = iter([("One, two, ", "max_tokens"), ("three.", "end_turn")])

    class Cut(Scripted):
        async def ask(self, request):
            text, reason = next(parts)
            answer = await super().ask(request)
            return replace(answer, message=assistant_message(text), stop_reason=reason)

    model = Cut(lambda request: "ignored")
    state = await run(make_runtime(sqlite_db, tmp_path, provider=model))

    assert (state.run.status, state.run.output) == ("success", "One, two, three.")
    assert "cut off" in model.requests[1].messages[-1].text


async def test_a_refusal_is_not_a_success(sqlite_db: Database, tmp_path: Path) -> None:
    class Refusing(Scripted):
        async def ask(self, request):
            answer = await super().ask(request)
            return replace(answer, stop_reason="refusal", refusal="It is not allowed")

    state = await run(make_runtime(sqlite_db, tmp_path, provider=Refusing(["No"])))

    assert state.run.status == "error_no_progress"
    assert state.run.reason == "the model refused: It is not allowed"


async def test_the_schema_of_an_answer_is_shown_to_the_model(
    sqlite_db: Database, tmp_path: Path
) -> None:
    agents = {"helper": agent_text(outputSchema="{type: object}")}
    model = Scripted(["{}"])
    await run(make_runtime(sqlite_db, tmp_path, provider=model, agents=agents))

    assert '{"type": "object"}' in model.requests[0].system


@pytest.mark.db
async def test_half_characters_and_nul_break_nothing(db: Database, tmp_path: Path) -> None:
    async def odd(scope, params) -> str:
        return "half \ud800 and \0"

    script = [calls("odd"), "Done \udfff \0"]
    runtime = make_runtime(db, tmp_path, script, tools=(tool("odd", odd),))
    state = await run(runtime, "Please \ud800")

    assert (state.run.status, state.run.output) == ("success", "Done ? \ufffd")
    assert state.run.prompt == "Please ?"
