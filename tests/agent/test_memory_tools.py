"""Agents and memory: what they read and note, what of it is in their prompts, and when not."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from sqlalchemy import text as sql

from paige.agent.memories import MemoryAccess, Request, prompt_memory
from paige.agent.queries import recent_runs, spans_of
from paige.agent.runs import continue_run
from paige.base.actor import Actor
from paige.memory.documents import queries
from paige.memory.documents.records import Use
from paige.models.messages import ToolResult
from paige.models.scripted import Scripted, calls
from paige.store.documents import NEW
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, run
from tests.agent.test_library import library, prompt_of
from tests.memory.papers import ANNA, NAME, Papers

pytestmark = pytest.mark.anyio


@pytest.fixture
def papers(db: Database, tmp_path: Path) -> Papers:
    return Papers(db, tmp_path)


async def converse(
    db: Database, folder: Path, access: MemoryAccess, *turns: Any, **more: Any
) -> tuple[list[ToolResult], str]:
    """What the model reads after each of its calls, and the run."""
    model = Scripted([*turns, "Done"])
    state = await run(make_runtime(db, folder, provider=model, memory=access), **more)
    results = [request.messages[-1].blocks[0] for request in model.requests[1:]]
    return [result for result in results if isinstance(result, ToolResult)], state.run.id


async def use(db: Database, papers: Papers, folder: Path, *turns: Any) -> list[str]:
    results, _ = await converse(db, folder, MemoryAccess(papers), *turns)
    return [str(result.content) for result in results]


@pytest.mark.db
async def test_an_agent_reads_what_it_noted(db: Database, papers: Papers, tmp_path: Path) -> None:
    said = await use(
        db,
        papers,
        tmp_path,
        calls("update_memory", path="memory/MEMORY.md", text="- Likes quizzes."),
        calls("update_memory", path="lessons.md", text="- Loops", class_id="3B"),
        calls("read_memory", path="MEMORY.md"),
        calls("read_memory", path="lessons.md", class_id="3B"),
        calls("read_memory"),
    )

    assert said == [
        "Added to `MEMORY.md`, which has 1 lines now.",
        "Added to `classes/3B/lessons.md`, which has 1 lines now.",
        "- Likes quizzes.\n",
        "- Loops\n",
        "There are: `MEMORY.md` (1 lines), `classes/3B/lessons.md` (1 lines).",
    ]


async def test_a_document_that_is_not_there_is_an_error_with_those_there_are(
    db: Database, papers: Papers, tmp_path: Path
) -> None:
    papers.append(ME, "style.md", "bullets")
    papers.append(ANNA, "hers.md", "secret")
    results, _ = await converse(
        db,
        tmp_path,
        MemoryAccess(papers),
        calls("read_memory", path="hers.md"),
        calls("read_memory", path="../../secret.md"),
        calls("update_memory", path="/etc/passwd", text="x"),
    )

    assert [result.is_error for result in results] == [True] * 3
    assert results[0].content == (
        "There is no memory document `hers.md`. There are: `style.md` (1 lines)."
    )
    assert "Paths are `MEMORY.md`, `topic.md` and `classes/3B/topic.md`." in str(results[1].content)


@pytest.mark.db
async def test_an_agent_sees_and_changes_only_the_memory_of_its_person(
    db: Database, papers: Papers, tmp_path: Path
) -> None:
    papers.append(ANNA, "MEMORY.md", "Anna's")
    said = await use(
        db,
        papers,
        tmp_path,
        calls("read_memory"),
        calls("update_memory", path="MEMORY.md", text="mine"),
        calls("read_memory", path="MEMORY.md"),
    )

    assert said[0] == "There are no memory documents yet."
    assert said[2] == "mine\n"
    assert papers.read(ANNA, "MEMORY.md").content == "Anna's\n"


async def test_a_name_is_refused_with_a_sentence_the_model_can_act_on(
    db: Database, papers: Papers, tmp_path: Path
) -> None:
    results, _ = await converse(
        db,
        tmp_path,
        MemoryAccess(papers),
        calls("update_memory", path="MEMORY.md", text=f"{NAME} reads slowly"),
    )

    assert results[0].is_error
    assert results[0].content == (
        f"Nothing was written: `{NAME}` is the name of a pupil. Memory names no learner: say “the "
        "advanced group” or “one learner”. Try again."
    )
    assert papers.files(ME) == []


async def test_a_long_index_is_warned_about(db: Database, papers: Papers, tmp_path: Path) -> None:
    long = "\n".join(f"- note {number}" for number in range(200))
    said = await use(
        db,
        papers,
        tmp_path,
        calls("update_memory", path="MEMORY.md", text=long),
        calls("update_memory", path="MEMORY.md", text="- one too many"),
        calls("update_memory", path="topic.md", text=f"{long}\n- more"),
    )

    assert ["topic file" in each for each in said] == [False, True, False]
    assert said[1].startswith("Added to `MEMORY.md`, which has 201 lines now. Only the first 200")


async def test_replacing_needs_reading_and_keeps_what_a_person_wrote_meanwhile(
    db: Database, papers: Papers, tmp_path: Path
) -> None:
    papers.append(ME, "style.md", "one\ntwo\nthree")

    def edit_after_the_read() -> None:
        with db.transaction(write=False) as connection:
            read = connection.execute(sql("SELECT 1 FROM memory_events WHERE event_type = 'read'"))
            if read.first() and papers.shown("style.md") == "one\ntwo\nthree\n":
                papers.edit("one\ntwo\nTHREE\n", "style.md")

    db.on_commit(edit_after_the_read)
    said = await use(
        db,
        papers,
        tmp_path,
        calls("update_memory", path="style.md", text="lost\n", mode="replace"),
        calls("read_memory", path="style.md"),
        calls("update_memory", path="style.md", text="ONE\ntwo\nthree\n", mode="replace"),
        calls("update_memory", path="new.md", text="one\n", mode="replace"),
        calls("update_memory", path="new.md", text="two\n", mode="replace"),
    )

    assert said[0] == (
        "`style.md` was not replaced: read it first, you have not seen all. Try again."
    )
    assert said[2] == (
        "Replaced `style.md`, which has 3 lines now. Somebody else changed it meanwhile; both "
        "changes are in it."
    )
    assert papers.read(ME, "style.md").content == "ONE\ntwo\nTHREE\n"
    assert papers.read(ME, "new.md").content == "two\n"


@pytest.mark.db
async def test_reads_and_writes_are_noted_with_session_and_trace(
    db: Database, papers: Papers, tmp_path: Path
) -> None:
    papers.append(ME, "classes/3B/MEMORY.md", "short starters", use=Use(by="web"))
    _, trace = await converse(
        db,
        tmp_path,
        MemoryAccess(papers),
        calls("read_memory", path="classes/3B/MEMORY.md"),
        calls("update_memory", path="style.md", text="bullets"),
        calls("read_memory", path="missing.md"),
    )
    with db.transaction(write=False) as connection:
        noted = queries.events_of(connection, ME, trace=trace)
        [finished] = recent_runs(connection, ME)
        spans = [json.loads(s.attributes) for s in spans_of(connection, ME, trace)]
        assert queries.events_of(connection, ANNA, trace=trace) == []

    assert {(each.event_type, each.path, each.class_id) for each in noted} == {
        ("read", "classes/3B/MEMORY.md", "3B"),
        ("write", "style.md", ""),
        ("read", "style.md", ""),  # it knows what it wrote
    }
    assert {each.session_id for each in noted} == {finished.session_id}
    assert all(each.memory_file_id for each in noted)
    assert [s["memory_read"] for s in spans if "memory_read" in s] == ["classes/3B/MEMORY.md"]
    assert [s["memory_written"] for s in spans if "memory_written" in s] == ["style.md"]


@pytest.mark.parametrize("mode", ["append", "replace"])
async def test_a_resumed_run_does_not_note_the_same_twice(
    db: Database, papers: Papers, tmp_path: Path, mode: str
) -> None:
    scope = anyio.CancelScope()
    tool = make_runtime(db, tmp_path).tools["update_memory"]
    assert tool.run is not None
    real = tool.run

    async def cut_off(tool_scope: Any, params: Any) -> str:
        await real(tool_scope, params)
        scope.cancel()  # as good as pulling the plug: the result is not kept
        await anyio.sleep_forever()
        return ""

    script = [calls("update_memory", path="style.md", text="- note", mode=mode), "Done"]
    model = Scripted(script)
    runtime = make_runtime(
        db,
        tmp_path,
        provider=model,
        memory=MemoryAccess(papers),
        tools=(replace(tool, run=cut_off),),
    )
    with anyio.fail_after(20), scope:
        await run(runtime)
    with db.transaction(write=False) as connection:
        [begun] = recent_runs(connection, ME)
    state = await continue_run(
        replace(runtime, tools={**runtime.tools, "update_memory": tool}), ME, begun.id
    )

    assert state.run.output == "Done"
    assert papers.read(ME, "style.md").content.strip() == "- note"
    assert papers.log.last_seq() == 1


async def test_memory_is_searched_if_there_is_a_search(
    db: Database, papers: Papers, tmp_path: Path
) -> None:
    asked: list[tuple[Actor, str, str | None]] = []

    def search(actor: Actor, query: str, class_id: str | None) -> list[str]:
        asked.append((actor, query, class_id))
        return ["Quizzes work.", "Quizzes bore."] if query == "quiz" else []

    ask = calls("read_memory", query="quiz", class_id="3B")
    results, _ = await converse(
        db, tmp_path, MemoryAccess(papers, search), ask, calls("read_memory", query="none")
    )
    without, _ = await converse(db, tmp_path, MemoryAccess(papers), ask)

    assert [result.content for result in results] == [
        "Quizzes work.\n\nQuizzes bore.",
        "Nothing in memory fits these words.",
    ]
    assert asked[0] == (ME, "quiz", "3B")
    assert without[0].is_error


@pytest.mark.parametrize(
    ("memory", "flag", "has"),
    [(True, "true", True), (False, "true", False), (True, "false", False)],
)
async def test_the_tools_are_there_only_with_memory(
    db: Database, papers: Papers, tmp_path: Path, memory: bool, flag: str, has: bool
) -> None:
    model = Scripted(["Done"])
    runtime = make_runtime(
        db,
        tmp_path,
        provider=model,
        agents={"helper": agent_text(memory=flag)},
        memory=MemoryAccess(papers) if memory else None,
    )
    await run(runtime)

    names = {tool.name for tool in model.requests[0].tools}
    assert ({"read_memory", "update_memory"} <= names) is has
    assert ({"read_memory", "update_memory"} & names != set()) is has


async def test_both_memories_are_in_the_prompt(
    db: Database, papers: Papers, tmp_path: Path
) -> None:
    papers.write(ME, "MEMORY.md", "".join(f"- note {n}\n" for n in range(1, 301)), base=NEW)
    papers.append(ME, "style.md", "bullets")
    papers.append(ME, "classes/3B/MEMORY.md", "short starters")
    papers.append(ME, "classes/3B/lessons.md", "loops")
    papers.append(ME, "classes/2C/MEMORY.md", "robots")
    papers.append(ANNA, "MEMORY.md", "Anna's")
    access = MemoryAccess(
        papers, recall=lambda actor, request, of: f"{actor.person} {request.text} {of}"
    )
    chosen = replace(library(tmp_path / "plugin"), memory=prompt_memory(access, ME, "3B"))
    shown = prompt_of(chosen)
    asked = chosen.prepare("planner", Request("a quiz"))

    teacher, of_class = shown["teacher_memory"], shown["class_memory"]
    assert "- note 200\n" in teacher
    assert "- note 201" not in teacher
    assert "(The first 200 of 300 lines; `read_memory` reads all.)" in teacher
    assert "(More is in `style.md`: `read_memory` reads them.)" in teacher
    assert "Class 3B:\n\nshort starters" in of_class
    assert "`classes/3B/lessons.md`" in of_class
    assert not any(word in asked.system for word in ("robots", "Anna"))
    assert "Recalled" not in teacher
    assert "Recalled for this request:\n\nme a quiz 3B\n</teacher_memory>" in asked.system
    assert asked.files["memory/classes/3B/MEMORY.md"] == "short starters\n"
    assert list(shown)[3:5] == ["teacher_memory", "class_memory"]


@pytest.mark.parametrize("class_id", [None, "1A", "a/b", "../2C", ".."])
async def test_a_class_without_memory_has_no_part_in_the_prompt(
    db: Database, papers: Papers, tmp_path: Path, class_id: str | None
) -> None:
    papers.append(ME, "classes/2C/MEMORY.md", "robots")
    chosen = replace(
        library(tmp_path / "plugin"), memory=prompt_memory(MemoryAccess(papers), ME, class_id)
    )

    assert not {"teacher_memory", "class_memory"} & set(prompt_of(chosen))


async def test_what_an_agent_replaces_after_reading_its_prompt_is_the_version_in_the_prompt(
    db: Database, papers: Papers, tmp_path: Path
) -> None:
    papers.write(ME, "MEMORY.md", "a\nb\nc\n", base=NEW)
    seen = prompt_memory(MemoryAccess(papers), ME).files
    papers.edit("a\nb\nC\n")
    results, _ = await converse(
        db,
        tmp_path,
        MemoryAccess(papers),
        calls("update_memory", path="MEMORY.md", text="A\nb\nc\n", mode="replace"),
        files=seen,
    )

    assert "both changes are in it" in str(results[0].content)
    assert papers.read(ME, "MEMORY.md").content == "A\nb\nC\n"
