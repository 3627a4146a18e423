"""The file, task and skill tools: what each answers, and what each refuses."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text as sql

from paige.agent.builtin_tools import TaskChange, builtin_tools, change_tasks
from paige.agent.context import Task, render_tasks
from paige.agent.interactions import picked
from paige.agent.library.definitions import read_skill_file
from paige.agent.queries import get_session, recent_runs, spans_of
from paige.agent.runs import continue_run, reply_to
from paige.agent.tools import MAX_OUTPUT, TryAgain, bounded, choose_tools
from paige.base.errors import BadInput
from paige.base.wire import storable
from paige.models.messages import ToolResult
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import ME, Texts, agent_text, make_runtime, run, tool

pytestmark = pytest.mark.anyio


async def use(db: Database, folder: Path, name: str, /, **given: Any) -> ToolResult:
    """What the model reads after it used a tool."""
    model = Scripted([calls(name, **given), "Done"])
    await run(make_runtime(db, folder, provider=model))
    [result] = model.requests[1].messages[-1].blocks
    assert isinstance(result, ToolResult)
    return result


def workspace(folder: Path, **files: str) -> Path:
    place = folder / "workspace"
    place.mkdir(exist_ok=True)
    for name, text in files.items():
        (place / f"{name}.md").write_text(text, newline="")
    return place


async def test_a_file_is_read_with_line_numbers(sqlite_db: Database, tmp_path: Path) -> None:
    workspace(tmp_path, plan="# Plan\n\n5 min: quiz\n")

    result = await use(sqlite_db, tmp_path, "read_file", path="plan.md")

    assert result.content == "    1  # Plan\n    2  \n    3  5 min: quiz"
    assert not result.is_error


async def test_a_part_of_a_file_keeps_its_line_numbers(sqlite_db: Database, tmp_path: Path) -> None:
    workspace(tmp_path, plan="".join(f"line {number}\n" for number in range(1, 11)))

    part = await use(sqlite_db, tmp_path, "read_file", path="plan.md", first_line=4, lines=2)

    assert part.content == "    4  line 4\n    5  line 5\n[… 5 more lines]"


@pytest.mark.parametrize("text", ["a\fb\nc\n", "a\u2028b\nc", "a\x0bb\r\nc\r\n", "a\x85b\nc\n"])
async def test_lines_are_counted_as_editors_count_them(
    sqlite_db: Database, tmp_path: Path, text: str
) -> None:
    workspace(tmp_path, plan=text)

    result = await use(sqlite_db, tmp_path, "read_file", path="plan.md")

    assert str(result.content).split("\n")[1] == "    2  c"


async def test_a_line_that_is_not_there_is_refused(sqlite_db: Database, tmp_path: Path) -> None:
    workspace(tmp_path, plan="one\ntwo\n")

    result = await use(sqlite_db, tmp_path, "read_file", path="plan.md", first_line=3)

    assert result.content == "`plan.md` has only 2 lines. Try again."
    assert result.is_error


OUTSIDE = [
    "../secret.md",
    "/etc/passwd",
    "a/../../secret.md",
    "link.md",
    "folder/secret.md",
    ".hidden",
    ".git/config",
    "",
    ".",
    "..\\secret.md",
    "plan.md\0.txt",
]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("tool", ["read_file", "write_file", "str_replace"])
async def test_no_path_leads_out_of_the_workspace(
    sqlite_db: Database, tmp_path: Path, tool: str, path: str
) -> None:
    place = workspace(tmp_path, plan="x")
    secret = tmp_path / "secret.md"
    secret.write_text("the secret")
    (place / "link.md").symlink_to(secret)
    (place / "folder").symlink_to(tmp_path)
    more = {"write_file": {"content": "x"}, "str_replace": {"old": "secret", "new": "x"}}

    result = await use(sqlite_db, tmp_path, tool, path=path, **more.get(tool, {}))

    assert result.is_error
    assert "the secret" not in str(result.content)
    assert secret.read_text() == "the secret"
    assert sorted(os.listdir(tmp_path)) == ["secret.md", "sqlite", "workspace"]


@pytest.mark.parametrize("path", ["..", "../", "/", "folder", "a/../.."])
async def test_no_folder_outside_is_listed(sqlite_db: Database, tmp_path: Path, path: str) -> None:
    place = workspace(tmp_path, plan="x")
    (tmp_path / "secret.md").write_text("the secret")
    (place / "folder").symlink_to(tmp_path)

    result = await use(sqlite_db, tmp_path, "list_directory", path=path)

    assert "secret" not in str(result.content)


async def test_files_below_a_folder_are_listed(sqlite_db: Database, tmp_path: Path) -> None:
    place = workspace(tmp_path, plan="x", soul="x")
    (place / "classes").mkdir()
    (place / "classes" / "3B.md").write_text("x")
    (place / ".hidden").write_text("x")

    everything = await use(sqlite_db, tmp_path, "list_directory")
    below = await use(sqlite_db, tmp_path, "list_directory", path="./classes/")
    nothing = await use(sqlite_db, tmp_path, "list_directory", path="missing")

    assert everything.content == "classes/3B.md\nplan.md\nsoul.md"
    assert below.content == "classes/3B.md"
    assert nothing.is_error


async def test_a_file_is_created_and_replaced(sqlite_db: Database, tmp_path: Path) -> None:
    place = workspace(tmp_path)

    new = await use(sqlite_db, tmp_path, "write_file", path="plans/a.md", content="One é\n")
    old = await use(sqlite_db, tmp_path, "write_file", path="plans/a.md", content="Two\n")

    assert (new.content, old.content) == ("Wrote `plans/a.md`.", "Replaced `plans/a.md`.")
    assert (place / "plans" / "a.md").read_text() == "Two\n"


@pytest.mark.parametrize(
    ("text", "old", "after", "said"),
    [
        ("one two", "two", "one 2", "Changed `plan.md`."),
        ("one two", "three", "one two", "The text is not in `plan.md`."),
        ("two two", "two", "two two", "The text stands more than once in `plan.md`."),
        ("aaa", "aa", "aaa", "The text stands more than once in `plan.md`."),
        ("a.b", ".", "a2b", "Changed `plan.md`."),
    ],
)
async def test_a_text_is_replaced_only_where_it_stands_exactly_once(
    sqlite_db: Database, tmp_path: Path, text: str, old: str, after: str, said: str
) -> None:
    place = workspace(tmp_path, plan=text)

    result = await use(sqlite_db, tmp_path, "str_replace", path="plan.md", old=old, new="2")

    assert str(result.content).startswith(said)
    assert (place / "plan.md").read_text() == after
    assert result.is_error == (text == after)


@pytest.mark.parametrize(
    "given_input",
    [
        {"path": "plan.md", "old": "", "new": "x"},
        {"path": "missing.md", "old": "x", "new": "y"},
    ],
)
async def test_a_replacement_without_a_place_is_refused(
    sqlite_db: Database, tmp_path: Path, given_input: dict[str, str]
) -> None:
    place = workspace(tmp_path, plan="text")

    assert (await use(sqlite_db, tmp_path, "str_replace", **given_input)).is_error
    assert sorted(entry.name for entry in place.iterdir()) == ["plan.md"]


@pytest.mark.parametrize(
    ("tool", "given_input"),
    [
        ("write_file", {"path": "plan.md", "content": "the agent's"}),
        ("str_replace", {"path": "plan.md", "old": "first", "new": "the agent's"}),
    ],
)
async def test_an_edit_made_meanwhile_is_not_overwritten(
    sqlite_db: Database, tmp_path: Path, tool: str, given_input: dict[str, str]
) -> None:
    place = workspace(tmp_path, plan="first")
    model = Scripted([calls(tool, **given_input), "Done"])
    runtime = make_runtime(sqlite_db, tmp_path, provider=model)

    def edit_when_the_intent_is_kept() -> None:
        if any("after" in body for body in intents(sqlite_db)):
            (place / "plan.md").write_text("the teacher's")

    sqlite_db.on_commit(edit_when_the_intent_is_kept)
    await run(runtime)

    [result] = model.requests[1].messages[-1].blocks
    assert result.content == "`plan.md` was changed meanwhile. Read it again. Try again."
    assert (place / "plan.md").read_text() == "the teacher's"


def intents(db: Database) -> list[dict[str, Any]]:
    with db.transaction(write=False) as connection:
        rows = connection.execute(sql("SELECT body FROM journal WHERE kind = 'intent'"))
        return [json.loads(row.body) for row in rows]


async def test_tasks_are_added_changed_and_kept_with_the_session(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted(
        [
            calls("update_tasks", changes=[{"title": "Plan"}, {"title": "Write"}]),
            calls("update_tasks", changes=[{"id": "1", "status": "done"}, {"title": "Check"}]),
            calls("update_tasks", changes=[{"id": "9", "status": "done"}]),
            "Done",
        ]
    )
    state = await run(make_runtime(sqlite_db, tmp_path, provider=model))
    with sqlite_db.transaction(write=False) as connection:
        session = get_session(connection, ME, state.run.session_id)

    said = [request.messages[-1].blocks[0].content for request in model.requests[1:]]
    assert said == [
        "1. [ ] Plan\n2. [ ] Write",
        "1. [x] Plan\n2. [ ] Write\n3. [ ] Check",
        "There is no task `9`. There are: 1, 2, 3. Try again.",
    ]
    assert session.tasks == [
        {"id": "1", "title": "Plan", "status": "done"},
        {"id": "2", "title": "Write", "status": "pending"},
        {"id": "3", "title": "Check", "status": "pending"},
    ]


changes = st.lists(
    st.builds(
        TaskChange,
        id=st.none() | st.sampled_from(["1", "2", "3", "9"]),
        title=st.none() | st.text(min_size=1, max_size=5),
        status=st.none() | st.sampled_from(["pending", "in_progress", "done"]),
    ),
    min_size=1,
    max_size=8,
)


@given(changes, changes)
def test_a_task_is_never_lost_and_keeps_its_id(
    one: list[TaskChange], two: list[TaskChange]
) -> None:
    try:
        before = change_tasks((), one)
        after = change_tasks(before, two)
    except TryAgain:
        return  # nothing is changed by a list that is wrong anywhere
    assert [task.id for task in after][: len(before)] == [task.id for task in before]
    assert [task.id for task in after] == [str(number + 1) for number in range(len(after))]
    assert change_tasks((), [*one, *two]) == after


def test_the_signs_of_a_task_list() -> None:
    tasks = (Task("1", "a"), Task("2", "b", "in_progress"), Task("3", "c", "done"))

    assert render_tasks(tasks) == "1. [ ] a\n2. [~] b\n3. [x] c"


async def test_reading_a_skill_is_traced_with_its_tier(sqlite_db: Database, tmp_path: Path) -> None:
    folder = tmp_path / "design"
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\ndescription: How\n---\nStart at the end.\n")
    (folder / "examples.md").write_text("An example.\n")
    skill = read_skill_file((folder / "SKILL.md").read_text(), folder, ("examples.md",))
    asked = ["design", "design/examples.md", "design/SKILL.md", "desing"]
    model = Scripted([*(calls("read_skill", reference=name) for name in asked), "Done"])
    library = Texts({"helper": agent_text()}, {"design": skill})
    runtime = make_runtime(sqlite_db, tmp_path, provider=model)
    state = await run(replace(runtime, library=library))
    with sqlite_db.transaction(write=False) as connection:
        spans = [s for s in spans_of(connection, ME, state.run.id) if s.kind == "tool"]

    said = [str(request.messages[-1].blocks[0].content).strip() for request in model.requests[1:]]
    assert said[:3] == ["Start at the end.", "An example.", "Start at the end."]
    assert "did you mean `design`?" in said[3]
    traced = {(given := json.loads(s.attributes)).get("skill"): given for s in spans}
    assert {name: traced[name]["skill_tier"] for name in asked[:3]} == {
        "design": 2,
        "design/examples.md": 3,
        "design/SKILL.md": 2,
    }
    assert [s.failed for s in spans].count(True) == 1


def test_an_agent_gets_bash_only_when_it_names_it(tmp_path: Path) -> None:
    known = builtin_tools(project=tmp_path)

    assert "bash" in known
    assert "bash" not in choose_tools(known, (), memory=True)
    assert list(choose_tools(known, ("bash", "read_file"), memory=True)) == ["bash", "read_file"]
    assert "bash" not in builtin_tools()


def test_a_tool_nobody_knows_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadInput, match="no tool `read_fil`") as refused:
        choose_tools(builtin_tools(), ("read_fil",), memory=True)
    assert "read_file" in (refused.value.hint or "")


@given(st.text(max_size=300), st.integers(8, 100))
def test_what_is_cut_keeps_its_beginning_and_its_end(text: str, limit: int) -> None:
    shown = bounded(text, limit)
    text = storable(text)

    if len(text) <= limit:
        assert shown == text
    else:
        assert shown.startswith(text[: limit // 2])
        assert shown.endswith(text[-(limit // 5) :])
        assert f"{len(text) - limit} characters left out" in shown


def test_no_output_is_longer_than_a_model_can_read() -> None:
    assert len(bounded("x" * 10**6)) < MAX_OUTPUT + 100


async def test_a_call_that_may_have_happened_is_asked_about_every_time_it_is_cut_off(
    sqlite_db: Database, tmp_path: Path
) -> None:
    sent: list[str] = []
    scope = anyio.CancelScope()

    async def send(_: Any, params: Any) -> str:
        sent.append("sent")
        scope.cancel()  # as good as pulling the plug: nothing after this is kept
        await anyio.sleep_forever()
        return ""

    script = [calls("send"), "Done"]
    mail = tool("send", send, effect="once")
    runtime = make_runtime(sqlite_db, tmp_path, script, tools=(mail,))
    with anyio.fail_after(5), scope:
        await run(runtime)
    with sqlite_db.transaction(write=False) as connection:
        [cut_off] = recent_runs(connection, ME)
    first = await continue_run(runtime, ME, cut_off.id)
    await reply_to(runtime, ME, first.gates[0], picked("again"))
    with anyio.fail_after(5), anyio.CancelScope() as scope:
        await continue_run(runtime, ME, cut_off.id)
    second = await continue_run(runtime, ME, cut_off.id)

    assert [gate.interaction.title for gate in second.gates] == ["Outcome unknown"]
    assert sent == ["sent", "sent"]
    await reply_to(runtime, ME, second.gates[0], picked("happened"))
    assert (await continue_run(runtime, ME, cut_off.id)).run.output == "Done"
