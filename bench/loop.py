"""What a turn of the agent loop costs: ours, with all that it keeps, beside the bare SDK.

`python -m bench.loop` also shows how the database grows with the length of a run.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from bench.harness import Benchmark, Pair
from bench.loop_ours import journal_bytes
from bench.model_server import model_server
from bench.worker import worker

LENGTHS = (20, 100)


def _turns(calls: int) -> Callable[[], AbstractContextManager[Pair]]:
    @contextmanager
    def prepare() -> Iterator[Pair]:
        with (
            model_server() as address,
            worker(_command("bench.loop_ours", address, calls)) as ours,
            worker(_command("bench.loop_raw", address, calls)) as reference,
        ):
            yield Pair(ours, reference)

    return prepare


def _command(module: str, address: str, calls: int) -> list[str]:
    return [sys.executable, "-m", module, address, str(calls)]


def growth() -> str:
    """A table of what runs add to the database."""
    with model_server() as address:
        sizes = {calls: journal_bytes(address, calls) for calls in LENGTHS}
    lines = [f"{calls:5} {size:10} {size / calls:14.0f}" for calls, size in sizes.items()]
    return "\n".join(["turns      bytes  bytes per turn", *lines])


BENCHMARKS = tuple(
    Benchmark(f"loop-{calls}", "ms/turn", "lower", _turns(calls), promise=2.0, turns=25, warm_up=2)
    for calls in LENGTHS
)

if __name__ == "__main__":
    print(growth())
