"""Sessions: kept whole, continued, worked on in parallel, and branched off from."""

from dataclasses import asdict, replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.hooks import Hook
from paige.agent.interactions import Choices, Option, picked
from paige.agent.limits import Limits
from paige.agent.queries import (
    Transcript,
    get_session,
    insert_session,
    read_session,
    recent_runs,
    recent_sessions,
    search_sessions,
    update_session,
)
from paige.agent.runs import RunState, continue_run, reply_to
from paige.agent.segment import Runtime
from paige.agent.tables import SessionRow, SessionSearch
from paige.base.errors import NotFound
from paige.base.events import Abort
from paige.models.messages import Message, ToolResult
from paige.models.requests import Request
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, make_runtime, run, tool
from tests.agent.hooking import Word, deciding, echo, hooked
from tests.conftest import NOON

pytestmark = pytest.mark.anyio

WHOLE = SessionRow(
    id="s1",
    person="me",
    door="plan",
    status="completed",
    started_at=NOON,
    updated_at=NOON + timedelta(hours=1, microseconds=5),
    title="Schleifen für 3B 🎓",
    plugin="planning",
    command="create-lesson",
    agent="planner",
    class_id="3B",
    tasks=[{"id": "1", "title": "Plan", "status": "done"}],
    decisions=[
        {"gate": "hook/pre_loop/feedforward/1", "reply": {"picked": {"": {"option": "confirm"}}}},
        {"gate": "t2/hook/post_loop/adjudication/1", "reply": {"texts": ["kürzer"]}, "at": None},
    ],
    messages_text="Plan it\n\nDone",
    project_dir="/home/me/work",
    issue_number=7,
    issue_title="A title",
    forked_from="s0#2",
    ended_at=NOON + timedelta(hours=2),
)


@pytest.mark.db
def test_every_field_of_a_session_comes_back(db: Database) -> None:
    with db.transaction(write=True) as connection:
        insert_session(connection, WHOLE, ME)
    with db.transaction(write=False) as connection:
        assert get_session(connection, ME, "s1") == WHOLE
        assert recent_sessions(connection, ME) == [WHOLE]
        assert search_sessions(connection, ME, SessionSearch("schleifen")) == [WHOLE]


@pytest.mark.db
def test_a_change_touches_only_what_it_names(db: Database) -> None:
    with db.transaction(write=True) as connection:
        insert_session(connection, WHOLE, ME)
        update_session(connection, ME, "s1", now=NOON, tasks=[], class_id=None)
        changed = get_session(connection, ME, "s1")

    assert changed == replace(WHOLE, updated_at=NOON, tasks=[], class_id=None)
    assert set(asdict(WHOLE)) == set(SessionRow.__dataclass_fields__)


words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
optional = st.none() | words
rows = st.builds(
    replace,
    st.just(WHOLE),
    title=optional,
    class_id=optional,
    messages_text=words,
    tasks=st.lists(st.fixed_dictionaries({"id": words, "title": words}), max_size=3),
    decisions=st.lists(st.dictionaries(words, st.none() | words | st.integers()), max_size=3),
    issue_number=st.none() | st.integers(0, 2**31 - 1),
    ended_at=st.none() | st.just(NOON),
)


@pytest.mark.db
@given(row=rows)
def test_any_session_comes_back_as_it_was(db: Database, row: SessionRow) -> None:
    with db.transaction(write=True) as connection:
        insert_session(connection, row, ME)
        stored = get_session(connection, ME, row.id)
        connection.rollback()

    assert stored == row


async def transcript(runtime: Runtime, state: RunState) -> Transcript:
    return await runtime.db.read(read_session, ME, state.run.session_id)


def talk(messages: tuple[Message, ...]) -> list[str]:
    return [f"{message.role}: {message.text}" for message in messages]


async def test_a_run_leaves_a_session_that_says_what_it_was(
    sqlite_db: Database, tmp_path: Path
) -> None:
    runtime = make_runtime(sqlite_db, tmp_path, ["A plan"])
    about = {"plugin": "planning", "command": "create-lesson", "class_id": "3B"}
    state = await run(runtime, "Plan loops\nfor an hour", **about)
    session = (await transcript(runtime, state)).session

    assert session == SessionRow(
        id=state.run.session_id,
        person="me",
        door="plan",
        status="active",
        started_at=NOON,
        updated_at=NOON,
        title="Plan loops",
        plugin="planning",
        command="create-lesson",
        agent="helper",
        class_id="3B",
        messages_text="Plan loops\nfor an hour\n\nA plan",
    )


