"""Gates, journals and resuming: any process, any time, once."""

import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.agent import queries
from paige.agent.hooks import Hook
from paige.agent.interactions import Choices, Option, Questions, Reply, picked
from paige.agent.journal import FORMAT
from paige.agent.limits import Limits
from paige.agent.runs import (
    NewRun,
    continue_run,
    read_run,
    reply_to,
    run_with_automatic_replies,
    start_run,
)
from paige.agent.segment import AnswerPiece, Note, TurnTaken
from paige.base.errors import BadInput, Conflict
from paige.base.events import Ask, Modify
from paige.models.errors import RateLimited
from paige.models.requests import TextDelta
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database, open_sqlite
from paige.store.leases import Holder, Lease, replace_lease
from tests.agent.crew import ME, agent_text, make_runtime, run, tool
from tests.conftest import NOON

pytestmark = pytest.mark.anyio
CONFIRM = Choices("Go on?", (Option("yes", "Yes"), Option("other", "Differently", True)))
ASKING = {"helper": agent_text(hooks="[confirm]")}


def confirming(asked: list[str] | None = None) -> Hook:
    """A hook that asks before the loop starts, and notes how often it was run."""

    async def propose(view: Any, event: Any) -> Any:
        if asked is not None:
            asked.append("propose")
        return CONFIRM

    async def resolve(view: Any, event: Any, reply: Reply) -> Any:
        if asked is not None:
            asked.append("resolve")
        return Modify(input={"prompt": f"{event.prompt}: {reply.option} {reply.text}".strip()})

    return Hook("confirm", ("pre_loop",), propose, resolve)


async def test_a_run_that_asks_ends_there_and_goes_on_with_the_answer(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted(["Done"])
    runtime = make_runtime(
        sqlite_db, tmp_path, provider=model, agents=ASKING, hooks=(confirming(),)
    )

    waiting = await run(runtime)
    assert (waiting.run.state, model.requests) == ("waiting", [])
    [gate] = waiting.gates
    assert gate.interaction == CONFIRM
    await reply_to(runtime, ME, gate, picked("other", "shorter"))
    ended = await continue_run(runtime, ME, waiting.run.id)

    assert (ended.run.state, ended.run.output) == ("ended", "Done")
    assert model.requests[0].messages[0].text == "Do it: other shorter"


async def test_a_reply_that_does_not_fit_is_refused_and_the_gate_stays_open(
    sqlite_db: Database, tmp_path: Path
) -> None:
    runtime = make_runtime(sqlite_db, tmp_path, ["Done"], agents=ASKING, hooks=(confirming(),))
    [gate] = (await run(runtime)).gates
    for reply in (picked("no"), picked("other"), Reply(), Reply(texts=("yes",))):
        with pytest.raises(BadInput):
            await reply_to(runtime, ME, gate, reply)

    assert (await read_run(runtime, ME, gate.row.run_id)).waiting


async def test_two_people_answer_the_same_gate_and_one_is_told(
    sqlite_db: Database, tmp_path: Path
) -> None:
    runtime = make_runtime(sqlite_db, tmp_path, ["Done"], agents=ASKING, hooks=(confirming(),))
    [gate] = (await run(runtime)).gates
    outcomes: list[str] = []
    ready = threading.Barrier(2)

    def answer(option: str) -> None:
        with closing(open_sqlite(Path(sqlite_db.location))) as mine:
            other = make_runtime(mine, tmp_path, agents=ASKING, hooks=(confirming(),))
            ready.wait(5)
            try:
                anyio.run(reply_to, other, ME, gate, picked(option, "so"))
                outcomes.append(option)
            except Conflict as error:
                outcomes.append(error.message)

    threads = [threading.Thread(target=answer, args=(name,)) for name in ("yes", "other")]
    for thread in threads:
        thread.start()
    for thread in threads:
        await anyio.to_thread.run_sync(thread.join)

    assert "This question was answered meanwhile" in outcomes
    assert len({"yes", "other"} & set(outcomes)) == 1


async def test_several_gates_of_one_turn_are_open_at_once_and_answered_one_by_one(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def ask(view: Any, event: Any) -> Any:
        return Ask(reason="it costs money")

    ran: list[str] = []

    async def pay(scope: Any, params: Any) -> str:
        ran.append(scope.call)
        return "paid"

    uses = (calls("pay"), calls("pay"))
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        [uses, "Done"],
        agents={"helper": agent_text(hooks="[ask]")},
        hooks=(Hook("ask", ("pre_tool",), ask),),
        tools=(tool("pay", pay, effect="once"),),
    )
    both = await run(runtime)
    assert [gate.interaction.title for gate in both.gates] == ["May the agent use `pay`?"] * 2
    by_call = {gate.row.gate.split("/")[2]: gate for gate in both.gates}
    await reply_to(runtime, ME, by_call[uses[1].id], picked("allow"))
    one = await continue_run(runtime, ME, both.run.id)
    assert (ran, len(one.gates)) == ([uses[1].id], 1)
    await reply_to(runtime, ME, one.gates[0], picked("deny"))
    ended = await continue_run(runtime, ME, both.run.id)

    assert (ended.run.output, ran) == ("Done", [uses[1].id])


async def test_what_was_decided_is_not_decided_again(sqlite_db: Database, tmp_path: Path) -> None:
    asked: list[str] = []
    counted: list[int] = []

    async def count(view: Any, event: Any) -> Any:
        counted.append(event.turn)
        return None

    async def reflect(view: Any, event: Any) -> Any:
        return Questions("Think", ("Does it fit?",))

    async def reflected(view: Any, event: Any, reply: Reply) -> Any:
        return None

    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        ["Done"],
        agents={"helper": agent_text(hooks="[confirm, count, reflect]")},
        hooks=(
            confirming(asked),
            Hook("count", ("pre_model",), count),
            Hook("reflect", ("post_loop",), reflect, reflected),
        ),
    )
    state = await run_with_automatic_replies(runtime, ME, await run(runtime))

    assert state.run.output == "Done"
    assert counted == [1]
    assert asked == ["propose", "propose", "resolve"]


