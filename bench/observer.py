"""Prints how well the observer's rules do: `python -m bench.observer [--misses] [--held]`.

The traces in `tests/coach/observer_traces` were there while the rules were made, those in its
folder `held` were not. A nudge counts as right when it was due and is about the right thing.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paige.coach.observer.rules import Judgement, judge
from paige.coach.observer.trace import read_trace

TRACES = Path(__file__).parents[1] / "tests" / "coach" / "observer_traces"
SIGNALS = ("wrong_file", "scope_drift", "idle", "phase_complete", "edit_loop")
QUIET = "no_nudge"


@dataclass(frozen=True)
class Labelled:
    """A trace and what is right about it."""

    name: str
    signal: str
    trace: dict[str, Any]


@dataclass
class Score:
    """How many nudges were due, given, and right; by signal."""

    due: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def precision(self, *signals: str) -> float:
        """Of the nudges given, how many were right."""
        return _share(self.right, self.given, signals or SIGNALS)

    def recall(self, *signals: str) -> float:
        """Of the nudges due, how many were given."""
        return _share(self.right, self.due, signals or SIGNALS)


def read_traces(folder: Path = TRACES) -> list[Labelled]:
    """The labelled traces of a folder."""
    found: list[Labelled] = []
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            each = json.loads(line)
            found.append(Labelled(each["name"], each["label"]["signal"], each["trace"]))
    return found


def score(cases: Iterable[Labelled]) -> Score:
    """Judge every trace."""
    found = Score()
    for case in cases:
        start = time.process_time()
        said = judge(read_trace(case.trace))
        found.seconds.append(time.process_time() - start)
        _count(found, case, said)
    return found


def _count(found: Score, case: Labelled, said: Judgement) -> None:
    given = said.signal if said.should_nudge else QUIET
    found.due[case.signal] += case.signal != QUIET
    found.given[given] += said.should_nudge
    found.right[given] += said.should_nudge and given == case.signal
    if given != case.signal:
        told = f"{given} ({said.confidence:.2f}): {said.why}"
        found.misses.append(f"{case.name}: {case.signal}, but {told}")


def _share(part: Counter[str], whole: Counter[str], signals: Iterable[str]) -> float:
    total = sum(whole[signal] for signal in signals)
    return sum(part[signal] for signal in signals) / total if total else 1.0


def main() -> int:
    """Print the figures of both sets."""
    parser = argparse.ArgumentParser(prog="bench.observer", description=__doc__)
    parser.add_argument("--misses", action="store_true", help="show what went wrong, as developed")
    parser.add_argument("--held", action="store_true", help="with --misses: the others too")
    asked = parser.parse_args()
    for which, folder in (("developed", TRACES), ("held back", TRACES / "held")):
        _show(which, read_traces(folder), asked.misses and (asked.held or which == "developed"))
    return 0


def _show(which: str, cases: list[Labelled], misses: bool) -> None:
    found = score(cases)
    quiet = sum(case.signal == QUIET for case in cases)
    print(f"{which}: {len(cases)} traces, {quiet} of them without a nudge")
    for signal in SIGNALS:
        print(
            f"  {signal:15} precision {found.precision(signal):.3f}"
            f"  recall {found.recall(signal):.3f}"
            f"  ({found.right[signal]} right of {found.given[signal]} given,"
            f" {found.due[signal]} due)"
        )
    print(f"  {'all':15} precision {found.precision():.3f}  recall {found.recall():.3f}")
    if found.seconds:
        middle = sorted(found.seconds)[len(found.seconds) // 2]
        print(f"  a trace: median {1000 * middle:.2f} ms")
    for line in found.misses if misses else ():
        print(f"    {line}")


if __name__ == "__main__":
    sys.exit(main())