async def test_decisions_of_every_gate_stay_with_the_session(
    sqlite_db: Database, tmp_path: Path
) -> None:
    async def ask(view: Any, event: Any) -> Choices:
        return Choices(f"At {event.name}?", (Option("yes", "Yes"), Option("no", "No", True)))

    async def resolve(view: Any, event: Any, reply: Any) -> None:
        return None

    points = ("pre_loop", "post_loop")
    runtime = hooked(sqlite_db, tmp_path, ["One", "Two"], Hook("ask", points, ask, resolve=resolve))
    state = await run(runtime)
    for reply in (picked("yes"), picked("no", "shorter")):
        await reply_to(runtime, ME, state.gates[0], reply)
        state = await continue_run(runtime, ME, state.run.id)
    again = await run(runtime, session=state.run.session_id)
    decisions = (await transcript(runtime, again)).session.decisions

    assert [(made["title"], made["reply"]["picked"][""]) for made in decisions] == [
        ("At pre_loop?", {"option": "yes", "text": ""}),
        ("At post_loop?", {"option": "no", "text": "shorter"}),
    ]
    assert {made["at"] for made in decisions} == {NOON.isoformat()}


async def test_the_next_run_continues_the_history_and_the_tasks(
    sqlite_db: Database, tmp_path: Path
) -> None:
    use = calls("update_tasks", changes=[{"title": "Plan"}])
    first = await run(make_runtime(sqlite_db, tmp_path, [use, "Planned"]), "Begin")
    model = Scripted([calls("update_tasks", changes=[{"id": "1", "status": "done"}]), "Done"])
    runtime = make_runtime(sqlite_db, tmp_path, provider=model)
    second = await run(runtime, "Go on", session=first.run.session_id)
    found = await transcript(runtime, second)

    assert talk(model.requests[0].messages) == [
        "user: Begin",
        "assistant: ",
        "user: ",
        "assistant: Planned",
        "user: Go on",
    ]
    assert model.requests[1].messages[-1].blocks[0].content == "1. [x] Plan"
    assert (first.run.number, second.run.number) == (1, 2)
    assert found.session.tasks == [{"id": "1", "title": "Plan", "status": "done"}]
    assert len(found.messages) == 8
    assert found.session.messages_text == "Begin\n\nPlanned\n\nGo on\n\nDone"


async def test_the_same_call_in_the_next_run_is_a_new_call(
    sqlite_db: Database, tmp_path: Path
) -> None:
    script = [calls("echo", word="x"), "One", calls("echo", word="x"), "Two"]
    runtime = make_runtime(sqlite_db, tmp_path, script, tools=(tool("echo", echo, params=Word),))
    first = await run(runtime)
    second = await run(runtime, session=first.run.session_id)

    assert second.run.output == "Two"


def aborting(point: str) -> Hook:
    return deciding("guard", point, Abort(rule="guard", reason="no"))


def twice() -> list[Any]:
    return [calls("echo", word="x"), calls("echo", word="x"), "Finally"]


