"""`bash`: its output, its exit code, and nothing left running."""

import os
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from paige.agent.builtin import builtin_tools
from paige.agent.builtin.shell import MAX_BYTES, bash_tool, run_bash
from paige.agent.tools import ToolFailed
from paige.models.scripted import Scripted, calls
from paige.store.engine import Database
from tests.agent.crew import agent_text, make_runtime, run

pytestmark = pytest.mark.anyio


async def test_what_a_command_prints_is_what_the_model_reads(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("é\n")

    with anyio.fail_after(5):
        assert await run_bash("cat notes.txt; echo oops >&2", tmp_path) == "é\noops\n"
        assert await run_bash("true", tmp_path) == "The command printed nothing."
        assert await run_bash(r"printf '\xff'", tmp_path) == "\ufffd"


async def test_a_command_that_fails_says_so_with_its_output(tmp_path: Path) -> None:
    with anyio.fail_after(5), pytest.raises(ToolFailed) as failed:
        await run_bash("echo half; exit 3", tmp_path)

    assert failed.value.message == "half\n\nThe command ended with exit code 3."


async def test_a_command_reads_no_input(tmp_path: Path) -> None:
    with anyio.fail_after(5):
        assert await run_bash("cat; echo end", tmp_path) == "end\n"


async def test_a_flood_of_output_is_cut(tmp_path: Path) -> None:
    with anyio.fail_after(10):
        assert len(await run_bash("yes | head -c 3000000", tmp_path)) == MAX_BYTES


async def test_a_command_that_takes_too_long_is_killed_with_all_it_started(
    sqlite_db: Database, tmp_path: Path
) -> None:
    # Each child keeps a pipe open; it can be read to its end only when nobody holds it any more.
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    command = f"(sleep 600 > {pipe}) & (bash -c 'sleep 600' > {pipe}) & sleep 600 > {pipe}"
    quick = replace(bash_tool(tmp_path), seconds=0.5)
    model = Scripted([calls("bash", command=command), "Done"])
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=model,
        agents={"helper": agent_text(tools="[bash]")},
        tools=(quick,),
    )
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run, runtime)
            async with await anyio.open_file(pipe) as reader:
                assert await reader.read() == ""

    [result] = model.requests[1].messages[-1].blocks
    assert (result.content, result.is_error) == ("`bash` did not end within 0.5 s.", True)


async def test_what_a_command_left_in_the_background_does_not_outlive_it(tmp_path: Path) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run_bash, f"sleep 600 > {pipe} & echo started", tmp_path)
            async with await anyio.open_file(pipe) as reader:
                assert await reader.read() == ""


async def test_a_background_job_that_holds_the_output_does_not_hold_the_agent(
    tmp_path: Path,
) -> None:
    with anyio.fail_after(5):
        assert await run_bash("sleep 600 & echo started", tmp_path) == "started\n"


async def test_an_agent_that_does_not_name_bash_is_not_offered_it(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([calls("bash", command="touch made"), "Done"])
    tools = tuple(builtin_tools(project=tmp_path).values())
    await run(make_runtime(sqlite_db, tmp_path, provider=model, tools=tools))

    assert "bash" not in {spec.name for spec in model.requests[0].tools}
    assert "There is no tool `bash`" in model.requests[1].messages[-1].blocks[0].content
    assert "made" not in os.listdir(tmp_path)