async def test_automatic_replies_are_marked_in_the_session(
    sqlite_db: Database, tmp_path: Path
) -> None:
    runtime = make_runtime(sqlite_db, tmp_path, ["Done"], agents=ASKING, hooks=(confirming(),))
    state = await run_with_automatic_replies(runtime, ME, await run(runtime))
    session = await sqlite_db.read(queries.get_session, ME, state.run.session_id)

    [decision] = session.decisions
    assert decision["title"] == "Go on?"
    assert decision["reply"]["auto"] is True


async def test_a_run_of_another_format_can_be_read_but_not_continued(
    sqlite_db: Database, tmp_path: Path
) -> None:
    runtime = make_runtime(sqlite_db, tmp_path, ["Done"], agents=ASKING, hooks=(confirming(),))
    state = await run(runtime)
    await sqlite_db.write(queries.update_run, ME, state.run.id, now=NOON, format=FORMAT + 1)

    read = await read_run(runtime, ME, state.run.id)

    assert read.run.prompt == "Do it"
    assert read.waiting
    with pytest.raises(Conflict, match="has format 2"):
        await continue_run(runtime, ME, state.run.id)


async def test_a_run_that_another_process_works_on_is_left_to_it(
    sqlite_db: Database, tmp_path: Path
) -> None:
    runtime = make_runtime(sqlite_db, tmp_path, ["Done"], agents=ASKING, hooks=(confirming(),))
    state = await run(runtime)
    elsewhere = Lease(f"run/{state.run.id}", Holder("other-host", 1, "1"), 9, NOON.replace(hour=13))
    await sqlite_db.write(replace_lease, ME, elsewhere)
    with pytest.raises(Conflict, match="Another process works on this run"):
        await continue_run(runtime, ME, state.run.id)


