"""`bash`, for developers and evals only: no agent has it unless it names it."""

import os
import signal
import subprocess
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream
from pydantic import BaseModel, Field

from paige.agent.tools import Tool, ToolFailed, ToolScope
from paige.base.environment import passed_on
from paige.base.umask import persons_umask

BASH_SECONDS = 120.0
MAX_BYTES = 1_000_000


class Bash(BaseModel):
    """A command line."""

    command: str = Field(min_length=1)


def bash_tool(folder: Path) -> Tool[Bash]:
    """The tool, working in a folder."""

    async def run(scope: ToolScope, params: Bash) -> str:
        return await run_bash(params.command, folder)

    return Tool(
        "bash",
        "Run a shell command in the project and read its output.",
        Bash,
        "once",
        run,
        seconds=BASH_SECONDS,
    )


async def run_bash(command: str, folder: Path) -> str:
    """Run a command to its end, with nothing of it left behind."""
    process = await anyio.open_process(
        ["bash", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
        env=passed_on(os.environ),
        start_new_session=True,
        umask=persons_umask(),
    )
    assert process.stdout is not None
    output = bytearray()

    async def read(stdout: ByteReceiveStream) -> None:
        async for part in stdout:
            output.extend(part[: max(0, MAX_BYTES - len(output))])

    async with process, anyio.create_task_group() as reading:
        reading.start_soon(read, process.stdout)
        try:
            await process.wait()
        finally:
            _end(process.pid)  # what it left running would also keep the output open
    text = output.decode("utf-8", "replace")
    if process.returncode != 0:
        raise ToolFailed(f"{text}\nThe command ended with exit code {process.returncode}.")
    return text or "The command printed nothing."


def _end(group: int) -> None:
    """End whatever the command started and left running."""
    if hasattr(os, "killpg"):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            return
