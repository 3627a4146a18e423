"""Hooks that crash, hang or are interrupted: what is refused, what goes on, what is kept."""

import json
from pathlib import Path

import anyio
import pytest

from paige.agent.hooks import Hook
from paige.agent.interactions import Choices, Option, picked
from paige.agent.queries import journal_entries, recent_runs, spans_of
from paige.agent.runs import continue_run, read_run, reply_to
from paige.base.errors import Unavailable
from paige.base.events import Allow, KeepWorking
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, run
from tests.agent.hooking import hooked, seeing, spans_by_name

pytestmark = pytest.mark.anyio


async def crash(view, event):
    raise ZeroDivisionError("by zero")


async def give_up(view, event):
    raise Unavailable("The rules cannot be read")


async def hang(view, event):
    await anyio.sleep_forever()


FAULTS = [
    (crash, "the hook `bad` failed: ZeroDivisionError: by zero"),
    (give_up, "the hook `bad` failed: The rules cannot be read"),
    (hang, "the hook `bad` did not answer in 0.05 s"),
]
OTHER_POINTS = ["pre_loop", "pre_model", "post_model", "post_tool", "post_loop"]


@pytest.mark.parametrize(("propose", "said"), FAULTS)
@pytest.mark.parametrize("required", [True, False])
async def test_a_fault_before_a_tool_refuses_the_call(
    sqlite_db: Database, tmp_path: Path, propose, said: str, required: bool
) -> None:
    model = Scripted([calls("echo", word="one"), "Done"])
    bad = Hook("bad", ("pre_tool",), propose, required=required, seconds=0.05)
    with anyio.fail_after(5):
        state = await run(hooked(sqlite_db, tmp_path, model, bad))

    [result] = model.requests[1].messages[-1].blocks
    assert (result.content, result.is_error) == (f"Refused: {said}", True)
    assert state.run.status == "success"


@pytest.mark.parametrize(("propose", "said"), FAULTS)
@pytest.mark.parametrize("point", OTHER_POINTS)
async def test_a_fault_anywhere_else_is_recorded_and_the_run_goes_on(
    sqlite_db: Database, tmp_path: Path, propose, said: str, point: str
) -> None:
    later: list[str] = []
    model = Scripted([calls("echo", word="one"), "Done"])
    bad = Hook("bad", (point,), propose, seconds=0.05)
    runtime = hooked(sqlite_db, tmp_path, model, bad, seeing("later", point, into=later))
    with anyio.fail_after(5):
        state = await run(runtime)
    span = spans_by_name(sqlite_db, state.run.id)["bad"]

    assert (state.run.status, state.run.output) == ("success", "Done")
    assert point in later
    assert span.failed
    assert json.loads(span.attributes) == {"point": point, "outcome": "fault", "reason": said}


@pytest.mark.parametrize(("propose", "said"), FAULTS)
@pytest.mark.parametrize("point", OTHER_POINTS)
async def test_a_fault_of_a_check_that_is_required_ends_the_run(
    sqlite_db: Database, tmp_path: Path, propose, said: str, point: str
) -> None:
    model = Scripted([calls("echo", word="one"), "Done"])
    bad = Hook("bad", (point,), propose, required=True, seconds=0.05)
    with anyio.fail_after(5):
        state = await run(hooked(sqlite_db, tmp_path, model, bad))

    assert (state.run.status, state.run.reason) == ("error_hook_abort", f"`bad`: {said}")


