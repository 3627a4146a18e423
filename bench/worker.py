"""A warm process that does one run of an agent loop whenever it is told to.

Imports, the first connection and everything else that happens once are outside of the number: it is
the CPU time of the process, all of its threads, divided by the model calls of a run.
"""

import asyncio
import logging
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from bench.harness import Run
from bench.model_server import pin_to_core


def answer_stdin(run: Callable[[], Awaitable[None]], calls: int) -> None:
    """Do one run for every line that comes in, and print milliseconds of CPU per model call."""
    pin_to_core(0)

    async def answer() -> None:
        while await asyncio.to_thread(sys.stdin.readline):
            begun = time.process_time()
            await run()
            print((time.process_time() - begun) * 1000 / calls, flush=True)

    try:
        asyncio.run(answer())
    except Exception:
        logging.exception("The run failed")
        os._exit(1)  # some libraries leave threads behind that would keep the process alive


@contextmanager
def worker(command: list[str]) -> Iterator[Run]:
    """A worker process; the value does one run and returns what it printed."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, text=True, bufsize=1, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ask, answers = process.stdin, process.stdout

        def run() -> float:
            ask.write("run\n")
            line = answers.readline()
            if not line:
                raise RuntimeError(f"`{' '.join(command)}` ended with {process.wait()}")
            return float(line)

        try:
            yield run
        finally:
            process.kill()
