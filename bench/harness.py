"""How everything is measured: ours and a reference in the same run, in turns, as a ratio.

A measurement is a function that does one run and returns its number. Turns alternate so that
whatever else the machine does falls on both; the median of each side makes the ratio. Absolute
numbers are kept for reading, never for judging.
"""

import json
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

RESULTS = Path(__file__).parent / "results.json"
Run = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Pair:
    """One run of ours and one run of the reference."""

    ours: Run
    reference: Run


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What is compared, how often, and which ratio we promise."""

    name: str
    unit: str
    better: Literal["lower", "higher"]
    prepare: Callable[[], AbstractContextManager[Pair]]
    promise: float | None = None
    turns: int = 15
    warm_up: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    """A line of `results.json`."""

    name: str
    ours: float
    reference: float
    ratio: float
    unit: str
    better: str
    promise: float | None

    @property
    def kept(self) -> bool:
        """Whether the promise, if there is one, is kept."""
        if self.promise is None:
            return True
        return self.ratio <= self.promise if self.better == "lower" else self.ratio >= self.promise


def measure(benchmark: Benchmark) -> Result:
    """Run both sides in turns and compare their medians."""
    with benchmark.prepare() as pair:
        for _ in range(benchmark.warm_up):
            pair.ours()
            pair.reference()
        turns = [(pair.ours(), pair.reference()) for _ in _progress(benchmark)]
    ours = statistics.median(turn[0] for turn in turns)
    reference = statistics.median(turn[1] for turn in turns)
    ratio = ours / reference
    return Result(
        benchmark.name, ours, reference, ratio, benchmark.unit, benchmark.better, benchmark.promise
    )


def save(results: list[Result]) -> None:
    """Write results over earlier ones of the same name."""
    known = {entry["name"]: entry for entry in _earlier()}
    for result in results:
        known[result.name] = {
            "name": result.name,
            "ours": round(result.ours, 6),
            "reference": round(result.reference, 6),
            "ratio": round(result.ratio, 4),
            "unit": result.unit,
            "better": result.better,
        }
    RESULTS.write_text(json.dumps(list(known.values()), indent=2) + "\n", encoding="utf-8")


def show(result: Result) -> None:
    """Print one line for people."""
    promise = "" if result.promise is None else f"  promised {result.promise:g} x"
    verdict = "" if result.kept else "  NOT KEPT"
    print(
        f"{result.name:20} {result.ours:10.3f} {result.unit:8} "
        f"reference {result.reference:10.3f}  ratio {result.ratio:6.2f} x{promise}{verdict}"
    )


def _earlier() -> list[dict[str, object]]:
    try:
        return json.loads(RESULTS.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return []


def _progress(benchmark: Benchmark) -> Iterator[int]:
    for turn in range(benchmark.turns):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{benchmark.name}: {turn + 1}/{benchmark.turns} ")
            sys.stderr.flush()
        yield turn
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