@pytest.mark.parametrize(
    ("script", "hooks", "limits", "status"),
    [
        (["Done"], (), Limits(), "success"),
        (twice(), (), Limits(), "success"),
        (twice(), (), Limits(max_turns=2), "error_max_turns"),
        (twice(), (), Limits(max_no_progress_iterations=2), "error_no_progress"),
        (twice(), (aborting("pre_tool"),), Limits(), "error_hook_abort"),
        (twice(), (aborting("post_tool"),), Limits(), "error_hook_abort"),
        (["Done"], (aborting("post_model"),), Limits(), "error_hook_abort"),
        (["Done"], (aborting("post_loop"),), Limits(), "error_hook_abort"),
    ],
)
async def test_however_a_run_ended_the_next_ones_have_every_prompt_in_a_history_they_can_take(
    sqlite_db: Database, tmp_path: Path, script: Any, hooks: Any, limits: Limits, status: str
) -> None:
    first = await run(hooked(sqlite_db, tmp_path, script, *hooks), "First", limits=limits)
    second_model, third_model = Scripted(["Second answer"]), Scripted(["Third answer"])
    more = {"session": first.run.session_id}
    await run(make_runtime(sqlite_db, tmp_path, provider=second_model), "Second", **more)
    await run(make_runtime(sqlite_db, tmp_path, provider=third_model), "Third", **more)
    history = third_model.requests[0].messages

    assert first.run.status == status
    said = [message.text for message in history]
    assert said[0] == "First"
    assert said[-3:] == ["Second", "Second answer", "Third"]
    assert [m.role for m in history] == ["user", "assistant"] * (len(history) // 2) + ["user"]
    for message, following in pairwise(history):
        results = [block for block in following.blocks if isinstance(block, ToolResult)]
        assert [use.id for use in message.tool_uses] == [r.tool_use_id for r in results]


async def test_a_prompt_that_was_refused_leaves_nothing_behind(
    sqlite_db: Database, tmp_path: Path
) -> None:
    scope = deciding("scope", "pre_loop", Abort(rule="scope", reason="not planning"))
    first = await run(hooked(sqlite_db, tmp_path, ["never"], scope), "Write malware")
    model = Scripted(["A plan"])
    await run(
        make_runtime(sqlite_db, tmp_path, provider=model), "Plan", session=first.run.session_id
    )

    assert talk(model.requests[0].messages) == ["user: Plan"]


async def test_two_runs_at_once_do_not_change_each_others_history(
    sqlite_db: Database, tmp_path: Path
) -> None:
    both = anyio.Event()
    entered: list[str] = []

    async def wait_for_the_other(scope: Any, params: Any) -> str:
        entered.append(scope.segment.run)
        if len(entered) == 2:
            both.set()
        await both.wait()
        return "met"

    def play(request: Request) -> Any:
        met = isinstance(request.messages[-1].blocks[0], ToolResult)
        return f"Answer to {request.messages[-3].text}" if met else calls("meet")

    first = await run(make_runtime(sqlite_db, tmp_path, ["Begun"]), "Begin")
    model = Scripted(play)
    runtime = make_runtime(
        sqlite_db, tmp_path, provider=model, tools=(tool("meet", wait_for_the_other),)
    )
    more = {"session": first.run.session_id}
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            for prompt in ("left", "right"):
                tasks.start_soon(lambda prompt=prompt: run(runtime, prompt, **more))
    found = await transcript(runtime, first)

    for request in model.requests:
        texts = [message.text for message in request.messages]
        assert texts[:2] == ["Begin", "Begun"]
        assert not {"left", "right"} <= set(texts)
    assert [ended.number for ended in found.runs] == [1, 2, 3]
    last = [message.text for message in found.messages if message.text][2:]
    assert sorted([tuple(last[:2]), tuple(last[2:])]) == [
        ("left", "Answer to left"),
        ("right", "Answer to right"),
    ]


async def test_a_branch_continues_up_to_a_run_and_leaves_its_origin_alone(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted(lambda request: f"Answer to {request.messages[-1].text}")
    runtime = make_runtime(sqlite_db, tmp_path, provider=model)
    first = await run(runtime, "one")
    session = first.run.session_id
    await run(runtime, "two", session=session)
    third = await run(runtime, "three", session=session)

    branched = await run(runtime, "other", before=third.run.id)
    branch = branched.run.session_id

    def prompts(found: Transcript) -> list[str]:
        return [message.text for message in found.messages if message.role == "user"]

    of_branch = await transcript(runtime, branched)
    assert prompts(of_branch) == ["one", "two", "other"]
    assert prompts(await transcript(runtime, first)) == ["one", "two", "three"]
    assert of_branch.session.forked_from == f"{session}#2"

    # A branch of a branch keeps everything before it: numbers of different sessions do not mix.
    more = await run(runtime, "more", session=branch)
    deepest = await run(runtime, "deepest", before=more.run.id)
    assert prompts(await transcript(runtime, deepest)) == ["one", "two", "other", "deepest"]

    # So does one in the place of a branch's first run, of which then nothing is left.
    last = await run(runtime, "last", before=branched.run.id)
    assert prompts(await transcript(runtime, last)) == ["one", "two", "last"]


async def test_what_is_not_there_is_neither_continued_nor_branched_off_from(
    sqlite_db: Database, tmp_path: Path
) -> None:
    runtime = make_runtime(sqlite_db, tmp_path, ["One"])

    with pytest.raises(NotFound, match="missing"):
        await run(runtime, before="missing")
    with pytest.raises(NotFound, match="missing"):
        await run(runtime, session="missing")


async def test_a_run_that_a_person_stops_leaves_the_tasks_of_its_session(
    sqlite_db: Database, tmp_path: Path
) -> None:
    scopes = [anyio.CancelScope(), anyio.CancelScope()]

    class Lost(Scripted):
        async def ask(self, request: Request) -> Any:
            next(scope for scope in scopes if not scope.cancel_called).cancel()
            await anyio.sleep_forever()

    script = [calls("update_tasks", changes=[{"title": "Plan"}]), "Planned"]
    first = await run(make_runtime(sqlite_db, tmp_path, script))
    runtime = make_runtime(sqlite_db, tmp_path, provider=Lost([]))
    with anyio.fail_after(5), scopes[0]:
        await run(runtime, session=first.run.session_id)
    with sqlite_db.transaction(write=False) as connection:
        [cut_off] = [row for row in recent_runs(connection, ME) if row.number == 2]
    with anyio.fail_after(5), scopes[1]:
        await continue_run(runtime, ME, cut_off.id)
    state = await continue_run(runtime, ME, cut_off.id)
    await reply_to(runtime, ME, state.gates[0], picked("stop"))
    stopped = await continue_run(runtime, ME, cut_off.id)
    session = (await transcript(runtime, first)).session

    assert (stopped.run.state, stopped.run.status) == ("ended", "error_hook_abort")
    assert session.tasks == [{"id": "1", "title": "Plan", "status": "pending"}]