async def test_a_question_nobody_can_take_the_answer_to_ends_the_run(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def ask(view, event):
        return Choices("Sure?", (Option("yes", "Yes"),))

    state = await run(hooked(sqlite_db, tmp_path, ["Done"], Hook("odd", ("pre_loop",), ask)))

    assert state.run.status == "error_hook_abort"
    assert "cannot take an answer" in (state.run.reason or "")


async def test_a_hook_that_never_stops_asking_ends_the_run(
    sqlite_db: Database, tmp_path: Path
) -> None:
    question = Choices("And now?", (Option("yes", "Yes"),))

    async def ask(view, event):
        return question

    async def ask_again(view, event, reply):
        return question

    runtime = hooked(
        sqlite_db, tmp_path, ["Done"], Hook("child", ("pre_loop",), ask, resolve=ask_again)
    )
    state, asked = await run(runtime), 0
    while state.waiting:
        asked += 1
        await reply_to(runtime, ME, state.gates[0], picked("yes"))
        state = await continue_run(runtime, ME, state.run.id)

    assert state.run.status == "error_hook_abort"
    assert f"more than {asked} questions" in (state.run.reason or "")


async def test_a_crash_while_an_answer_is_taken_in_counts_like_any_other(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def ask(view, event):
        return Choices("Sure?", (Option("yes", "Yes"),))

    async def fail(view, event, reply):
        raise ZeroDivisionError

    hook = Hook("bad", ("pre_loop",), ask, resolve=fail, required=True)
    runtime = hooked(sqlite_db, tmp_path, ["Done"], hook)
    state = await run(runtime)
    await reply_to(runtime, ME, state.gates[0], picked("yes"))
    state = await continue_run(runtime, ME, state.run.id)

    assert state.run.status == "error_hook_abort"


async def test_a_step_inside_a_hook_is_done_once_however_often_the_hook_runs(
    sqlite_db: Database, tmp_path: Path
) -> None:
    done: list[str] = []

    async def judge() -> dict[str, int]:
        done.append("judged")
        return {"score": 7}

    async def ask(view, event):
        score = await view.step("judge", judge)
        return Choices(f"It scores {score['score']}. Go on?", (Option("yes", "Yes"),))

    async def resolve(view, event, reply):
        assert await view.step("judge", judge) == {"score": 7}
        return Allow()

    runtime = hooked(
        sqlite_db, tmp_path, ["Done"], Hook("judge", ("post_loop",), ask, resolve=resolve)
    )
    waiting = await run(runtime)
    await reply_to(runtime, ME, waiting.gates[0], picked("yes"))
    state = await continue_run(runtime, ME, waiting.run.id)
    with sqlite_db.transaction(write=False) as connection:
        steps = [entry.step for entry in journal_entries(connection, ME, state.run.id)]

    assert waiting.gates[0].interaction.title == "It scores 7. Go on?"
    assert state.run.status == "success"
    assert done == ["judged"]
    assert steps.count("t1/hook/post_loop/judge/step/judge") == 1


async def test_steps_of_different_turns_and_hooks_are_different_steps(
    sqlite_db: Database, tmp_path: Path
) -> None:
    paths: list[str] = []

    async def look(view, event):
        async def note() -> None:
            paths.append(view.path)

        await view.step("same name", note)

    hooks = (Hook("a", ("pre_model",), look), Hook("b", ("pre_model",), look))
    await run(hooked(sqlite_db, tmp_path, [calls("echo", word="one"), "Done"], *hooks))

    assert paths == [
        f"t{turn}/hook/pre_model/{name}" for turn, name in ((1, "a"), (1, "b"), (2, "a"), (2, "b"))
    ]


async def test_a_run_that_is_cut_off_between_two_hooks_can_go_on(
    sqlite_db: Database, tmp_path: Path
) -> None:
    seen: list[str] = []

    async def value() -> int:
        return 1

    async def cut_off_once(view, event):
        await view.step("value", value)  # this writes what the hook before has noted, too
        seen.append(view.path)
        if len(seen) == 1:
            scope.cancel()
            await anyio.sleep_forever()

    first: list[str] = []
    runtime = hooked(
        sqlite_db,
        tmp_path,
        ["Done"],
        seeing("first", "pre_loop", into=first),
        Hook("second", ("pre_loop",), cut_off_once),
    )
    with anyio.fail_after(5), anyio.CancelScope() as scope:
        await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        [cut_off] = recent_runs(connection, ME)
    state = await continue_run(runtime, ME, cut_off.id)
    with sqlite_db.transaction(write=False) as connection:
        spans = [span.name for span in spans_of(connection, ME, state.run.id)]

    assert state.run.status == "success"
    assert spans.count("first") == spans.count("second") == 1


async def test_hooks_before_a_question_do_not_change_their_minds(
    sqlite_db: Database, tmp_path: Path
) -> None:
    asked: list[str] = []

    async def ask(view, event):
        return Choices("Sure?", (Option("yes", "Yes"),))

    async def resolve(view, event, reply):
        return None

    runtime = hooked(
        sqlite_db,
        tmp_path,
        ["Done"],
        seeing("first", "pre_loop", into=asked),
        Hook("second", ("pre_loop",), ask, resolve=resolve),
        Hook("third", ("pre_loop",), ask, resolve=resolve),
    )
    state = await run(runtime)
    for _ in range(2):
        assert (await read_run(runtime, ME, state.run.id)).waiting
        await reply_to(runtime, ME, state.gates[0], picked("yes"))
        state = await continue_run(runtime, ME, state.run.id)

    assert state.run.status == "success"
    assert asked == ["pre_loop"]


async def test_a_person_may_send_an_answer_back_as_often_as_they_like(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def ask(view, event):
        return Choices(event.output, (Option("accept", "Accept"), Option("revise", "Revise", True)))

    async def resolve(view, event, reply):
        return KeepWorking(reason=reply.text) if reply.option == "revise" else None

    model = Scripted([f"Draft {number}" for number in range(1, 7)])
    runtime = hooked(
        sqlite_db, tmp_path, model, Hook("adjudicate", ("post_loop",), ask, resolve=resolve)
    )
    state = await run(runtime)
    for number in range(1, 6):
        await reply_to(runtime, ME, state.gates[0], picked("revise", f"Shorter, {number}"))
        state = await continue_run(runtime, ME, state.run.id)
    await reply_to(runtime, ME, state.gates[0], picked("accept"))
    state = await continue_run(runtime, ME, state.run.id)

    assert (state.run.status, state.run.output) == ("success", "Draft 6")
