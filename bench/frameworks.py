"""Prints what a turn of the loop costs in other frameworks: `python -m bench.frameworks`.

Run by hand: it installs them into a new virtual environment, or uses the one in `BENCH_VENV`. All
clients talk to the same loopback server, in turns, each in a warm process of its own. What cannot
be installed or run is in the table too, as that.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.framework_loops import LOOPS
from bench.harness import Run
from bench.loop import LENGTHS
from bench.loop_ours import journal_bytes
from bench.model_server import model_server
from bench.worker import worker

PACKAGES = (
    "pydantic-ai-slim[anthropic]",
    "openai-agents",
    "langgraph",
    "langchain-anthropic",
    "langgraph-checkpoint-sqlite",
)
PAIGE, RAW, RAW_OPENAI = "Paige", "raw anthropic", "raw openai"
# What each is built on, to compare it with.
BASES = {"openai-agents": RAW_OPENAI, RAW_OPENAI: RAW_OPENAI}
ROUNDS = 9
WARM_UP = 2

Costs = dict[str, float | str]
"""Milliseconds per turn by name, or why there is no number."""


@contextmanager
def other_python() -> Iterator[str]:
    """A Python that has the frameworks."""
    given = os.environ.get("BENCH_VENV")
    if given:
        yield str(Path(given) / "bin" / "python")
        return
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        for package in PACKAGES:
            print(f"installing {package}", file=sys.stderr)
            subprocess.run([python, "-m", "pip", "install", "-q", package], check=False)
        yield python


def measure(python: str, address: str, calls: int) -> Costs:
    """Run everyone in turns; the median of each."""
    costs: Costs = {}
    with ExitStack() as stack:
        runs: dict[str, Run] = {}
        for name, command in _commands(python, address, calls).items():
            runs[name] = stack.enter_context(worker(command))
        taken: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(WARM_UP + ROUNDS):
            for name in [name for name in runs if name not in costs]:
                try:
                    taken[name].append(runs[name]())
                except RuntimeError as error:
                    print(error, file=sys.stderr)
                    costs[name] = "did not run"
    return {name: statistics.median(v[WARM_UP:]) for name, v in taken.items() if v} | costs


def _commands(python: str, address: str, calls: int) -> dict[str, list[str]]:
    arguments = [address, str(calls)]
    ours = {PAIGE: "bench.loop_ours", RAW: "bench.loop_raw"}
    return {
        **{name: [sys.executable, "-m", module, *arguments] for name, module in ours.items()},
        **{name: _other(python, name, *arguments) for name in LOOPS},
    }


def _other(python: str, *arguments: str) -> list[str]:
    return [python, "-W", "ignore", "-m", "bench.framework_loops", *arguments]


def speed_table(costs: dict[int, Costs]) -> str:
    """Milliseconds per turn, and how many times the bare SDK below, as markdown."""
    titles = [f"{calls} turns | x bare SDK" for calls in LENGTHS]
    rows = [
        " | ".join([name, *(_cell(costs[calls], name) for calls in LENGTHS)])
        for name in costs[LENGTHS[0]]
    ]
    return _markdown(f"CPU ms per turn | {' | '.join(titles)}", rows)


def _cell(costs: Costs, name: str) -> str:
    cost, base = costs[name], costs[BASES.get(name, RAW)]
    if isinstance(cost, str) or isinstance(base, str):
        return f"{cost} | "
    return f"{cost:.2f} | {cost / base:.1f}"


def growth_table(python: str, address: str) -> str:
    """Bytes in SQLite after one run, as markdown."""
    journal = [f"{journal_bytes(address, calls):,}" for calls in LENGTHS]
    checkpoints = [_checkpoint_bytes(python, address, calls) for calls in LENGTHS]
    rows = [
        f"Paige: journal, spans, log of calls | {' | '.join(journal)}",
        f"LangGraph: `AsyncSqliteSaver` | {' | '.join(checkpoints)}",
    ]
    return _markdown("bytes kept | " + " | ".join(f"{n} turns" for n in LENGTHS), rows)


def _checkpoint_bytes(python: str, address: str, calls: int) -> str:
    command = _other(python, "checkpoint bytes", address, str(calls))
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return f"{int(done.stdout):,}" if done.returncode == 0 else "did not run"


def _markdown(head: str, rows: list[str]) -> str:
    line = "|".join("---" for _ in head.split("|"))
    return "\n".join([f"| {head} |", f"|{line}|", *(f"| {row} |" for row in rows)])


def versions(python: str) -> str:
    """What was measured."""
    code = (
        "from importlib.metadata import version\n"
        "for name in ('anthropic', 'openai', 'pydantic-ai-slim', 'openai-agents', 'langgraph',"
        " 'langchain-anthropic', 'langgraph-checkpoint-sqlite'):\n"
        "    try: print(name, version(name))\n"
        "    except Exception: print(name, 'not installed')\n"
    )
    shown = subprocess.run([python, "-c", code], stdout=subprocess.PIPE, text=True, check=False)
    return ", ".join([f"Python {sys.version.split()[0]}", *shown.stdout.splitlines()])


def main() -> None:
    """Install, measure, print."""
    with other_python() as python, model_server() as address:
        costs = {calls: measure(python, address, calls) for calls in LENGTHS}
        print(speed_table(costs), growth_table(python, address), versions(python), sep="\n\n")


if __name__ == "__main__":
    main()
