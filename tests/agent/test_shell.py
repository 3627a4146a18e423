"""`bash`: its output, its exit code, and nothing left running."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from paige.agent.builtin_tools import MAX_BYTES, bash_tool, builtin_tools, run_bash
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


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[int]:
    """The reading end of a pipe: it ends when nobody holds `alive` open for writing any more."""
    os.mkfifo(tmp_path / "alive")
    reader = os.open(tmp_path / "alive", os.O_RDONLY | os.O_NONBLOCK)
    yield reader
    os.close(reader)


async def test_a_command_that_takes_too_long_is_killed_with_all_it_started(
    sqlite_db: Database, tmp_path: Path, witness: int
) -> None:
    command = "exec 3> alive; echo x >&3; (sleep 600) & bash -c 'sleep 600; true' & sleep 600"
    model = Scripted([calls("bash", command=command), "Done"])
    runtime = make_runtime(
        sqlite_db,
        tmp_path,
        provider=model,
        agents={"helper": agent_text(tools="[bash]")},
        tools=(replace(bash_tool(tmp_path), seconds=0.5),),
    )
    with anyio.fail_after(10):
        await run(runtime)
        assert await everything_from(witness) == b"x\n"

    [result] = model.requests[1].messages[-1].blocks
    assert (result.content, result.is_error) == ("`bash` did not end within 0.5 s.", True)


async def test_what_a_command_left_in_the_background_does_not_outlive_it(
    tmp_path: Path, witness: int
) -> None:
    with anyio.fail_after(10):
        said = await run_bash("exec 3> alive; echo x >&3; sleep 600 & echo started", tmp_path)

        assert await everything_from(witness) == b"x\n"
    assert said == "started\n"


async def everything_from(reader: int) -> bytes:
    """What was written, once the last process that could write has ended."""
    read = b""
    while True:
        await anyio.wait_readable(reader)
        part = os.read(reader, 100)
        if not part:
            return read
        read += part


async def test_an_agent_that_does_not_name_bash_is_not_offered_it(
    sqlite_db: Database, tmp_path: Path
) -> None:
    model = Scripted([calls("bash", command="touch made"), "Done"])
    tools = tuple(builtin_tools(project=tmp_path).values())
    await run(make_runtime(sqlite_db, tmp_path, provider=model, tools=tools))

    assert "bash" not in {spec.name for spec in model.requests[0].tools}
    assert "There is no tool `bash`" in model.requests[1].messages[-1].blocks[0].content
    assert "made" not in os.listdir(tmp_path)