async def test_a_provider_that_fails_leaves_a_run_that_can_go_on(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([calls("echo"), RateLimited("Slow down"), RateLimited("Slow down"), "Done"])

    async def echo(scope: Any, params: Any) -> str:
        return "echo"

    runtime = make_runtime(sqlite_db, tmp_path, provider=model, tools=(tool("echo", echo),))
    new = NewRun(agent="helper", prompt="Do it", purpose="test", door="plan")
    with pytest.raises(RateLimited):
        await start_run(runtime, ME, new)
    [row] = await sqlite_db.read(queries.recent_runs, ME)
    with pytest.raises(RateLimited):
        await continue_run(runtime, ME, row.id)
    state = await continue_run(runtime, ME, row.id)

    assert (state.run.status, state.run.output) == ("success", "Done")


async def test_a_run_falls_back_as_a_whole_or_not_at_all(
    sqlite_db: Database, tmp_path: Path
) -> None:
    local = Scripted(lambda request: "By local rules", name="local")
    failing = make_runtime(sqlite_db, tmp_path, provider=Scripted([RateLimited("No")]), local=local)
    state = await run(failing)
    assert (state.run.output, state.run.source) == ("By local rules", "local")

    async def echo(scope: Any, params: Any) -> str:
        return "echo"

    later = make_runtime(
        sqlite_db,
        tmp_path,
        provider=Scripted([calls("echo"), RateLimited("No")]),
        local=local,
        tools=(tool("echo", echo),),
    )
    with pytest.raises(RateLimited):
        await run(later)


async def test_observers_are_told_what_streams_and_cannot_break_a_run(
    sqlite_db: Database, tmp_path: Path
) -> None:
    notes: list[Note] = []

    def watch(note: Note) -> None:
        notes.append(note)
        raise ZeroDivisionError("an observer that fails")

    runtime = make_runtime(sqlite_db, tmp_path, ["Hello there"])
    new = NewRun(agent="helper", prompt="Do it", purpose="test", door="plan")
    state = await start_run(runtime, ME, new, observe=watch)

    streamed = [note for note in notes if isinstance(note, AnswerPiece)]
    words = "".join(note.delta.text for note in streamed if isinstance(note.delta, TextDelta))
    assert (state.run.output, words) == ("Hello there", "Hello there")
    assert {note.attempt for note in streamed} == {1}
    assert any(isinstance(note, TurnTaken) for note in notes)


async def test_the_journal_grows_with_what_is_said_not_with_the_history(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def big(scope: Any, params: Any) -> str:
        return scope.call + "x" * 2000

    async def size(turns: int) -> int:
        script = [calls("big") for _ in range(turns)]
        runtime = make_runtime(sqlite_db, tmp_path, [*script, "Done"], tools=(tool("big", big),))
        state = await run(runtime, limits=Limits(max_turns=200))
        entries = await sqlite_db.read(queries.journal_entries, ME, state.run.id)
        return sum(len(entry.body) for entry in entries)

    assert await size(80) < 4.2 * await size(20)


async def test_two_tasks_of_one_process_do_not_work_on_the_same_run(
    sqlite_db: Database, tmp_path: Path
) -> None:
    inside, go_on = anyio.Event(), anyio.Event()

    async def hold(scope: Any, params: Any) -> str:
        inside.set()
        await go_on.wait()
        return "held"

    runtime = make_runtime(
        sqlite_db, tmp_path, [calls("hold"), "Done"], tools=(tool("hold", hold),)
    )
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run, runtime)
            await inside.wait()
            [row] = await sqlite_db.read(queries.recent_runs, ME)
            with pytest.raises(Conflict, match="This process works on this run already"):
                await continue_run(runtime, ME, row.id)
            go_on.set()

    assert (await read_run(runtime, ME, row.id)).run.output == "Done"


async def test_what_a_person_changed_after_the_crash_is_not_overwritten(
    sqlite_db: Database, tmp_path: Path
) -> None:
    write = calls("write_file", path="a.md", content="from the agent")
    model = Scripted([write, "Done"])
    runtime = make_runtime(sqlite_db, tmp_path, provider=model)

    class Killed(BaseException):
        pass

    documents = runtime.documents
    really_write = documents.write

    def write_then_die(*args: Any, **kwargs: Any) -> Any:
        really_write(*args, **kwargs)
        raise Killed

    documents.write = write_then_die  # type: ignore[method-assign]
    with pytest.raises(Killed):
        await run(runtime)
    documents.write = really_write  # type: ignore[method-assign]
    (tmp_path / "workspace" / "a.md").write_text("from a person")
    [row] = await sqlite_db.read(queries.recent_runs, ME)
    again = make_runtime(sqlite_db, tmp_path, provider=Scripted(["Done"]))
    state = await continue_run(again, ME, row.id)

    assert state.run.output == "Done"
    assert (tmp_path / "workspace" / "a.md").read_text() == "from a person"
