"""Programs the conductor starts: in a group of their own, with an end, and nothing left behind.

Their output goes straight to files, so that they do not notice when the conductor is killed. What
an earlier conductor left running is found again by the file it wrote and ended first.
"""

import json
import os
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import anyio
from anyio.abc import Process

from paige.base.errors import Unavailable
from paige.base.files import write_atomic, write_error
from paige.base.platform import UNKNOWN, process_start
from paige.base.umask import persons_umask
from paige.guard.state.files import Damaged, read_object

PROCESS = "process.json"
STDOUT = "stdout.txt"
STDERR = "stderr.txt"
PROMPT = "prompt.md"
_PAUSE = 0.05
_GRACE = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessRequest:
    """What to start, where, with what on stdin, and for how long at the most."""

    argv: Sequence[str]
    folder: Path
    environ: Mapping[str, str]
    stdin: str
    out: Path
    seconds: float


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """How a program ended; no code when it was ended for its time."""

    code: int | None
    seconds: float


async def run_process(wanted: ProcessRequest) -> ProcessEnd:
    """Run a program to its end; its whole group goes with it. Raises: Unavailable."""
    began = time.monotonic()
    try:
        wanted.out.mkdir(parents=True, exist_ok=True)
        (wanted.out / PROMPT).write_text(wanted.stdin, encoding="utf-8")
    except OSError as error:
        raise write_error(wanted.out, error) from error
    process = await _start(wanted)
    code: int | None = None
    try:
        _note(wanted.out, process.pid)
        with anyio.move_on_after(wanted.seconds):
            code = await process.wait()
    finally:
        end_group(process.pid)
        with anyio.CancelScope(shield=True):
            await process.aclose()
        with suppress(OSError):
            (wanted.out / PROCESS).unlink()
    return ProcessEnd(code, round(time.monotonic() - began, 3))


def end_leftover(out: Path) -> bool:
    """End what an earlier conductor left running in a run's folder; whether there was anything."""
    try:
        noted = read_object(out / PROCESS)
    except Damaged:
        noted = None
    pid = noted.get("pid") if noted else None
    if noted is None or not isinstance(pid, int) or pid <= 1:
        return False
    start = process_start(pid)
    if start is None or (start != UNKNOWN and start != noted.get("start")):
        return False  # gone, or the number is somebody else's now
    end_group(pid)
    until = time.monotonic() + _GRACE
    while process_start(pid) is not None and time.monotonic() < until:
        time.sleep(_PAUSE)
    return True


def end_leftovers(out: Path) -> None:
    """End everything an earlier conductor left running below a run's folder."""
    for noted in sorted(out.rglob(PROCESS)):
        end_leftover(noted.parent)


def end_group(pid: int) -> None:
    """End a process and everything it started in its group."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGTERM)
    except (ProcessLookupError, PermissionError):
        return


async def _start(wanted: ProcessRequest) -> Process:
    try:
        with (
            (wanted.out / PROMPT).open("rb") as given,
            (wanted.out / STDOUT).open("wb") as printed,
            (wanted.out / STDERR).open("wb") as complained,
        ):
            return await anyio.open_process(
                list(wanted.argv),
                cwd=wanted.folder,
                env=dict(wanted.environ),
                stdin=given,
                stdout=printed,
                stderr=complained,
                start_new_session=True,
                umask=persons_umask(),
            )
    except OSError as error:
        raise Unavailable(
            f"`{wanted.argv[0]}` cannot be started: {error.strerror or error}",
            hint="Install it, or choose another runner with `--runner`.",
        ) from error


def _note(out: Path, pid: int) -> None:
    write_atomic(out / PROCESS, json.dumps({"pid": pid, "start": process_start(pid)}) + "\n")
