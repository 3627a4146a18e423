"""How long people wait: for the server to answer, and for `paige --help`."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.harness import Benchmark, Pair
from bench.servers import bare_command, free_port, paige_command, running


@contextmanager
def _start() -> Iterator[Pair]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def ours() -> float:
            port = free_port()
            command, environ = paige_command(folder, port)
            with running(command, environ, port) as seconds:
                return seconds * 1000

        def reference() -> float:
            port = free_port()
            command, environ = bare_command(folder, port)
            with running(command, environ, port) as seconds:
                return seconds * 1000

        yield Pair(ours, reference)


@contextmanager
def _help() -> Iterator[Pair]:
    paige = str(Path(sys.executable).parent / "paige")
    yield Pair(lambda: timed([paige, "--help"]), lambda: timed([sys.executable, "-c", "pass"]))


def timed(command: list[str], stdin: bytes = b"") -> float:
    """Milliseconds of one fresh process."""
    start = time.perf_counter()
    subprocess.run(
        command, input=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
    )
    return (time.perf_counter() - start) * 1000


BENCHMARKS = (
    Benchmark("start", "ms", "lower", _start, promise=1.6, turns=9),
    Benchmark("help", "ms", "lower", _help, promise=5.0, turns=25, warm_up=2),
)
